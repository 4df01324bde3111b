"""Explanations of PAGs: why two variables are adjacent or not, and why each end has its mark."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...common.sentences import Edge, Listed, Node, Nodes, Number, Sentence, caveat, say
from ...explaining.events import event_of_tests
from ...explaining.moves import gain_clause, move_sentence
from ...explaining.pair import Explainer, Pair, Reasons, hardest_first, separations
from ...explaining.support import odds_of
from ...explaining.tested_pairs import REQUIRED, own_events, why_kept, why_separated, with_side_tests
from ...graphs.pag import CIRCLE
from ...graphs.rules import Rule
from ...results.events import Action, Event
from ...results.phases import Stage
from ...results.result import LearnResult

MEANINGS = {
    "forward": "If the ends are right, {b} does not cause {a}, and {a} causes {b}, possibly through others.",
    "bidirected": "If the ends are right, neither causes the other: hidden variables connect them.",
    "circle-forward": "If the arrowhead is right, {b} does not cause {a}. Then either {a} causes {b}, or hidden "
    "variables connect them, or both.",
    "circles": "Neither end is settled: either may cause the other, and hidden variables may connect them.",
}
REASONS = {
    Rule.REQUIRED: "your background knowledge requires it",
    Rule.FORBIDDEN: "your background knowledge excludes the other direction",
    Rule.COLLIDER_ENDS: "sets that separate {i} and {k} do not contain {j}, so by these sets {j} causes "
    "neither (rule R0)",
    Rule.ENDS_R1: "by earlier marks, {i} is no collider between {k} and {j}; it does not cause {k}, so it causes "
    "{j} (rule R1)",
    Rule.ENDS_R2: "otherwise {j} would cause {k}, or {k} would cause {i}, against an earlier arrowhead (rule R2)",
    Rule.ENDS_R3: "otherwise {i} would be a collider between {others}, which by their separating sets it "
    "is not (rule R3)",
    Rule.ENDS_R4: "by the set that separates {k} and {j}, {i} is no collider on their path (rule R4)",
    Rule.ENDS_R4_COLLIDER: "a path over both has a collider that no separating set contains (rule R4, with {others})",
    Rule.ENDS_R8: "by earlier marks, {i} → {k} → {j}, or {i} may cause {k}, so {i} causes {j} (rule R8)",
    Rule.ENDS_R9: "by earlier marks, a path from {i} over {k} to {j} without a collider starts with a cause (rule R9)",
    Rule.ENDS_R10: "by earlier marks, two paths from {i} lead to {others}, causes of {j}; one of them starts with "
    "a cause (rule R10)",
}
OPEN = (
    "The circle at {near}: independences cannot show whether {near} causes {far}. Graphs with and without that cause "
    "have the same ones. An experiment on {near} can show it. The order in time can only rule it out, and more rows do "
    "not help."
)
OPEN_IN_PART = (
    "The circle at {near}: the tests of this run leave open whether {near} causes {far}. An experiment on {near} can "
    "show it; the order in time can only rule it out. More rows may help, because some tests disagree."
)
MAG_MOVES = frozenset({Rule.MAG_REMOVAL, Rule.MAG_COLLIDER, Rule.MAG_ENDS, Rule.INDUCING})
NOT_IN_DAG = say("The best DAG, which the run started from, has no edge between them.")
NOT_IN_TRIANGLE = say(
    "The best DAG has this edge. It was not tested, because its ends have no common neighbour. With many "
    "rows, hidden causes add edges to the best DAG only in triangles."
)
NEVER_DRAWN = say(
    "The best DAG of the first search has no edge between them, and the search for hidden causes adds none."
)
ASSUMED_BY_SCORE = caveat(
    "The ends assume linear relations with normal noise, and that no row was selected by its values. The search is "
    "greedy, so a better graph can exist."
)
NOT_SELECTED = caveat("The ends assume that the tests are right, and that no row was selected by its values.")


def why_by_ends(pair: Pair) -> Reasons:
    """Explain a pair of a PAG: its tests, the meaning of its ends, and the rule or the open question of each end."""
    events = own_events(pair)
    if pair.mark == "none":
        tests = [event for event in events if event.rule not in (Rule.AMBIGUOUS, Rule.ADD)]
        if not tests and not pair.result.trace.start.n_edges:
            return Reasons([NOT_IN_DAG])
        return why_separated(pair, tests, separations(tests))
    untested = not any(event.n_tests for event in events) and any(event.rule is Rule.ADD for event in events)
    kept = [NOT_IN_TRIANGLE] if untested else why_kept(pair, events)
    sentences = [*kept, *_meaning(pair), *_rules(events), *_circles(pair)]
    return with_side_tests(pair, [*sentences, NOT_SELECTED], next(iter(hardest_first(events)), None))


def _meaning(pair: Pair) -> list[Sentence]:
    """Return the sentences on the meaning of the two ends together."""
    if not pair.result.complete:
        return []
    turned = pair.mark not in MEANINGS
    a, b = (pair.y, pair.x) if turned else (pair.x, pair.y)
    return [say(MEANINGS[pair.result.graph.mark(a, b)], a=Node(a), b=Node(b))]


def _rules(events: Sequence[Event]) -> list[Sentence]:
    """Return the reason of each arrowhead and tail, and of each that was refused."""
    sentences = []
    for event in events:
        if event.rule not in REASONS or event.action in (Action.REMOVE, Action.APART):
            continue
        values = {"a": Node(event.i), "b": Node(event.j), "reason": reason_of(event)}
        if event.action == Action.REFUSE:
            template = "A rule contradicts an earlier mark and was refused: {reason}."
        elif event.action == Action.ORIENT:
            template = "It is {a} → {b}, because {reason}."
        elif event.action == Action.BIDIRECT:
            template = "It is {a} ↔ {b}, because {reason}."
        else:
            template = "It has an arrowhead at {b}, because {reason}."
        sentences.append(say(template, **values))
    return sentences


def reason_of(event: Event) -> Sentence:
    """Return the reason of a rule as a clause."""
    others = [Node(k) for k in event.cond]
    k = others[0] if others else ""
    return say(REASONS[event.rule], i=Node(event.i), j=Node(event.j), k=k, others=Listed(others, ", ", " and "))


def _circles(pair: Pair) -> list[Sentence]:
    """Explain each end with a circle: what would settle it."""
    result = pair.result
    if not result.complete:
        return [say("The run was cancelled before the ends were settled.")]
    sentences = []
    for near, far in ((pair.x, pair.y), (pair.y, pair.x)):
        if result.graph.marks[far, near] == CIRCLE:
            sentences.append(_circle(result, near, far))
    return sentences


def _circle(result: LearnResult, near: int, far: int) -> Sentence:
    """Explain the circle at `near` of an edge."""
    others = sorted(_disagreeing(result, near, far))
    if others:
        return say(
            "The circle at {near}: the tests disagree on whether {near} is a collider, because sets with "
            "and without it separate {far} from {others}. More rows could settle it.",
            near=Node(near),
            far=Node(far),
            others=Nodes(others, braces=False),
        )
    template = OPEN_IN_PART if result.trace.made_by({Rule.AMBIGUOUS}).any() else OPEN
    return say(template, near=Node(near), far=Node(far))


def _disagreeing(result: LearnResult, near: int, far: int) -> set[int]:
    """Return the third variables of the ambiguous triples far, near, third."""
    trace = result.trace
    found = set()
    for t in np.flatnonzero(trace.made_by({Rule.AMBIGUOUS})).tolist():
        event = trace[t]
        if event.cond == (near,) and far in (event.i, event.j):
            found.add(event.i if event.j == far else event.j)
    return found


def why_by_moves(pair: Pair) -> Reasons:
    """Explain a pair of a search over MAGs: its moves, the meaning of its ends, and the reason of each end."""
    moves = [event for event in pair.events if event.rule in MAG_MOVES]
    drawn = [event for event in pair.events if event.phase.stage is Stage.INITIAL_GRAPH]
    if pair.mark == "none":
        return Reasons(_why_removed(pair, moves))
    sentences = [*_first_reason(drawn, moves), *(_as_sentence(event) for event in moves)]
    lost = float(pair.result.strengths.values[pair.x, pair.y])
    if math.isfinite(lost):
        sentences.append(
            say("Without it the final score would be {lost} lower ({odds}).", lost=Number(lost), odds=odds_of(lost))
        )
    return Reasons([*sentences, *_meaning(pair), *_rules(pair.events), *_circles(pair), ASSUMED_BY_SCORE])


def _first_reason(drawn: Sequence[Event], moves: Sequence[Event]) -> list[Sentence]:
    """Return the reason why the search over MAGs began with an edge."""
    if not drawn:
        return [] if moves else [REQUIRED]
    return [say("The best DAG of the first search has {edge}.", edge=Edge(drawn[0].i, "forward", drawn[0].j))]


def _why_removed(pair: Pair, moves: Sequence[Event]) -> list[Sentence]:
    """Explain a pair without an edge."""
    if moves:
        return [*(_as_sentence(event) for event in moves), ASSUMED_BY_SCORE]
    if not pair.result.complete:
        return [say("The best DAG so far had no edge between them.")]
    return [NEVER_DRAWN, ASSUMED_BY_SCORE]


def _as_sentence(event: Event) -> Sentence:
    """Return the sentence of a move; a name at its beginning keeps its letters."""
    template = "{move}." if event.rule is Rule.MAG_COLLIDER else "The search {move}."
    return say(template, move=move_of_mag(event))


def move_of_mag(event: Event) -> Sentence:
    """Describe a move of the MAG search."""
    a, b = Node(event.i), Node(event.j)
    gain = gain_clause(event.statistic)
    if event.rule is Rule.MAG_REMOVAL:
        edge = Edge(event.i, "undirected", event.j)
        if not event.cond:
            return say("removed {edge}, which hidden causes explain{gain}", edge=edge, gain=gain)
        return say(
            "removed {edge} and made both variables point at {set}{gain}",
            edge=edge,
            set=Nodes(event.cond, braces=False),
            gain=gain,
        )
    if event.rule is Rule.INDUCING:
        return say("added an edge between {a} and {b}, because no set separates them in this graph", a=a, b=b)
    marks = Edge(event.i, "bidirected" if event.action == Action.BIDIRECT else "forward", event.j)
    if event.rule is Rule.MAG_ENDS:
        return say("changed the ends to {edge}{gain}", edge=marks, gain=gain)
    middle, other = event.cond
    near = event.i if event.j == middle else event.j
    return say(
        "{edge}: {c} becomes a collider between {near} and {other}, whose edge is removed",
        edge=marks,
        c=Node(middle),
        near=Node(near),
        other=Node(other),
    )


def event_of_mags(event: Event) -> Sentence:
    """Describe an event: a move of the MAG search, or an orientation rule."""
    if event.rule in MAG_MOVES:
        return move_of_mag(event)
    if event.rule is Rule.EQUIVALENT:
        return say("{edge}: open until a rule marks its ends", edge=Edge(event.i, "circles", event.j))
    return move_sentence(event) if event.rule is Rule.ADD else event_of_ends(event)


def event_of_ends(event: Event) -> Sentence:
    """Describe the result of a test or of an orientation rule."""
    if event.rule is Rule.AMBIGUOUS:
        return say(
            "{i}, {k}, {j}: sets with and without {k} separate {i} and {j}, so {k} stays open",
            i=Node(event.i),
            j=Node(event.j),
            k=Nodes(event.cond, braces=False),
        )
    if event.rule is Rule.ADD:
        return say("added the edge {edge}, which is in the best DAG", edge=Edge(event.i, "circles", event.j))
    if event.rule not in REASONS or event.action in (Action.REMOVE, Action.APART):
        return event_of_tests(event)
    values = {"a": Node(event.i), "b": Node(event.j), "reason": reason_of(event)}
    if event.action == Action.REFUSE:
        return say("{pair}: contradicts an earlier mark, refused", pair=Edge(event.i, "undirected", event.j))
    if event.action == Action.ORIENT:
        return say("{a} → {b}: {reason}", **values)
    return say(
        "{a} ↔ {b}: {reason}" if event.action == Action.BIDIRECT else "arrowhead at {b} from {a}: {reason}", **values
    )


EXPLAINERS = {"pag": Explainer(why_by_ends, event_of_ends), "mag": Explainer(why_by_moves, event_of_mags)}
