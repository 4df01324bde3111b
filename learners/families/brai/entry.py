"""The catalogue entries of RAI and B-RAI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import PolishScore, ci_test_for, cost_of_tests, resampled_test_for, tree_score_for
from ...settings.reference import Reference
from .settings import BRAI, RAI

if TYPE_CHECKING:
    from ...independence.ci_test import CITest

brai = Reference("families.brai.brai", "brai")
rai = Reference("families.brai.rai", "rai")
cost_of_brai = Reference("families.brai.cost", "cost_of_brai")

TIMES_PC = 6.0  # running time of RAI in multiples of PC; measured: 3 to 11
plain_test = ci_test_for.giving(dof="plain")


def cost_of_rai(ci_test: CITest, **settings: Any) -> float:
    """Estimate the running time, in seconds, of the tests of edges and v-structures."""
    return TIMES_PC * cost_of_tests(ci_test, **settings)


ENTRIES = (
    Learner(
        key="rai",
        label="RAI",
        summary="Runs tests given ever larger sets, and splits the graph into autonomous groups after each size.",
        choose_if="rows are few: most of its tests are given small sets",
        paper="Yehezkel and Lerner (2009)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=RAI,
        function=rai,
        needs=(plain_test,),
        cost=cost_of_rai,
        pair_bytes=100,
    ),
    Learner(
        key="brai",
        label="B-RAI",
        summary="Refines each group of RAI on several resamples, which gives a tree of graphs to average.",
        choose_if="rows are few and you want probabilities of edges instead of one graph",
        paper="Rohekar, Gurwicz, Nisimov, Koren and Novik (2018)",
        family="hybrid",
        gives="probabilities",
        kinds=EVERY_KIND,
        settings=BRAI,
        function=brai,
        needs=(resampled_test_for, tree_score_for, PolishScore),
        cost=cost_of_brai,
        cost_needs=(resampled_test_for,),
        needs_cells=True,
        spreads=True,
        pair_bytes=190,
    ),
)
