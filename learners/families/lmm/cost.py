"""Estimate of the seconds of LMM: by formula for numbers, from the beginning of a run for other tables.

In tables with categories, each conditioning set costs a test, whose time depends on the levels. The number of sets
depends on how many edges a few variables have: hailfinder needs 84,000 sets for 56 variables, win95pts 20,000 for 76.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ...common.progress import Stopped
from ...data.dataset import Dataset
from ...graphs.knowledge import BoundKnowledge
from ...independence.tested_dependence import TestedDependence
from .lmm import EDGES_PER_VARIABLE, rules_of
from .resumable_run import Elimination
from .scored_orientation import BY_SCORE

SECONDS_PER_PAIR = 3e-7  # of numbers; measured with p from 200 to 2,500
SECONDS_PER_ROW = 6e-8
SECONDS_PER_EDGE = 1e-4
PROBE_SECONDS = 0.1  # duration after which the beginning of a run ends
PAIRS_SECONDS = 0.03  # maximum seconds of a probe's tests given nothing
MIN_COLUMNS = 8  # minimum number of variables of a probe
# Selection takes 0.92 of the tests of a run, and the first share f of its edges f^2.5 of these. Measured on nine tables
# of 20 to 76 variables: 0.87 to 0.99; half of the edges 0.07 to 0.34, expected 0.16.
SELECTION, POWER = 0.92, 2.5
SCORED_SECONDS, SCORED_SECONDS_PER_VARIABLE = 0.1, 0.003  # directions by score; measured with p from 8 to 223


def cost_of_lmm(dataset: Dataset, **settings: Any) -> float:
    """Estimate the seconds of a run with checked settings."""
    if dataset.kind == "continuous":
        return _seconds_on_numbers(dataset.p, **settings)
    by_score = settings["orientation"] in BY_SCORE
    scored = SCORED_SECONDS + SCORED_SECONDS_PER_VARIABLE * dataset.p if by_score else 0.0
    return _seconds_of_tests(dataset, **settings) + scored


def _seconds_on_numbers(p: int, *, max_size: int | None, gamma: float, **_others: Any) -> float:
    """Estimate the seconds of a run on numbers: pairs are tested once, and a changed edge changes two of p rows."""
    edges = _edges(p, max_size, gamma)
    return p * (p - 1) / 2 * SECONDS_PER_PAIR + edges * (p * SECONDS_PER_ROW + SECONDS_PER_EDGE)


def _edges(p: int, max_size: int | None, gamma: float) -> float:
    """Return the expected number of added edges: with a threshold, a run ends by itself after a few per variable."""
    return min(EDGES_PER_VARIABLE * p if max_size is None or gamma > 0 else max_size, p * (p - 1) / 2)


def _seconds_of_tests(dataset: Dataset, *, max_size: int | None, gamma: float, **settings: Any) -> float:
    """Estimate the seconds of all tests from the tests of a random part of the columns."""
    posterior, seconds = _probed(dataset)
    p, k = dataset.p, posterior.p
    edges = _edges(p, max_size, gamma) * k / p
    knowledge = BoundKnowledge.none(k)
    most = None if max_size is None else max(round(max_size * k / p), 1)
    rules = rules_of(knowledge, k, max_size=most, gamma=gamma, **settings)
    evidence = posterior.evidence(max(rules.max_cond_size, 1))
    _seconds_of_run(Elimination(evidence, rules, knowledge), edges, 0.0)  # may compile
    tests = _seconds_of_run(Elimination(evidence, rules, knowledge), edges, PROBE_SECONDS)
    return seconds * p * (p - 1) / (k * (k - 1)) + tests * p / k


def _probed(dataset: Dataset) -> tuple[TestedDependence, float]:
    """Return the dependence of as many columns as time allows, and the seconds of their marginal tests."""
    order = np.random.default_rng(0).permutation(dataset.p)
    k = min(MIN_COLUMNS, dataset.p)
    TestedDependence(dataset.select(np.sort(order[:k])))  # may compile
    while True:
        part = dataset.select(np.sort(order[:k]))
        began = time.perf_counter()
        posterior = TestedDependence(part)
        seconds = time.perf_counter() - began
        if k == dataset.p or 4.0 * seconds > PAIRS_SECONDS:
            return posterior, seconds
        k = min(2 * k, dataset.p)


def _seconds_of_run(elimination: Elimination, edges: float, limit: float) -> float:
    """Estimate the seconds of a run, measured to its end or extrapolated after `limit` seconds.

    Parameters
    ----------
    elimination : Elimination
    edges : float
        Expected number of added edges.
    limit : float
        Seconds.
    """
    began, share = time.perf_counter(), 1.0

    def tick(phase: str, done: int, total: int) -> bool:
        nonlocal share
        if phase == "forward selection":
            share = SELECTION * min(done / edges, 1.0) ** POWER
        else:
            share = SELECTION + (1.0 - SELECTION) * done / max(total, 1)
        return not done or time.perf_counter() < began + limit

    try:
        elimination.finish(tick)
    except Stopped:
        return (time.perf_counter() - began) / share
    return time.perf_counter() - began
