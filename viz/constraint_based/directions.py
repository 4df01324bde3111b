"""Why an edge points the way it does, from the events of a trace."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import Rule

from ..text import format_number, format_set, shorten

REFUSALS = {
    Rule.V_STRUCTURE_CONTRADICTED: "one of its two arrows points against a direction settled before it",
    Rule.V_STRUCTURE_CYCLIC: "it would close a directed cycle",
}


def why_directed(
    result: LearnResult, x: int, y: int, events: Sequence[Event], *, only_skeleton: bool = False
) -> list[str]:
    """What settled, or failed to settle, the direction of the edge between x and y.

    A run that looked for no directions, `only_skeleton`, says so.
    """
    sentences = []
    for event in events:
        if event.action == Action.ORIENT:
            a, b = shorten(result.names[event.i]), shorten(result.names[event.j])
            far = event.rule is Rule.R2 and not result.graph.amat[event.i, event.cond[0]]
            sentences.append(f"It points {a} → {b} because {orientation_reason(event, result.names, far=far)}.")
        elif event.action == Action.UNORIENT and event.rule is Rule.PATTERN:
            a, b = shorten(result.names[event.i]), shorten(result.names[event.j])
            sentences = [f"It pointed {a} → {b} for a while, but no v-structure of the whole graph asks for that."]
        elif event.action == Action.CONFLICT:
            sentences.append(
                "The rules imply both directions at once, so neither is taken: the evidence conflicts. The graph shows "
                "that with two hollow heads and an exclamation mark."
            )
        elif event.action == Action.REFUSE:
            a, b = shorten(result.names[event.i]), shorten(result.names[event.j])
            surely = "" if math.isnan(event.statistic) else f" (CD = {format_number(event.statistic)})"
            sentences.append(
                f"A v-structure {a} → {b} ← {format_set(event.cond, result.names)[1:-1]} was proposed{surely} and "
                f"refused, because {REFUSALS[event.rule]}."
            )
    if only_skeleton and not sentences:
        return ["This learner finds which variables are joined; it leaves every direction open."]
    if result.graph.mark(x, y) == "undirected" and result.complete and not sentences:
        sentences.append("Its direction is open: no test settles which way it points.")
    return sentences


def orientation_reason(event: Event, names: Sequence[str], *, far: bool = False) -> str:
    """What made an edge i -> j, as a clause; `far` if rule R2 found a path of more than two arrows."""
    i, j = shorten(names[event.i]), shorten(names[event.j])
    others = [shorten(names[k]) for k in event.cond]
    if event.rule is Rule.V_STRUCTURE:
        return f"{i} and {others[0]} are not joined and were separated without {j}, so both point at it (v-structure)"
    if event.rule is Rule.CHECKED_V_STRUCTURE:
        return (
            f"{i} and {others[0]} are not joined, were separated without {j}, and are dependent once it is given, so "
            "both point at it (v-structure)"
        )
    if event.rule is Rule.TESTED_V_STRUCTURE:
        return (
            f"{i} and {others[0]} are not joined, yet dependent given every set with {j} that was tried, so both point "
            "at it (v-structure)"
        )
    if event.rule is Rule.R1:
        return (
            f"{others[0]} points at {i}, {others[0]} and {j} are not joined, and {j} → {i} would make a v-structure "
            "that the tests did not find (rule R1)"
        )
    if event.rule is Rule.INDUCED:
        return (
            f"{i} and {others[0]} are not joined, and become dependent once {j} is accounted for: "
            f"CD = {format_number(event.statistic)} (v-structure)"
        )
    if event.rule is Rule.R2:
        way = f"{i} → … → {others[0]}" if far else f"{i} → {others[0]}"
        return f"the path {way} → {j} would else become a cycle (rule R2)"
    if event.rule in (Rule.R3, Rule.R4):
        around = " and ".join(others)
        return f"the other direction would, with {around}, force a cycle or a new v-structure (rule {event.rule.name})"
    if event.rule is Rule.PATTERN:
        return "the v-structures of the whole graph imply it"
    if event.rule is Rule.REQUIRED:
        return "your background knowledge requires it"
    return "your background knowledge excludes the other direction"
