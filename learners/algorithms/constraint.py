"""From a finished skeleton search to a result."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..graph import PDAG
from ..result import LearnResult, Strengths
from .skeleton import LN10, PairEvidence, SkeletonSearch


def constraint_result(
    search: SkeletonSearch,
    graph: PDAG,
    *,
    method: str,
    params: Mapping[str, Any],
    began: float,
    tests_before: int,
    complete: bool,
    extra: Any,
    **others: Any,
) -> LearnResult:
    """What a learner returns whose skeleton came from `search`; `began` is the clock at its start."""
    return LearnResult(
        graph=graph,
        names=search.ci_test.names,
        method=method,
        params=params,
        n_tests=search.ci_test.n_tests - tests_before,
        seconds=time.perf_counter() - began,
        strengths=largest_p(search.evidence),
        trace=search.trace.build(),
        complete=complete,
        extra=extra,
        **{
            "n_scores": 0,
            "score": None,
            "sepsets": search.sepsets,
            "warnings": warnings_of(search, graph, complete),
            **others,
        },
    )


def warnings_of(search: SkeletonSearch, graph: PDAG, complete: bool) -> tuple[str, ...]:
    """What the user should know of the run."""
    sentences = []
    if not complete:
        sentences.append("the run was cancelled; edges not yet tested are still drawn, and none is oriented")
    if graph.has_directed_cycle():
        sentences.append("the orientations contradict one another and form a directed cycle; no DAG fits the graph")
    return (*sentences, *search.warnings)


def largest_p(evidence: PairEvidence) -> Strengths:
    """How hard each pair was to keep, to base 10; a variable and itself were never judged."""
    values = evidence.log_phi / LN10
    np.fill_diagonal(values, np.nan)
    values.flags.writeable = False
    return Strengths("log10 of the largest p", values, larger_is_stronger=False)
