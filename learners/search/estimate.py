"""Measure how long a few local scores take, and estimate the running time of a search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from ..common.progress import Tick
from ..scores.score import FamilyScore

MOVES_PER_NODE = 1.5  # moves of a search per node; measured: 1.1 (56 variables) to 1.9 (27 variables)
# Time of a family in a search, which scores many at once, relative to a single one; measured: 0.05 (categorical) to 0.4
# (continuous).
AT_ONCE = 0.12
PROBES = 8
ROUNDS = 3  # maximum number; the fastest round counts, because other processes run and the first one may compile
ROUND_SECONDS = 0.05  # duration after which a round ends


def min_seconds(work: Callable[[], int]) -> float:
    """Return the seconds per item of ``work()``, which returns the number of items, in the fastest round.

    A slow round is the last one, except for the first round, which may be slow because it compiles.
    """
    fastest = math.inf
    for k in range(ROUNDS):
        began = time.perf_counter()
        number = work()
        took = time.perf_counter() - began
        fastest = min(fastest, took / max(number, 1))
        if k and took > ROUND_SECONDS:
            break
    return fastest


def deadline_tick() -> Tick:
    """Return a tick that cancels when the time of a round is over."""
    end = time.perf_counter() + ROUND_SECONDS
    return lambda _phase, _done, _total: time.perf_counter() < end


def seconds_of_search(score: FamilyScore, *, further_moves: int = 0) -> float:
    """Estimate the seconds of a greedy search: time of a family times the families of a typical number of moves."""
    return AT_ONCE * seconds_of_score(score) * score.p * (score.p + MOVES_PER_NODE * score.p + further_moves)


def seconds_of_score(score: FamilyScore) -> float:
    """Measure the seconds of the score of one variable with two parents."""
    rng = np.random.default_rng(0)
    size = min(2, score.p - 1, score.most_parents)

    def score_some() -> int:
        continues = deadline_tick()
        for done in range(PROBES):  # different families each time, because scores are cached
            if not continues("", done, PROBES):
                return done
            node, *parents = rng.choice(score.p, 1 + size, replace=False).tolist()
            score.local(node, parents)
        return PROBES

    return min_seconds(score_some)
