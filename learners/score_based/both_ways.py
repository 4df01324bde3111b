"""Greedy searches for hc and tabu: one way to settle ties, or two opposite ones of which the better run counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ..common.progress import Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge
from ..results.result import LearnResult
from ..scores.score import FamilyScore
from ..search.climber import Ties
from ..search.dag_result import learn_greedily
from ..search.hill_climbing import Search, greedy_search

TiesOfSearch = Literal["both", "data", "columns"]
WAYS: tuple[Ties, Ties] = ("data", "reverse")
LEAST_GAIN = 1e-9  # of a run over the other, as a share of the score


def climb(
    score: FamilyScore,
    *,
    method: str,
    ties: TiesOfSearch,
    start: PDAG | None,
    allowed: np.ndarray | None,
    max_parents: int | None,
    knowledge: Knowledge | None,
    tick: Tick,
    seed: int = 0,
    **settings: int,
) -> LearnResult:
    """The result of `greedy_search`, or of the better of two; `settings` are what else it takes.

    Parameters
    ----------
    ties : "both", "data" or "columns"
        "both": once by "data" and once by its reverse, each with all restarts. Of runs that score the same the first
        is kept. The others are as for `greedy_search`.
    """
    options: Mapping[str, Any] = {"start": start, "allowed": allowed, "max_parents": max_parents, **settings}
    found: dict[Ties, Search] = {}

    def search(bound: BoundKnowledge) -> Search:
        for way in WAYS if ties == "both" else (ties,):
            found[way] = greedy_search(score, **options, knowledge=bound, ties=way, seed=seed, tick=tick)
            if not found[way].complete:
                break
        complete = all(one.complete for one in found.values())
        return dataclasses.replace(found[_better(found)], complete=complete)

    result = learn_greedily(score, search, method=method, knowledge=knowledge, start=start)
    kept = _better(found)
    other = next((one.score for way, one in found.items() if way != kept), None)
    return dataclasses.replace(result, extra=dataclasses.replace(result.extra, ties=kept, other_score=other))


def _better(found: Mapping[Ties, Search]) -> Ties:
    """The way whose run scores most, the first of equals."""
    first, *others = found
    least = found[first].score + LEAST_GAIN * max(1.0, abs(found[first].score))
    return next((way for way in others if found[way].score > least), first)
