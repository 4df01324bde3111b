"""Estimates of the seconds of HPC and H2PC, from the searches around a few variables."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ...common.progress import Stopped
from ...graphs.knowledge import BoundKnowledge
from ...independence.ci_test import CITest
from ...scores.score import FamilyScore
from ...search.cost import cost_of_search_and_polish
from .hpc_search import HPCSearch, PCMethod, Unreliable

TARGETS = 5  # number of variables around which the search is run, from the least to the most related
SECONDS = 0.15  # seconds: limit for the search around a variable
BEYOND = 50.0  # assumed duration of a search that was given up, in multiples of the limit; measured: 10 to 60
SHARED = 0.35  # share of tests that are not repeated by other searches


def cost_of_hpc(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of HPC: the mean of the searches around some variables, times the variables."""
    return SHARED * ci_test.p * _seconds_of_a_target(ci_test, **settings)


def cost_of_target(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of the search around one variable."""
    return _seconds_of_a_target(ci_test, **settings)


def cost_of_h2pc(ci_test: CITest, score: FamilyScore, **settings: Any) -> float:
    """Estimate the seconds of HPC, of the search within its skeleton, and of the polish."""
    return cost_of_hpc(ci_test, **settings) + cost_of_search_and_polish(score, **settings)


def _seconds_of_a_target(
    ci_test: CITest,
    *,
    alpha: float,
    max_cond_size: int | None,
    unreliable: Unreliable,
    pc_method: PCMethod,
    **_others: Any,
) -> float:
    """Return the mean seconds of the search around a variable; an abandoned one counts `BEYOND` times its seconds."""
    by_relation = ci_test.order()[::-1]
    chosen = by_relation[np.linspace(0, ci_test.p - 1, min(TARGETS, ci_test.p)).astype(int)].tolist()
    found = []
    for target in (chosen[0], *chosen):  # the first search may compile
        search = HPCSearch(
            ci_test,
            alpha,
            max_cond_size,
            BoundKnowledge.none(ci_test.p),
            unreliable=unreliable,
            pc_method=pc_method,
            targets=[target],
            draws=False,
        )
        began = time.perf_counter()
        try:
            search.run(lambda *_, end=began + SECONDS: time.perf_counter() < end)
            found.append(time.perf_counter() - began)
        except Stopped:
            found.append(BEYOND * SECONDS)
    return float(np.mean(found[1:]))
