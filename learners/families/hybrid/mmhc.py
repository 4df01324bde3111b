"""MMHC, max-min hill climbing.

Tsamardinos, Brown and Aliferis (2006), algorithm 3: candidate parents and children by MMPC, then a greedy search by
score that adds only edges between them. `search.hybrid.learn_within` runs both.
"""

from __future__ import annotations

from ...common.progress import Tick, silent
from ...graphs.knowledge import Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.hybrid import Climbing, SearchWithin, learn_within
from ...settings.needs import SKELETONS
from ...settings.parameter import parameters
from .entry import MMHC


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
    search: SearchWithin = "tabu",
    polish: bool = True,
    polish_gain: float | None = None,
    knowledge: Knowledge | None = None,
    ties: Ties = "data",
    tick: Tick = silent,
) -> LearnResult:
    """Learn a DAG with MMHC: find a skeleton with MMPC, then search by score within it.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    alpha, max_cond_size
        As for `mmpc`.
    tabu_length, patience, max_parents, ties
        As for `tabu`.
    search : "tabu" or "optimal"
        "optimal": the tabu search is followed by a search for the DAG of highest score within the skeleton [1]_, in
        each of its connected parts of at most 25 variables.
    polish : bool, default True
        If True, GES continues from the graph found: it adds edges that raise the score by more than `polish_gain`, also
        outside the skeleton, then deletes edges. Without the polish the learner is the published one.
    polish_gain : float, optional
        Minimum gain of each edge that GES adds, in nats. Default: for BDeu ½ ln n + ln p with n rows and p variables,
        the penalty of a parameter in extended BIC; for BIC, which penalizes parameters itself, 0.
    knowledge : Knowledge, optional
        Required edges are always present; forbidden edges, and edges against the tiers, are never added.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG visited so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG visited, with the directions of the knowledge; `sepsets` has one entry for
        each pair that a test separated; `extra` is a `HybridSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the knowledge contradicts itself or names an unknown column.

    Notes
    -----
    The tabu search starts from the empty graph and adds no edge outside the skeleton of `mmpc`.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm.
    Machine Learning 65, algorithm 3.

    .. [1] Perrier, Imoto and Miyano (2008), Finding optimal Bayesian network given a super-structure. JMLR 9.

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
        search_within=search,
        polish=polish,
        polish_gain=polish_gain,
        knowledge=knowledge,
        tick=tick,
    )
