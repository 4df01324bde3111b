"""Explanations of pairs in a search within a skeleton found by tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..common.sentences import Number, Sentence, say
from ..graphs.rules import BEGINNINGS, MOVES, Rule
from ..results.events import Event
from ..results.phases import Stage
from .not_added import class_not_added, dag_not_added
from .orientation import why_directed
from .pair import Pair, Reasons, hardest_first, separations
from .scored_pairs import why_by_score
from .tested_pairs import own_events, why_kept, why_separated, with_side_tests

# The search may add an edge that a threshold removed from its initial graph.
PASSING = MOVES | BEGINNINGS | {Rule.THRESHOLD}
ALLOWED = say("So the search could add this edge.")
BARRED = say("So the search could not add this edge.")
FREE = say("The final polish by GES could still add it.")
POLISH = (Stage.POLISH_FORWARD, Stage.POLISH_BACKWARD)


def why_by_search(pair: Pair) -> Reasons:
    """Explain a pair by the tests first, then by the search."""
    events = own_events(pair)
    separating, tests = separations(events, PASSING), hardest_first(events)
    after = why_polished(pair, events)
    if separating and (after or pair.mark == "none"):
        separated = why_separated(pair, events, separating, barred=[BARRED])
        return replace(separated, sentences=[*separated.sentences, *after])
    if separating:
        sentences = [*why_kept(pair, events), *why_directed(pair.result, pair.x, pair.y, events)]
    else:
        sentences = [*_why_allowed(pair, events), *why_by_score(pair, events, dag_not_added)]
    return with_side_tests(pair, sentences, next(iter(tests), None))


def why_polished(pair: Pair, events: Sequence[Event]) -> list[Sentence]:
    """Explain the effect of the final GES on a pair that the tests had excluded; return nothing without a final GES."""
    if not pair.result.params.get("polish") or not pair.result.complete:
        return []
    own = [e for e in events if e.phase.stage in POLISH]
    gain = pair.result.extra.min_gain
    least = say(" by more than {gain}, the minimum gain of the polish", gain=Number(gain)) if gain else ""
    not_added = partial(class_not_added, least=least)
    return [FREE, *(why_by_score(pair, own, not_added) if own else not_added(pair, True))]


def _why_allowed(pair: Pair, events: Sequence[Event]) -> list[Sentence]:
    """Explain the tests of a pair that stayed adjacent; return nothing if no test was done."""
    return [*why_kept(pair, events), ALLOWED] if hardest_first(events) else []
