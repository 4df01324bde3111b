"""ARGES in words: whether tests let the search join a pair."""

from __future__ import annotations

import math
from functools import partial

from ..constraint_based.why import own_events, with_side_tests
from ..pair import Pair, Story, hardest_first
from ..score_based.why import class_not_added, why_by_score
from ..text import format_p


def why_adaptive(pair: Pair) -> Story:
    """Whether the search was free to join the pair, and what it made of that."""
    events = own_events(pair)
    searched = why_by_score(pair, events, partial(class_not_added, tests="the tests, "))
    return with_side_tests(pair, [*why_admitted(pair), *searched], next(iter(hardest_first(events)), None))


def why_admitted(pair: Pair) -> list[str]:
    """Whether the search was free to join the pair, and what the tests say."""
    extra, params, at = pair.result.extra, pair.result.params, (pair.x, pair.y)
    log_p, alpha = extra.log_p[at], params["alpha"]
    inside, given_rest = extra.restriction.skeleton[at], params.get("restriction") == "cig"
    triple = "a v-structure" if given_rest else "an unshielded triple"
    free = "free to join them" if inside else f"allowed to join them only while that shields {triple}"
    tested = "Given all other columns" if given_rest else "Of their tests the largest p is"
    if math.isnan(log_p):
        return [f"The search was {free}."]
    sign = "≤" if log_p <= math.log(alpha) else ">"
    shown = f"p = {format_p(log_p)}" if given_rest else format_p(log_p)
    return [f"{tested} {shown} {sign} alpha = {alpha:g}, so the search was {free}."]
