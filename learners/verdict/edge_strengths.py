"""Strengths of the edges of a DAG, and whether a set of neighbours nearly separates their ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from ..effects.implications import implications
from ..graphs.graph import PDAG

MAX_SET = 3  # maximum number of members of a separating set that is tested
MAX_NEIGHBOURS = 8  # maximum number of neighbours of a variable whose subsets are tested, the most dependent ones
STRONG = 6.0  # minimum |z| of a strong edge given the other parents
SEPARABLE = 1.64  # |z| below which a set nearly separates a pair

AbsoluteZ = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""``z(pairs, sets)`` returns |z|, (m,) float64, of pairs, (m, 2) int64, given sets, (m, k) int64."""


def edge_strengths(z: AbsoluteZ, dependence: np.ndarray, dag: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each edge of a DAG |z| given the other parents, and the smallest |z| given neighbours of one end.

    Parameters
    ----------
    z : callable
        Tests many pairs at once.
    dependence : (p, p) float64 array
        Marginal dependence of each pair; decides which neighbours are tested.
    dag : (p, p) bool array

    Returns
    -------
    direct : (p, p) float64 array
        Symmetric; 0 without an edge.
    smallest : (p, p) float64 array
        Symmetric; infinity without an edge. Sets have at most 3 of the 8 neighbours most dependent on an end.
    """
    p = len(dag)
    direct, smallest = np.zeros((p, p)), np.full((p, p), np.inf)
    near = dag | dag.T
    asked: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
    for i, j in np.argwhere(dag).tolist():
        others = [k for k in np.flatnonzero(dag[:, j]).tolist() if k != i]
        direct[i, j] = z(np.array([[i, j]]), np.array([others], dtype=np.int64))[0]
        for one, other in ((i, j), (j, i)):
            for given in _subsets(_closest(dependence, near, one, other)):
                asked.setdefault(len(given), []).append((i, j, given))
    for size, tests in asked.items():
        pairs = np.array([test[:2] for test in tests], dtype=np.int64)
        sets = np.array([test[2] for test in tests], dtype=np.int64).reshape(len(tests), size)
        np.minimum.at(smallest, (pairs[:, 0], pairs[:, 1]), z(pairs, sets))
    return np.maximum(direct, direct.T), np.minimum(smallest, smallest.T)


def separable_share(direct: np.ndarray, smallest: np.ndarray, dag: np.ndarray) -> float:
    """Return the share of the strong edges of a DAG, by `edge_strengths`, that some set nearly separates."""
    strong = dag & (direct > STRONG)
    return float((smallest[strong] < SEPARABLE).mean()) if strong.any() else 0.0


def surprise_of_implications(z: AbsoluteZ, dag: PDAG) -> float:
    """Return -ln of the smallest p-value of the independences that a DAG implies, less ln of their number."""
    asked = implications(dag)
    by_size: dict[int, list[tuple[int, ...]]] = {}
    for one in asked:
        by_size.setdefault(len(one.given), []).append((one.x, one.y, *one.given))
    largest = 0.0
    for rows in by_size.values():
        at = np.array(rows, dtype=np.int64)
        largest = max(largest, float(z(at[:, :2], at[:, 2:]).max()))
    return _minus_log_two_sided(largest) - math.log(max(len(asked), 1))


def _minus_log_two_sided(z: float) -> float:
    """Return -ln of the two-sided p-value of a normal statistic."""
    if z < 25.0:
        return -math.log(math.erfc(z / math.sqrt(2.0)))
    return z * z / 2 + math.log(z * math.sqrt(math.pi / 2))


def _closest(dependence: np.ndarray, near: np.ndarray, one: int, other: int) -> list[int]:
    """Return the neighbours of a node without another node, only the most dependent ones if there are many."""
    found = [k for k in np.flatnonzero(near[one]).tolist() if k != other]
    return sorted(sorted(found, key=lambda k: (-abs(dependence[one, k]), k))[:MAX_NEIGHBOURS])


def _subsets(nodes: list[int]) -> Iterable[tuple[int, ...]]:
    return (given for size in range(MAX_SET + 1) for given in combinations(nodes, size))
