"""What is worth noticing in a run of LMM."""

from __future__ import annotations

import numpy as np

from learners.lmm.ranking import EdgeRanking
from learners.lmm.steps import aware_at, skeleton_at
from learners.results.result import LearnResult

from ..text import count, format_number, shorten
from .why import triple_text


def lmm_callouts(result: LearnResult) -> list[str]:
    """Up to three plain sentences for a newcomer."""
    if not result.complete or not len(result.extra.ranked):
        return []
    return [sentence for sentence in (_race(result), _hub(result), _induced(result)) if sentence]


def _race(result: LearnResult) -> str:
    ranking: EdgeRanking = result.extra
    return (
        f"Forward selection joins {count(len(ranking.ranked), 'pair')}, the surest first; then the weakest leave, "
        "one by one, until none is left. The last to leave are the most certain. Drag the slider to watch, or the "
        "line γ to choose how sure an edge must be."
    )


def _hub(result: LearnResult) -> str | None:
    """The variable that is aware of fewest of its neighbours at the choice."""
    ranking: EdgeRanking = result.extra
    p = len(result.names)
    degree = skeleton_at(ranking.moves, ranking.choice, p).sum(axis=1)
    unaware = degree - aware_at(ranking.moves, ranking.choice, p).sum(axis=1)
    k = int(np.argmax(unaware))
    if unaware[k] < 1 or degree[k] < 3:
        return None
    known = "none of them" if unaware[k] == degree[k] else f"only {degree[k] - unaware[k]}"
    return (
        f"{shorten(result.names[k])} has {count(int(degree[k]), 'neighbour')} and conditions on {known}: a dot at the "
        "end of an edge marks a variable that is aware of the other. So its other edges are tested less often."
    )


def _induced(result: LearnResult) -> str | None:
    found = result.extra.v_structures
    if found is None or not found.accepted.any():
        return None
    t = int(np.argmax(found.induced * found.accepted))
    a, w, b = (shorten(result.names[k]) for k in found.triples[t])
    return (
        f"The surest arrows are {triple_text(found, t, result.names)}: {a} and {b} are not joined, and accounting for "
        f"{w} makes them dependent (CD = {format_number(float(found.induced[t]))})."
    )
