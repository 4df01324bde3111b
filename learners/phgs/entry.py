"""The catalogue entries of pPC, PATH, pHGS, GSC and ARGES."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..settings.learner import EVERY_KIND, Learner
from ..settings.needs import (
    bdeu_with_edge_penalty,
    ci_test_for,
    cost_of_blankets,
    cost_of_both,
    cost_of_search,
    cost_of_tests,
)
from ..settings.reference import Reference
from .settings import ARGES, GSC, LAST_BELOW_FIRST, PATH, PHGS, PPC

if TYPE_CHECKING:
    from ..independence.ci_test import CITest
    from ..scores.score import FamilyScore

arges = Reference("phgs.arges", "arges")
gsc = Reference("phgs.gsc", "gsc")
path = Reference("phgs.path", "path")
phgs = Reference("phgs.phgs", "phgs")
ppc = Reference("phgs.ppc", "ppc")


def cost_of_gsc(ci_test: CITest, score: FamilyScore, *, skeleton: str, **settings: Any) -> float:
    """Estimate the seconds of the skeleton and of the search."""
    cost = cost_of_blankets if skeleton == "fast_iamb" else cost_of_tests
    return cost(ci_test, **settings) + cost_of_search(score, **settings)


ENTRIES = (
    Learner(
        key="ppc",
        label="pPC",
        summary="Tests inside clusters of variables that tell much about one another, then between the clusters.",
        choose_if="variables fall into groups that hardly touch one another",
        paper="Huang and Zhou (2022)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=PPC,
        function=ppc,
        needs=(ci_test_for,),
        cost=cost_of_tests,
        cut="alpha",
    ),
    Learner(
        key="path",
        label="PATH",
        summary="Cuts the evidence of one run of pPC at ever stricter levels and keeps the graph with the best score.",
        choose_if="you don't know which alpha to take",
        paper="Huang and Zhou (2022)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=PATH,
        function=path,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_tests,
        cost_needs=(ci_test_for,),
        orders=(LAST_BELOW_FIRST,),
    ),
    Learner(
        key="phgs",
        label="pHGS",
        summary="Lets pPC say which pairs may be joined, starts from its best oriented cut, and goes on by score.",
        choose_if="you have some hundred variables and want the best score that a search within tested pairs finds",
        paper="Huang and Zhou (2022)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=PHGS,
        function=phgs,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_both,
        orders=(LAST_BELOW_FIRST,),
    ),
    Learner(
        key="gsc",
        label="GSC",
        summary="Lets tests of your choice say which pairs may be joined, then climbs from a greedy start or none.",
        choose_if="you want to hold skeletons or starting points of a search against one another",
        paper="Huang and Zhou (2022), after Friedman, Nachman and Pe'er (1999)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=GSC,
        function=gsc,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_gsc,
    ),
    Learner(
        key="arges",
        label="ARGES",
        summary="GES that joins a pair only if tests say so or if the edge shields a triple, from a greedy start.",
        choose_if="you like GES and have so many variables that it takes too long",
        paper="Nandy, Hauser and Maathuis (2018); Huang and Zhou (2022), appendix D.2",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=ARGES,
        function=arges,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_both,
    ),
)
