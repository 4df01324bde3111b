"""What a step of the scrubber means: changes of the trace, or moves of LMM."""

from __future__ import annotations

from learners.graphs.graph import PDAG
from learners.lmm.steps import graph_at as lmm_graph_at
from learners.results.result import LearnResult

from .lmm.words import is_lmm


def last_step(result: LearnResult) -> int:
    """Number of the last step; the first is 0."""
    return len(result.extra.moves) if is_lmm(result) else len(result.trace.changes)


def choice_step(result: LearnResult) -> int:
    """The step whose graph is the result."""
    return result.extra.choice if is_lmm(result) else last_step(result)


def graph_at(result: LearnResult, step: int | None) -> PDAG:
    """The graph at a step; None means the result."""
    if step is None or step == choice_step(result):
        return result.graph
    step = min(step, last_step(result))
    return lmm_graph_at(result, step) if is_lmm(result) else result.trace.graph_at(step)
