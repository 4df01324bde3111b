"""Why is this edge (not) here? Sentences and evidence, from the trace alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from learners.data.dataset import Dataset
from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.result import LearnResult
from learners.results.rules import BEGINNINGS, CLASS_MARKS, CUTS, INFORMATION, JOINED, MOVES, Rule
from learners.score_based.greedy import GreedySearch

from .averaging.frequencies import frequency_sentence, is_frequent, why_frequent
from .averaging.words import is_autonomous
from .brai.cuts import cut_of, held_against_cut
from .brai.recursion import why_group
from .cimap.why import format_statistic, format_threshold, is_informed, removal_sentence, why_by_information
from .constraint_based.determined import nothing_to_see
from .constraint_based.directions import orientation_reason, why_directed
from .constraint_based.side_tests import (
    blanket_sentence,
    blanket_sentences,
    is_aside,
    middle_sentence,
    middle_sentences,
)
from .h2pc.why import why_around
from .h2pc.words import joining_sentence, neighborhoods_of
from .lmm.timeline import interval_of
from .lmm.why import why_lmm
from .lmm.words import is_lmm
from .phases import phase_name, when
from .phgs.adaptive import is_adaptive, why_admitted
from .phgs.why import why_alpha
from .phgs.words import has_path
from .score_based.moves import move_sentence, why_by_score
from .text import ARROWS, count, format_number, format_p, format_set, shorten

ASKS_ONE_END = (Stage.ROUND, Stage.BACKWARD)  # of learners that let each variable choose
MOST_TESTS = 50  # rows of evidence shown; a pair of a small network has far fewer


@dataclass(frozen=True)
class Explanation:
    """The story of one pair in one run. All text is plain, not markup.

    Attributes
    ----------
    headline : str
        "smoke — bronc is kept."
    sentences : tuple of str
        Why, in reading order.
    decisive : Event or None
        The test that settled whether the pair is joined.
    tests : tuple of Event
        One a level, the hardest to reject first; at most `MOST_TESTS`.
    interval : (int, int)
        Scrubber steps ``first <= step < last`` at which the pair is joined.
    """

    headline: str
    sentences: tuple[str, ...]
    decisive: Event | None
    tests: tuple[Event, ...]
    interval: tuple[int, int]


def explain(result: LearnResult, x: int, y: int, dataset: Dataset | None = None) -> Explanation:
    """Tell why x and y are joined, or not, in `result`; its `dataset` tells which of them a set determines."""
    everything = result.trace.of_pair(x, y)
    events = [e for e in everything if not is_aside(e)]
    tests = _hardest_first(events)
    mark = result.graph.mark(x, y)
    name_x, name_y = shorten(result.names[x]), shorten(result.names[y])
    searched = isinstance(result.extra, GreedySearch)
    # Where a search follows, it is free to join what a threshold took out of the graph it begins with.
    passing = MOVES | BEGINNINGS | ({Rule.THRESHOLD} if searched else frozenset())
    partings = [e for e in events if e.action == Action.APART or (e.action == Action.REMOVE and e.rule not in passing)]
    parting = max(partings, key=lambda e: -math.inf if math.isnan(e.log_p) else e.log_p, default=None)
    headline = (
        f"{name_x} {ARROWS[mark]} {name_y} is kept." if mark != "none" else f"{name_x} and {name_y} are not joined."
    )
    decisive = tests[0] if tests else None
    if is_frequent(result):
        return Explanation(headline, tuple(why_frequent(result, x, y)), None, (), interval(result, x, y))
    if is_lmm(result):
        removal = next((e for e in reversed(events) if e.action == Action.REMOVE), None)
        return Explanation(headline, tuple(why_lmm(result, x, y, events)), removal, (), interval(result, x, y))
    if is_informed(result):
        removal = next((e for e in reversed(events) if e.action == Action.REMOVE), None)
        told = why_by_information(result, x, y, events) + (why_directed(result, x, y, events) if mark != "none" else [])
        return Explanation(headline, tuple(told), removal or decisive, tests, interval(result, x, y))
    if is_adaptive(result):
        sentences = [*why_admitted(result, x, y), *why_by_score(result, x, y, events)]
    elif (around := neighborhoods_of(result)) is not None:
        sentences = why_around(result, around, x, y, events)
        if mark == "none" and parting and parting.n_tests:
            decisive = parting
            sentences += [nothing_to_see(parting, result.names, dataset)] if parting.dof == 0 else []
    elif searched and not partings:
        sentences = [*_why_allowed(result, tests, events), *why_by_score(result, x, y, events)]
    elif mark == "none":
        sentences = _why_absent(result, parting, partings, events, dataset)
        decisive = parting if parting and parting.rule in {Rule.TEST, Rule.UNTESTED} | CUTS else None
    else:
        sentences = [*_why_kept(result, tests, events), *why_directed(result, x, y, events)]
    sentences = [
        *blanket_sentences(everything, result.names),
        *sentences,
        *middle_sentences(everything, result.names),
    ]
    if has_path(result):
        sentences = [*sentences, why_alpha(result, x, y)]
    if is_autonomous(result) and (group := why_group(result, x, y)):
        sentences = [*sentences, group]
    return Explanation(headline, tuple(sentences), decisive, _hardest_first(everything), interval(result, x, y))


def _hardest_first(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events that sum up tests, the largest p first."""
    return tuple(sorted((e for e in events if e.n_tests), key=lambda e: -e.log_p)[:MOST_TESTS])


def evidence_table(explanation: Explanation, names: Sequence[str]) -> pd.DataFrame:
    """The tests of an explanation, one row a level, the largest p first."""
    return pd.DataFrame(
        [
            {
                "level": phase_name(e.phase),
                "largest p, given": format_set(e.cond, names),
                "statistic": format_statistic(e),
                "dof": format_number(e.dof),
                "p": format_p(e.log_p),
                "alpha": _threshold(e),
                "verdict": _verdict(e),
                "tests": e.n_tests,
            }
            for e in explanation.tests
        ],
        columns=["p", "verdict", "largest p, given", "level", "tests", "statistic", "dof", "alpha"],
    )


def _threshold(event: Event) -> str:
    if event.rule in INFORMATION:
        return format_threshold(event)
    return cut_of(event) if event.rule in CUTS else f"{event.threshold:g}"


def sentence_of(event: Event, names: Sequence[str]) -> str:
    """One event of a trace as a sentence, for the line below the scrubber."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    if event.rule in MOVES | BEGINNINGS | CLASS_MARKS:
        return move_sentence(event, names)
    if event.rule is Rule.FREQUENCY:
        return frequency_sentence(event, names)
    if is_aside(event):
        return middle_sentence(event, names) if event.rule is Rule.MIDDLE else blanket_sentence(event, names)
    if event.action == Action.REMOVE:
        if event.rule in INFORMATION:
            return removal_sentence(event, names)
        if event.phase.stage is Stage.BLANKETS:
            return f"{a} — {b} leaves: {b} is not in the Markov blanket of {a}, {_blanket_reason(event, names)}"
        if event.rule is Rule.FORBIDDEN:
            return f"{a} — {b} is forbidden"
        if event.rule is Rule.UNTESTED:
            return f"{a} — {b} leaves: too few rows to test it given {format_set(event.cond, names)}"
        if event.rule is Rule.THRESHOLD:
            return (
                f"{a} — {b} leaves: its largest p, {format_p(event.log_p)} given {format_set(event.cond, names)}, "
                f"is above {event.threshold:.3g}"
            )
        if event.rule is Rule.PATTERN:
            return f"{a} — {b} leaves: the best graph of the tree does not join them"
        if event.dof == 0:
            return f"{a} — {b} leaves: nothing to test given {format_set(event.cond, names)}, one of them is fixed"
        return f"{a} — {b} leaves: independent given {format_set(event.cond, names)}, p = {format_p(event.log_p)}"
    if event.rule in JOINED:
        return joining_sentence(event, names)
    if event.action == Action.ADD:
        return f"{a} — {b} joins: each chose the other, largest p so far {format_p(event.log_p)}"
    if event.action == Action.ORIENT:
        return f"{a} → {b}: {orientation_reason(event, names)}"
    if event.action == Action.UNORIENT and event.rule is Rule.PATTERN:
        return f"{a} — {b}: no v-structure of the whole graph asks for its direction any more"
    return f"{a} — {b}: {event.rule}"


def _blanket_reason(event: Event, names: Sequence[str]) -> str:
    shown = format_set(event.cond, names)
    reasons = {
        Rule.TEST: f"independent given {shown}, p = {format_p(event.log_p)}",
        Rule.UNTESTED: f"too few rows to test it given {shown}",
        Rule.NO_ROOM: "a larger blanket needs more rows",
    }
    return reasons[event.rule]


def interval(result: LearnResult, x: int, y: int) -> tuple[int, int]:
    """Scrubber steps ``first <= step < last`` at which x and y are joined."""
    if is_lmm(result):
        return interval_of(result, x, y)
    trace, n_steps = result.trace, len(result.trace.changes) + 1
    first, last = (0, n_steps) if trace.start.skeleton[x, y] else (n_steps, n_steps)
    i, j = trace.i[trace.changes], trace.j[trace.changes]
    for position in np.flatnonzero(((i == x) & (j == y)) | ((i == y) & (j == x))).tolist():
        action = trace.action[trace.changes[position]]
        if action == Action.REMOVE:
            last = position + 1
        elif not first <= position < last:  # whatever else is done to a pair that is not joined joins it
            first, last = position + 1, n_steps
    return first, last


def given(event: Event, names: Sequence[str]) -> str:
    """What a test held fixed: groups of equal rows, or numbers accounted for."""
    shown = format_set(event.cond, names)
    return f"once {shown} is accounted for" if _of_numbers(event) and event.cond else f"given {shown}"


def _why_absent(
    result: LearnResult,
    parting: Event | None,
    partings: Sequence[Event],
    events: Sequence[Event],
    dataset: Dataset | None,
) -> list[str]:
    """`parting` is the one of `partings` with the largest p; a learner that asks both ends may have two."""
    if parting is None:
        return ["Nothing in this run ever joined them."]
    if parting.rule is Rule.FORBIDDEN:
        return ["Your background knowledge forbids the edge in both directions, so it was never tested."]
    if parting.rule is Rule.PATTERN:
        return ["The best graph of the tree does not join them; the run ended before it could say why."]
    sentences = [_parting_sentence(event, result.names) for event in partings]
    if parting.phase.stage is Stage.BLANKETS:
        return _not_allowed(result, sentences)
    if parting.rule is Rule.THRESHOLD:
        tests = sorted((e for e in events if e.n_tests), key=lambda e: -e.log_p)
        return [*_why_kept(result, tests, events), *sentences]
    sentences = _not_allowed(result, [*sentences, *_other_end(result, partings)])
    if parting.rule is Rule.UNTESTED:
        return sentences
    others = sum(e.n_tests for e in events) - sum(e.n_tests > 0 for e in partings)
    if others > 0:
        when = "" if parting.phase.stage in (Stage.MARGINAL, *ASKS_ONE_END) else " before it"
        sentences.insert(len(partings), f"{count(others, 'other test')}{when} found them dependent.")
    if parting.dof == 0:
        return [*sentences, nothing_to_see(parting, result.names, dataset)]
    lead = given(parting, result.names) + " " if parting.cond else ""
    found = f"{lead}the test finds no link (p = {format_p(parting.log_p)}); that is no proof that there is none."
    return [*sentences, found[0].upper() + found[1:]]


def _not_allowed(result: LearnResult, sentences: list[str]) -> list[str]:
    """The sentences, and what they mean for a search that follows."""
    barred = ["So the search was not allowed to join them."] if isinstance(result.extra, GreedySearch) else []
    return [*sentences, *barred]


def _parting_sentence(event: Event, names: Sequence[str]) -> str:
    """Which test parted the pair, when, and for learners that ask each end, which end asked."""
    shown = format_set(event.cond, names)
    if event.phase.stage is Stage.BLANKETS:
        return "An edge needs each of the two in the Markov blanket of the other."
    if event.rule is Rule.UNTESTED:
        return (
            f"The test given {shown} was not done for lack of rows, and an untested pair counts as independent "
            f"({phase_name(event.phase)})."
        )
    if event.rule is Rule.THRESHOLD:
        return (
            f"So it stayed at the significance level of the run, but the graph with the best score keeps only edges "
            f"whose largest p is at most {event.threshold:.3g}."
        )
    asking, other = shorten(names[event.i]), shorten(names[event.j])
    if event.phase.stage is Stage.MARGINAL:
        lead = "Set apart at the start"
    elif event.phase.stage is Stage.BACKWARD:
        lead = f"{asking} gave {other} up at the end"
    elif event.phase.stage is Stage.ROUND:
        lead = f"{asking} ruled {other} out in {phase_name(event.phase)}"
    else:
        lead = "Removed " + when(event.phase)
    if event.rule in CUTS:
        return f"{lead}: taken as independent given {shown}, for {held_against_cut(event, parted=True)}."
    return (
        f"{lead}: taken as independent given {shown}, p = {format_p(event.log_p)} > "
        f"alpha = {event.threshold:g} ({_statistic(event)})."
    )


def _other_end(result: LearnResult, partings: Sequence[Event]) -> list[str]:
    """Where each end is asked and one alone said no."""
    event = partings[0]
    if len(partings) > 1 or event.phase.stage not in ASKS_ONE_END or not result.complete:
        return []
    asking, other = shorten(result.names[event.i]), shorten(result.names[event.j])
    return [f"{other} chose {asking}, but an edge needs both to choose each other."]


def _why_allowed(result: LearnResult, tests: Sequence[Event], events: Sequence[Event]) -> list[str]:
    """What the tests of a hybrid learner say of a pair that they did not part; nothing where no test was done."""
    return [*_why_kept(result, tests, events), "So the search was allowed to join them."] if tests else []


def _why_kept(result: LearnResult, tests: Sequence[Event], events: Sequence[Event]) -> list[str]:
    required = any(e.rule is Rule.REQUIRED for e in events)
    lead = ["Your background knowledge requires this edge."] if required else []
    if not tests:
        return lead or ["No test was done for it."]
    total, nearest = sum(e.n_tests for e in events), tests[0]
    said = "the largest p was" if total > 1 else "it was done"
    if nearest.rule in CUTS:
        said = "the nearest was" if total > 1 else "it was"
        held = held_against_cut(nearest, parted=False)
        told = f"{count(total, 'test')} tried to separate them; {said} given {format_set(nearest.cond, result.names)}"
        return [*lead, f"{told}: {held}."]
    return [
        *lead,
        f"{count(total, 'test')} tried to separate them; {said} given {format_set(nearest.cond, result.names)}: "
        f"p = {format_p(nearest.log_p)} ≤ alpha = {nearest.threshold:g} ({_statistic(nearest)}).",
    ]


def _statistic(event: Event) -> str:
    if _of_numbers(event):
        return f"z = {format_number(event.statistic)}"
    return f"G² = {format_number(event.statistic)}, dof {format_number(event.dof)}"


def _of_numbers(event: Event) -> bool:
    return math.isnan(event.dof)  # else a χ² test


def _verdict(event: Event) -> str:
    if event.rule is Rule.UNTESTED:
        return "not tested"
    if event.dof == 0:
        return "nothing to see"
    return "independent" if event.action in (Action.REMOVE, Action.APART) else "dependent"
