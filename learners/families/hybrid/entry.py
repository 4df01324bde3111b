"""Settings and registry entry of MMHC."""

from __future__ import annotations

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import bdeu_of_ten_rows, cost_of_both, test_with_five_rows
from ...settings.reference import Reference
from ...settings.shared import ALPHA, MAX_COND_SIZE, SCORES, TESTS, TIES, WITHIN_SKELETON

MMHC = (ALPHA, MAX_COND_SIZE, *TESTS, *SCORES, *WITHIN_SKELETON, TIES)
mmhc = Reference("families.hybrid.mmhc", "mmhc")

ENTRIES = (
    Learner(
        key="mmhc",
        label="MMHC",
        summary="Finds a skeleton with MMPC, then runs a tabu search by score within it.",
        choose_if="you want one DAG of many variables in little time",
        paper="Tsamardinos, Brown and Aliferis (2006)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=MMHC,
        function=mmhc,
        needs=(test_with_five_rows, bdeu_of_ten_rows),
        cost=cost_of_both,
        pair_bytes=210,
    ),
)
