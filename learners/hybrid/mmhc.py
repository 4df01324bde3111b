"""MMHC, max-min hill climbing."""

from __future__ import annotations

from ..common.progress import Tick, silent
from ..graphs.knowledge import Knowledge, bind
from ..independence.ci_test import CITest
from ..results.result import LearnResult
from ..scores.score import FamilyScore
from ..search.climber import Ties
from ..search.hybrid import Climbing, learn_within
from ..settings.parameter import parameters
from ..settings.skeletons import SKELETONS
from .settings import MMHC


@parameters(MMHC)
def mmhc(
    ci_test: CITest,
    score: FamilyScore,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    tabu_length: int = 100,
    patience: int = 15,
    max_parents: int | None = 12,
    polish: bool = True,
    polish_gain: float | None = None,
    knowledge: Knowledge | None = None,
    ties: Ties = "data",
    tick: Tick = silent,
) -> LearnResult:
    """Learn a DAG with MMHC: tests say which pairs may be joined, a score says which are, and which way.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    alpha, max_cond_size
        As for `mmpc`.
    tabu_length, patience, max_parents, ties
        As for `tabu`.
    polish : bool, default True
        Whether GES goes on from the graph found: edges are added while one raises the score by more than `polish_gain`,
        whatever the tests said, then taken out. Without it the learner is the published one.
    polish_gain : float, optional
        What an edge that GES adds gains more than, in nats. Default: by BDeu ½ ln n + ln p, with n rows and p
        variables, which is what extended BIC charges for a parameter; by BIC, which charges for parameters itself, 0.
    knowledge : Knowledge, optional
        Required edges are there whatever the tests say; forbidden ones, and those against the tiers, are never added.
    tick : Tick, optional
        Listener; once it returns False the run ends with the best DAG met so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG met, with the directions knowledge gives; `sepsets` has one entry for each
        pair that a test separated; `extra` is a `HybridSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the knowledge contradicts itself or names an unknown column.

    Notes
    -----
    The search starts from the empty graph and adds no edge outside the skeleton of `mmpc`.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm.
    Machine Learning 65, algorithm 3.

    Examples
    --------
    >>> from learners import BIC, G2, load_sample, mmhc
    >>> asia = load_sample("asia").dataset
    >>> mmhc(G2(asia), BIC(asia)).graph.p
    8
    """
    bound = bind(knowledge, ci_test.names)
    return learn_within(
        SKELETONS["mmpc"](ci_test, alpha, max_cond_size, bound, draws=False),
        score,
        Climbing(tabu_length, patience, max_parents, ties),
        method="mmhc",
        polish=polish,
        polish_gain=polish_gain,
        knowledge=knowledge,
        tick=tick,
    )
