"""Explanations of pairs that tests keep adjacent or separate."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.sentences import Count, Node, Nodes, Number, Sentence, caveat, p_of, say, setting
from ..graphs.rules import CUTS, OF_BLANKETS, Rule
from ..results.events import Event
from ..results.phases import Stage
from ..results.result import LearnResult
from .caveats import few_rows_sentences, without_freedom
from .clauses import compared_with_cut, phase_clause, statistic_of, when
from .orientation import why_directed
from .pair import Pair, Reasons, clearest, hardest_first, separations
from .side_tests import blanket_sentences, is_side_test, middle_sentences

ASKS_ONE_END = (Stage.ROUND, Stage.BACKWARD)  # stages in which each variable chooses its neighbours
TESTED = {Rule.TEST, Rule.UNTESTED} | CUTS  # rules of a decisive test
NO_PROOF = caveat("A test that finds no dependence does not prove independence.")
REQUIRED = say("Your background knowledge requires this edge.")
FORBIDDEN = say("Your background knowledge forbids this edge in both directions, so it was not tested.")
FORBIDDEN_TESTED = say("Your background knowledge forbids this edge in both directions.")
NO_V_STRUCTURE = say("No tested set separates the pair, so it makes no v-structure.")


def why_by_tests(pair: Pair, *, only_skeleton: bool = False) -> Reasons:
    """Explain a pair of a learner that decides by tests; `only_skeleton` if it does not search for directions."""
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
    """Explain a pair that is not adjacent; `barred` states the consequence for a subsequent search."""
    if is_forbidden(separating):
        return with_side_tests(pair, forbidden_sentences(separating), None)
    last = clearest(separating)
    decisive = last if last and last.rule in TESTED else None
    return with_side_tests(pair, _why_absent(pair, last, separating, events, barred), decisive)


def is_forbidden(separating: Sequence[Event]) -> bool:
    """Return True if background knowledge separated the pair."""
    return any(event.rule is Rule.FORBIDDEN for event in separating)


def forbidden_sentences(separating: Sequence[Event]) -> list[Sentence]:
    """Explain a forbidden pair; `separating` includes its tests if they were done for v-structures."""
    if not any(event.n_tests for event in separating):
        return [FORBIDDEN]
    found = next((event for event in separating if event.rule is not Rule.FORBIDDEN), None)
    if found is None:
        return [FORBIDDEN_TESTED, NO_V_STRUCTURE]
    use = say("It was tested only for the v-structures: {set} separates the pair.", set=Nodes(found.cond))
    if not found.cond:
        use = say("It was tested only for the v-structures: the pair is independent given no other variable.")
    return [FORBIDDEN_TESTED, use]


def own_events(pair: Pair) -> list[Event]:
    """Return the events of a pair without its side tests."""
    return [e for e in pair.events if not is_side_test(e)]


def with_side_tests(pair: Pair, sentences: Sequence[Sentence], decisive: Event | None) -> Reasons:
    """Add the side tests: Markov blankets first, the variables between the two last."""
    blankets, middles = blanket_sentences(pair.events), middle_sentences(pair.events)
    return Reasons([*blankets, *sentences, *middles], decisive, hardest_first(pair.events))


def _why_absent(
    pair: Pair, last: Event | None, separating: Sequence[Event], events: Sequence[Event], barred: Sequence[Sentence]
) -> list[Sentence]:
    """Explain a separation by `last`, the event with the largest p, or by one event per end."""
    if last is None:
        return [say("No step of this run added an edge between them.")]
    if last.rule is Rule.PATTERN:
        return [say("The best graph of the tree has no edge here, and the run ended before the reason was recorded.")]
    if len(separating) == 2 and _is_one_test(*separating):
        sentences = [_separating_sentence(pair.result, separating[0], _both_ends(*separating))]
    else:
        sentences = [_separating_sentence(pair.result, event) for event in separating]
    if last.phase.stage is Stage.BLANKETS:
        return [*sentences, *barred, *([NO_PROOF] if last.rule is Rule.TEST else [])]
    if last.rule is Rule.THRESHOLD:
        return [*why_kept(pair, events), *sentences]
    sentences = [*sentences, *_other_end(pair, separating), *barred]
    if last.rule is Rule.UNTESTED:
        return sentences
    others = sum(e.n_tests for e in events) - sum(e.n_tests > 0 for e in separating)
    if others > 0:
        noun = "other test" if last.phase.stage in (Stage.MARGINAL, *ASKS_ONE_END) else "earlier test"
        dependent = say("{tests} found them dependent.", tests=Count(others, noun))
        sentences.insert(len(separating), dependent)
    if last.dof == 0:
        return [*sentences, without_freedom(last, pair.dataset)]
    if few := few_rows_sentences(pair.result, pair.x, pair.y, separating):
        return [*sentences, *few]
    return [*sentences, NO_PROOF]


def _is_one_test(event: Event, other: Event) -> bool:
    """Return True if the searches around both ends separated the pair by the same test in their rounds."""
    in_rounds = all(e.phase.stage is Stage.ROUND and e.rule in (Rule.TEST, *CUTS) for e in (event, other))
    return in_rounds and (event.rule, event.cond, event.log_p) == (other.rule, other.cond, other.log_p)


def _both_ends(event: Event, other: Event) -> Sentence:
    """State in which phase the search around each end ruled out the pair."""
    if event.phase == other.phase:
        return say("Both searches ruled it out in {phase}", phase=phase_clause(event.phase))
    return say(
        "The search around {a} ruled it out in {phase}, that around {b} in {other}",
        a=Node(event.i),
        b=Node(other.i),
        phase=phase_clause(event.phase),
        other=phase_clause(other.phase),
    )


def _separating_sentence(result: LearnResult, event: Event, lead: Sentence | None = None) -> Sentence:
    """Name the test that separated the pair and when it was done; where each end is searched, also name the end.

    `lead` replaces the words on time and end.
    """
    shown = Nodes(event.cond)
    if event.phase.stage is Stage.BLANKETS:
        return say("An edge requires each variable to be in the Markov blanket of the other.")
    if event.rule is Rule.UNTESTED:
        return say(
            "There are too few rows to test the pair given {set}, so it counts as independent ({phase}).",
            set=shown,
            phase=phase_clause(event.phase),
        )
    if event.rule is Rule.THRESHOLD:
        return say(
            "It passed at the significance level of the run. However, the best-scoring graph keeps only "
            "edges whose largest p is at most {threshold}.",
            threshold=Number(event.threshold),
        )
    lead = lead or _lead(event)
    if event.rule in CUTS:
        return say(
            "{lead}: judged independent given {set}, because {comparison}.",
            lead=lead,
            set=shown,
            comparison=compared_with_cut(event, separated=True),
        )
    return say(
        "{lead}: judged independent given {set}, p = {p} > alpha = {alpha} ({statistic}).",
        lead=lead,
        set=shown,
        p=p_of(event.log_p),
        alpha=setting(event.threshold),
        statistic=statistic_of(result, event),
    )


def _lead(event: Event) -> Sentence:
    """Return a clause on when a pair was separated, and by the search around which end."""
    asking, other = Node(event.i), Node(event.j)
    if event.phase.stage is Stage.MARGINAL:
        return say("Separated at the start")
    if event.phase.stage is Stage.BACKWARD:
        return say("The search around {asking} dropped {other} at the end", asking=asking, other=other)
    if event.phase.stage is Stage.ROUND:
        phase = phase_clause(event.phase)
        return say("The search around {asking} ruled out {other} in {phase}", asking=asking, other=other, phase=phase)
    return say("Removed {when}", when=when(event.phase))


def _other_end(pair: Pair, separating: Sequence[Event]) -> list[Sentence]:
    """Explain that one end excluded the other, for learners that search both ends."""
    event = separating[0]
    if len(separating) > 1 or event.phase.stage not in ASKS_ONE_END or not pair.result.complete:
        return []
    asking, other = Node(event.i), Node(event.j)
    return [say("{other} chose {asking}, but an edge requires both to choose each other.", other=other, asking=asking)]


def why_kept(pair: Pair, events: Sequence[Event]) -> list[Sentence]:
    """Explain an edge by the number of tests that it passed and by the hardest of these tests."""
    tests = hardest_first(events)
    lead = [REQUIRED] if any(e.rule is Rule.REQUIRED for e in events) else []
    if not tests:
        return lead or [say("This edge was not tested.")]
    total, nearest = sum(e.n_tests for e in events), tests[0]
    if nearest.rule in CUTS:
        outcome = compared_with_cut(nearest, separated=False)
    else:
        outcome = say(
            "p = {p} ≤ alpha = {alpha} ({statistic})",
            p=p_of(nearest.log_p),
            alpha=setting(nearest.threshold),
            statistic=statistic_of(pair.result, nearest),
        )
    in_blankets = any(e.rule in OF_BLANKETS for e in pair.events)
    return [*lead, closest_test(total, nearest.cond, outcome, in_blankets=in_blankets), *_taken_as_normal(pair)]


def closest_test(total: int, cond: Sequence[int], outcome: Sentence, *, in_blankets: bool = False) -> Sentence:
    """Describe the test that came closest to separating an edge, and its outcome.

    If `in_blankets`, the tests that found the Markov blankets are not among the `total`.
    """
    if in_blankets:
        return say(
            "Of {tests} within the blankets, the one given {set} came closest to separating them. Result: {outcome}."
            if total > 1
            else "The only test within the blankets, given {set}, found them dependent: {outcome}.",
            tests=Count(total, "test"),
            set=Nodes(cond),
            outcome=outcome,
        )
    if total == 1:
        return say("The only test, given {set}, found them dependent: {outcome}.", set=Nodes(cond), outcome=outcome)
    return say(
        "Of {tests}, the one given {set} came closest to separating them. Result: {outcome}.",
        tests=Count(total, "test"),
        set=Nodes(cond),
        outcome=outcome,
    )


def _taken_as_normal(pair: Pair) -> list[Sentence]:
    """Warn about an edge of two categorical variables found by the degenerate Gaussian test."""
    if pair.dataset is None or pair.result.params.get("test") != "dg":
        return []
    if {pair.dataset.kinds[pair.x], pair.dataset.kinds[pair.y]} != {"categorical"}:
        return []
    return [
        caveat(
            "The degenerate Gaussian test (dg) treats levels as normal numbers. With many rows it may keep an edge "
            "that is due to a nonlinear effect of a common continuous cause. Try the test regression."
        )
    ]
