"""Tests that do not join or part a pair by themselves: who is in whose blanket, and what lies between two variables."""

from __future__ import annotations

from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.rules import ASIDES, OF_BLANKETS, OF_MIDDLES, Rule

from ..text import format_number, format_p, format_set, shorten


def is_aside(event: Event) -> bool:
    """Whether an event tells of such tests."""
    return event.rule in ASIDES


def blanket_sentences(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """What each side of a pair found out about the other."""
    return [f"{blanket_sentence(event, names)}." for event in events if event.rule in OF_BLANKETS]


def blanket_sentence(event: Event, names: Sequence[str]) -> str:
    """Whether one variable is in the Markov blanket of another, and why."""
    target, other, shown = shorten(names[event.i]), shorten(names[event.j]), format_set(event.cond, names)
    if event.rule is Rule.BLANKET_UNTESTED:
        return f"{other} is not in the Markov blanket of {target}: too few rows to test it given {shown}"
    if event.action == Action.KEEP:
        return (
            f"{other} is in the Markov blanket of {target}: given {shown} the two are dependent, "
            f"p = {format_p(event.log_p)}"
        )
    if event.p_value <= event.threshold:
        return (
            f"{other} found no room in the Markov blanket of {target}: given {shown} the two are dependent, "
            f"p = {format_p(event.log_p)}, but a larger blanket needs more rows"
        )
    return (
        f"{other} is not in the Markov blanket of {target}: given {shown} the two are taken as independent, "
        f"p = {format_p(event.log_p)}"
    )


def middle_sentences(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """One sentence for each variable between two: that of the end whose sets came nearer to separating them."""
    nearest: dict[int, Event] = {}
    for event in events:
        if event.rule not in OF_MIDDLES:
            continue
        if event.cond[0] not in nearest or event.log_p > nearest[event.cond[0]].log_p:
            nearest[event.cond[0]] = event
    return [f"{middle_sentence(event, names)}." for event in nearest.values()]


def middle_sentence(event: Event, names: Sequence[str]) -> str:
    """What the tests of a pair given sets with one variable between them say of a v-structure there."""
    i, j, k = (shorten(names[node]) for node in (event.i, event.j, event.cond[0]))
    given = f"given {format_set(event.cond, names)}"
    if event.rule is Rule.CHECKED_CUT:
        shared, cut = format_number(event.statistic), format_number(event.threshold)
        return f"No v-structure {i} → {k} ← {j}: {given} the two share {shared} mbit, below the cut of {cut} mbit"
    if event.action == Action.REFUSE:
        return f"No v-structure {i} → {k} ← {j}: {given} the two are taken as independent, p = {format_p(event.log_p)}"
    if event.rule is Rule.CHECKED:
        return (
            f"A v-structure {i} → {k} ← {j} is proposed, and passes its check: {given} the two are dependent, "
            f"p = {format_p(event.log_p)}"
        )
    return (
        f"A v-structure {i} → {k} ← {j} is proposed: the two are dependent given every set with {k} that was tried, "
        f"the largest p {given} being {format_p(event.log_p)}"
    )
