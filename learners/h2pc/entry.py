"""Registry entries of HPC, HPC of one variable and H2PC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..settings.learner import EVERY_KIND, Learner
from ..settings.needs import bdeu_of_ten_rows, cost_of_search_and_polish, cost_of_tests, test_with_five_rows
from ..settings.reference import Reference
from .settings import H2PC, HPC, HPC_TARGET

if TYPE_CHECKING:
    from ..independence.ci_test import CITest
    from ..scores.score import FamilyScore

h2pc = Reference("h2pc.h2pc", "h2pc")
hpc = Reference("h2pc.hpc", "hpc")
hpc_target = Reference("h2pc.hpc_target", "hpc_target")

TIMES_PC = 25.0  # ratio of the seconds of HPC and PC; measured: 20 to 40


def cost_of_hpc(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of HPC."""
    return TIMES_PC * cost_of_tests(ci_test, **settings)


def cost_of_target(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of the search around one variable, and of the decentralised searches."""
    return 2.0 * cost_of_hpc(ci_test, **settings) / ci_test.p


def cost_of_h2pc(ci_test: CITest, score: FamilyScore, **settings: Any) -> float:
    """Estimate the seconds of HPC, of the search within its skeleton, and of the polish."""
    return cost_of_hpc(ci_test, **settings) + cost_of_search_and_polish(score, **settings)


ENTRIES = (
    Learner(
        key="hpc",
        label="HPC",
        summary="Finds the neighbours of each variable in small supersets, and recovers those that one end missed.",
        choose_if="hubs matter: it misses fewer neighbours of variables that have many",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=HPC,
        function=hpc,
        needs=(test_with_five_rows,),
        cost=cost_of_hpc,
    ),
    Learner(
        key="hpc_target",
        label="HPC of one variable",
        summary="Finds the parents and children of one variable, and its Markov blanket.",
        choose_if="there is one variable that you want to predict or explain",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=HPC_TARGET,
        function=hpc_target,
        needs=(test_with_five_rows,),
        cost=cost_of_target,
    ),
    Learner(
        key="h2pc",
        label="H2PC",
        summary="Finds a skeleton with HPC, then runs a tabu search by score within it.",
        choose_if="you want one DAG and hubs matter, and can wait longer than for MMHC",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=H2PC,
        function=h2pc,
        needs=(test_with_five_rows, bdeu_of_ten_rows),
        cost=cost_of_h2pc,
    ),
)
