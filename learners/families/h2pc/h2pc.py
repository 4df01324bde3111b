"""H2PC, hybrid HPC."""

from __future__ import annotations

from ...common.progress import Tick, silent
from ...graphs.knowledge import Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.hybrid import Climbing, SearchWithin, learn_within
from ...settings.parameter import parameters
from .hpc import hpc_skeleton
from .hpc_search import PCMethod, Unreliable
from .settings import H2PC


@parameters(H2PC)
def h2pc(
    ci_test: CITest,
    score: FamilyScore,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = None,
    unreliable: Unreliable = "literal",
    pc_method: PCMethod = "fdr",
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
    """Learn a DAG with H2PC: find a skeleton with HPC, then search by score within it.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    alpha, max_cond_size, unreliable, pc_method
        As for `hpc`.
    tabu_length, patience, max_parents, ties
        As for `tabu`.
    search, polish, polish_gain
        As for `mmhc`. Without the polish the learner is the published one.
    knowledge : Knowledge, optional
        Required edges are always present; forbidden edges, and edges against the tiers, are never added.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG visited so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG visited, with the directions of the knowledge; `sepsets` has one entry for
        each pair that a test separated; `extra` is a `HybridSearch` whose evidence is a `Neighborhoods`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the knowledge contradicts itself or names an unknown column.

    Notes
    -----
    Algorithm 3: the skeleton of `hpc` (lines 1 to 3), then a tabu search from the empty graph within it. The search by
    score is that of `mmhc`, so the two learners differ only in the skeleton.

    References
    ----------
    Gasse, Aussem and Elghazel (2012), An experimental comparison of hybrid algorithms for Bayesian network structure
    learning. ECML-PKDD, algorithm 3.

    Examples
    --------
    >>> from learners import BDeu, G2, load_sample
    >>> from learners.families.h2pc.h2pc import h2pc
    >>> asia = load_sample("asia").dataset
    >>> h2pc(G2(asia, rows_per_cell=5), BDeu(asia, ess=10.0)).graph.p
    8
    """
    bound = bind(knowledge, ci_test.names)
    return learn_within(
        hpc_skeleton(ci_test, alpha, max_cond_size, bound, draws=False, unreliable=unreliable, pc_method=pc_method),
        score,
        Climbing(tabu_length, patience, max_parents, ties),
        method="h2pc",
        search_within=search,
        polish=polish,
        polish_gain=polish_gain,
        knowledge=knowledge,
        tick=tick,
    )
