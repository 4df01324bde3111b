"""Rough running times of searches, from a probe of a few local scores."""

from __future__ import annotations

import time

import numpy as np

from ..scores import FamilyScore

MOVES_PER_NODE = 1.5  # seen: 1.1 (56 variables) to 1.9 (27 variables)
PROBES = 8


def seconds_of_search(score: FamilyScore, *, further_moves: int = 0) -> float:
    """Seconds a greedy search may take: the time of a family times the families of a typical number of moves.

    A probe scores families alone, which the search does many at once, so this errs on the long side.
    """
    rng = np.random.default_rng(0)
    size = min(2, score.p - 1, score.most_parents)
    families = [rng.choice(score.p, 1 + size, replace=False).tolist() for _ in range(PROBES + 1)]
    score.local(families[0][0], families[0][1:])  # the first call may compile
    began = time.perf_counter()
    for node, *parents in families[1:]:
        score.local(node, parents)
    each = (time.perf_counter() - began) / PROBES
    return each * score.p * (score.p + MOVES_PER_NODE * score.p + further_moves)
