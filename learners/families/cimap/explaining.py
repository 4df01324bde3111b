"""Explanations of learners by mutual information."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from ...common.sentences import Count, Edge, Listed, Node, Nodes, Number, Sentence, mbit, only_if, p_of, say, setting
from ...explaining.clauses import phase_clause, statistic_of, when
from ...explaining.events import event_of_tests
from ...explaining.orientation import why_directed
from ...explaining.pair import Explainer, Pair, Reasons, hardest_first, last_removal, separations
from ...explaining.side_tests import middle_sentences
from ...explaining.tested_pairs import REQUIRED, closest_test, forbidden_sentences, is_forbidden, own_events
from ...graphs.rules import INFORMATION, Rule
from ...results.events import Action, Event
from ...results.result import LearnResult
from .evidence import InformationEvidence

EQUAL = 1e-9  # difference of two log-likelihoods, in nats a row, that is rounding


def leaves_open(result: LearnResult) -> bool:
    """Return True if a run of CImap did not orient edges."""
    return not result.params.get("orient", True)


def why_cimap(pair: Pair) -> Reasons:
    """Explain a pair of CImap, including its control of false discoveries."""
    return why_informed(pair, pair.result.extra, only_skeleton=leaves_open(pair.result))


def why_informed(pair: Pair, evidence: InformationEvidence | None = None, *, only_skeleton: bool) -> Reasons:
    """Explain a pair of a learner that decides by information; pass `evidence` for a run of CImap."""
    events = own_events(pair)
    if pair.mark == "none" and is_forbidden(separating := separations(events)):
        return Reasons(forbidden_sentences(separating), last_removal(events), hardest_first(pair.events))
    sentences = _why_by_information(pair, events, evidence)
    if pair.mark != "none":
        sentences += why_directed(pair.result, pair.x, pair.y, events, only_skeleton=only_skeleton)
    sentences += middle_sentences(pair.events)
    decisive = last_removal(events) or next(iter(hardest_first(events)), None)
    return Reasons(sentences, decisive, hardest_first(pair.events), states_information=True)


EVENTS = {
    Rule.CUT: "{pair} removed: {statistic} given {set}, below the cut of {cut}",
    Rule.NORMAL: "{pair} removed: not significantly above the cut given {set}, p = {p}",
    Rule.FAMILY: "{pair} removed: its test given {set} is too close to independence, p = {p}",
    Rule.FDR: "{pair} removed: its largest p, {p}, is not rejected in the family of {a}",
}
EVENT_OF_TRIANGLE = "{pair} removed: the weakest edge of the triangle with {third}"


def event_of_information(event: Event) -> Sentence:
    """Describe one event of a learner that decides by mutual information."""
    if event.action != Action.REMOVE or event.rule not in INFORMATION:
        return event_of_tests(event)
    return say(
        EVENTS.get(event.rule, EVENT_OF_TRIANGLE),
        pair=Edge(event.i, "undirected", event.j),
        a=Node(event.i),
        third=Node(event.cond[0]) if event.cond else "",
        set=Nodes(event.cond),
        statistic=mbit(event.statistic),
        cut=mbit(event.threshold),
        p=p_of(event.log_p),
    )


def _why_by_information(pair: Pair, events: Sequence[Event], evidence: InformationEvidence | None) -> list[Sentence]:
    """State the mutual information of the pair, and which tests kept or separated it."""
    result, rules = pair.result, {event.rule for event in events}
    lead = [REQUIRED] if Rule.REQUIRED in rules else []
    removal = next((event for event in events if event.action == Action.REMOVE), None)
    sentences = [_separated(result, removal, events)] if removal else _kept(pair, events, evidence)
    controlled = _controlled(pair, evidence) if evidence and not removal else []
    left = [_left(removal, evidence)] if removal and removal.cond and evidence and removal.rule is not Rule.CUT else []
    return [*lead, _shared(result, pair.x, pair.y), *sentences, *left, *controlled]


def _shared(result: LearnResult, x: int, y: int) -> Sentence:
    extra = result.extra
    low, high = (float(limit[x, y]) for limit in extra.interval())
    return say(
        "Mutual information of the two variables: {shared} (plug-in estimate). Rough 95% interval, unreliable near 0: "
        "{low} to {high}.",
        shared=mbit(float(extra.information[x, y])),
        low=Number(low),
        high=Number(high),
    )


def _left(removal: Event, evidence: InformationEvidence) -> Sentence:
    """State the information that the two variables share given the set that separated them."""
    return say(
        "Given their separating set {set}, the estimate is {left}.",
        set=Nodes(removal.cond),
        left=mbit(float(evidence.hardest_information[removal.i, removal.j])),
    )


def _separated(result: LearnResult, event: Event, events: Sequence[Event]) -> Sentence:
    """State which step removed the edge."""
    settings = getattr(result.extra, "settings", None)
    values = {
        "when": when(event.phase), "phase": phase_clause(event.phase), "set": Nodes(event.cond), "p": p_of(event.log_p),
        "statistic": Number(event.statistic), "shared": mbit(event.statistic), "cut": mbit(event.threshold),
        "alpha": setting(event.threshold), "threshold": Number(event.threshold),
        "tests": Count(event.n_tests, "test"), "a": Node(event.i), "dof": Number(event.dof),
        "third": Node(event.cond[0]) if event.cond else "",
    }  # fmt: skip
    if event.rule is Rule.CUT:
        return say("Removed {when}: given {set} they share {shared}, below the cut of {cut}.", **values)
    if event.rule is Rule.NORMAL:
        return say(
            "Removed {when}: given {set} the information is not significantly above the cut of {limit}. "
            "Normal approximation: z = {statistic}, p = {p} > alpha = {alpha}.",
            limit=mbit(settings.cut),
            **values,
        )
    if event.rule is Rule.FAMILY:
        if settings.literal:
            ending = say("None of them is on or below the line of the false-discovery control.")
        else:
            ending = say("The largest p must be at most {threshold}.", **values)
        return say("Removed {when}: of {tests} the one given {set} has p = {p}. {ending}", ending=ending, **values)
    if event.rule is Rule.FDR:
        limit = say("p up to {threshold}", **values) if event.threshold > 0 else say("nothing")
        return say(
            "Removed by the control of false discoveries ({phase}). Its largest p is {p} given {set}, and "
            "the family of {a} rejects {limit}.",
            limit=limit,
            **values,
        )
    if event.rule is Rule.TRIPLET:
        # The difference is stated, because two amounts can agree in their first digits.
        less, tolerance = mbit(event.threshold - event.statistic), float(result.params.get("tolerance", 0.0))
        if tolerance:
            ending = say("{less} below the limit with tolerance {tolerance}", less=less, tolerance=setting(tolerance))
        else:
            ending = say("{less} less than the next weakest edge", less=less)
        return say(
            "Removed as the weakest edge of the triangle with {third}: it has {shared}, {ending}. So it counts as "
            "indirect.",
            ending=ending,
            **values,
        )
    others = sum(one.n_tests for one in events) - 1
    before = say(" {tests} found them dependent.", tests=Count(others, "earlier test"))
    return say(
        "Removed {when}: judged independent given {set}, p = {p} > alpha = {alpha} ({value}).{before}",
        value=statistic_of(result, event),
        before=only_if(others > 0, before),
        **values,
    )


def _kept(pair: Pair, events: Sequence[Event], evidence: InformationEvidence | None) -> list[Sentence]:
    """State the hardest test that the edge passed, and the skipped tests."""
    extra, at, total = pair.result.extra, (pair.x, pair.y), sum(event.n_tests for event in events)
    sentences = []
    if total:
        if evidence and evidence.settings.test == "mi":
            least, cut = mbit(float(evidence.hardest_information[at])), mbit(evidence.settings.cut)
            outcome = say("{least}, not below the cut of {cut}", least=least, cut=cut)
        else:
            outcome = say("p = {p}", p=p_of(float(extra.log_phi[at])))
        sentences.append(closest_test(total, extra.hardest.between(*at), outcome))
    if evidence and (skipped := int(evidence.skipped[at])):
        lead = say("{sets} was not tested" if skipped == 1 else "{sets} were not tested", sets=Count(skipped, "set"))
        sentences.append(
            say(
                "{lead}: with {rows} rows, only tests of at most {bound} degrees of freedom have the requested "
                "power{ending}.",
                lead=lead,
                ending=say("") if total else say(", so the edge is untested"),
                rows=evidence.n,
                bound=str(evidence.bound),
            )
        )
    return sentences


def _controlled(pair: Pair, evidence: InformationEvidence) -> list[Sentence]:
    """State that both families reject, for an edge that the control of false discoveries kept."""
    if not evidence.families or math.isnan(evidence.families[-1].log_p[pair.x, pair.y]):
        return []
    limits = [p_of(float(evidence.families[-1].log_threshold[k])) for k in (pair.x, pair.y)]
    return [
        say(
            "The families of both ends reject independence, for p up to {limits}.",
            limits=Listed(limits, " and "),
        )
    ]


def chosen_effect(result: LearnResult) -> Sentence | None:
    """State the effect size that a cross-validation chose, and by how much it was better than the worst.

    None without a cross-validation.
    """
    scores, settings = getattr(result.extra, "effects", ()), result.extra.settings
    if not scores:
        if result.params.get("effect_by") != "cv" or not settings.fnr or not result.complete:
            return None
        return say(
            "Cross-validation tried no w: with these rows, tests have too little power for any value. w = {effect}.",
            effect=Number(settings.effect),
        )
    if len(scores) == 1:
        return say(
            "w = {effect} by cross-validation: with these rows, tests have too little power for smaller values.",
            effect=setting(settings.effect),
        )
    gap = max(one.log_likelihood for one in scores) - min(one.log_likelihood for one in scores)
    if gap < EQUAL:
        return say(
            "w = {effect} by cross-validation: {n} values predict held-out rows alike, and the largest allows most "
            "tests.",
            effect=setting(settings.effect),
            n=len(scores),
        )
    return say(
        "w = {effect} by cross-validation: among {n} values, it predicts held-out rows best. The worst value loses "
        "{gap} nats per row.",
        effect=setting(settings.effect),
        n=len(scores),
        gap=Number(gap),
    )


EXPLAINERS = {
    "aracne": Explainer(partial(why_informed, only_skeleton=True), event_of_information),
    "cimap": Explainer(why_cimap, event_of_information, chosen_effect),
}
