"""The catalogue entries of CImap, PC-MI and ARACNE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import cost_of_tests, information_test_for
from ...settings.reference import Reference
from .settings import ARACNE, CIMAP, PC_MI

if TYPE_CHECKING:
    from ...independence.ci_test import CITest

aracne = Reference("families.cimap.aracne", "aracne")
cimap = Reference("families.cimap.cimap", "cimap")
pc_mi = Reference("families.cimap.pc_mi", "pc_mi")

Folds = Reference("families.cimap.effect_choice", "Folds")

adjusted_information = information_test_for.giving(dof="adjusted")


def cost_of_cimap(ci_test: CITest, *, effect_by: str, **settings: Any) -> float:
    """Estimate the seconds of the tests; a cross-validation repeats them 30 times."""
    return (31 if effect_by == "cv" else 1) * cost_of_tests(ci_test, **settings)


ENTRIES = (
    Learner(
        key="cimap",
        label="CImap",
        summary="Tests like PC, the weakest edges first, with control of false negatives and false discoveries.",
        choose_if="you have many levels for your rows, and want to know which tests lack power",
        paper="Bacciu, Etchells, Lisboa and Whittaker (2013)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        needs_cells=True,
        settings=CIMAP,
        function=cimap,
        needs=(adjusted_information, Folds),
        cost=cost_of_cimap,
        cost_needs=(adjusted_information,),
        pair_bytes=130,
        level_pair_bytes=180,
    ),
    Learner(
        key="pc_mi",
        label="PC-MI",
        summary="PC-stable with a threshold of the mutual information instead of a test.",
        choose_if="you prefer a threshold in bits to a significance level",
        paper="Bacciu, Etchells, Lisboa and Whittaker (2013), after Cheng et al. (2002)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        needs_cells=True,
        settings=PC_MI,
        function=pc_mi,
        needs=(information_test_for,),
        cost=cost_of_tests,
        cut="alpha",
        pair_bytes=130,
        level_pair_bytes=210,
    ),
    Learner(
        key="aracne",
        label="ARACNE",
        summary="Connects pairs with mutual information and removes the weakest edge of each triangle; no directions.",
        choose_if="you want a quick picture of dependences, such as between genes, without arrows",
        paper="Margolin et al. (2006)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        needs_cells=True,
        settings=ARACNE,
        function=aracne,
        needs=(information_test_for,),
        cost=lambda ci_test, **_settings: cost_of_tests(ci_test, max_cond_size=0),
        pair_bytes=120,
        level_pair_bytes=170,
    ),
)
