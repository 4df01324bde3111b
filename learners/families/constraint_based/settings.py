"""Settings of PC-stable and of the learners that search around each variable."""

from dataclasses import replace

from ...settings.shared import ALPHA, COLLIDER_CHECK, MAX_COND_SIZE, TESTS

BLANKET_COND_SIZE = replace(
    MAX_COND_SIZE,
    help="Size of the largest conditioning set for two variables within their blankets. Tests of the blankets have no "
    "such limit.",
)

PC = (ALPHA, MAX_COND_SIZE, *TESTS, COLLIDER_CHECK)
MMPC = SI_HITON_PC = (ALPHA, MAX_COND_SIZE, *TESTS)
GS = FAST_IAMB = (ALPHA, BLANKET_COND_SIZE, *TESTS)
