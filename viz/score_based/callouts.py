"""What is worth noticing in a search by score."""

from __future__ import annotations

import numpy as np

from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..text import count
from .moves import NO_GAIN, move_sentence

MOVES = Phase(Stage.MOVES)


def climb(result: LearnResult) -> str | None:
    """How a search began, and when it was at its best."""
    trace = result.trace
    if MOVES not in trace.phases:
        return None
    changes = trace.changes
    moves = np.flatnonzero(trace.in_phase(MOVES)[changes])
    scores = result.extra.scores[[moves[0], *(moves + 1)]]
    best = int(np.flatnonzero(scores >= np.nanmax(scores) - NO_GAIN)[0])
    further = count(len(moves) - best, "move")
    if best == 0:
        return f"The search by score begins with the best graph that it meets: {further} lead to none better."
    first = move_sentence(trace[int(changes[moves[0]])], result.names)
    on = "" if best == len(moves) else f"; it went on for {further}, also downhill, and found none better"
    return (
        f"The search by score begins with the change that gains most: {first}. After {count(best, 'move')} the score "
        f"is at its best{on}. Drag the slider to watch."
    )
