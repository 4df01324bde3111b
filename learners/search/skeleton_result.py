"""From a finished skeleton search to a result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..results.result import LearnResult, Strengths
from ..results.rules import Rule
from .orientation import orient_triples
from .restriction import Restriction, SkeletonFinder
from .skeleton import LN10, PairEvidence

CANCELLED = "the run was cancelled; edges not yet tested are still drawn, and none is oriented"


def oriented_result(
    restriction: Restriction,
    *,
    method: str,
    params: Mapping[str, Any],
    knowledge: BoundKnowledge,
    extra: Callable[[np.ndarray], Any],
    cancelled: str,
    tick: Tick,
) -> LearnResult:
    """Run a restriction and orient its skeleton; ``extra(v_structures)`` is asked at the end."""
    search = restriction.search
    began, tests_before = time.perf_counter(), search.ci_test.n_tests
    v_structures = np.empty((0, 3), dtype=np.int64)
    try:
        restriction.run(tick)
        v_structures = restriction.v_structures(tick)
        graph = orient_triples(
            search.graph, lambda: v_structures, knowledge, search.trace, tick, rule=Rule.TESTED_V_STRUCTURE
        )
        complete = True
    except Stopped:
        graph, complete = search.graph, False
    v_structures.flags.writeable = False
    return constraint_result(
        search,
        graph,
        method=method,
        params=params,
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=extra(v_structures),
        cancelled=cancelled,
    )


def constraint_result(
    search: SkeletonFinder,
    graph: PDAG,
    *,
    method: str,
    params: Mapping[str, Any],
    began: float,
    tests_before: int,
    complete: bool,
    extra: Any,
    cancelled: str = CANCELLED,
    **others: Any,
) -> LearnResult:
    """Returns the result of a learner whose skeleton came from `search`; `began` is the clock at its start."""
    return LearnResult(
        graph=graph,
        names=search.ci_test.names,
        method=method,
        params=params,
        n_tests=search.ci_test.n_tests - tests_before,
        seconds=time.perf_counter() - began,
        strengths=Strengths.later(partial(largest_p, search.evidence)),
        trace=search.trace.build(),
        complete=complete,
        extra=extra,
        **{
            "kind": search.kind,
            "n_scores": 0,
            "score": None,
            "sepsets": search.sepsets,
            "warnings": warnings_of(search, graph, complete, cancelled),
            **others,
        },
    )


def warnings_of(search: SkeletonFinder, graph: PDAG, complete: bool, cancelled: str = CANCELLED) -> tuple[str, ...]:
    """Returns sentences for the user: cancelled, contradictory, short of rows."""
    sentences = [] if complete else [cancelled]
    if graph.has_directed_cycle():
        sentences.append("the orientations contradict one another and form a directed cycle; no DAG fits the graph")
    return (*sentences, *search.warnings)


def largest_p(evidence: PairEvidence) -> Strengths:
    """Returns log10 of the largest p of each pair; NaN on the diagonal."""
    values = evidence.log_phi / LN10
    np.fill_diagonal(values, np.nan)
    values.flags.writeable = False
    return Strengths("log10 of the largest p", values, larger_is_stronger=False)
