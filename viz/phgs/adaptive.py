"""What let ARGES join a pair, or hindered it, as sentences."""

from __future__ import annotations

import math

from learners.phgs.arges import AdaptiveSearch
from learners.results.result import LearnResult

from ..text import format_p


def is_adaptive(result: LearnResult) -> bool:
    """Whether the search was restricted by tests, but not for good."""
    return isinstance(result.extra, AdaptiveSearch)


def why_admitted(result: LearnResult, x: int, y: int) -> list[str]:
    """Whether the search was free to join the pair, and what the tests say."""
    log_p, alpha = result.extra.log_p[x, y], result.params["alpha"]
    inside, given_rest = result.extra.restriction.skeleton[x, y], result.params.get("restriction") == "cig"
    triple = "a v-structure" if given_rest else "an unshielded triple"
    free = "free to join them" if inside else f"allowed to join them only while that shields {triple}"
    tested = "Given all other columns" if given_rest else "Of their tests the largest p is"
    if math.isnan(log_p):
        return [f"The search was {free}."]
    sign = "≤" if log_p <= math.log(alpha) else ">"
    shown = f"p = {format_p(log_p)}" if given_rest else format_p(log_p)
    return [f"{tested} {shown} {sign} alpha = {alpha:g}, so the search was {free}."]
