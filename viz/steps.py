"""Steps of the slider, for every kind of run."""

from __future__ import annotations

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .kinds import kind_of


def last_step(result: LearnResult) -> int:
    """Return the number of the last step; the first is 0."""
    return kind_of(result).steps.last(result)


def choice_step(result: LearnResult) -> int:
    """Return the step whose graph is the result."""
    return kind_of(result).steps.choice(result)


def graph_at(result: LearnResult, step: int | None) -> PDAG:
    """Return the graph at a step; None means the result."""
    if step is None or step == choice_step(result):
        return result.graph
    return kind_of(result).steps.graph(result, min(step, last_step(result)))


def interval(result: LearnResult, x: int, y: int) -> tuple[int, int]:
    """Return the steps ``first <= step < last`` at which x and y are adjacent."""
    return kind_of(result).steps.interval(result, x, y)


def layout_graph(result: LearnResult) -> PDAG:
    """Return the graph for the layout: the result and the edges removed last, so that denser steps fit too."""
    return kind_of(result).steps.wider_graph(result, max(2, len(result.names) // 5))
