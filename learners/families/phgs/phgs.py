"""pHGS: pPC, PATH with DAGs initialised by HGI, and a tabu search from the best of them.

The steps of `phgs` and where they stand in algorithm 5 of Huang and Zhou (2022), Machine Learning 111:

========================================  ==================================
here                                      paper
========================================  ==================================
`PartitionedSearch.learn`, Φ and S        line 3, algorithm 2 (pPC)
`_solutions`, PATH with DAGs by HGI       line 4, algorithms 3 and 4
`climb_from`, a tabu search               line 5
========================================  ==================================
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.step_cache import Once, uncached
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.sepsets import Sepsets
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.dag_result import GreedySearch
from ...search.hgi import Initialization, Step, hgi
from ...search.hybrid import Climbing, check_same_columns, climb_from, sepsets_outside
from ...search.polish import min_gain_of, polished
from ...search.restriction import searched_once
from ...search.skeleton_result import constraint_result, warnings_of
from ...search.v_structures import ranked_v_structures
from ...settings.parameter import parameters
from .partitioned import CallKind, PartitionedSearch
from .path import PathEvidence, fields, log_or_zero, remove_edges
from .ppc import checked_labels, partitioned_evidence
from .settings import LAST_BELOW_FIRST, PHGS
from .solution_path import SolutionPath, solution_path, thresholds


@dataclass(frozen=True, eq=False)
class PartitionedHybridSearch(GreedySearch):
    """The `extra` of a result of pHGS.

    Attributes
    ----------
    evidence : PathEvidence
        The tests, and the DAGs of the solution path.
    steps : tuple of Step
        The steps of HGI that made the chosen DAG.
    skeleton : PDAG
        The pairs that may be adjacent, undirected.
    min_gain : float or None
        Gain that each insertion of the polish had to exceed, in nats; None without polish.
    """

    evidence: PathEvidence
    steps: tuple[Step, ...]
    skeleton: PDAG
    min_gain: float | None = None


@parameters(PHGS, LAST_BELOW_FIRST)
def phgs(
    ci_test: CITest,
    score: FamilyScore,
    *,
    alpha: float = 0.05,
    tau: int = 10,
    alpha_min: float = 1e-5,
    max_cond_size: int = 3,
    tabu_length: int = 100,
    patience: int = 100,
    max_parents: int | None = 12,
    polish: bool = True,
    polish_gain: float | None = None,
    strongest_first: bool = True,
    labels: Sequence[int] | None = None,
    knowledge: Knowledge | None = None,
    ties: Ties = "data",
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn a DAG with partitioned hybrid greedy search.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data.
    score : FamilyScore
        Score bound to the same data; BIC in the paper.
    alpha, tau, alpha_min, max_cond_size, labels
        As for `path`; the search may add the edges that pPC keeps at `alpha`.
    tabu_length, patience, max_parents, ties
        As for `tabu`.
    polish : bool, default True
        As for `mmhc`; False is the published algorithm.
    polish_gain
        As for `mmhc`.
    strongest_first
        As for `ppc`.
    knowledge, tick
        As for `ppc`.
    once : Once, optional
        As for `path`.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG; `extra` a `PartitionedHybridSearch`. If the run is cancelled before the
        search begins, `graph` is the skeleton so far and `extra` a `PathEvidence`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.

    References
    ----------
    Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
    algorithm 5.
    """
    check_same_columns(ci_test, score)
    bound, clusters = bind(knowledge, ci_test.names), checked_labels(labels, ci_test.p)
    began, tests_before, scores_before = time.perf_counter(), ci_test.n_tests, score.n_scores
    search = PartitionedSearch(ci_test, alpha, bound, clusters, strongest_first=strongest_first)
    try:
        # Algorithm 5, line 3: pPC without orientation gives Φ and S.
        settings = (alpha, max_cond_size, strongest_first)
        search = searched_once(search, partial(search.learn, max_cond_size), settings, once, tick)

        # Line 4: PATH, with a DAG by HGI at each threshold, chooses the DAG with the best score.
        score.alone()  # the scores of empty families do not count as differences
        scores_of_nodes = score.n_scores
        log_alphas = thresholds(
            np.where(search.apart, np.nan, search.log_phi), math.log(alpha), log_or_zero(alpha_min), tau
        )
        path, starts = _solutions(search, score, log_alphas, max_parents, bound, tick)
    except Stopped:
        return constraint_result(
            search,
            search.skeleton,
            method="phgs",
            kind="ppc",
            began=began,
            tests_before=tests_before,
            complete=False,
            n_scores=score.n_scores - scores_before,
            extra=PathEvidence(**fields(partitioned_evidence(search)), path=None, n_before=search.trace.n_changes),
        )
    n_before = search.trace.n_changes
    evidence = fields(partitioned_evidence(search))
    # Each local score that is computed is one difference; cached ones are free.
    evidence["calls"][CallKind.SOLUTION_PATH] = score.n_scores - scores_of_nodes

    # Line 5: a tabu search from this DAG, restricted to the edges of line 3.
    start, scores_of_path = starts[path.choice], score.n_scores
    drawn = PDAG(remove_edges(search, float(log_alphas[path.choice]), bound))
    climbing = Climbing(tabu_length, patience, max_parents, ties)
    result = climb_from(
        start, drawn, score, climbing, search.trace, allowed=search.adjacency, knowledge=knowledge, tick=tick
    )
    evidence["calls"][CallKind.SEARCH] = score.n_scores - scores_of_path

    # Not in the paper: GES continues from the DAG, without the restriction.
    min_gain = min_gain_of(score, polish_gain)
    if polish:
        scores_of_search = score.n_scores
        result = polished(
            result,
            search.trace,
            score,
            min_gain=min_gain,
            max_parents=max_parents,
            knowledge=knowledge,
            tick=tick,
        )
        evidence["calls"][CallKind.POLISH] = score.n_scores - scores_of_search
    return dataclasses.replace(
        result,
        method="phgs",
        kind="phgs",
        n_tests=ci_test.n_tests - tests_before,
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        sepsets=sepsets_outside(search.sepsets, result.graph),
        warnings=(*result.warnings, *warnings_of(search, result.graph, True)),
        extra=PartitionedHybridSearch(
            result.extra.dag,
            result.extra.scores,
            PathEvidence(**evidence, path=path, n_before=n_before),
            start.steps,
            search.skeleton,
            min_gain if polish else None,
        ),
    )


def _solutions(
    search: PartitionedSearch,
    score: FamilyScore,
    log_alphas: np.ndarray,
    max_parents: int | None,
    knowledge: BoundKnowledge,
    tick: Tick,
) -> tuple[SolutionPath, list[Initialization]]:
    """Return the path of DAGs by HGI, one at each threshold, and the steps that made them: lines 7 and 8 of PATH."""
    starts: list[Initialization] = []

    def solve(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, PDAG, bool, float]:
        triples = ranked_v_structures(PDAG(adjacency), sepsets, search.log_phi)
        start = hgi(score, adjacency, triples, max_parents=max_parents, knowledge=knowledge, tick=tick)
        starts.append(start)
        return start.dag, start.dag, True, start.score

    return solution_path(search.evidence, log_alphas, knowledge, solve, tick), starts
