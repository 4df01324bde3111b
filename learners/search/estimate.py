"""Rough running times of searches, from a probe of a few local scores."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from ..common.progress import Tick
from ..scores.score import FamilyScore

MOVES_PER_NODE = 1.5  # seen: 1.1 (56 variables) to 1.9 (27 variables)
AT_ONCE = 0.12  # of the time of a family alone: a search scores many at once; seen: 0.05 (categories) to 0.4 (numbers)
PROBES = 8
ROUNDS = 3  # of a probe: the fastest counts, for others use the machine too, and the first may compile
PATIENCE = 0.05  # seconds of a round after which it ends with what it has


def least_seconds(work: Callable[[], int]) -> float:
    """Seconds for each of the things that ``work()`` does, which says how many they are.

    A second slow round is the last: the first may have compiled.
    """
    fastest = math.inf
    for k in range(ROUNDS):
        began = time.perf_counter()
        number = work()
        took = time.perf_counter() - began
        fastest = min(fastest, took / max(number, 1))
        if k and took > PATIENCE:
            break
    return fastest


def for_a_while() -> Tick:
    """A tick that ends a round of a probe in time."""
    end = time.perf_counter() + PATIENCE
    return lambda _phase, _done, _total: time.perf_counter() < end


def seconds_of_search(score: FamilyScore, *, further_moves: int = 0) -> float:
    """Seconds a greedy search may take: the time of a family times the families of a typical number of moves."""
    rng = np.random.default_rng(0)
    size = min(2, score.p - 1, score.most_parents)

    def score_some() -> int:
        goes_on = for_a_while()
        for done in range(PROBES):  # others each time, for scores are remembered
            if not goes_on("", done, PROBES):
                return done
            node, *parents = rng.choice(score.p, 1 + size, replace=False).tolist()
            score.local(node, parents)
        return PROBES

    each = least_seconds(score_some)
    return AT_ONCE * each * score.p * (score.p + MOVES_PER_NODE * score.p + further_moves)
