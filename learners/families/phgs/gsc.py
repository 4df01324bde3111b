"""GSC, generalized sparse candidate: the skeleton of any learner, and a tabu search within it."""

from __future__ import annotations

from typing import Literal

from ...common.progress import Tick, silent
from ...common.validation import Seed
from ...graphs.knowledge import Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.hybrid import Climbing, Start, learn_within
from ...settings.needs import SKELETONS
from ...settings.parameter import parameters
from .settings import GSC

SkeletonBy = Literal["ppc", "pc", "mmpc", "fast_iamb", "si_hiton_pc", "hpc", "lmm"]


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
    """Learn a DAG by score within a skeleton by tests.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    skeleton : str
        The learner of the skeleton; only its edges may be in the DAG.
    start : "hgi" or "empty"
        First DAG of the search: the skeleton oriented by HGI, or the empty graph.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Largest conditioning set, at least 1; None means no limit.
    tabu_length, patience : int, default 100
        The paper's t1 and t0; see `tabu`.
    restarts, perturbations : int, default 0 and 10
        The paper's r0 and r1; see `hc`.
    max_parents, ties
        As for `tabu`.
    knowledge : Knowledge, optional
        Required edges do not need a test; forbidden edges, and edges against the tiers, are never added.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG so far, or with the skeleton if there is
        no DAG yet.
    seed : int, default 0
        Seed of the random moves of restarts.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG with the directions of the knowledge; `extra` is a `HybridSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.

    Notes
    -----
    With "mmpc" and the empty graph this is MMHC. HGI needs the v-structures of the skeleton. Those of "ppc" and "pc"
    follow from the separating sets, those of the other learners from further tests: equations (B.1) and (B.2).

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
