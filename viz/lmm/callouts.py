"""What is worth noticing in a run of LMM."""

from __future__ import annotations

import numpy as np

from learners.lmm.ranking import EdgeRanking
from learners.lmm.step_graphs import aware_at, skeleton_at
from learners.results.result import LearnResult

from ..text import count, format_number, shorten


def race(result: LearnResult) -> str | None:
    """How edges joined and left."""
    if not _tells(result):
        return None
    ranking: EdgeRanking = result.extra
    return (
        f"Forward selection joins {count(len(ranking.ranked), 'pair')}, the surest first; then the weakest leave, "
        "one by one, until none is left. The last to leave are the most certain. Drag the slider to watch, or the "
        "line γ to choose how sure an edge must be."
    )


def hub(result: LearnResult) -> str | None:
    """The variable that is aware of fewest of its neighbours at the choice."""
    if not _tells(result):
        return None
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


def induced(result: LearnResult) -> str | None:
    """The surest v-structure."""
    found = result.extra.v_structures if _tells(result) else None
    if found is None or not found.accepted.any():
        return None
    t = int(np.argmax(found.induced * found.accepted))
    a, w, b = (shorten(result.names[k]) for k in found.triples[t])
    return (
        f"The surest arrows are {a} → {w} ← {b}: {a} and {b} are not joined, and accounting for "
        f"{w} makes them dependent (CD = {format_number(float(found.induced[t]))})."
    )


def _tells(result: LearnResult) -> bool:
    """Whether there is anything to say: the elimination came to its end, and had edges to rank."""
    return result.complete and len(result.extra.ranked) > 0
