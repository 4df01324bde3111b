"""What a step of the scrubber means, whatever the kind of run."""

from __future__ import annotations

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .kinds import kind_of


def last_step(result: LearnResult) -> int:
    """Number of the last step; the first is 0."""
    return kind_of(result).last_step(result)


def choice_step(result: LearnResult) -> int:
    """The step whose graph is the result."""
    return kind_of(result).choice_step(result)


def graph_at(result: LearnResult, step: int | None) -> PDAG:
    """The graph at a step; None means the result."""
    if step is None or step == choice_step(result):
        return result.graph
    return kind_of(result).graph_at(result, min(step, last_step(result)))


def layout_graph(result: LearnResult) -> PDAG:
    """The graph to place nodes by: the result, and the edges that left last, so that slightly denser views fit too."""
    return kind_of(result).wider_graph(result, max(2, len(result.names) // 5))
