"""What tells runs apart, in the title of each."""

from __future__ import annotations

from learners.graphs.knowledge import Knowledge
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from viz.text import count


def known_in_short(knowledge: Knowledge | None) -> str:
    """What background knowledge holds: 2 tiers, 1 edge set; empty if nothing."""
    if knowledge is None:
        return ""
    tiers, edges = len(set(knowledge.tiers.values())), len(knowledge.required) + len(knowledge.forbidden)
    parts = [count(tiers, "tier")] if tiers else []
    return ", ".join([*parts, count(edges, "edge") + " set"] if edges else parts)


def settings_in_short(key: str, result: LearnResult, knowledge: Knowledge | None) -> str:
    """What tells runs apart: alpha, whatever parameter is not at its default, and background knowledge."""
    shown = [
        f"{one.name if '_' not in one.name else one.label[0].lower() + one.label[1:]} "
        f"{'no limit' if result.params[one.name] is None else result.params[one.name]}"
        for one in LEARNERS[key].parameters
        if one.name in result.params and (one.name == "alpha" or result.params[one.name] != one.default)
    ]
    known = known_in_short(knowledge)
    shown += [f"knowing {known}"] if known else []
    return " (" + ", ".join(shown) + ")" if shown else ""
