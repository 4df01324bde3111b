"""Rough running times, from a probe of a few tests on the data at hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common.parallel import available_cores
from ..common.progress import Stopped
from ..independence.ci_test import CITest
from ..independence.set_search import LevelSearch
from ..scores.score import FamilyScore
from .estimate import for_a_while, least_seconds, seconds_of_search

TESTS_PER_PAIR = 4  # seen: 3 (1 036 variables) to 7 (37 variables), size 3 or less
TESTS_PER_SIDE = 4  # of blankets; seen: 3 (37 and 300 categorical variables) to 7 (300 continuous ones)
BLANKET_SIZE = 6
ENOUGH_ROWS = 5.0  # for each cell, where a blanket stops growing
PROBED = 6  # variables, beside those of the set, of which all pairs are tested
FIRST_ORDER, NEXT_ORDER = 6.0, 2.0  # greedy searches; seen with five restarts: 10 (categories) to 37 (50 numbers)
BOTH_WAYS = 1.7  # searches that settle ties in two ways; the second finds many scores known
SLOW_TEST = 0.002  # seconds; many at once are not tried then
NEVER_APART = 1.0 - 1e-12  # an alpha with which each pair is tested given every set


def cost_of_tests(ci_test: CITest, *, max_cond_size: int | None, **_others: Any) -> float:
    """Seconds that PC-like learners may take: time of a typical test times a typical number of tests."""
    size = min(1 if max_cond_size is None else max_cond_size, 1, ci_test.p - 2)
    return _seconds_of_a_test(ci_test, size) * TESTS_PER_PAIR * ci_test.p * (ci_test.p - 1) / 2 / available_cores()


def cost_of_blankets(ci_test: CITest, **settings: Any) -> float:
    """Those of `cost_of_tests`, and what blankets take, with sets as large as the rows allow, or of six variables."""
    size = min(BLANKET_SIZE, ci_test.p - 2)
    while size and ci_test.rows_for_each_cell(0, 1, range(2, 2 + size)) < ENOUGH_ROWS:
        size -= 1
    sides = ci_test.p * (ci_test.p - 1) / available_cores()
    return cost_of_tests(ci_test, **settings) + _seconds_of_a_test(ci_test, size) * TESTS_PER_SIDE * sides


def cost_of_search(
    score: FamilyScore,
    *,
    patience: int = 0,
    restarts: int = 0,
    perturbations: int = 0,
    ties: str = "data",
    **_others: Any,
) -> float:
    """Seconds of a greedy search, with the moves that its settings make beyond the first peak."""
    times = BOTH_WAYS if ties == "both" else 1.0
    return times * seconds_of_search(score, further_moves=patience + restarts * (2 * perturbations + patience))


def cost_of_orders(score: FamilyScore, *, restarts: int, **_others: Any) -> float:
    """Seconds of a search over orders: so many times those of a greedy search for the first order and each restart."""
    return (FIRST_ORDER + NEXT_ORDER * restarts) * seconds_of_search(score)


def cost_of_search_and_polish(score: FamilyScore, *, polish: bool, **settings: Any) -> float:
    """Seconds of a greedy search, and of GES after it if asked for."""
    return cost_of_search(score, **settings) + (seconds_of_search(score) if polish else 0.0)


def cost_of_both(ci_test: CITest, score: FamilyScore, *, polish: bool = False, **settings: Any) -> float:
    """Seconds of tests, and of a search after them."""
    return cost_of_tests(ci_test, **settings) + cost_of_search_and_polish(score, polish=polish, **settings)


def _seconds_of_a_test(ci_test: CITest, size: int) -> float:
    """Seconds of a test given `size` variables, of many done at once as long as a probe may take."""
    nodes = np.random.default_rng(0).choice(ci_test.p, min(ci_test.p, size + PROBED), replace=False)
    among = np.zeros((ci_test.p, ci_test.p), dtype=bool)
    among[np.ix_(nodes, nodes)] = True
    np.fill_diagonal(among, False)
    pairs = np.argwhere(np.triu(among))

    def tested(pairs: np.ndarray) -> int:
        try:
            return int(ci_test.separate(LevelSearch(pairs, among, size), NEVER_APART, tick=for_a_while()).n_tests.sum())
        except Stopped as stopped:
            done = stopped.partial  # nothing where the first test had not begun
            return 0 if done is None else int(done.n_tests.sum())

    one = least_seconds(lambda: tested(pairs[:1]))
    return one if one > SLOW_TEST else least_seconds(lambda: tested(pairs))
