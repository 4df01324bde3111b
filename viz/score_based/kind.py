"""Views of searches by score."""

from __future__ import annotations

import math

import numpy as np

from learners.common.sentences import (
    NOTHING,
    Count,
    Edge,
    Listed,
    Node,
    Number,
    Phrase,
    Sentence,
    Unit,
    only_if,
    phrase,
    say,
)
from learners.explaining.moves import ZERO_GAIN, move_sentence
from learners.explaining.scored_pairs import losses_of
from learners.families.score_based.explaining import rank_clause
from learners.graphs.rules import Rule
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..kind_contract import Kind, SliderModes
from ..tables import edge_rows
from .penalties import MODES_HELP
from .timeline import class_timeline, comparable, dag_timeline, order_timeline, placement

MOVES = Phase(Stage.MOVES)


def climb(result: LearnResult) -> Phrase | None:
    """Describe the first move of a search and its best graph."""
    trace = result.trace
    if MOVES not in trace.phases:
        return None
    changes = trace.changes
    moves = np.flatnonzero(trace.in_phase(MOVES)[changes])
    scores = result.extra.scores[[moves[0], *(moves + 1)]]
    best = int(np.flatnonzero(scores >= np.nanmax(scores) - ZERO_GAIN)[0])
    further = Count(len(moves) - best, "move")
    if best == 0:
        return phrase("The search begins with the best graph that it finds; {moves} find no better one.", moves=further)
    first = move_sentence(trace[int(changes[moves[0]])])
    template = "The search begins with the change of largest gain: {first}. The score is best after {moves}.{beside}"
    if best < len(moves):
        template = (
            "The search begins with the change of largest gain: {first}. The score is best after {moves}; {further} "
            "after that found no better graph.{beside}"
        )
    return phrase(
        template, result.names, first=first, moves=Count(best, "move"), further=further, beside=_beside(result)
    )


def _beside(result: LearnResult) -> Sentence:
    """Compare with a second search, which chose the other direction wherever both had the same gain."""
    if result.extra.other_score is None:
        return NOTHING
    behind = result.score - result.extra.other_score
    if abs(behind) < ZERO_GAIN * abs(result.score):
        return say(" A second search, which broke ties by the other direction, reached an equal score.")
    template = " A second search, which broke ties by the other direction, reached a score lower by {value}."
    return say(template, value=Number(behind))


def growth(result: LearnResult) -> Phrase | None:
    """Describe the first move of a search over classes, and count its moves."""
    trace = result.trace
    inserted, *others = (np.flatnonzero(trace.made_by({rule})) for rule in (Rule.INSERT, Rule.DELETE, Rule.TURN))
    if not len(inserted):
        return None
    others = [Count(len(steps), word) for steps, word in zip(others, ("deletion", "turn"), strict=True) if len(steps)]
    template = (
        "The search first inserts {edge}, which raises the score most{gain}. After {moves}, neither adding nor "
        "removing an edge improves the score.{steps}"
    )
    if Phase(Stage.TURNS) in trace.phases:
        template = (
            "The search first inserts {edge}, which raises the score most{gain}. After {moves}, adding, removing or "
            "turning an edge does not improve the score.{steps}"
        )
    moves = Listed([Count(len(inserted), "insertion"), *others], ", ", " and ")
    n_directed = len(trace.changes) - len(inserted) - sum(count.n for count in others)
    steps = only_if(
        n_directed > 0,
        say(
            " The slider has {steps}: {moves} and {directed}.",
            steps=Count(len(trace.changes), "step"),
            moves=Listed([Count(len(inserted), "insertion"), *others], ", "),
            directed=Count(n_directed, "resulting change of an arrowhead", "resulting changes of arrowheads"),
        ),
    )
    first = trace[int(inserted[0])]
    gain = only_if(math.isfinite(first.statistic), say(" ({gain})", gain=Number(first.statistic, Unit.SIGNED)))
    edge = Edge(first.i, "undirected", first.j)
    return phrase(template, result.names, edge=edge, gain=gain, moves=moves, steps=steps)


def placing(result: LearnResult) -> Phrase | None:
    """Name the variable whose move in the order gained most."""
    placed = result.extra.placements
    gains = np.where(placed.ends > placed.begins, placed.gains, -np.inf)
    if gains.max(initial=0.0) <= ZERO_GAIN:
        return None
    best = int(gains.argmax())
    return phrase(
        "The search moved variables in an order {times}. Each variable takes its parents from those before it. The "
        "best move: {move}.",
        names=result.names,
        times=Count(len(gains), "time"),
        move=placement(placed, best),
    )


def surest(result: LearnResult) -> Phrase | None:
    """Name the first pair of the ranking."""
    path = result.extra
    if not len(path.pairs):
        return None
    i, j = path.pairs[0].tolist()
    return phrase(
        "The best supported edge is {a} — {b}: {rank}. Drag the slider through the penalties to see which edges stay "
        "longest.",
        result.names,
        a=Node(i),
        b=Node(j),
        rank=rank_clause(result, i, j),
    )


def strongest(result: LearnResult) -> Phrase | None:
    """Name the edge whose removal would lower the score most."""
    losses = losses_of(result)
    if losses is None:
        return None
    lost = np.where(np.triu(result.graph.skeleton), losses, -np.inf)
    i, j = np.unravel_index(int(lost.argmax()), lost.shape)
    if not np.isfinite(lost[i, j]) or lost[i, j] <= ZERO_GAIN:
        return None
    edge = Edge(int(i), result.graph.mark(i, j), int(j))
    template = "The most important edge is {edge}: without it the score is {value} lower."
    return phrase(template, result.names, edge=edge, value=Number(float(lost[i, j])))


def arrows(result: LearnResult) -> Phrase | None:
    """Count the directed edges, the edges whose direction is weakly supported, and the undirected edges."""
    directions = result.directions.values()
    if not directions:
        return None
    n, doubtful = len(directions), sum(one.support.is_doubtful for one in directions)
    undirected = result.graph.n_edges - n
    template = "If there are no hidden common causes, all {n} of these directions are strongly supported."
    if doubtful:
        template = "Weakly supported directions (hollow): {doubtful}."
    elif n == 1:
        template = "If there are no hidden common causes, its direction is strongly supported."
    return phrase(
        "Arrowheads: {n} of {edges}. {support}{rest}",
        n=n,
        edges=Count(result.graph.n_edges, "edge"),
        support=say(template, n=n, doubtful=doubtful),
        rest=only_if(undirected, say(" The data cannot direct {edges}.", edges=Count(undirected, "other edge"))),
    )


def polish(result: LearnResult) -> Phrase | None:
    """State how many steps the final GES made and what they gained."""
    trace, scores = result.trace, result.extra.scores
    polishing = trace.in_phase(Phase(Stage.POLISH_FORWARD)) | trace.in_phase(Phase(Stage.POLISH_BACKWARD))
    steps = np.flatnonzero(polishing[trace.changes])
    if not len(steps):
        return None
    inserted, deleted = (int((polishing & trace.made_by({rule})).sum()) for rule in (Rule.INSERT, Rule.DELETE))
    moves = [Count(n, word) for n, word in ((inserted, "insertion"), (deleted, "deletion")) if n]
    gain = float(scores[steps[-1] + 1] - scores[steps[0]])
    template = "A final GES, which may add any edge, made {moves}: score +{gain}."
    return phrase(template, moves=Listed(moves, ", ", " and "), gain=Number(gain))


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
        slider_modes=lambda _result: SliderModes(
            {"penalties": "Penalties", "run": "Steps of the run"}, "penalties", MODES_HELP
        ),
        to_find_more="a smaller penalty",
    ),
    "ges": Kind(timeline=class_timeline, callouts=(growth, strongest, arrows), tables={"Edges": edge_rows}),
}
