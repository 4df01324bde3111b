"""Moves of a search by score as sentences."""

from __future__ import annotations

import math

from ..common.sentences import Count, Edge, Node, Nodes, Number, Sentence, Unit, only_if, say
from ..graphs.rules import BEGINNINGS, Rule
from ..results.events import Action, Event

ZERO_GAIN = 1e-6  # gain of the score that counts as rounding error
CHANGES = {
    Rule.ADD: "added the edge {edge}{beside}{gain}",
    Rule.DELETE: "deleted the edge {edge}{beside}{gain}",
    Rule.REVERSE: "reversed {before} to {edge}{gain}",
    Rule.INSERT: "inserted the edge {edge}{beside}{gain}",
    Rule.TURN: "turned the edge to {edge}{beside}{gain}",  # it may have been undirected
}
PLACEMENTS = {
    True: "{a} moved {places} back in the search order{gain}",
    False: "{a} moved {places} forward in the search order{gain}",
}
BEGUN = {
    Rule.COLLIDER_BEGUN: "added the v-structure {a} → {b} ← {c}{gain}: {a} → {b} first",
    Rule.COLLIDER: "added the v-structure {c} → {b} ← {a}{gain}: then {a} → {b}",
    Rule.COLLIDER_COMPLETED: "added the edge {a} → {b}{gain}: it forms a v-structure with {c} → {b}",
    Rule.SINK: "added the edge {a} → {b}{gain}: {b} can be a sink, so the edge points at it",
    Rule.IMPLIED: "added the edge {a} → {b}{gain}: earlier arrows imply its direction",
    Rule.KNOWN: "added the edge {a} → {b}{gain}: your background knowledge excludes the other direction",
    Rule.UNSETTLED: "left out the edge {a} — {b}: no rule gives it a direction",
}
NOT_BEGUN = {
    True: "left out the edge {a} — {b}: {a} → {b} would not raise the score{gain}",
    False: "left out the edge {a} — {b}: it would close a cycle or exceed the limit on parents",
}


def move_sentence(event: Event) -> Sentence:
    """Describe a step of a search without its subject: "added the edge smoke → bronc, score +31.2"."""
    pair = {"a": Node(event.i), "b": Node(event.j)}
    if event.rule is Rule.EQUIVALENT:
        return say("{a} — {b}: either direction scores the same", **pair)
    if event.rule is Rule.COMPELLED:
        return say("{a} → {b}: all graphs with the same score and independences share this direction", **pair)
    gain = gain_clause(event.statistic)
    if event.rule in BEGINNINGS:
        template = NOT_BEGUN[math.isfinite(event.statistic)] if event.rule is Rule.NO_GAIN else BEGUN[event.rule]
        return say(template, **pair, c=Node(event.cond[0]) if event.cond else "", gain=gain)
    if event.rule not in CHANGES:
        return say("{a} → {b}: set by your background knowledge{gain}", **pair, gain=gain)
    edge = Edge(event.i, "forward" if event.action == Action.ORIENT else "undirected", event.j)
    if event.rule is Rule.REVERSE:
        before = Edge(event.j, "forward", event.i)
        return say(CHANGES[event.rule], before=before, edge=edge, gain=gain)
    # An insertion into a class of graphs, or a turn, makes these parents of the second node too.
    both = event.rule in (Rule.INSERT, Rule.TURN) and event.cond
    beside = only_if(both, say(" and directed {set} → {b}", set=Nodes(event.cond), b=Node(event.j)))
    return say(CHANGES[event.rule], edge=edge, beside=beside, gain=gain)


def placement_sentence(node: int, steps: int, gain: float) -> Sentence:
    """Describe the move of a variable in an order: "smoke moved 3 places back in the search order, score +31.2"."""
    return say(PLACEMENTS[steps > 0], a=Node(node), places=Count(abs(steps), "place"), gain=gain_clause(gain))


def gain_clause(gain: float) -> Sentence:
    """Return a clause on the change of the score by a move; empty if it is unknown."""
    if math.isnan(gain):
        return say("")
    return say(", score unchanged") if abs(gain) < ZERO_GAIN else say(", score {gain}", gain=Number(gain, Unit.SIGNED))
