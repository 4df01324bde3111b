"""Partial correlations of many pairs at once, as absolute z values."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

MAX_SET = 3  # members of a separating set that is tried
MAX_NEIGHBOURS = 8  # of a variable, whose subsets are tried; the most correlated ones
MAX_R = 1.0 - 1e-9
MIN_VARIANCE = 1e-12


def absolute_z(corr: np.ndarray, n: int, pairs: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return |z| of the partial correlations of pairs, (m,) float64.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    pairs : (m, 2) int64 array
    sets : (m, k) int64 array
        The variables that are held fixed, k for each pair.
    """
    k = sets.shape[1]
    at = np.concatenate([pairs, sets], axis=1)
    block = corr[at[:, :, None], at[:, None, :]]
    if k:
        inner = block[:, 2:, 2:] + MIN_VARIANCE * np.eye(k)
        cross = block[:, 2:, :2]
        block = block[:, :2, :2] - np.swapaxes(cross, 1, 2) @ np.linalg.solve(inner, cross)
    size = np.sqrt(np.maximum(block[:, 0, 0] * block[:, 1, 1], MIN_VARIANCE))
    r = np.clip(block[:, 0, 1] / size, -MAX_R, MAX_R)
    return np.abs(np.arctanh(r)) * np.sqrt(max(n - k - 3, 1))


def edge_strengths(corr: np.ndarray, n: int, dag: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each edge of a DAG |z| given the other parents, and the smallest |z| given neighbours of one end.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    dag : (p, p) bool array

    Returns
    -------
    direct : (p, p) float64 array
        Symmetric; 0 without an edge.
    smallest : (p, p) float64 array
        Symmetric; infinity without an edge. Sets have at most 3 of the 8 neighbours most correlated with an end.
    """
    p = len(dag)
    direct, smallest = np.zeros((p, p)), np.full((p, p), np.inf)
    near = dag | dag.T
    asked: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
    for i, j in np.argwhere(dag).tolist():
        others = [k for k in np.flatnonzero(dag[:, j]).tolist() if k != i]
        direct[i, j] = absolute_z(corr, n, np.array([[i, j]]), np.array([others], dtype=np.int64))[0]
        for one, other in ((i, j), (j, i)):
            for given in _subsets(_closest(corr, near, one, other)):
                asked.setdefault(len(given), []).append((i, j, given))
    for size, tests in asked.items():
        pairs = np.array([test[:2] for test in tests], dtype=np.int64)
        sets = np.array([test[2] for test in tests], dtype=np.int64).reshape(len(tests), size)
        np.minimum.at(smallest, (pairs[:, 0], pairs[:, 1]), absolute_z(corr, n, pairs, sets))
    return np.maximum(direct, direct.T), np.minimum(smallest, smallest.T)


def _closest(corr: np.ndarray, near: np.ndarray, one: int, other: int) -> list[int]:
    """Return the neighbours of a node but for another, the most correlated ones if they are many."""
    found = [k for k in np.flatnonzero(near[one]).tolist() if k != other]
    return sorted(sorted(found, key=lambda k: (-abs(corr[one, k]), k))[:MAX_NEIGHBOURS])


def _subsets(nodes: list[int]) -> Iterable[tuple[int, ...]]:
    return (given for size in range(MAX_SET + 1) for given in combinations(nodes, size))
