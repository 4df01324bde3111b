"""What RAI holds a test against, where that is no p-value."""

from __future__ import annotations

from learners.results.events import Event
from learners.results.rules import Rule

from ..text import format_number


def cut_of(event: Event) -> str:
    """The cut: so many degrees of freedom, or bits of information."""
    return f"{event.threshold:g} × dof" if event.rule is Rule.C1 else f"{event.threshold:g} bits"


def held_against_cut(event: Event, *, parted: bool) -> str:
    """How the test compared with the cut."""
    statistic, dof = format_number(event.statistic), format_number(event.dof)
    if event.rule is Rule.C1:
        return f"G² = {statistic} {'<' if parted else '≥'} {event.threshold:g} × dof {dof}, the cut C1"
    where = "below" if parted else "not below"
    return f"its information is {where} the cut of {event.threshold:g} bits (G² = {statistic}, dof {dof})"
