"""Why tests keep a pair joined, or part it."""

from __future__ import annotations

from collections.abc import Sequence

from learners.results.events import Event
from learners.results.phases import Stage
from learners.results.result import LearnResult
from learners.results.rules import CUTS, Rule

from ..few_rows import few_rows_sentences
from ..pair import Pair, Story, hardest_first, partings_of, surest
from ..phases import phase_name, when
from ..text import count, format_p, format_set, shorten
from .determined import nothing_to_see
from .directions import why_directed
from .side_tests import blanket_sentences, is_aside, middle_sentences
from .words import given, held_against_cut, statistic_words

ASKS_ONE_END = (Stage.ROUND, Stage.BACKWARD)  # of learners that let each variable choose
TESTED = {Rule.TEST, Rule.UNTESTED} | CUTS  # rules of a decisive test


def why_by_tests(pair: Pair, *, only_skeleton: bool = False) -> Story:
    """The story of a learner that decides by tests; `only_skeleton` if it looks for no directions."""
    events = own_events(pair)
    partings = partings_of(events)
    if pair.mark == "none":
        return why_parted(pair, events, partings)
    sentences = [
        *why_kept(pair, events),
        *why_directed(pair.result, pair.x, pair.y, events, only_skeleton=only_skeleton),
    ]
    return with_side_tests(pair, sentences, next(iter(hardest_first(events)), None))


def why_parted(pair: Pair, events: Sequence[Event], partings: Sequence[Event], *, barred: Sequence[str] = ()) -> Story:
    """The story of a pair that is not joined; `barred` says what that means for a search that follows."""
    parting = surest(partings)
    decisive = parting if parting and parting.rule in TESTED else None
    return with_side_tests(pair, _why_absent(pair, parting, partings, events, barred), decisive)


def own_events(pair: Pair) -> list[Event]:
    """The events that are no side tests."""
    return [e for e in pair.events if not is_aside(e)]


def with_side_tests(pair: Pair, sentences: Sequence[str], decisive: Event | None) -> Story:
    """The story with what tests of blankets and of the variables in between say."""
    asides = blanket_sentences(pair.events, pair.names), middle_sentences(pair.events, pair.names)
    return Story([*asides[0], *sentences, *asides[1]], decisive, hardest_first(pair.events))


def _why_absent(
    pair: Pair, parting: Event | None, partings: Sequence[Event], events: Sequence[Event], barred: Sequence[str]
) -> list[str]:
    """`parting` is the one of `partings` with the largest p; a learner that asks both ends may have two."""
    names = pair.names
    if parting is None:
        return ["Nothing in this run ever joined them."]
    if parting.rule is Rule.FORBIDDEN:
        return ["Your background knowledge forbids the edge in both directions, so it was never tested."]
    if parting.rule is Rule.PATTERN:
        return ["The best graph of the tree does not join them; the run ended before it could say why."]
    sentences = [_parting_sentence(pair.result, event) for event in partings]
    if parting.phase.stage is Stage.BLANKETS:
        return [*sentences, *barred]
    if parting.rule is Rule.THRESHOLD:
        return [*why_kept(pair, events), *sentences]
    sentences = [*sentences, *_other_end(pair, partings), *barred]
    if parting.rule is Rule.UNTESTED:
        return sentences
    others = sum(e.n_tests for e in events) - sum(e.n_tests > 0 for e in partings)
    if others > 0:
        before = "" if parting.phase.stage in (Stage.MARGINAL, *ASKS_ONE_END) else " before it"
        sentences.insert(len(partings), f"{count(others, 'other test')}{before} found them dependent.")
    if parting.dof == 0:
        return [*sentences, nothing_to_see(parting, names, pair.dataset)]
    if told := few_rows_sentences(pair.result, pair.x, pair.y, partings):
        return [*sentences, *told]
    lead = given(parting, names) + " " if parting.cond else ""
    found = f"{lead}the test finds no link (p = {format_p(parting.log_p)}); that is no proof that there is none."
    return [*sentences, found[0].upper() + found[1:]]


def _parting_sentence(result: LearnResult, event: Event) -> str:
    """Which test parted the pair, when, and for learners that ask each end, which end asked."""
    names = result.names
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
        f"alpha = {event.threshold:g} ({statistic_words(result, event)})."
    )


def _other_end(pair: Pair, partings: Sequence[Event]) -> list[str]:
    """Where each end is asked and one alone said no."""
    event = partings[0]
    if len(partings) > 1 or event.phase.stage not in ASKS_ONE_END or not pair.result.complete:
        return []
    asking, other = shorten(pair.names[event.i]), shorten(pair.names[event.j])
    return [f"{other} chose {asking}, but an edge needs both to choose each other."]


def why_kept(pair: Pair, events: Sequence[Event]) -> list[str]:
    """How many tests an edge passed, and which of them was hardest."""
    tests = hardest_first(events)
    required = any(e.rule is Rule.REQUIRED for e in events)
    lead = ["Your background knowledge requires this edge."] if required else []
    if not tests:
        return lead or ["No test was done for it."]
    caveat = _taken_as_normal(pair)
    total, nearest = sum(e.n_tests for e in events), tests[0]
    said = "the largest p was" if total > 1 else "it was done"
    if nearest.rule in CUTS:
        said = "the nearest was" if total > 1 else "it was"
        held = held_against_cut(nearest, parted=False)
        told = f"{count(total, 'test')} tried to separate them; {said} given {format_set(nearest.cond, pair.names)}"
        return [*lead, f"{told}: {held}.", *caveat]
    return [
        *lead,
        f"{count(total, 'test')} tried to separate them; {said} given {format_set(nearest.cond, pair.names)}: "
        f"p = {format_p(nearest.log_p)} ≤ alpha = {nearest.threshold:g} ({statistic_words(pair.result, nearest)}).",
        *caveat,
    ]


def _taken_as_normal(pair: Pair) -> list[str]:
    """What to hold against a link of two categorical variables found by the degenerate Gaussian test."""
    if pair.dataset is None or pair.result.params.get("test") != "dg":
        return []
    if {pair.dataset.kinds[pair.x], pair.dataset.kinds[pair.y]} != {"categorical"}:
        return []
    return [
        "Both are categorical, and the test dg takes their levels as normal numbers: with many rows it may keep an "
        "edge that a common continuous cause explains along a curve. The test regression is the other choice."
    ]
