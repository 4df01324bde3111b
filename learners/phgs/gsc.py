"""GSC, generalized sparse candidate: the skeleton of any learner, and a tabu search within it."""

from __future__ import annotations

from typing import Literal

from ..common.progress import Tick, silent
from ..common.validation import Seed
from ..graphs.knowledge import Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..scores import FamilyScore
from ..search.climber import Ties
from ..search.hybrid import Climbing, Start, learn_within
from ..settings.parameter import parameters
from ..settings.skeletons import SKELETONS
from .settings import GSC

SkeletonBy = Literal["ppc", "pc", "mmpc", "fast_iamb", "si_hiton_pc", "hpc"]


@parameters(GSC)
def gsc(
    ci_test: CITest,
    score: FamilyScore,
    *,
    skeleton: SkeletonBy = "ppc",
    start: Start = "hgi",
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    tabu_length: int = 100,
    patience: int = 100,
    restarts: int = 0,
    perturbations: int = 10,
    max_parents: int | None = 12,
    knowledge: Knowledge | None = None,
    ties: Ties = "data",
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a DAG by score within a skeleton that tests find.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    skeleton : str
        The learner whose skeleton says which pairs may be joined.
    start : "hgi" or "empty"
        What the search begins with: the skeleton oriented greedily by the score, or no edge.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Largest conditioning set tried, at least 1. None is no limit.
    tabu_length, patience : int, default 100
        The paper's t1 and t0; see `tabu`.
    restarts, perturbations : int, default 0 and 10
        The paper's r0 and r1; see `hc`.
    max_parents, ties
        As for `tabu`.
    knowledge : Knowledge, optional
        Required edges are there whatever the tests say; forbidden ones, and those against the tiers, are never added.
    tick : Tick, optional
        Listener; once it returns False the run ends with the best DAG met so far, or, where the search was to start
        from a DAG and there is none yet, with the skeleton so far.
    seed : int, default 0
        Source of the random moves of restarts.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG met, with the directions knowledge gives; `extra` is a `HybridSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.

    Notes
    -----
    With "mmpc" from the empty graph this is MMHC. The greedy start needs the v-structures of the skeleton: those of
    "ppc" and "pc" come from the sets that separate, those of the others from further tests, equations (B.1) and (B.2).

    References
    ----------
    Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111, section 4,
    after Friedman, Nachman and Pe'er (1999).

    Examples
    --------
    >>> from learners import BIC, G2, gsc, load_sample
    >>> asia = load_sample("asia").dataset
    >>> gsc(G2(asia), BIC(asia)).graph.p
    8
    """
    bound = bind(knowledge, ci_test.names)
    climbing = Climbing(tabu_length, patience, max_parents, ties, restarts, perturbations, seed)
    return learn_within(
        SKELETONS[skeleton](ci_test, alpha, max_cond_size, bound, draws=start == "hgi"),
        score,
        climbing,
        method="gsc",
        start=start,
        knowledge=knowledge,
        tick=tick,
    )
