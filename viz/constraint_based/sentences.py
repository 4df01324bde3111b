"""One event of a run by tests as a sentence, for the line below the scrubber."""

from __future__ import annotations

from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.rules import OF_MIDDLES, Rule

from ..text import format_p, format_set, shorten
from .directions import orientation_reason
from .side_tests import blanket_sentence, is_aside, middle_sentence


def sentence(event: Event, names: Sequence[str]) -> str:
    """What the event did to its pair."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    if is_aside(event):
        return middle_sentence(event, names) if event.rule in OF_MIDDLES else blanket_sentence(event, names)
    if event.action == Action.REMOVE:
        return f"{a} — {b} {_removal(event, names)}"
    if event.action == Action.ADD:
        return f"{a} — {b} joins: each chose the other, largest p so far {format_p(event.log_p)}"
    if event.action == Action.ORIENT:
        return f"{a} → {b}: {orientation_reason(event, names)}"
    if event.action == Action.UNORIENT and event.rule is Rule.PATTERN:
        return f"{a} — {b}: no v-structure of the whole graph asks for its direction any more"
    return f"{a} — {b}: {event.rule}"


def _removal(event: Event, names: Sequence[str]) -> str:
    shown = format_set(event.cond, names)
    if event.phase.stage is Stage.BLANKETS:
        a, b = shorten(names[event.i]), shorten(names[event.j])
        return f"leaves: {b} is not in the Markov blanket of {a}, {_blanket_reason(event, names)}"
    if event.rule is Rule.FORBIDDEN:
        return "is forbidden"
    if event.rule is Rule.UNTESTED:
        return f"leaves: too few rows to test it given {shown}"
    if event.rule is Rule.THRESHOLD:
        return f"leaves: its largest p, {format_p(event.log_p)} given {shown}, is above {event.threshold:.3g}"
    if event.rule is Rule.PATTERN:
        return "leaves: the best graph of the tree does not join them"
    if event.dof == 0:
        return f"leaves: nothing to test given {shown}, one of them is fixed"
    return f"leaves: independent given {shown}, p = {format_p(event.log_p)}"


def _blanket_reason(event: Event, names: Sequence[str]) -> str:
    shown = format_set(event.cond, names)
    reasons = {
        Rule.TEST: f"independent given {shown}, p = {format_p(event.log_p)}",
        Rule.UNTESTED: f"too few rows to test it given {shown}",
        Rule.NO_ROOM: "a larger blanket needs more rows",
    }
    return reasons[event.rule]
