"""What is worth noticing in a search by score."""

from __future__ import annotations

import numpy as np

from learners.explaining.moves import ZERO_GAIN, move_sentence
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from learners.results.rules import Rule
from learners.score_based.explaining import rank_clause

from ..text import ARROWS, count, shorten
from .timeline import placement_text

MOVES = Phase(Stage.MOVES)


def climb(result: LearnResult) -> str | None:
    """How a search began, and when it was at its best."""
    trace = result.trace
    if MOVES not in trace.phases:
        return None
    changes = trace.changes
    moves = np.flatnonzero(trace.in_phase(MOVES)[changes])
    scores = result.extra.scores[[moves[0], *(moves + 1)]]
    best = int(np.flatnonzero(scores >= np.nanmax(scores) - ZERO_GAIN)[0])
    further = count(len(moves) - best, "move")
    if best == 0:
        return f"The search by score begins with the best graph that it meets: {further} lead to none better."
    first = move_sentence(trace[int(changes[moves[0]])]).text(result.names)
    on = "" if best == len(moves) else f"; it went on for {further}, also downhill, and found none better"
    return (
        f"The search by score begins with the change that gains most: {first}. After {count(best, 'move')} the score "
        f"is at its best{on}.{_beside(result)} Drag the slider to watch."
    )


def _beside(result: LearnResult) -> str:
    """How a second search fared, which took the other direction where both gain the same."""
    if result.extra.other_score is None:
        return ""
    behind = result.score - result.extra.other_score
    less = "as good a score" if abs(behind) < ZERO_GAIN * abs(result.score) else f"a score lower by {behind:,.1f}"
    return f" A second search that tried the other direction first, where both gain the same, reached {less}."


def growth(result: LearnResult) -> str | None:
    """How a search over classes began, and how many moves it made."""
    trace = result.trace
    inserted, *others = (np.flatnonzero(trace.made_by({rule})) for rule in (Rule.INSERT, Rule.DELETE, Rule.TURN))
    if not len(inserted):
        return None
    first = move_sentence(trace[int(inserted[0])]).text(result.names)
    others = [count(len(steps), word) for steps, word in zip(others, ("deletion", "turn"), strict=True) if len(steps)]
    *most, last = [count(len(inserted), "insertion"), *others]
    moves = f"{', '.join(most)} and {last}" if most else last
    turned = ", none less and none turned," if Phase(Stage.TURNS) in trace.phases else ", and none less,"
    return (
        f"The search begins with the pair whose edge raises the score most: {first}. After {moves} no edge more"
        f"{turned} raises it further. Drag the slider to watch."
    )


def placing(result: LearnResult) -> str | None:
    """Which variable gained most by another place in the order."""
    placed = result.extra.placements
    gains = np.where(placed.ends > placed.begins, placed.gains, -np.inf)
    if gains.max(initial=0.0) <= ZERO_GAIN:
        return None
    best = int(gains.argmax())
    return (
        f"The search puts variables elsewhere in an order, {count(len(gains), 'time')} in all, and each has the best "
        f"parents before it. The best of these moves: {placement_text(placed, best, result.names)}. Drag the "
        "slider to watch."
    )


def surest(result: LearnResult) -> str | None:
    """The first of the ranking."""
    path = result.extra
    if not len(path.pairs):
        return None
    i, j = path.pairs[0].tolist()
    rank = rank_clause(result, i, j).text(result.names)
    return (
        f"The surest link is {shorten(result.names[i])} — {shorten(result.names[j])}: {rank}. Drag "
        "the slider through the penalties to see which edges stay longest."
    )


def strongest(result: LearnResult) -> str | None:
    """The edge that the score would miss most."""
    lost = np.where(np.triu(result.graph.skeleton), result.strengths.values, -np.inf)
    i, j = np.unravel_index(int(lost.argmax()), lost.shape)
    if not np.isfinite(lost[i, j]) or lost[i, j] <= ZERO_GAIN:
        return None
    x, y = shorten(result.names[i]), shorten(result.names[j])
    edge = f"{x} {ARROWS[result.graph.mark(i, j)]} {y}"
    return f"No edge counts for more than {edge}: without it the score is {lost[i, j]:,.0f} lower."


def arrows(result: LearnResult) -> str | None:
    """How many edges have a direction, and how many of those are doubtful."""
    told = result.directions.values()
    if not told:
        return None
    doubtful = sum(one.support.is_doubtful for one in told)
    sure = "the data speak clearly for each" if not doubtful else f"{doubtful:,} of them with a hollow head: uncertain"
    return (
        f"{count(len(told), 'edge')} of {result.graph.n_edges:,} {'has' if len(told) == 1 else 'have'} an arrowhead, "
        f"{sure}. The others could point either way: the data cannot tell."
    )
