"""Greedy searches for `hc` and `tabu`, with one order of ties or the better of two opposite orders."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ...common.progress import Tick
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.dag_result import learn_greedily
from ...search.hill_climbing import Search, greedy_search

TiesOfSearch = Literal["both", "data", "columns"]
OPPOSITE_TIES: tuple[Ties, Ties] = ("data", "reverse")
MIN_GAIN = 1e-9  # minimum gain of one run over the other, relative to the score


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
    """Run `greedy_search` and return its result; with ties "both" the better result of two runs.

    Parameters
    ----------
    score : FamilyScore
    method : str
        Key of the learner, for the result.
    ties : "both", "data" or "columns"
        "both" runs the search with "data" and with "reverse", each with all restarts. The first is kept if their scores
        are equal.
    start, allowed, max_parents, knowledge, tick, seed, **settings
        As for `greedy_search`.
    """
    options: Mapping[str, Any] = {"start": start, "allowed": allowed, "max_parents": max_parents, **settings}
    found: dict[Ties, Search] = {}

    def search(bound: BoundKnowledge) -> Search:
        for order in OPPOSITE_TIES if ties == "both" else (ties,):
            found[order] = greedy_search(score, **options, knowledge=bound, ties=order, seed=seed, tick=tick)
            if not found[order].complete:
                break
        complete = all(run.complete for run in found.values())
        return dataclasses.replace(found[_better(found)], complete=complete)

    result = learn_greedily(score, search, method=method, knowledge=knowledge, start=start)
    kept = _better(found)
    other = next((run.score for order, run in found.items() if order != kept), None)
    return dataclasses.replace(result, extra=dataclasses.replace(result.extra, ties=kept, other_score=other))


def _better(found: Mapping[Ties, Search]) -> Ties:
    """Return the order of ties with the better run; the first if their scores are equal."""
    first, *others = found
    threshold = found[first].score + MIN_GAIN * max(1.0, abs(found[first].score))
    return next((order for order in others if found[order].score > threshold), first)
