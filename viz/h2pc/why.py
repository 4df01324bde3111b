"""Why HPC takes a pair for neighbours, or not: each end's search, and the rule that settled it there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.h2pc.hpc_target import Neighborhood
from learners.h2pc.search import STAGES, Neighborhoods
from learners.h2pc.target_search import ALONE, DECENTRALISED, MARGINAL, SINGLE
from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.result import LearnResult
from learners.results.rules import Rule
from learners.score_based.greedy import GreedySearch

from ..constraint_based.directions import why_directed
from ..score_based.moves import why_by_score
from ..text import format_p, format_set, shorten

NO_PROOF = "That a test finds no link is no proof that there is none."
REQUIRED = "Your background knowledge requires this edge."
FORBIDDEN = "Your background knowledge forbids the edge in both directions, so it was never tested."


def why_around(result: LearnResult, found: Neighborhoods, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """What HPC says of both ends, then what a search made of it, or how the edge got its direction."""
    sentences = _why_candidate(result, found, x, y, events)
    if not isinstance(result.extra, GreedySearch):
        return [*sentences, *(why_directed(result, x, y, events) if result.graph.skeleton[x, y] else [])]
    return [*sentences, *(why_by_score(result, x, y, events) if result.extra.skeleton.skeleton[x, y] else [])]


def _why_candidate(result: LearnResult, found: Neighborhoods, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """What the searches around x and y say of each other, and what follows from both."""
    if any(e.rule is Rule.REQUIRED for e in events):
        return [REQUIRED]
    if any((e.rule, e.action) == (Rule.FORBIDDEN, Action.APART) for e in events):
        return [FORBIDDEN]
    target = found.target if isinstance(found, Neighborhood) else None
    if target is not None and target not in (x, y):
        sought = shorten(result.names[target])
        return [f"Only the neighbours of {sought} were sought, so nothing was asked of this pair."]
    if found.rule[x, y] == MARGINAL:
        return [_told_alone(events, result.names), *_conclusion(result, found, x, y)]
    ends = [(t, other) for t, other in ((x, y), (y, x)) if target in (None, t)]
    return [_side(result, found, t, other, events) for t, other in ends] + _conclusion(result, found, x, y)


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
    if rule == ALONE:
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


def _conclusion(result: LearnResult, found: Neighborhoods, x: int, y: int) -> list[str]:
    """What follows from both ends for the skeleton, and what that means for the result."""
    one, other = bool(found.candidates[x, y]), bool(found.candidates[y, x])
    searched = isinstance(result.extra, GreedySearch)
    allowed = ["So the search was allowed to join them."]
    if isinstance(found, Neighborhood):
        return [] if one or other else [NO_PROOF]
    if one and other:
        return ["Each holds the other.", *allowed] if searched else ["Each holds the other, so they are joined."]
    apart = ["So the search was not allowed to join them."] if searched else []
    if one or other:
        a, b = (shorten(result.names[k]) for k in ((x, y) if one else (y, x)))
        return [f"{a} holds {b}, but an edge needs both to hold each other.", *apart, NO_PROOF]
    return [*apart, NO_PROOF]
