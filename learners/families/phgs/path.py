"""PATH on top of pPC or PC: one run of tests, many significance levels.

The steps of `path` and where they stand in algorithm 3 of Huang and Zhou (2022), Machine Learning 111. The loop over
the thresholds is one function, `solution_path.solution_path`:

===================================================  ==============================
here                                                 paper
===================================================  ==============================
`searched_once`, Φ and S by pPC or PC                input, equation 3.6
`thresholds`, the sequence of α                      line 3, equation 3.7
`solution_path`, the loop and the choice by score    lines 4 to 15
`skeleton_at`, the pairs with Φ up to α              lines 5 and 6
`orient_skeleton`, skel-to-cpdag                     line 7, algorithm 6
`consistent_extension`, pdag-to-dag                  line 8
`_choose`, the chosen graph in the trace             line 16
===================================================  ==============================
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
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...common.step_cache import Once, uncached
from ...graphs.consistent_extension import Extension, consistent_extension
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...independence.ci_test import CITest
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult
from ...results.trace import TraceBuilder
from ...scores.score import Score
from ...search.hybrid import check_same_columns
from ...search.orientation import orient_skeleton
from ...search.restriction import searched_once
from ...search.skeleton_levels import PairEvidence, SkeletonSearch
from ...search.skeleton_result import constraint_result, warnings_of
from ...settings.needs import SKELETONS
from ...settings.parameter import parameters
from .partitioned import CallKind, PartitionedSearch
from .ppc import PartitionedEvidence, partitioned_evidence
from .settings import LAST_BELOW_FIRST, PATH
from .solution_path import SolutionPath, Solve, skeleton_at, solution_path, thresholds


@dataclass(frozen=True, eq=False)
class PathEvidence(PartitionedEvidence):
    """`PartitionedEvidence` with the solution path.

    Attributes
    ----------
    path : SolutionPath or None
        None if the run was cancelled.
    n_before : int
        Number of changes in the trace before the thresholds remove edges.
    """

    path: SolutionPath | None
    n_before: int


@parameters(PATH, LAST_BELOW_FIRST)
def path(
    ci_test: CITest,
    score: Score,
    *,
    alpha: float = 0.1,
    tau: int = 10,
    alpha_min: float = 1e-5,
    max_cond_size: int = 3,
    skeleton: str = "ppc",
    strongest_first: bool = True,
    labels: Sequence[int] | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn CPDAGs of decreasing density from one run of pPC or PC, and choose one by score.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data.
    score : Score
        The score of the choice, bound to the same data; BIC in the paper.
    alpha : float, default 0.1
        Significance level of the run, and the first threshold.
    tau : int, default 10
        Largest number of solutions, at least 2.
    alpha_min : float, default 1e-5
        The last threshold, in [0, alpha).
    max_cond_size : int, default 3
        Largest conditioning set, at least 1.
    skeleton : "ppc" or "pc"
        The learner whose tests are thresholded.
    strongest_first
        As for `ppc`.
    labels, knowledge, tick
        As for `ppc`; labels apply to "ppc" only.
    once : Once, optional
        Cache of the tests for other runs with the same labels.

    Returns
    -------
    LearnResult
        `graph` is the chosen CPDAG; `extra` a `PathEvidence`.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    References
    ----------
    .. [1] Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
       algorithm 3.
    """
    check_same_columns(ci_test, score)
    bound = bind(knowledge, ci_test.names)
    began, tests_before, scores_before = time.perf_counter(), ci_test.n_tests, score.n_scores
    clusters = {"labels": labels} if skeleton == "ppc" else {}
    restriction = SKELETONS[skeleton](
        ci_test, alpha, max_cond_size, bound, draws=True, strongest_first=strongest_first, **clusters
    )
    search, settings = restriction.search, (skeleton, alpha, max_cond_size, strongest_first)
    found, n_before = None, 0
    try:
        search = searched_once(search, restriction.run, settings, once, tick)  # Φ and S, the input of algorithm 3
        log_alphas = thresholds(
            np.where(search.apart, np.nan, search.log_phi), math.log(alpha), log_or_zero(alpha_min), tau
        )  # line 3
        tested = search.evidence
        solve = _solver(tested, score, bound, settings, once)  # lines 7 to 12 for one threshold
        found = solution_path(tested, log_alphas, bound, solve, tick)  # lines 4 to 15
        n_before = search.trace.n_changes
        graph = _choose(search, found, bound)  # line 16
    except Stopped:
        graph = search.skeleton
    evidence = fields(evidence_of(search, ci_test.n_tests - tests_before))
    if found is not None:
        evidence["calls"][CallKind.SOLUTION_PATH] = found.n_differences
    return constraint_result(
        search,
        graph,
        method="path",
        kind="ppc" if found is None else "path",
        began=began,
        tests_before=tests_before,
        complete=found is not None,
        n_scores=score.n_scores - scores_before,
        score=None if found is None else float(found.scores[found.choice]),
        sepsets=search.sepsets if found is None else _sepsets(search, found, bound),
        warnings=(*warnings_of(search, graph, found is not None), *_invalid(found)),
        extra=PathEvidence(**evidence, path=found, n_before=n_before),
    )


def _solver(evidence: PairEvidence, score: Score, knowledge: BoundKnowledge, settings: tuple, once: Once) -> Solve:
    """Return the function that orients a skeleton, extends it to a DAG and scores this: lines 7 to 12.

    `once` caches the oriented graphs of searches with these settings.
    """

    def oriented(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, Extension]:
        ignored = TraceBuilder(PDAG(adjacency))
        graph = orient_skeleton(PDAG(adjacency), sepsets, evidence.log_phi, knowledge, ignored)  # line 7
        return graph, consistent_extension(graph)  # line 8

    def solve(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, PDAG, bool, float]:
        key = (settings, ("oriented", adjacency.tobytes()))
        graph, found = once(key, partial(oriented, adjacency, sepsets))
        return graph, found.dag, found.valid, score.network(found.dag)

    return solve


def evidence_of(search: SkeletonSearch, n_tests: int) -> PartitionedEvidence:
    """Return Φ, S, the clusters and the calls of a search; a search without clusters has one cluster."""
    if isinstance(search, PartitionedSearch):
        return partitioned_evidence(search)
    found = search.evidence
    labels = np.zeros(search.ci_test.p, dtype=np.int64)
    return PartitionedEvidence(found.log_phi, found.hardest, labels, None, {CallKind.TESTS: n_tests})


def fields(evidence: PartitionedEvidence) -> dict:
    """Return the fields of the evidence by name, as arguments for the constructor of a subclass."""
    return {field.name: getattr(evidence, field.name) for field in dataclasses.fields(evidence)}


def log_or_zero(alpha: float) -> float:
    """Return ln alpha, -inf for 0."""
    return math.log(alpha) if alpha > 0 else -math.inf


def remove_edges(search: SkeletonSearch, log_alpha: float, knowledge: BoundKnowledge) -> np.ndarray:
    """Return the skeleton at a threshold, and record the edges that it removes, the largest p-value first."""
    adjacency, _ = skeleton_at(search.evidence, log_alpha, knowledge)
    pairs = np.argwhere(np.triu(search.adjacency & ~adjacency))
    log_phi = search.log_phi[pairs[:, 0], pairs[:, 1]]
    order = np.argsort(-log_phi, kind="stable")
    pairs = pairs[order]
    search.trace.extend(
        Phase(Stage.THRESHOLD),
        Action.REMOVE,
        pairs,
        search.members[pairs[:, 0], pairs[:, 1]],
        rule=Rule.THRESHOLD,
        log_p=log_phi[order],
        threshold=np.full(len(pairs), math.exp(log_alpha)),
    )
    return adjacency


def _choose(search: SkeletonSearch, found: SolutionPath, knowledge: BoundKnowledge) -> PDAG:
    """Return the chosen graph, and record it."""
    log_alpha = float(found.log_alphas[found.choice])
    adjacency = remove_edges(search, log_alpha, knowledge)
    _, sepsets = skeleton_at(search.evidence, log_alpha, knowledge)
    return orient_skeleton(PDAG(adjacency), sepsets, search.log_phi, knowledge, search.trace)


def _sepsets(search: SkeletonSearch, found: SolutionPath, knowledge: BoundKnowledge) -> Sepsets:
    return skeleton_at(search.evidence, float(found.log_alphas[found.choice]), knowledge)[1]


def _invalid(found: SolutionPath | None) -> tuple[RunWarning, ...]:
    if found is None or found.valid[found.choice]:
        return ()
    sentence = say(
        "no solution of the path has a consistent extension; the one with the best score is shown, and a DAG near it "
        "was scored in its place"
    )
    return (RunWarning("no_dag", sentence),)
