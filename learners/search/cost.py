"""Estimate running times from a few tests or scores on the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common.parallel import available_cores
from ..common.progress import Stopped
from ..independence.ci_test import CITest
from ..independence.set_search import LevelSearch
from ..kernels.scores.gaussian import GaussianFamilies
from ..scores.score import FamilyScore
from .estimate import deadline_tick, min_seconds, seconds_of_score, seconds_of_search
from .skeleton_cost import cost_of_levels

TESTS_PER_PAIR = 4  # measured: 3 (1 036 variables) to 7 (37 variables), sets of size 3 or less
TESTS_PER_SIDE = 4  # for blankets; measured: 3 (37 and 300 categorical variables) to 7 (300 continuous ones)
BLANKET_SIZE = 6
MIN_ROWS_PER_CELL = 5.0  # rows per cell below which a blanket stops growing
N_PROBED = 6  # number of variables outside the set whose pairs are tested
# Ratios to a greedy search of the first search over orders and of each restart; measured in total with five restarts:
# 10 (categorical) to 37 (50 continuous variables).
FIRST_ORDER, NEXT_ORDER = 3.0, 1.0
USUAL_RESTARTS = 20  # assumed number of restarts if it is automatic
MAX_RESTART_SECONDS = 6.0  # automatic restarts end after a fixed amount of work; measured: 2 to 8 s
# The first search over orders of numbers, in multiples of the time of a single local score: a factor, and powers of the
# number of variables, of the mean number of others that raise the score of one as its only parent, and of those that do
# so given all others. Fitted to 41 random tables of 15 to 400 variables, sparse, dense and with hubs: 2.5 times too
# long or short at most. A restart takes a share of it.
SCORES_OF_FIRST_ORDER = 1.36
POWER_OF_VARIABLES, POWER_OF_GAINS, POWER_OF_GAINS_GIVEN_REST = 1.15, 0.26, 1.13
SHARE_OF_RESTART, USUAL_RESTARTS_OF_NUMBERS = 0.38, 30
MAX_INVERTED = 1_000  # maximum number of variables whose correlations are inverted for an estimate
BOTH_WAYS = 1.7  # ratio of two searches with opposite ties to one; the second finds many scores in the cache
SLOW_TEST_SECONDS = 0.002  # slower tests are not probed in bulk
NEVER_SEPARATES = 1.0 - 1e-12  # alpha at which each pair is tested given every set


def cost_of_tests(ci_test: CITest, *, max_cond_size: int | None, **_others: Any) -> float:
    """Estimate the seconds of PC-like learners: time of a typical test times a typical number of tests."""
    size = min(1 if max_cond_size is None else max_cond_size, 1, ci_test.p - 2)
    return _seconds_of_a_test(ci_test, size) * TESTS_PER_PAIR * ci_test.p * (ci_test.p - 1) / 2 / available_cores()


def cost_of_skeleton(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of PC's skeleton search from the degrees that remain after each level."""
    seconds = cost_of_levels(ci_test, **settings)
    return cost_of_tests(ci_test, **settings) if seconds is None else seconds


def cost_of_blankets(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of blankets and of the tests within them, for sets of up to six variables."""
    size = min(BLANKET_SIZE, ci_test.p - 2)
    while size and ci_test.rows_for_each_cell(0, 1, range(2, 2 + size)) < MIN_ROWS_PER_CELL:
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
    """Estimate the seconds of a greedy search, including the moves after the first local maximum."""
    times = BOTH_WAYS if ties == "both" else 1.0
    return times * seconds_of_search(score, further_moves=patience + restarts * (2 * perturbations + patience))


def cost_of_orders(score: FamilyScore, *, restarts: int | None, **_others: Any) -> float:
    """Estimate the seconds of a search over orders as a multiple of a greedy search, for each restart."""
    greedy = seconds_of_search(score)
    if restarts is None:
        return FIRST_ORDER * greedy + min(NEXT_ORDER * USUAL_RESTARTS * greedy, MAX_RESTART_SECONDS)
    return (FIRST_ORDER + NEXT_ORDER * restarts) * greedy


def cost_of_boss(score: FamilyScore, *, restarts: int | None, **_others: Any) -> float:
    """Estimate the seconds of a search over orders; of numbers by how many variables gain from one another."""
    if not isinstance(score.sample, GaussianFamilies):
        return cost_of_orders(score, restarts=restarts)
    alone, given_rest = mean_gaining(score.sample)
    shape = (1.0 + alone) ** POWER_OF_GAINS * (1.0 + given_rest) ** POWER_OF_GAINS_GIVEN_REST
    first = seconds_of_score(score) * SCORES_OF_FIRST_ORDER * score.p**POWER_OF_VARIABLES * shape
    if restarts is None:
        return first + min(SHARE_OF_RESTART * USUAL_RESTARTS_OF_NUMBERS * first, MAX_RESTART_SECONDS)
    return first * (1.0 + SHARE_OF_RESTART * restarts)


def mean_gaining(sample: GaussianFamilies) -> tuple[float, float]:
    """Return how many others raise the score of a variable, on average: as its only parent, and given all others.

    With fewer rows than variables, or with very many variables, both numbers are the first one.
    """
    p, least = len(sample.corr), -np.expm1(-2.0 * sample.penalty / sample.n)  # the gain of this r² equals the penalty
    alone = float((sample.corr**2 > least).sum() / p - 1.0)
    if p > min(MAX_INVERTED, sample.n):
        return alone, alone
    inverse = np.linalg.pinv(sample.corr, hermitian=True)
    scale = np.maximum(np.diag(inverse), 1.0)
    return alone, float((inverse**2 > least * np.outer(scale, scale)).sum() / p - 1.0)


def cost_of_search_and_polish(score: FamilyScore, *, polish: bool, **settings: Any) -> float:
    """Estimate the seconds of a greedy search and of the polish after it."""
    return cost_of_search(score, **settings) + (seconds_of_search(score) if polish else 0.0)


def cost_of_both(ci_test: CITest, score: FamilyScore, *, polish: bool = False, **settings: Any) -> float:
    """Estimate the seconds of the tests and of the search that follows the tests."""
    return cost_of_skeleton(ci_test, **settings) + cost_of_search_and_polish(score, polish=polish, **settings)


def _seconds_of_a_test(ci_test: CITest, size: int) -> float:
    """Measure the seconds of a test given `size` variables, in bulk unless a single one is slow."""
    nodes = np.random.default_rng(0).choice(ci_test.p, min(ci_test.p, size + N_PROBED), replace=False)
    among = np.zeros((ci_test.p, ci_test.p), dtype=bool)
    among[np.ix_(nodes, nodes)] = True
    np.fill_diagonal(among, False)
    pairs = np.argwhere(np.triu(among))

    def tested(pairs: np.ndarray) -> int:
        try:
            return int(
                ci_test.separate(LevelSearch(pairs, among, size), NEVER_SEPARATES, tick=deadline_tick()).n_tests.sum()
            )
        except Stopped as stopped:
            done = stopped.partial  # None if the first test has not started
            return 0 if done is None else int(done.n_tests.sum())

    single = min_seconds(lambda: tested(pairs[:1]))
    return single if single > SLOW_TEST_SECONDS else min_seconds(lambda: tested(pairs))
