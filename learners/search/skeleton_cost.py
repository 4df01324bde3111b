"""Estimate of the seconds of PC's skeleton search from a sample of the tests of each of its levels.

The number of tests depends on the degrees that each level leaves: a node with 300 neighbours has 45,000 sets of two.
So the estimate goes through the levels as the search does, and tests a random sample of the pairs of each level.
Pairs that were not drawn are assumed to be removed in the same share, the weakest first. Of many variables only a
random subset is searched; its tests given sets of s variables are scaled by the number of ways to choose s + 2
variables, which estimates their number without bias (Knuth 1975, Estimating the efficiency of backtrack programs,
Mathematics of Computation 29).
"""

from __future__ import annotations

import math
import time
from itertools import count
from typing import Any

import numpy as np

from ..common.parallel import available_cores, in_one_thread
from ..independence.ci_test import CITest
from ..independence.set_search import LevelSearch
from ..kernels.graphs.adjacency import open_edges

LEVEL_SECONDS = 0.03  # seconds of the sample of each level
SLOW_SECONDS = 0.1  # maximum seconds of the tests of the pairs of `MIN_NODES` variables
MIN_SETS, MAX_SETS = 200, 20_000  # range of the maximum number of sets of each end of a pair in a sample
MIN_PAIRS = 30  # number of pairs with this many sets that fit into the time of a level; long searches cost less a test
MIN_NODES = 8  # minimum number of variables whose skeleton is searched; with fewer the sample tells nothing
MAX_NODES = 1_500  # maximum number of these variables: the sample has arrays of all pairs
MAX_LEVELS = 8  # number of levels that are sampled; of later ones all sets of the pairs left are counted
LIMIT_SECONDS = 1e7  # estimates end here
FIRST_PAIRS = 8  # maximum number of pairs of the first batch of a sample
GROWTH = 4  # ratio of the size of each batch to that of the one before
SECONDS_PER_PAIR = 1e-6  # seconds per pair of variables of all other work: results, the trace, v-structures


def cost_of_levels(ci_test: CITest, *, alpha: float, max_cond_size: int | None, **_others: Any) -> float | None:
    """Estimate the seconds of a skeleton search.

    Parameters
    ----------
    ci_test : CITest
    alpha : float
    max_cond_size : int or None

    Returns
    -------
    float or None
        None if the tests are so slow that the sample would tell nothing.
    """
    with in_one_thread():
        return _cost(ci_test, alpha, max_cond_size)


def _cost(ci_test: CITest, alpha: float, max_cond_size: int | None) -> float | None:
    p, rng = ci_test.p, np.random.default_rng(0)
    order = rng.permutation(p)
    k = _affordable(ci_test, alpha, order)
    if k < min(p, MIN_NODES):
        return None
    nodes = np.sort(order[:k])
    adjacency = np.zeros((p, p), dtype=bool)
    adjacency[np.ix_(nodes, nodes)] = True
    np.fill_diagonal(adjacency, False)
    strength = np.zeros((p, p))  # ln of the largest p of each pair so far
    none = np.zeros_like(adjacency)
    seconds, each = 0.0, LEVEL_SECONDS
    sizes = count() if max_cond_size is None else range(max_cond_size + 1)
    for size in sizes:
        pairs = open_edges(adjacency, none, size)
        if not len(pairs) or seconds > LIMIT_SECONDS:
            break
        ways = math.prod((p - t) / (k - t) for t in range(min(size + 2, k)))
        if size >= MAX_LEVELS:
            seconds += ways * each * _sets(adjacency, *pairs.T, size).sum()
            continue
        most_sets = min(max(LEVEL_SECONDS / (MIN_PAIRS * each), MIN_SETS), MAX_SETS)
        given = adjacency if size < 2 else _thinned(adjacency, size, most_sets, rng)
        first = int(min(max(LEVEL_SECONDS / (2 * each * most_sets), 1), FIRST_PAIRS)) if size else len(pairs)
        n_tests, each = _level(ci_test, alpha, pairs, adjacency, given, strength, size, first, rng)
        seconds += ways * n_tests * each
    return min(seconds, LIMIT_SECONDS) / available_cores() + SECONDS_PER_PAIR * p * (p - 1) / 2


def _affordable(ci_test: CITest, alpha: float, order: np.ndarray) -> int:
    """Return the number of variables all of whose pairs can be tested without a set in the time of a level."""
    k, most = min(MIN_NODES, ci_test.p), min(ci_test.p, MAX_NODES)
    single = LevelSearch.marginal(np.sort(order[:2])[None], ci_test.p)
    _timed(ci_test, alpha, single)  # may compile
    if _timed(ci_test, alpha, single)[0] * math.comb(k, 2) > SLOW_SECONDS:
        return 0
    while k < most:
        x, y = np.triu_indices(k, 1)
        pairs = np.sort(np.column_stack([order[x], order[y]]), axis=1)
        seconds, _ = _timed(ci_test, alpha, LevelSearch.marginal(pairs, ci_test.p))
        within = int(k * math.sqrt(LEVEL_SECONDS / max(seconds, 1e-9)))
        if within < 2 * k:
            return min(within, most)
        k = min(2 * k, most)
    return k


def _timed(ci_test: CITest, alpha: float, searches: LevelSearch) -> tuple[float, Any]:
    """Return the seconds of these searches, and their results."""
    began = time.perf_counter()
    results = ci_test.separate(searches, alpha)
    return time.perf_counter() - began, results


def _level(
    ci_test: CITest,
    alpha: float,
    pairs: np.ndarray,
    adjacency: np.ndarray,
    given: np.ndarray,
    strength: np.ndarray,
    size: int,
    batch: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the estimated number of tests of a level and the seconds of each, and remove pairs from `adjacency`.

    The first batch of the sample has `batch` pairs.
    """
    m = len(pairs)
    drawn = rng.permutation(m)
    if size:
        _timed(ci_test, alpha, LevelSearch(pairs[drawn[:1]], given, size))  # may compile
    n_tests, separated, log_p = [], [], []
    spent, begin = 0.0, 0
    while begin < m:
        chosen = pairs[drawn[begin : begin + batch]]
        seconds, results = _timed(ci_test, alpha, LevelSearch(chosen, given, size))
        spent, begin = spent + seconds, begin + len(chosen)
        n_tests.append(results.n_tests)
        log_p.append(results.log_p)
        separated.append(results.log_p > math.log(alpha))
        batch = min(GROWTH * batch, int(begin * (LEVEL_SECONDS / max(spent, 1e-9) - 1)))
        if batch < 1:
            break
    tested, gone, hardest = np.concatenate(n_tests), np.concatenate(separated), np.concatenate(log_p)
    x, y = pairs[drawn[:begin]].T
    strength[x, y] = strength[y, x] = np.fmax(strength[x, y], hardest) if size else hardest
    expected = np.where(gone, tested, _sets(adjacency, x, y, size))
    adjacency[x[gone], y[gone]] = adjacency[y[gone], x[gone]] = False
    rest = pairs[drawn[begin:]]
    weakest = np.argsort(-strength[rest[:, 0], rest[:, 1]], kind="stable")[: round(gone.mean() * len(rest))]
    x, y = rest[weakest].T
    adjacency[x, y] = adjacency[y, x] = False
    return expected.sum() * m / begin, spent / max(tested.sum(), 1)


def _thinned(adjacency: np.ndarray, size: int, most_sets: float, rng: np.random.Generator) -> np.ndarray:
    """Return the adjacencies with few random neighbours of each node, so that there are about `most_sets` sets."""
    most = size + 1
    while math.comb(most + 1, size) <= most_sets:
        most += 1
    thinned = adjacency.copy()
    for v in np.flatnonzero(adjacency.sum(axis=1) > most):
        near = np.flatnonzero(adjacency[v])
        thinned[v, rng.choice(near, len(near) - most, replace=False)] = False
    return thinned


def _sets(adjacency: np.ndarray, x: np.ndarray, y: np.ndarray, size: int) -> np.ndarray:
    """Return the number of sets of `size` neighbours of x or y of each pair, without the pair itself."""
    if not size:
        return np.ones(len(x))
    degree = adjacency.sum(axis=1) - 1.0
    both = np.array([np.count_nonzero(adjacency[a] & adjacency[b]) for a, b in zip(x, y, strict=True)], dtype=float)
    return _ways(degree[x], size) + _ways(degree[y], size) - _ways(both, size)


def _ways(n: np.ndarray, size: int) -> np.ndarray:
    """Return the number of ways to choose `size` of n, elementwise."""
    found = np.ones(len(n))
    for t in range(size):
        found *= np.maximum(n - t, 0.0) / (t + 1)
    return found
