"""Settings that learners by tests have beside those of every family."""

from dataclasses import replace

from ..settings.parameter import Parameter
from ..settings.shared import MAX_COND_SIZE

CHECKS = ("dependent", "off")

BLANKET_COND_SIZE = replace(
    MAX_COND_SIZE,
    help="Tests of two variables within their blankets condition on at most this many others; tests of blankets have "
    "no such limit.",
)
COLLIDER_CHECK = Parameter(
    "collider_check",
    "Check v-structures",
    choices=CHECKS,
    words=("ends must depend", "as in the paper"),
    help="Whether the ends of a v-structure must depend once its middle is given, too; the paper has no such test.",
    up="",
    down="",
    source="as in PC-stable; the check costs a test a v-structure and draws fewer arrows, more of them right",
)
