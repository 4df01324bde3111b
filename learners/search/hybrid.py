"""Hybrid learners: tests find a skeleton, and a tabu search by score is restricted to it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..independence.ci_test import CITest
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores.score import FamilyScore
from .climber import Ties
from .dag_result import GreedySearch, learn_greedily
from .hgi import Initialization, Step, hgi, record_initialization
from .hill_climbing import Search, greedy_search
from .optimal import Optimum, with_optimum
from .polish import min_gain_of, polished
from .restriction import Restriction, SkeletonFinder
from .skeleton_levels import PairEvidence
from .skeleton_result import largest_p

CANCELLED = RunWarning(
    "cancelled", say("the run was cancelled before the search started; the graph is the skeleton so far")
)

Start = Literal["empty", "hgi"]
SearchWithin = Literal["tabu", "optimal"]
KINDS = {"hpc": "h2pc"}  # kind of a hybrid result by the kind of its skeleton search; "hybrid" for the others


@dataclass(frozen=True)
class Climbing:
    """Settings of the search by score; see `greedy_search`."""

    tabu_length: int
    patience: int
    max_parents: int | None
    ties: Ties
    restarts: int = 0
    perturbations: int = 10
    seed: int = 0


@dataclass(frozen=True, eq=False)
class HybridSearch(GreedySearch):
    """The `extra` of a hybrid result.

    Attributes
    ----------
    skeleton : PDAG
        The pairs that the search was allowed to make adjacent, undirected.
    evidence : PairEvidence
        The tests that found the skeleton.
    steps : tuple of Step
        Initialization of the DAG that the search started from; empty for the empty graph.
    min_gain : float or None
        Gain that each insertion of the polish had to exceed; None without polish.
    optimum : Optimum or None
        Coverage of the optimal search; None without one, or if the run was cancelled before its end.
    """

    skeleton: PDAG
    evidence: PairEvidence
    steps: tuple[Step, ...] = ()
    min_gain: float | None = None
    optimum: Optimum | None = None


def learn_within(
    restriction: Restriction,
    score: FamilyScore,
    climbing: Climbing,
    *,
    method: str,
    start: Start = "empty",
    search_within: SearchWithin = "tabu",
    polish: bool = False,
    polish_gain: float | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Find a skeleton by tests, search within it by score, and return the result of both.

    Parameters
    ----------
    restriction : Restriction
        Its trace must draw the skeleton for "hgi", and nothing for "empty".
    score : FamilyScore
    climbing : Climbing
    method : str
        Key of the learner, for the result.
    start : "empty" or "hgi"
        Start of the search: the empty graph, or the skeleton oriented greedily.
    search_within : "tabu" or "optimal"
        "optimal": the tabu search is followed by an optimal search; see `with_optimum`.
    polish : bool
        If True, GES continues from the class found, without the restriction; see `polished`.
    polish_gain : float, optional
        `min_gain` of the polish.
    knowledge, tick
        As for `tabu`.

    Raises
    ------
    ParameterError
        If test and score are bound to different columns.
    """
    min_gain = min_gain_of(score, polish_gain)
    search = restriction.search
    check_same_columns(search.ci_test, score)
    bound = bind(knowledge, score.names)
    began, tests_before, scores_before = time.perf_counter(), search.ci_test.n_tests, score.n_scores
    listener, first = tick, None
    try:
        restriction.run(tick)
        if start == "hgi":
            first = _initial_dag(restriction, score, climbing, bound, tick)
    except Stopped:
        listener = cancelled
    if start == "hgi" and first is None:
        result = unfinished(search)
    else:
        optima: list[Optimum] = []

        def to_optimum(found: Search, known: BoundKnowledge) -> Search:
            try:
                found, covered = with_optimum(
                    found, score, search.graph.skeleton, known, climbing.max_parents, listener
                )
            except Stopped:
                return dataclasses.replace(found, complete=False)
            optima.append(covered)
            return found

        result = climb_from(
            first,
            search.graph,
            score,
            climbing,
            search.trace,
            further=to_optimum if search_within == "optimal" else None,
            knowledge=knowledge,
            tick=listener,
        )
        if polish:
            result = polished(
                result,
                search.trace,
                score,
                min_gain=min_gain,
                max_parents=climbing.max_parents,
                knowledge=knowledge,
                tick=listener,
            )
        found, steps = result.extra, first.steps if first else ()
        skeleton, used_gain = PDAG(search.graph.skeleton), min_gain if polish else None
        extra = HybridSearch(found.dag, found.scores, skeleton, search.evidence, steps, used_gain, *optima)
        result = dataclasses.replace(result, kind=KINDS.get(search.kind, "hybrid"), extra=extra)
    return dataclasses.replace(
        result,
        method=method,
        n_tests=search.ci_test.n_tests - tests_before,
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        sepsets=sepsets_outside(search.sepsets, result.graph),
        warnings=(*result.warnings, *search.warnings),
    )


def _initial_dag(
    restriction: Restriction, score: FamilyScore, climbing: Climbing, known: BoundKnowledge, tick: Tick
) -> Initialization:
    """Return the skeleton of a finished search, oriented greedily."""
    triples = restriction.v_structures(tick)
    skeleton = restriction.search.graph.skeleton
    return hgi(score, skeleton, triples, max_parents=climbing.max_parents, knowledge=known, tick=tick)


def climb_from(
    start: Initialization | None,
    skeleton: PDAG,
    score: FamilyScore,
    climbing: Climbing,
    trace: TraceBuilder,
    *,
    allowed: np.ndarray | None = None,
    further: Callable[[Search, BoundKnowledge], Search] | None = None,
    knowledge: Knowledge | None,
    tick: Tick,
) -> LearnResult:
    """Record the initialization of the start, and run the tabu search from it.

    Parameters
    ----------
    start : Initialization, optional
        Default: the empty graph.
    skeleton : PDAG
        The graph at the end of `trace`, if there is a start.
    score : FamilyScore
    climbing : Climbing
    trace : TraceBuilder
        It must draw nothing if there is no start.
    allowed : (p, p) bool array, optional
        Pairs that may become adjacent. Default: those of `skeleton`.
    further : callable, optional
        Continues a finished search.
    knowledge, tick

    Returns
    -------
    LearnResult
        Result of the search. The scores of `extra` are NaN for the events before the first arrow of the start.
    """
    n_before = trace.n_changes
    start_scores = np.empty(0) if start is None else record_initialization(trace, start, skeleton.skeleton)[:-1]
    dag = None if start is None else start.dag

    def search(bound: BoundKnowledge) -> Search:
        found = greedy_search(
            score,
            start=dag,
            allowed=skeleton.skeleton if allowed is None else allowed,
            knowledge=bound,
            tick=tick,
            **dataclasses.asdict(climbing),
        )
        return further(found, bound) if further and found.complete else found

    result = learn_greedily(score, search, method="tabu", knowledge=knowledge, start=dag, trace=trace)
    scores = np.concatenate([np.full(n_before, np.nan), start_scores, result.extra.scores])
    scores.flags.writeable = False
    return dataclasses.replace(result, extra=dataclasses.replace(result.extra, scores=scores))


def sepsets_outside(sepsets: Sepsets, graph: PDAG) -> Sepsets:
    """Return the separating sets of the pairs that are not adjacent in the graph."""
    return Sepsets(sepsets.members, sepsets.present & ~graph.skeleton)


def check_same_columns(ci_test: CITest, score: FamilyScore) -> None:
    """Raise ParameterError unless test and score are bound to the same columns."""
    if ci_test.names != score.names:
        raise ParameterError("test and score must be bound to the same columns, got different ones")


def unfinished(search: SkeletonFinder) -> LearnResult:
    """Return the result of a run cancelled before it had a DAG to start from: the skeleton so far."""
    return LearnResult(
        graph=search.graph,
        names=search.ci_test.names,
        method="",
        kind=search.kind,
        n_tests=0,
        n_scores=0,
        seconds=0.0,
        score=None,
        sepsets=search.sepsets,
        strengths=largest_p(search.evidence),
        trace=search.trace.build(),
        warnings=(CANCELLED,),
        complete=False,
        extra=search.evidence,
    )


def cancelled(_phase: str, _done: int, _total: int) -> bool:
    """Return False; the listener of a search in a cancelled run."""
    return False
