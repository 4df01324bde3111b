"""Sentences for single events of a run, shown below the slider."""

from __future__ import annotations

from ..common.sentences import Edge, Node, Nodes, Number, Sentence, p_of, say
from ..graphs.rules import BEGINNINGS, CLASS_MARKS, MOVES, OF_MIDDLES, Rule
from ..results.events import Action, Event
from ..results.phases import Stage
from .moves import move_sentence
from .orientation import orientation_reason
from .side_tests import blanket_sentence, is_side_test, middle_sentence


def event_of_tests(event: Event) -> Sentence:
    """Describe the result of a test or of an orientation rule."""
    pair = Edge(event.i, "undirected", event.j)
    if is_side_test(event):
        return middle_sentence(event) if event.rule in OF_MIDDLES else blanket_sentence(event)
    if event.action == Action.REMOVE:
        return say("{pair} {removal}", pair=pair, removal=_removal(event))
    if event.action == Action.ADD:
        return say("{pair} added: each chose the other, largest p so far {p}", pair=pair, p=p_of(event.log_p))
    if event.action == Action.ORIENT:
        return say("{pair}: {reason}", pair=Edge(event.i, "forward", event.j), reason=orientation_reason(event))
    if event.action == Action.UNORIENT and event.rule is Rule.PATTERN:
        return say("{pair}: no v-structure of the whole graph requires its direction any more", pair=pair)
    return say("{pair}: {rule}", pair=pair, rule=say(str(event.rule)))


def event_of_search(event: Event) -> Sentence:
    """Describe a move of a search, or the test or background knowledge that preceded the search."""
    return (move_sentence if event.rule in MOVES | BEGINNINGS | CLASS_MARKS else event_of_tests)(event)


REMOVALS = {
    Rule.FORBIDDEN: "removed: forbidden by background knowledge",
    Rule.UNTESTED: "removed: too few rows to test it given {set}",
    Rule.THRESHOLD: "removed: its largest p, {p} given {set}, is above {threshold}",
    Rule.PATTERN: "removed: not in the best graph of the tree",
}
FROM_BLANKETS = {
    Rule.TEST: "removed: {b} is not in the Markov blanket of {a}, independent given {set}, p = {p}",
    Rule.UNTESTED: "removed: {b} is not in the Markov blanket of {a}, too few rows to test it given {set}",
    Rule.NO_ROOM: "removed: {b} is not in the Markov blanket of {a}, a larger blanket needs more rows",
}


def _removal(event: Event) -> Sentence:
    if event.phase.stage is Stage.BLANKETS:
        template = FROM_BLANKETS[event.rule]
    elif event.rule in REMOVALS:
        template = REMOVALS[event.rule]
    elif event.dof == 0:
        template = "removed: given {set}, {a} or {b} is constant, so there is nothing to test"
    else:
        template = "removed: independent given {set}, p = {p}"
    return say(
        template,
        a=Node(event.i),
        b=Node(event.j),
        set=Nodes(event.cond),
        p=p_of(event.log_p),
        threshold=Number(event.threshold),
    )
