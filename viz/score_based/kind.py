"""Views of searches by score."""

from __future__ import annotations

import numpy as np

from learners.explaining.moves import ZERO_GAIN, move_sentence
from learners.families.score_based.explaining import rank_clause
from learners.graphs.rules import Rule
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..kind import Kind, SliderModes
from ..tables import edge_rows
from ..text import ARROWS, count, shorten
from .penalties import MODES_HELP
from .timeline import class_timeline, comparable, dag_timeline, order_timeline, placement_text

MOVES = Phase(Stage.MOVES)
NO_FURTHER_MOVE = "neither adding nor removing an edge improves"


def climb(result: LearnResult) -> str | None:
    """Describe the first move of a search and its best graph."""
    trace = result.trace
    if MOVES not in trace.phases:
        return None
    changes = trace.changes
    moves = np.flatnonzero(trace.in_phase(MOVES)[changes])
    scores = result.extra.scores[[moves[0], *(moves + 1)]]
    best = int(np.flatnonzero(scores >= np.nanmax(scores) - ZERO_GAIN)[0])
    further = count(len(moves) - best, "move")
    if best == 0:
        return f"The search begins with the best graph that it finds; {further} find no better one."
    first = move_sentence(trace[int(changes[moves[0]])]).text(result.names)
    on = "" if best == len(moves) else f"; {further} after that found no better graph"
    return (
        f"The search begins with the change of largest gain: {first}. The score is best after "
        f"{count(best, 'move')}{on}.{_beside(result)} Drag the slider to watch."
    )


def _beside(result: LearnResult) -> str:
    """Compare with a second search, which chose the other direction wherever both had the same gain."""
    if result.extra.other_score is None:
        return ""
    behind = result.score - result.extra.other_score
    less = "an equal score" if abs(behind) < ZERO_GAIN * abs(result.score) else f"a score lower by {behind:,.1f}"
    return f" A second search, which broke ties by the other direction, reached {less}."


def growth(result: LearnResult) -> str | None:
    """Describe the first move of a search over classes, and count its moves."""
    trace = result.trace
    inserted, *others = (np.flatnonzero(trace.made_by({rule})) for rule in (Rule.INSERT, Rule.DELETE, Rule.TURN))
    if not len(inserted):
        return None
    first = move_sentence(trace[int(inserted[0])]).text(result.names)
    others = [count(len(steps), word) for steps, word in zip(others, ("deletion", "turn"), strict=True) if len(steps)]
    *most, last = [count(len(inserted), "insertion"), *others]
    moves = f"{', '.join(most)} and {last}" if most else last
    turning = Phase(Stage.TURNS) in trace.phases
    further = "adding, removing or turning an edge does not improve" if turning else NO_FURTHER_MOVE
    return (
        f"The search begins with the edge that raises the score most: {first}. After {moves}, {further} the score. "
        f"Drag "
        "the slider to watch."
    )


def placing(result: LearnResult) -> str | None:
    """Name the variable whose move in the order gained most."""
    placed = result.extra.placements
    gains = np.where(placed.ends > placed.begins, placed.gains, -np.inf)
    if gains.max(initial=0.0) <= ZERO_GAIN:
        return None
    best = int(gains.argmax())
    return (
        f"The search moves variables in an order, {count(len(gains), 'time')} in all; each variable has the best "
        f"parents "
        f"before it. The best move: {placement_text(placed, best, result.names)}. Drag the slider to watch."
    )


def surest(result: LearnResult) -> str | None:
    """Name the first pair of the ranking."""
    path = result.extra
    if not len(path.pairs):
        return None
    i, j = path.pairs[0].tolist()
    rank = rank_clause(result, i, j).text(result.names)
    return (
        f"The best supported edge is {shorten(result.names[i])} — {shorten(result.names[j])}: {rank}. Drag "
        "the slider through the penalties to see which edges stay longest."
    )


def strongest(result: LearnResult) -> str | None:
    """Name the edge whose removal would lower the score most."""
    lost = np.where(np.triu(result.graph.skeleton), result.strengths.values, -np.inf)
    i, j = np.unravel_index(int(lost.argmax()), lost.shape)
    if not np.isfinite(lost[i, j]) or lost[i, j] <= ZERO_GAIN:
        return None
    x, y = shorten(result.names[i]), shorten(result.names[j])
    edge = f"{x} {ARROWS[result.graph.mark(i, j)]} {y}"
    return f"The most important edge is {edge}: without it the score is {lost[i, j]:,.0f} lower."


def arrows(result: LearnResult) -> str | None:
    """Count the directed edges, and the edges whose direction is weakly supported."""
    directions = result.directions.values()
    if not directions:
        return None
    doubtful = sum(one.support.is_doubtful for one in directions)
    sure = "each strongly supported" if not doubtful else f"{doubtful:,} of them weakly supported (hollow head)"
    return (
        f"{count(len(directions), 'edge')} of {result.graph.n_edges:,} {'has' if len(directions) == 1 else 'have'} "
        f"an arrowhead, {sure}; the data cannot direct the others."
    )


def polish(result: LearnResult) -> str | None:
    """State how many steps the final GES made and what they gained."""
    trace, scores = result.trace, result.extra.scores
    polishing = trace.in_phase(Phase(Stage.POLISH_FORWARD)) | trace.in_phase(Phase(Stage.POLISH_BACKWARD))
    steps = np.flatnonzero(polishing[trace.changes])
    if not len(steps):
        return None
    inserted, deleted = (int((polishing & trace.made_by({rule})).sum()) for rule in (Rule.INSERT, Rule.DELETE))
    moves = [count(n, word) for n, word in ((inserted, "insertion"), (deleted, "deletion")) if n]
    return (
        f"A final GES, which may add any edge, made {' and '.join(moves)}: score "
        f"+{scores[steps[-1] + 1] - scores[steps[0]]:,.1f}."
    )


KINDS = {
    "score": Kind(
        timeline=dag_timeline,
        callouts=(climb, strongest, arrows),
        comparable=comparable,
        tables={"Edges": edge_rows},
    ),
    "order": Kind(
        timeline=order_timeline,
        callouts=(placing, strongest, arrows),
        comparable=comparable,
        tables={"Edges": edge_rows},
    ),
    "score_path": Kind(
        timeline=class_timeline,
        callouts=(surest, strongest, arrows),
        tables={"Edges": edge_rows},
        slider_modes=lambda _result: SliderModes({"penalties": "Penalties", "run": "Run"}, "penalties", MODES_HELP),
        to_find_more="a smaller penalty",
    ),
    "ges": Kind(timeline=class_timeline, callouts=(growth, strongest, arrows), tables={"Edges": edge_rows}),
}
