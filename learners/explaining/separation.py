"""Why tests keep a pair adjacent, or separate it."""

from __future__ import annotations

from collections.abc import Sequence

from ..results.events import Event
from ..results.phases import Stage
from ..results.result import LearnResult
from ..results.rules import CUTS, Rule
from .determined import without_freedom
from .few_rows import few_rows_sentences
from .orientation import why_directed
from .pair import Pair, Reasons, clearest, hardest_first, separations
from .phases import phase_name, when
from .record import Capitalized, Count, Node, Nodes, Number, Sentence, Unit, only_if, p_of, say, setting
from .side_tests import blanket_sentences, is_side_test, middle_sentences
from .statistics import compared_with_cut, conditioned, statistic_of

ASKS_ONE_END = (Stage.ROUND, Stage.BACKWARD)  # of learners that let each variable choose
TESTED = {Rule.TEST, Rule.UNTESTED} | CUTS  # rules of a decisive test
REQUIRED = say("Your background knowledge requires this edge.")
FORBIDDEN = say("Your background knowledge forbids the edge in both directions, so it was never tested.")


def why_by_tests(pair: Pair, *, only_skeleton: bool = False) -> Reasons:
    """Explain a pair of a learner that decides by tests; `only_skeleton` if it looks for no directions."""
    events = own_events(pair)
    separating = separations(events)
    if pair.mark == "none":
        return why_separated(pair, events, separating)
    sentences = [
        *why_kept(pair, events),
        *why_directed(pair.result, pair.x, pair.y, events, only_skeleton=only_skeleton),
    ]
    return with_side_tests(pair, sentences, next(iter(hardest_first(events)), None))


def why_separated(
    pair: Pair, events: Sequence[Event], separating: Sequence[Event], *, barred: Sequence[Sentence] = ()
) -> Reasons:
    """Explain a pair that is not adjacent; `barred` says what that means for a search that follows."""
    last = clearest(separating)
    decisive = last if last and last.rule in TESTED else None
    return with_side_tests(pair, _why_absent(pair, last, separating, events, barred), decisive)


def own_events(pair: Pair) -> list[Event]:
    """Return the events of a pair that are no side tests."""
    return [e for e in pair.events if not is_side_test(e)]


def with_side_tests(pair: Pair, sentences: Sequence[Sentence], decisive: Event | None) -> Reasons:
    """Add the side tests: Markov blankets first, the variables between the two last."""
    blankets, middles = blanket_sentences(pair.events), middle_sentences(pair.events)
    return Reasons([*blankets, *sentences, *middles], decisive, hardest_first(pair.events))


def _why_absent(
    pair: Pair, last: Event | None, separating: Sequence[Event], events: Sequence[Event], barred: Sequence[Sentence]
) -> list[Sentence]:
    """Explain by `last`, the separating event with the largest p; a learner that asks both ends may have two."""
    if last is None:
        return [say("Nothing in this run ever joined them.")]
    if last.rule is Rule.FORBIDDEN:
        return [FORBIDDEN]
    if last.rule is Rule.PATTERN:
        return [say("The best graph of the tree does not join them; the run ended before it could say why.")]
    sentences = [_separating_sentence(pair.result, event) for event in separating]
    if last.phase.stage is Stage.BLANKETS:
        return [*sentences, *barred]
    if last.rule is Rule.THRESHOLD:
        return [*why_kept(pair, events), *sentences]
    sentences = [*sentences, *_other_end(pair, separating), *barred]
    if last.rule is Rule.UNTESTED:
        return sentences
    others = sum(e.n_tests for e in events) - sum(e.n_tests > 0 for e in separating)
    if others > 0:
        before = only_if(last.phase.stage not in (Stage.MARGINAL, *ASKS_ONE_END), say(" before it"))
        dependent = say("{tests}{before} found them dependent.", tests=Count(others, "other test"), before=before)
        sentences.insert(len(separating), dependent)
    if last.dof == 0:
        return [*sentences, without_freedom(last, pair.dataset)]
    if few := few_rows_sentences(pair.result, pair.x, pair.y, separating):
        return [*sentences, *few]
    return [*sentences, _no_proof(last)]


def _no_proof(event: Event) -> Sentence:
    p = p_of(event.log_p)
    if not event.cond:
        return say("The test finds no link (p = {p}); that is no proof that there is none.", p=p)
    given = Capitalized(conditioned(event))
    return say("{given} the test finds no link (p = {p}); that is no proof that there is none.", given=given, p=p)


def _separating_sentence(result: LearnResult, event: Event) -> Sentence:
    """Say which test separated the pair and when, and for learners that ask each end, which end asked."""
    shown = Nodes(event.cond)
    if event.phase.stage is Stage.BLANKETS:
        return say("An edge needs each of the two in the Markov blanket of the other.")
    if event.rule is Rule.UNTESTED:
        return say(
            "The test given {set} was not done for lack of rows, and an untested pair counts as independent ({phase}).",
            set=shown,
            phase=phase_name(event.phase),
        )
    if event.rule is Rule.THRESHOLD:
        return say(
            "So it stayed at the significance level of the run, but the graph with the best score keeps only edges "
            "whose largest p is at most {threshold}.",
            threshold=Number(event.threshold, Unit.SHORT),
        )
    lead = _lead(event)
    if event.rule in CUTS:
        return say(
            "{lead}: taken as independent given {set}, for {comparison}.",
            lead=lead,
            set=shown,
            comparison=compared_with_cut(event, separated=True),
        )
    return say(
        "{lead}: taken as independent given {set}, p = {p} > alpha = {alpha} ({statistic}).",
        lead=lead,
        set=shown,
        p=p_of(event.log_p),
        alpha=setting(event.threshold),
        statistic=statistic_of(result, event),
    )


def _lead(event: Event) -> Sentence:
    """Say when a pair was separated, and by which end."""
    asking, other = Node(event.i), Node(event.j)
    if event.phase.stage is Stage.MARGINAL:
        return say("Set apart at the start")
    if event.phase.stage is Stage.BACKWARD:
        return say("{asking} gave {other} up at the end", asking=asking, other=other)
    if event.phase.stage is Stage.ROUND:
        return say("{asking} ruled {other} out in {phase}", asking=asking, other=other, phase=phase_name(event.phase))
    return say("Removed {when}", when=when(event.phase))


def _other_end(pair: Pair, separating: Sequence[Event]) -> list[Sentence]:
    """Say that one end refused, where both are asked."""
    event = separating[0]
    if len(separating) > 1 or event.phase.stage not in ASKS_ONE_END or not pair.result.complete:
        return []
    asking, other = Node(event.i), Node(event.j)
    return [say("{other} chose {asking}, but an edge needs both to choose each other.", other=other, asking=asking)]


def why_kept(pair: Pair, events: Sequence[Event]) -> list[Sentence]:
    """Say how many tests an edge passed, and which of them was hardest."""
    tests = hardest_first(events)
    lead = [REQUIRED] if any(e.rule is Rule.REQUIRED for e in events) else []
    if not tests:
        return lead or [say("No test was done for it.")]
    total, nearest = sum(e.n_tests for e in events), tests[0]
    values = {"tests": Count(total, "test"), "set": Nodes(nearest.cond)}
    if nearest.rule in CUTS:
        said = "the nearest was" if total > 1 else "it was"
        template = f"{{tests}} tried to separate them; {said} given {{set}}: {{comparison}}."
        values |= {"comparison": compared_with_cut(nearest, separated=False)}
    else:
        said = "the largest p was" if total > 1 else "it was done"
        template = (
            f"{{tests}} tried to separate them; {said} given {{set}}: p = {{p}} ≤ alpha = {{alpha}} ({{statistic}})."
        )
        values |= {
            "p": p_of(nearest.log_p),
            "alpha": setting(nearest.threshold),
            "statistic": statistic_of(pair.result, nearest),
        }
    return [*lead, say(template, **values), *_taken_as_normal(pair)]


def _taken_as_normal(pair: Pair) -> list[Sentence]:
    """Warn of a link of two categorical variables found by the degenerate Gaussian test."""
    if pair.dataset is None or pair.result.params.get("test") != "dg":
        return []
    if {pair.dataset.kinds[pair.x], pair.dataset.kinds[pair.y]} != {"categorical"}:
        return []
    return [
        say(
            "Both are categorical, and the test dg takes their levels as normal numbers: with many rows it may keep an "
            "edge that a common continuous cause explains along a curve. The test regression is the other choice."
        )
    ]
