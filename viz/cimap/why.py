"""What a learner by mutual information did to a pair, in sentences read off its events."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.cimap.evidence import InformationEvidence
from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import IN_MBIT, INFORMATION, Rule

from ..constraint_based.directions import why_directed
from ..constraint_based.sentences import sentence as test_sentence
from ..constraint_based.side_tests import middle_sentences
from ..constraint_based.why import own_events
from ..pair import Pair, Story, hardest_first, last_removal
from ..phases import phase_name, when
from ..text import count, format_number, format_p, format_set, shorten


def why_informed(pair: Pair, evidence: InformationEvidence | None = None, *, only_skeleton: bool) -> Story:
    """The story of a learner that decides by information; `evidence` of one that also keeps what it left out."""
    events = own_events(pair)
    sentences = why_by_information(pair, events, evidence)
    if pair.mark != "none":
        sentences += why_directed(pair.result, pair.x, pair.y, events, only_skeleton=only_skeleton)
    sentences += middle_sentences(pair.events, pair.names)
    decisive = last_removal(events) or next(iter(hardest_first(events)), None)
    return Story(sentences, decisive, hardest_first(pair.events))


def sentence(event: Event, names: Sequence[str]) -> str:
    """One event, for the line below the scrubber."""
    removed = event.action == Action.REMOVE and event.rule in INFORMATION
    return removal_sentence(event, names) if removed else test_sentence(event, names)


def removal_sentence(event: Event, names: Sequence[str]) -> str:
    """An edge that leaves, for the line below the scrubber."""
    a, b, given = shorten(names[event.i]), shorten(names[event.j]), format_set(event.cond, names)
    if event.rule is Rule.CUT:
        reason = f"{_mbit(event.statistic)} given {given}, below the cut of {_mbit(event.threshold)}"
    elif event.rule is Rule.NORMAL:
        reason = f"not surely above the cut given {given}, p = {format_p(event.log_p)}"
    elif event.rule is Rule.FAMILY:
        reason = f"of its tests the one given {given} is too near independence, p = {format_p(event.log_p)}"
    elif event.rule is Rule.FDR:
        reason = f"its largest p, {format_p(event.log_p)}, is not rejected in the family of {a}"
    else:
        reason = f"the weakest of the triangle with {shorten(names[event.cond[0]])}"
    return f"{a} — {b} leaves: {reason}"


def why_by_information(pair: Pair, events: Sequence[Event], evidence: InformationEvidence | None) -> list[str]:
    """Why the pair is joined, or not: what it shares, and what was done to it."""
    result, rules = pair.result, {event.rule for event in events}
    if Rule.FORBIDDEN in rules and pair.mark == "none":
        return ["Your background knowledge forbids the edge in both directions, so it was never tested."]
    lead = ["Your background knowledge requires this edge."] if Rule.REQUIRED in rules else []
    removal = next((event for event in events if event.action == Action.REMOVE), None)
    told = [_parted(result, removal, events)] if removal else _kept(pair, events, evidence)
    controlled = _controlled(pair, evidence) if evidence and not removal else []
    return [*lead, _shared(result, pair.x, pair.y), *told, *controlled]


def format_statistic(event: Event) -> str:
    """The statistic with its unit."""
    return _mbit(event.statistic) if event.rule in IN_MBIT else format_number(event.statistic)


def format_threshold(event: Event) -> str:
    """What the event was held against."""
    return _mbit(event.threshold) if event.rule in IN_MBIT else f"{event.threshold:.3g}"


def _shared(result: LearnResult, x: int, y: int) -> str:
    extra = result.extra
    low, high = (limit[x, y] for limit in extra.interval())
    return (
        f"Alone they share {_mbit(extra.information[x, y])} of information "
        f"(95 % limits {format_number(low)} to {format_number(high)})."
    )


def _parted(result: LearnResult, event: Event, events: Sequence[Event]) -> str:
    """Which step took the edge away."""
    names, given = result.names, format_set(event.cond, result.names)
    if event.rule is Rule.CUT:
        return (
            f"Removed {when(event.phase)}: given {given} it is {_mbit(event.statistic)}, below the cut of "
            f"{_mbit(event.threshold)}."
        )
    if event.rule is Rule.NORMAL:
        return (
            f"Removed {when(event.phase)}: given {given} it is by the normal approximation not surely above the cut of "
            f"{_mbit(result.extra.settings.cut)} (z = {format_number(event.statistic)}, p = {format_p(event.log_p)} > "
            f"alpha = {event.threshold:g})."
        )
    if event.rule is Rule.FAMILY:
        held = (
            "none of them is on or below the line of the control"
            if result.extra.settings.literal
            else f"the largest p must be at most {event.threshold:.3g}"
        )
        return (
            f"Removed {when(event.phase)}: of {count(event.n_tests, 'test')} the one given {given} has "
            f"p = {format_p(event.log_p)}; {held}."
        )
    if event.rule is Rule.FDR:
        limit = f"p up to {event.threshold:.3g}" if event.threshold > 0 else "nothing"
        return (
            f"Taken away by the control of false discoveries ({phase_name(event.phase)}): its largest p is "
            f"{format_p(event.log_p)} given {given}, and the family of {shorten(names[event.i])} rejects {limit}."
        )
    if event.rule is Rule.TRIPLET:
        return (
            f"Of the triangle with {shorten(names[event.cond[0]])} it is the weakest edge: {_mbit(event.statistic)} "
            f"against at least {_mbit(event.threshold)}, so it is taken as an indirect link."
        )
    others = sum(one.n_tests for one in events) - 1
    found = f" {count(others, 'other test')} before it found them dependent." if others > 0 else ""
    return (
        f"Removed {when(event.phase)}: taken as independent given {given}, p = {format_p(event.log_p)} > "
        f"alpha = {event.threshold:g} (G² = {format_number(event.statistic)}, dof {format_number(event.dof)}).{found}"
    )


def _kept(pair: Pair, events: Sequence[Event], evidence: InformationEvidence | None) -> list[str]:
    """The hardest test that the edge passed, and the tests that were left out."""
    extra, at, total = pair.result.extra, (pair.x, pair.y), sum(event.n_tests for event in events)
    told = []
    if total:
        given = format_set(extra.hardest.between(*at), pair.names)
        tried = f"{count(total, 'test')} tried to separate them; "
        if evidence and evidence.settings.test == "mi":
            least, cut = evidence.hardest_information[at], evidence.settings.cut
            told.append(f"{tried}the least information was {_mbit(least)} given {given}, cut {_mbit(cut)}.")
        else:
            told.append(f"{tried}the largest p was {format_p(extra.log_phi[at])} given {given}.")
    if evidence and (skipped := int(evidence.skipped[at])):
        left_out = f"{count(skipped, 'set')} {'was' if skipped == 1 else 'were'} left out"
        most = f"tests of at most {evidence.bound} degrees of freedom"
        ending = "" if total else ", so the edge stays untested"
        told.append(f"{left_out}: with {evidence.n:,} rows only {most} have the power asked for{ending}.")
    return told


def _controlled(pair: Pair, evidence: InformationEvidence) -> list[str]:
    """That both families reject, for an edge that a control of false discoveries left in place."""
    if not evidence.families or math.isnan(evidence.families[-1].log_p[pair.x, pair.y]):
        return []
    limits = " and ".join(format_p(float(evidence.families[-1].log_threshold[k])) for k in (pair.x, pair.y))
    return [f"The families of both ends reject independence: they reject p up to {limits}."]


def _mbit(value: float) -> str:
    return f"{format_number(value)} mbit"
