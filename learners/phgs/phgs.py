"""pHGS: pPC, PATH with greedily initialised DAGs, and a tabu search from the best of them."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..common.step_cache import Once, uncached
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..independence import CITest
from ..results.result import LearnResult
from ..scores import FamilyScore
from ..search.climber import Ties
from ..search.dag_result import GreedySearch
from ..search.hgi import Initialization, Step, hgi
from ..search.hybrid import Climbing, check_same_columns, climb_from, sepsets_outside
from ..search.polish import min_gain_of, polished
from ..search.restriction import searched_once
from ..search.skeleton_result import constraint_result, warnings_of
from ..search.v_structures import ranked_v_structures
from ..settings.parameter import parameters
from .partitioned import CallKind, PartitionedSearch
from .path import PathEvidence, fields, log_or_zero, take_out
from .ppc import checked_labels, partitioned_evidence
from .settings import LAST_BELOW_FIRST, PHGS
from .solution_path import SolutionPath, chosen_of, thresholds


@dataclass(frozen=True, eq=False)
class PartitionedHybridSearch(GreedySearch):
    """What pHGS knows beside its result.

    Attributes
    ----------
    evidence : PathEvidence
        Of the tests, and the DAGs of the solution path.
    steps : tuple of Step
        How the chosen DAG was initialised.
    skeleton : PDAG
        The pairs that the search was allowed to join, undirected.
    min_gain : float or None
        What an insertion of the polish had to gain more than; None without polish.
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
        As `path`; the search may join the pairs that pPC leaves joined at `alpha`.
    tabu_length, patience, max_parents, ties
        As `tabu`.
    polish : bool, default True
        As for `mmhc`; without it the learner is the published one.
    polish_gain
        As for `mmhc`.
    strongest_first
        As `ppc`.
    knowledge, tick
        As `ppc`.
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
    climbing = Climbing(tabu_length, patience, max_parents, ties)
    min_gain = min_gain_of(score, polish_gain)
    check_same_columns(ci_test, score)
    bound = bind(knowledge, ci_test.names)
    began, tests_before, scores_before = time.perf_counter(), ci_test.n_tests, score.n_scores
    own = checked_labels(labels, ci_test.p)
    search = PartitionedSearch(ci_test, alpha, bound, own, strongest_first=strongest_first)
    try:
        settings = (alpha, max_cond_size, strongest_first)
        search = searched_once(search, partial(search.learn, max_cond_size), settings, once, tick)
        score.alone()  # what differences start from is no difference
        scores_of_nodes = score.n_scores
        log_alphas = thresholds(search.log_phi, math.log(alpha), log_or_zero(alpha_min), tau)
        found, starts = _solutions(search, score, log_alphas, max_parents, bound, tick)
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
    # A local score that is computed is a difference from one known before; those remembered cost nothing.
    evidence["calls"][CallKind.SOLUTION_PATH] = score.n_scores - scores_of_nodes
    start = starts[found.choice]
    drawn = PDAG(take_out(search, float(log_alphas[found.choice]), bound))
    scores_of_path = score.n_scores
    result = climb_from(
        start, drawn, score, climbing, search.trace, allowed=search.adjacency, knowledge=knowledge, tick=tick
    )
    evidence["calls"][CallKind.SEARCH] = score.n_scores - scores_of_path
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
            PathEvidence(**evidence, path=found, n_before=n_before),
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
    """A greedily initialised DAG at each threshold, and how each came about."""
    starts: list[Initialization] = []

    def solve(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, PDAG, bool, float]:
        triples = ranked_v_structures(PDAG(adjacency), sepsets, search.log_phi)
        start = hgi(score, adjacency, triples, max_parents=max_parents, knowledge=knowledge, tick=tick)
        starts.append(start)
        return start.dag, start.dag, True, start.score

    return chosen_of(search.evidence, log_alphas, knowledge, solve, tick), starts
