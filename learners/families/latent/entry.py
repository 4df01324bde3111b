"""Registry entries of learners of PAGs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import (
    bdeu_with_edge_penalty,
    ci_test_for,
    cost_of_boss,
    cost_of_skeleton,
    cost_of_tests,
    score_for,
    the_data,
)
from ...settings.reference import Reference
from .settings import BOSS_FCI, FCI, MAG_SEARCH, NUMBERS

if TYPE_CHECKING:
    from ...independence.ci_test import CITest
    from ...scores.score import FamilyScore

fci = Reference("families.latent.fci", "fci")
boss_fci = Reference("families.latent.boss_fci", "boss_fci")
mag_search = Reference("families.latent.mag_search", "mag_search")
cost_of_mags = Reference("families.latent.cost", "cost_of_mags")
FCI_TIMES = 6.0  # running time in multiples of PC's skeleton; measured: 1 to 13, and 3 to 31 with hubs


def cost_of_fci(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of the skeleton, of the tests that hidden causes need, and of the ends."""
    return FCI_TIMES * cost_of_skeleton(ci_test, **settings)


def cost_of_orders_and_tests(ci_test: CITest, score: FamilyScore, **settings: Any) -> float:
    """Estimate the seconds of a search over orders and of tests of its edges, at most those of a skeleton."""
    return cost_of_boss(score, **settings) + cost_of_tests(ci_test, **settings)


ENTRIES = (
    Learner(
        key="fci",
        label="FCI",
        summary="Removes edges by tests as PC-stable does; each end shows what tests imply even with hidden causes.",
        choose_if="variables that you did not measure may cause several of yours",
        paper="Spirtes, Meek and Richardson (1999); Zhang (2008)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=FCI,
        function=fci,
        needs=(ci_test_for,),
        cost=cost_of_fci,
        pair_bytes=90,
    ),
    Learner(
        key="boss_fci",
        label="BOSS-FCI",
        summary="Tests the edges of the best DAG, removes each edge whose variables a test separates, "
        "and marks the ends.",
        choose_if="you want to find more causes than FCI does, and can wait a little longer",
        paper="Ogarrio, Spirtes and Ramsey (2016), with BOSS",
        family="hybrid",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=BOSS_FCI,
        function=boss_fci,
        needs=(ci_test_for, bdeu_with_edge_penalty),
        cost=cost_of_orders_and_tests,
        pair_bytes=160,
    ),
    Learner(
        key="mag_search",
        label="MAG search",
        summary="Finds the best DAG, then removes edges and turns ends where hidden causes explain the data better.",
        choose_if="your columns are numbers, and variables that you did not measure may cause several of them",
        paper="Drton, Eichler and Richardson (2009); Triantafillou and Tsamardinos (2016)",
        family="score-based",
        kinds=NUMBERS,
        why_kinds="Its score fits linear equations, so at least one column must be numeric.",
        settings=MAG_SEARCH,
        function=mag_search,
        needs=(the_data, score_for),
        cost=cost_of_mags,
        pair_bytes=160,
    ),
)
