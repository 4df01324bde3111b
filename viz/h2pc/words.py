"""Whom the search around a variable holds, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.rules import ADJACENCY_RULES, Rule

from ..score_based.sentences import sentence as search_sentence
from ..text import format_p, format_set, shorten

LATER = {  # by what settled the later end
    Stage.ALONE: "; one end had too few candidates to ask further",
    Stage.DECENTRALISED: "; one end takes it from the other's search",
}


def sentence(event: Event, names: Sequence[str]) -> str:
    """One event of HPC, or of a search within its skeleton, for the line below the scrubber."""
    if event.rule in ADJACENCY_RULES and event.action == Action.ADD:
        return joining_sentence(event, names)
    return search_sentence(event, names)


def joining_sentence(event: Event, names: Sequence[str]) -> str:
    """An edge that HPC draws, for the line below the scrubber."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    who = "each is found around the other" if event.rule is Rule.BOTH_HOLD else "found around the target"
    given = f" given {format_set(event.cond, names)}" if event.cond else ""
    return f"{a} — {b} joins: {who}{LATER.get(event.phase.last, '')}; largest p {format_p(event.log_p)}{given}"
