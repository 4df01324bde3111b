"""The catalogue entries of pPC, PATH, pHGS, GSC and ARGES."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import (
    bdeu_with_edge_penalty,
    ci_test_for,
    cost_of_blankets,
    cost_of_both,
    cost_of_search,
    cost_of_skeleton,
)
from ...settings.reference import Reference
from .settings import ARGES, GSC, LAST_BELOW_FIRST, PATH, PHGS, PPC

if TYPE_CHECKING:
    from ...independence.ci_test import CITest
    from ...scores.score import FamilyScore

arges = Reference("families.phgs.arges", "arges")
gsc = Reference("families.phgs.gsc", "gsc")
path = Reference("families.phgs.path", "path")
phgs = Reference("families.phgs.phgs", "phgs")
ppc = Reference("families.phgs.ppc", "ppc")


def cost_of_gsc(ci_test: CITest, score: FamilyScore, *, skeleton: str, **settings: Any) -> float:
    """Estimate the seconds of the skeleton and of the search."""
    cost = cost_of_blankets if skeleton == "fast_iamb" else cost_of_skeleton
    return cost(ci_test, **settings) + cost_of_search(score, **settings)


ENTRIES = (
    Learner(
        key="ppc",
        label="pPC",
        summary="Tests within clusters of strongly dependent variables first, then between the clusters.",
        choose_if="the variables form nearly separate groups",
        paper="Huang and Zhou (2022)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=PPC,
        function=ppc,
        needs=(ci_test_for,),
        cost=cost_of_skeleton,
        cut="alpha",
        pair_bytes=120,
    ),
    Learner(
        key="path",
        label="PATH",
        summary="Applies ever stricter thresholds to one run of pPC, and keeps the graph with the best score.",
        choose_if="you do not know which alpha to choose",
        paper="Huang and Zhou (2022)",
        family="hybrid",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=PATH,
        function=path,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_skeleton,
        cost_needs=(ci_test_for,),
        orders=(LAST_BELOW_FIRST,),
        pair_bytes=200,
    ),
    Learner(
        key="phgs",
        label="pHGS",
        summary="Restricts a search by score to the pairs that pPC allows, and starts from the best graph of PATH.",
        choose_if="you have a few hundred variables and want a high score within tested pairs",
        paper="Huang and Zhou (2022)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=PHGS,
        function=phgs,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_both,
        orders=(LAST_BELOW_FIRST,),
        pair_bytes=220,
    ),
    Learner(
        key="gsc",
        label="GSC",
        summary="Climbs by score within a skeleton from tests of your choice, from a greedy or an empty start.",
        choose_if="you want to compare skeletons or starting points of a search",
        paper="Huang and Zhou (2022), after Friedman, Nachman and Pe'er (1999)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=GSC,
        function=gsc,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_gsc,
        pair_bytes=140,
    ),
    Learner(
        key="arges",
        label="ARGES",
        summary=(
            "GES from a greedy graph; it adds an edge only if tests allow it or if it connects the ends of x — z — y."
        ),
        choose_if="you would use GES, but have too many variables for it",
        paper="Nandy, Hauser and Maathuis (2018); Huang and Zhou (2022), appendix D.2",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=ARGES,
        function=arges,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_both,
        pair_bytes=130,
    ),
)
