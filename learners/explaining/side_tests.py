"""Tests that decide no pair by themselves: members of Markov blankets, and the variable between two others."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.sentences import Node, Nodes, Sentence, mbit, p_of, say
from ..graphs.rules import ASIDES, OF_BLANKETS, OF_MIDDLES, Rule
from ..results.events import Action, Event


def is_side_test(event: Event) -> bool:
    """Return True if an event records a test that decides no pair by itself."""
    return event.rule in ASIDES


def blanket_sentences(events: Sequence[Event]) -> list[Sentence]:
    """Return sentences on whether each variable of a pair is in the Markov blanket of the other."""
    return [say("{clause}.", clause=blanket_sentence(event)) for event in events if event.rule in OF_BLANKETS]


def blanket_sentence(event: Event) -> Sentence:
    """Explain the presence or absence of one variable in the Markov blanket of another."""
    values = {
        "target": Node(event.i), "other": Node(event.j), "set": Nodes(event.cond), "p": p_of(event.log_p)
    }  # fmt: skip
    if event.rule is Rule.BLANKET_UNTESTED:
        template = "{other} is not in the Markov blanket of {target}: too few rows to test it given {set}"
    elif event.action == Action.KEEP:
        template = "{other} was found in the Markov blanket of {target}. They are judged dependent given {set}, p = {p}"
    elif event.p_value <= event.threshold:
        template = (
            "{other} is left out of the Markov blanket of {target}: they are judged dependent given {set}, p = {p}, "
            "but a larger blanket needs more rows"
        )
    else:
        template = "{other} is not in the Markov blanket of {target}. They are judged independent given {set}, p = {p}"
    return say(template, **values)


def middle_sentences(events: Sequence[Event]) -> list[Sentence]:
    """Return one sentence for each intermediate variable, from the sets that came closest to separating the pair."""
    nearest: dict[int, Event] = {}
    for event in events:
        if event.rule not in OF_MIDDLES:
            continue
        if event.cond[0] not in nearest or event.log_p > nearest[event.cond[0]].log_p:
            nearest[event.cond[0]] = event
    return [say("{clause}.", clause=middle_sentence(event)) for event in nearest.values()]


def middle_sentence(event: Event) -> Sentence:
    """Explain the tests of a pair given sets with a variable between them, as evidence on a v-structure there."""
    values = {
        "i": Node(event.i), "j": Node(event.j), "k": Node(event.cond[0]), "set": Nodes(event.cond),
        "p": p_of(event.log_p),
    }  # fmt: skip
    if event.rule is Rule.CHECKED_CUT:
        values |= {"shared": mbit(event.statistic), "cut": mbit(event.threshold)}
        template = "No v-structure {i} → {k} ← {j}: given {set}, its ends share {shared}, below the cut of {cut}"
    elif event.action == Action.REFUSE:
        template = "No v-structure {i} → {k} ← {j}: its ends are judged independent given {set}, p = {p}"
    elif event.rule is Rule.CHECKED:
        template = "The v-structure {i} → {k} ← {j} passes its check: its ends are dependent given {set}, p = {p}"
    else:
        template = (
            "The v-structure {i} → {k} ← {j} is proposed: its ends are dependent given every tested set with {k} "
            "(largest "
            "p = {p}, given {set})"
        )
    return say(template, **values)
