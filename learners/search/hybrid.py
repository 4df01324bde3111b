"""Hybrid learners: tests draw a skeleton, and a tabu search keeps within it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..common.checks import check_choice, check_count
from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..independence import CITest
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores import FamilyScore
from .climber import Ties
from .dag_result import GreedySearch, learn_greedily
from .hgi import Initialization, Step, hgi
from .hill_climbing import Search, greedy_search
from .initial import tell_initialization
from .polish import least_gain_of, polished
from .restriction import Restriction, SkeletonFinder
from .skeleton import PairEvidence
from .skeleton_result import largest_p

Start = Literal["empty", "hgi"]
RESTRICTED = {"hpc": "h2pc"}  # kinds of result whose tests show more than separating sets, by the kind of these


@dataclass(frozen=True)
class Climbing:
    """How a search goes on from its start; see `greedy_search`."""

    tabu_length: int
    patience: int
    max_parents: int | None
    ties: Ties
    restarts: int = 0
    perturbations: int = 10
    seed: int = 0

    def checked(self) -> Climbing:
        """Itself, unless a number is out of range.

        Raises
        ------
        ParameterError
        """
        check_count("tabu_length", self.tabu_length, 1)
        check_count("patience", self.patience, 1)
        check_count("restarts", self.restarts, 0)
        check_count("perturbations", self.perturbations, 1)
        check_count("max_parents", self.max_parents, 1, optional=True)
        check_choice("ties", self.ties, ("data", "columns"))
        return self


@dataclass(frozen=True, eq=False)
class HybridSearch(GreedySearch):
    """What a hybrid learner knows beside its result.

    Attributes
    ----------
    skeleton : PDAG
        The pairs that the search was allowed to join, undirected.
    evidence : PairEvidence
        The tests that say so.
    steps : tuple of Step
        How the DAG that the search began with was initialised; none for the empty graph.
    least_gain : float or None
        What an insertion of the polish had to gain more than; None without polish.
    """

    skeleton: PDAG
    evidence: PairEvidence
    steps: tuple[Step, ...] = ()
    least_gain: float | None = None


def learn_within(
    restriction: Restriction,
    score: FamilyScore,
    climbing: Climbing,
    *,
    method: str,
    params: Mapping[str, Any],
    start: Start = "empty",
    polish: bool = False,
    polish_gain: float | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Run the restriction, then a tabu search within its skeleton; tell both.

    Parameters
    ----------
    restriction : Restriction
        Drawing for "hgi", else not.
    score : FamilyScore
    climbing : Climbing
    method, params
        For the result.
    start : "empty" or "hgi"
        What the search begins with: no edge, or the greedily oriented skeleton.
    polish : bool
        Whether GES goes on from the class found, whatever the skeleton; see `polished`.
    polish_gain : float, optional
        Its `least_gain`.
    knowledge, tick
        As for `tabu`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.
    """
    climbing.checked()
    least_gain = least_gain_of(score, polish_gain)
    search = restriction.search
    check_same_columns(search.ci_test, score)
    bound = bind(knowledge, score.names)
    began, tests_before, scores_before = time.perf_counter(), search.ci_test.n_tests, score.n_scores
    listen, first = tick, None
    try:
        restriction.run(tick)
        if start == "hgi":
            first = _initial(restriction, score, climbing, bound, tick)
    except Stopped:
        listen = refuse
    if start == "hgi" and first is None:
        result = unfinished(search)
    else:
        result = climb_from(first, search.graph, score, climbing, search.trace, knowledge=knowledge, tick=listen)
        if polish:
            result = polished(
                result,
                search.trace,
                score,
                least_gain=least_gain,
                max_parents=climbing.max_parents,
                knowledge=knowledge,
                tick=listen,
            )
        found, steps = result.extra, first.steps if first else ()
        skeleton, least = PDAG(search.graph.skeleton), least_gain if polish else None
        extra = HybridSearch(found.dag, found.scores, skeleton, search.evidence, steps, least)
        result = dataclasses.replace(result, kind=RESTRICTED.get(search.kind, "hybrid"), extra=extra)
    return dataclasses.replace(
        result,
        method=method,
        params=params,
        n_tests=search.ci_test.n_tests - tests_before,
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        sepsets=sepsets_outside(search.sepsets, result.graph),
        warnings=(*result.warnings, *search.warnings),
    )


def _initial(
    restriction: Restriction, score: FamilyScore, climbing: Climbing, known: BoundKnowledge, tick: Tick
) -> Initialization:
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
    knowledge: Knowledge | None,
    tick: Tick,
) -> LearnResult:
    """Tell how the start came about, and search on from there.

    Parameters
    ----------
    start : Initialization, optional
        Default: the empty graph.
    skeleton : PDAG
        What the trace has drawn before, if there is a start.
    score, climbing
    trace : TraceBuilder
        Must draw nothing where there is no start.
    allowed : (p, p) bool array, optional
        Pairs that may be joined. Default: those of `skeleton`.
    knowledge, tick

    Returns
    -------
    LearnResult
        Of the search; the scores of `extra` are NaN before the first arrow of the start could come.
    """
    n_before = trace.n_changes
    told = np.empty(0) if start is None else tell_initialization(trace, start, skeleton.skeleton)[:-1]
    dag = None if start is None else start.dag

    def search(bound: BoundKnowledge) -> Search:
        return greedy_search(
            score,
            start=dag,
            allowed=skeleton.skeleton if allowed is None else allowed,
            knowledge=bound,
            tick=tick,
            **dataclasses.asdict(climbing),
        )

    result = learn_greedily(score, search, method="tabu", params={}, knowledge=knowledge, start=dag, trace=trace)
    scores = np.concatenate([np.full(n_before, np.nan), told, result.extra.scores])
    scores.flags.writeable = False
    return dataclasses.replace(result, extra=dataclasses.replace(result.extra, scores=scores))


def sepsets_outside(sepsets: Sepsets, graph: PDAG) -> Sepsets:
    """Those of the pairs that the result leaves apart."""
    return Sepsets(sepsets.members, sepsets.present & ~graph.skeleton)


def check_same_columns(ci_test: CITest, score: FamilyScore) -> None:
    """Raise ParameterError unless both are bound to the same columns."""
    if ci_test.names != score.names:
        raise ParameterError("test and score must be bound to the same columns, got different ones")


def unfinished(search: SkeletonFinder) -> LearnResult:
    """The skeleton so far of a run cancelled before there was a DAG to search from."""
    return LearnResult(
        graph=search.graph,
        names=search.ci_test.names,
        method="",
        kind=search.kind,
        params={},
        n_tests=0,
        n_scores=0,
        seconds=0.0,
        score=None,
        sepsets=search.sepsets,
        strengths=largest_p(search.evidence),
        trace=search.trace.build(),
        warnings=("the run was cancelled before the search began; the graph is the skeleton so far",),
        complete=False,
        extra=search.evidence,
    )


def refuse(_phase: str, _done: int, _total: int) -> bool:
    """Cancelled already: go no further."""
    return False
