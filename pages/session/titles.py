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
    defaults: dict[str, list] = {}  # one name may be a setting for each kind of data
    for one in LEARNERS[key].parameters:
        defaults.setdefault(one.name, []).append(one.default)
    asked = {
        one.name: one
        for one in LEARNERS[key].parameters
        if one.name in result.params and (one.name == "alpha" or result.params[one.name] not in defaults[one.name])
    }
    shown = [
        f"{name if '_' not in name else one.label[0].lower() + one.label[1:]} "
        f"{'no limit' if result.params[name] is None else result.params[name]}"
        for name, one in asked.items()
    ]
    known = known_in_short(knowledge)
    shown += [f"knowing {known}"] if known else []
    return " (" + ", ".join(shown) + ")" if shown else ""
