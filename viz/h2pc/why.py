"""Why HPC takes a pair for neighbours, or not: each end's search, and the rule that settled it there."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from learners.h2pc.candidates import DECENTRALISED, MARGINAL, SINGLE, SMALL_POOL
from learners.h2pc.hpc_search import STAGES, Neighborhoods
from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.result import LearnResult
from learners.results.rules import Rule

from ..constraint_based.determined import nothing_to_see
from ..constraint_based.directions import why_directed
from ..constraint_based.why import own_events, with_side_tests
from ..hybrid.why import ALLOWED, BARRED, PASSING, why_polished
from ..pair import Pair, Story, hardest_first, partings_of, surest
from ..score_based.why import dag_not_added, why_by_score
from ..text import format_p, format_set, shorten

NO_PROOF = "That a test finds no link is no proof that there is none."
REQUIRED = "Your background knowledge requires this edge."
FORBIDDEN = (
    "Your background knowledge forbids the edge in both directions; the pair is tested only as parents of one child."
)


def why_around(pair: Pair, found: Neighborhoods, target: int | None = None) -> Story:
    """What HPC says of both ends, or of the one `target`, and how the edge got its direction."""
    events = own_events(pair)
    sentences = _why_candidate(pair, found, target, events, searched=False)
    if pair.mark != "none":
        sentences += why_directed(pair.result, pair.x, pair.y, events, only_skeleton=True)
    return _story(pair, events, sentences, ())


def why_within(pair: Pair, found: Neighborhoods) -> Story:
    """What HPC says of both ends, and what a search within its skeleton made of that."""
    events = own_events(pair)
    sentences = _why_candidate(pair, found, None, events, searched=True)
    if pair.result.extra.skeleton.skeleton[pair.x, pair.y]:
        sentences += why_by_score(pair, events, dag_not_added)
    else:
        sentences += why_polished(pair, events)
    return _story(pair, events, sentences, PASSING)


def _story(pair: Pair, events: Sequence[Event], sentences: list[str], passing: Collection[str]) -> Story:
    """The sentences with the test that decided: for a pair that is not joined the surest to part it."""
    parting = surest(partings_of(events, passing))
    if pair.mark != "none" or parting is None or not parting.n_tests:
        return with_side_tests(pair, sentences, next(iter(hardest_first(events)), None))
    told = [nothing_to_see(parting, pair.names, pair.dataset)] if parting.dof == 0 else []
    return with_side_tests(pair, [*sentences, *told], parting)


def _why_candidate(
    pair: Pair, found: Neighborhoods, target: int | None, events: Sequence[Event], *, searched: bool
) -> list[str]:
    """What the searches around x and y say of each other, and what follows from both."""
    result, x, y = pair.result, pair.x, pair.y
    if any(e.rule is Rule.REQUIRED for e in events):
        return [REQUIRED]
    if any((e.rule, e.action) == (Rule.FORBIDDEN, Action.APART) for e in events):
        return [FORBIDDEN]
    if target is not None and target not in (x, y):
        sought = shorten(result.names[target])
        return [f"Only the neighbours of {sought} were sought, so nothing was asked of this pair."]
    concluded = _of_target(found, x, y) if target is not None else _of_both(result, found, x, y, searched=searched)
    if found.rule[x, y] == MARGINAL:
        return [_told_alone(events, result.names), *concluded]
    ends = [(t, other) for t, other in ((x, y), (y, x)) if target in (None, t)]
    return [*(_side(result, found, t, other, events) for t, other in ends), *concluded]


def _told_alone(events: Sequence[Event], names: Sequence[str]) -> str:
    event = next(e for e in events if e.phase.stage is Stage.MARGINAL)
    if event.rule is Rule.UNTESTED:
        return "They were never tested, for lack of rows, and an untested pair counts as independent."
    return (
        f"Set apart at the start (marginal): taken as independent given {format_set((), names)}, "
        f"p = {format_p(event.log_p)} > alpha = {event.threshold:g}."
    )


def _side(result: LearnResult, found: Neighborhoods, t: int, x: int, events: Sequence[Event]) -> str:
    """What the search around t says of x."""
    a, b = shorten(result.names[t]), shorten(result.names[x])
    rule = int(found.rule[t, x])
    if rule < SINGLE:
        return f"The run was cancelled before the search around {a} came to its end."
    event = next(e for e in events if (e.phase.stage, e.i, e.j) == (STAGES[rule], t, x))
    given, p = format_set(event.cond, result.names), format_p(event.log_p)
    largest = f"largest p = {p} given {given} ≤ alpha = {event.threshold:g}"
    if rule == SINGLE:
        return f"{a} drops {b} from its candidates ({_size(event)}): {_separated(event, given, p)}."
    if rule == SMALL_POOL:
        return f"{a} holds {b}: it has too few candidates to ask further ({largest})."
    if rule == DECENTRALISED:
        return (
            f"The search around {a} left {b} out, but among the same variables that around {b} finds {a}. So {a} holds "
            f"{b} after all (decentralised search; {largest})."
        )
    if found.candidates[t, x]:
        return f"{a} holds {b}: it is in the Markov blanket of {a}, and no part of that separates them ({largest})."
    if found.blanket[t, x]:
        return f"{b} is in the Markov blanket of {a}, but no neighbour: {_separated(event, given, p)}."
    return f"{a} leaves {b} out of its Markov blanket: {_separated(event, given, p)}."


def _size(event: Event) -> str:
    """Of the conditioning set of DE-PCS."""
    return f"|Z| = {len(event.cond)}"


def _separated(event: Event, given: str, p: str) -> str:
    """The test that left a partner out; with a limit on false discoveries p may be below alpha."""
    if event.rule is Rule.UNTESTED:
        return f"the test given {given} was not done for lack of rows, and an untested pair counts as independent"
    if event.log_p <= math.log(event.threshold):
        return f"given {given} p = {p} ≤ alpha = {event.threshold:g}, but that is no discovery among so many tests"
    return f"taken as independent given {given}, p = {p} > alpha = {event.threshold:g}"


def _of_target(found: Neighborhoods, x: int, y: int) -> list[str]:
    """What follows where one end alone was asked."""
    return [] if found.candidates[x, y] or found.candidates[y, x] else [NO_PROOF]


def _of_both(result: LearnResult, found: Neighborhoods, x: int, y: int, *, searched: bool) -> list[str]:
    """What follows from both ends for the skeleton, and what that means for the result."""
    one, other = bool(found.candidates[x, y]), bool(found.candidates[y, x])
    if one and other:
        return ["Each holds the other.", ALLOWED] if searched else ["Each holds the other, so they are joined."]
    apart = [BARRED] if searched else []
    if one or other:
        a, b = (shorten(result.names[k]) for k in ((x, y) if one else (y, x)))
        return [f"{a} holds {b}, but an edge needs both to hold each other.", *apart, NO_PROOF]
    return [*apart, NO_PROOF]
