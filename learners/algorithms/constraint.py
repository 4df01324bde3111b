"""From a finished skeleton search to a result."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..graph import PDAG
from ..result import LearnResult, Strengths
from .skeleton import LN10, SkeletonSearch


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
        strengths=Strengths("log10 of the largest p", _readable(search.log_phi), larger_is_stronger=False),
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
    if search.n_untested:
        sentences.append(
            f"{search.n_untested} pairs were separated without a test, for lack of rows; "
            "smaller conditioning sets, or for categorical data a smaller rows_per_cell, let them be tested"
        )
    return tuple(sentences)


def _readable(log_phi: np.ndarray) -> np.ndarray:
    values = log_phi / LN10
    values.flags.writeable = False
    return values
