"""Rough running times, from a probe of a few tests on the data at hand."""

from __future__ import annotations

import time

import numpy as np

from ..common.parallel import available_cores
from ..independence import CITest

TESTS_PER_PAIR = 4  # seen: 3 (1 036 variables) to 7 (37 variables), size 3 or less
TESTS_PER_SIDE = 4  # of blankets; seen: 3 (37 and 300 categorical variables) to 7 (300 continuous ones)
BLANKET_SIZE = 6
ENOUGH_ROWS = 5.0  # for each cell, where a blanket stops growing
PROBES = 24
EDGES_PER_VARIABLE = 2.5
SECONDS_PER_PAIR = 3e-7  # of LMM; seen with p from 200 to 2 500
SECONDS_PER_ROW = 6e-8
SECONDS_PER_EDGE = 1e-4


def seconds_of_tests(ci_test: CITest, max_cond_size: int | None) -> float:
    """Seconds that PC-like learners may take: time of a typical test times a typical number of tests."""
    size = min(1 if max_cond_size is None else max_cond_size, 1, ci_test.p - 2)
    return _seconds_of_a_test(ci_test, size) * TESTS_PER_PAIR * ci_test.p * (ci_test.p - 1) / 2 / available_cores()


def seconds_of_blankets(ci_test: CITest) -> float:
    """Seconds that blankets for all variables may take: tests given as many variables as the rows allow, or six."""
    size = min(BLANKET_SIZE, ci_test.p - 2)
    while size and ci_test.rows_for_each_cell(0, 1, range(2, 2 + size)) < ENOUGH_ROWS:
        size -= 1
    return _seconds_of_a_test(ci_test, size) * TESTS_PER_SIDE * ci_test.p * (ci_test.p - 1) / available_cores()


def _seconds_of_a_test(ci_test: CITest, size: int) -> float:
    """Seconds of a test given `size` variables."""
    rng = np.random.default_rng(0)
    draws = [rng.choice(ci_test.p, 2 + size, replace=False).tolist() for _ in range(PROBES + 1)]
    ci_test.test(draws[0][0], draws[0][1], draws[0][2:])  # the first call may compile
    began = time.perf_counter()
    for x, y, *cond in draws[1:]:
        ci_test.test(x, y, cond)
    return (time.perf_counter() - began) / PROBES


def seconds_of_lmm(p: int, max_size: int | None, gamma: float) -> float:
    """Seconds that LMM may take: every pair is judged once, and every edge added or removed concerns two of p rows."""
    # With a threshold the run ends by itself; a few edges a variable is what networks have.
    edges = min(EDGES_PER_VARIABLE * p if max_size is None or gamma > 0 else max_size, p * (p - 1) / 2)
    return p * (p - 1) / 2 * SECONDS_PER_PAIR + edges * (p * SECONDS_PER_ROW + SECONDS_PER_EDGE)
