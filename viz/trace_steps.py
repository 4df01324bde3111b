"""Steps of a run that are the changes of its trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.events import Action
from learners.results.result import LearnResult


def last_change(result: LearnResult) -> int:
    """Return the number of the last step, whose graph is the result."""
    return len(result.trace.changes)


def graph_after(result: LearnResult, step: int) -> PDAG:
    """Return the graph after the first `step` changes."""
    return result.trace.graph_at(step)


def interval(result: LearnResult, x: int, y: int) -> tuple[int, int]:
    """Return ``(first, last)``: x and y are adjacent at the steps ``first <= step < last``."""
    trace, n_steps = result.trace, len(result.trace.changes) + 1
    first, last = (0, n_steps) if trace.start.skeleton[x, y] else (n_steps, n_steps)
    i, j = trace.i[trace.changes], trace.j[trace.changes]
    for position in np.flatnonzero(((i == x) & (j == y)) | ((i == y) & (j == x))).tolist():
        action = trace.action[trace.changes[position]]
        if action == Action.REMOVE:
            last = position + 1
        elif not first <= position < last:  # all other actions on a non-adjacent pair add its edge
            first, last = position + 1, n_steps
    return first, last


def with_last_removed(result: LearnResult, surplus: int) -> PDAG:
    """Return the graph of the result, with the `surplus` edges that were removed last added again as undirected."""
    trace = result.trace
    removals = trace.changes[trace.action[trace.changes] == Action.REMOVE]
    amat, left = result.graph.amat.copy(), surplus
    for t in removals[::-1].tolist():
        i, j = trace.i[t], trace.j[t]
        if left and not (amat[i, j] or amat[j, i]):
            amat[i, j] = amat[j, i] = True
            left -= 1
    return PDAG(amat)


@dataclass(frozen=True)
class StepMeanings:
    """Meaning of the steps of the slider. Callables take the result first.

    Attributes
    ----------
    last, choice : callable
        Number of the last step, and of the step whose graph is the result.
    graph : callable
        The graph at a step.
    interval : callable
        Steps ``first <= step < last`` at which two variables are adjacent.
    wider_graph : callable
        Returns the result with a given number of the edges that were removed last.
    """

    last: Callable[[LearnResult], int] = last_change
    choice: Callable[[LearnResult], int] = last_change
    graph: Callable[[LearnResult, int], PDAG] = graph_after
    interval: Callable[[LearnResult, int, int], tuple[int, int]] = interval
    wider_graph: Callable[[LearnResult, int], PDAG] = with_last_removed


CHANGES = StepMeanings()
