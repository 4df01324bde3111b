"""Why edges differ at other values of a swept parameter: for each edge, the chain back to its first cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from learners.results.result import LearnResult
from learners.sweeping.causes import causes
from learners.sweeping.changes import changes
from learners.sweeping.reasons import difference

from ..glossary.sentences import catalog
from .explanations import LANGUAGES
from .views import View

MAX_EDGES = 30  # maximum number of edges explained at each value


def reason_packs(result: LearnResult, views: Sequence[View]) -> tuple[dict[str, list[Any]], int]:
    """Return a pack for each language, and the number of differences that are not explained.

    A pack lists ``[view, step, a, b, texts]``: the position of the slider, its step, the pair a < b, and why its edge
    differs from that of the run.
    """
    packs: dict[str, list[Any]] = {f"reasons-{language}": [] for language in LANGUAGES}
    omitted = 0
    for number, view in enumerate(views):
        ticks, axis = view.data["steps"].get("ticks", ()), view.data["steps"].get("axis_label", "")
        for step, other in sorted(view.results.items()):
            found = changes(result.graph, other.graph)
            pairs = sorted((*found.more, *found.fewer, *found.turned))
            omitted += max(0, len(pairs) - MAX_EDGES)
            labels = (f"{axis} {ticks[view.base]}", f"{axis} {ticks[step]}")
            for pair, chain in causes(result, other, pairs[:MAX_EDGES]).items():
                reason = difference(chain, result, other, labels)
                for language in LANGUAGES:
                    packs[f"reasons-{language}"].append([number, step, *pair, reason.written(catalog(language))])
    return packs, omitted
