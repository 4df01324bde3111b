"""Why a search within what tests allow joined a pair, or did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from learners.results.events import Event
from learners.results.phases import Stage
from learners.results.rules import BEGINNINGS, MOVES, Rule

from ..constraint_based.directions import why_directed
from ..constraint_based.why import own_events, why_kept, why_parted, with_side_tests
from ..pair import Pair, Story, hardest_first, partings_of
from ..score_based.why import class_not_added, dag_not_added, why_by_score
from ..text import format_number

# The search is free to join what a threshold took out of the graph it begins with.
PASSING = MOVES | BEGINNINGS | {Rule.THRESHOLD}
ALLOWED = "So the search was allowed to join them."
BARRED = "So the search was not allowed to join them."
FREE = "The polish by GES, at the end, may join any pair."
LEAST = ", or not by more than {}, the least gain of the polish"
POLISH = (Stage.POLISH_FORWARD, Stage.POLISH_BACKWARD)


def why_by_search(pair: Pair) -> Story:
    """What the tests say, then what the search made of it."""
    events = own_events(pair)
    partings, tests = partings_of(events, PASSING), hardest_first(events)
    after = why_polished(pair, events)
    if partings and (after or pair.mark == "none"):
        parted = why_parted(pair, events, partings, barred=[BARRED])
        return replace(parted, sentences=[*parted.sentences, *after])
    if partings:
        sentences = [*why_kept(pair, events), *why_directed(pair.result, pair.x, pair.y, events)]
    else:
        sentences = [*_why_allowed(pair, events), *why_by_score(pair, events, dag_not_added)]
    return with_side_tests(pair, sentences, next(iter(tests), None))


def why_polished(pair: Pair, events: Sequence[Event]) -> list[str]:
    """What GES made of a pair that the tests had barred; nothing where it did not follow."""
    if not pair.result.params.get("polish") or not pair.result.complete:
        return []
    own = [e for e in events if e.phase.stage in POLISH]
    least = pair.result.extra.min_gain
    not_added = partial(class_not_added, least=LEAST.format(format_number(least)) if least else "")
    story = why_by_score(pair, own, not_added) if own else not_added(True)
    return [FREE, *story]


def _why_allowed(pair: Pair, events: Sequence[Event]) -> list[str]:
    """What the tests say of a pair that they did not part; nothing where no test was done."""
    return [*why_kept(pair, events), ALLOWED] if hardest_first(events) else []
