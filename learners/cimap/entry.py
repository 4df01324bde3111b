"""The catalogue entries of CImap, PC-MI and ARACNE."""

from __future__ import annotations

from ..settings.learner import Learner
from ..settings.needs import MutualInformation, cost_of_tests
from ..settings.reference import Reference
from .settings import ARACNE, CIMAP, PC_MI

aracne = Reference("cimap.aracne", "aracne")
cimap = Reference("cimap.cimap", "cimap")
pc_mi = Reference("cimap.pc_mi", "pc_mi")

adjusted_information = MutualInformation.giving(dof="adjusted")

ENTRIES = (
    Learner(
        key="cimap",
        label="CImap",
        summary="Tests like PC, but the weakest edges first, and watches over false negatives and false edges.",
        choose_if="your levels are many for your rows, and you want to know which tests the data can't bear",
        paper="Bacciu, Etchells, Lisboa and Whittaker (2013)",
        family="constraint-based",
        kinds=("categorical",),
        settings=CIMAP,
        function=cimap,
        needs=(adjusted_information,),
        cost=cost_of_tests,
    ),
    Learner(
        key="pc_mi",
        label="PC-MI",
        summary="PC-stable with a cut of the mutual information in place of a test.",
        choose_if="you would rather set a cut in bits than a level of significance",
        paper="Bacciu, Etchells, Lisboa and Whittaker (2013), after Cheng et al. (2002)",
        family="constraint-based",
        kinds=("categorical",),
        settings=PC_MI,
        function=pc_mi,
        needs=(MutualInformation,),
        cost=cost_of_tests,
        cut="alpha",
    ),
    Learner(
        key="aracne",
        label="ARACNE",
        summary="Joins pairs that share information and drops the weakest edge of every triangle; no directions.",
        choose_if="you want a quick picture of who shares information, such as genes, and no arrows",
        paper="Margolin et al. (2006)",
        family="constraint-based",
        kinds=("categorical",),
        settings=ARACNE,
        function=aracne,
        needs=(MutualInformation,),
        cost=lambda ci_test, **_settings: cost_of_tests(ci_test, max_cond_size=0),
    ),
)
