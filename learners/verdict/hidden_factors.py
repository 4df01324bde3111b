"""Find quartets of columns whose correlations one hidden factor explains, such as items of a questionnaire.

If a hidden variable is the only reason why four columns are correlated, the three differences of products of their
correlations, called tetrads, are zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

MAX_R = 1.0 - 1e-9
MIN_VARIANCE = 1e-12

MIN_Z = 4.0  # minimum |z| of each correlation of a quartet
MIN_PARTIAL_Z = 3.0  # minimum |z| of each correlation given any other column of the table
MAX_TETRAD_Z = 1.96
SPLITS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def pure_quartets(corr: np.ndarray, n: int) -> np.ndarray:
    """Return the quartets of columns that are correlated as if by one hidden factor, (m, 4) int64.

    All six correlations have |z| > 4, and |z| > 3 given any other column; all three tetrads have |z| < 1.96.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.

    References
    ----------
    Wishart (1928), Sampling errors in the theory of two factors. British Journal of Psychology 19. Silva, Scheines,
    Glymour and Spirtes (2006), Learning the structure of linear latent variable models. JMLR 7.
    """
    linked = _linked(corr, n)
    found = [_with_vanishing_tetrads(corr, n, quartets) for quartets in _cliques_of_four(linked)]
    return np.concatenate([np.zeros((0, 4), dtype=np.int64), *found])


def _with_vanishing_tetrads(corr: np.ndarray, n: int, quartets: np.ndarray) -> np.ndarray:
    """Return those of (m, 4) quartets whose three tetrads do not differ from zero."""
    block = corr[quartets[:, :, None], quartets[:, None, :]]
    determinant = np.linalg.det(block)

    def left(i: int, j: int) -> np.ndarray:
        return 1.0 - block[:, i, j] ** 2

    vanishes = np.ones(len(quartets), dtype=bool)
    for (i, j), (k, m) in SPLITS:
        tetrad = block[:, i, k] * block[:, j, m] - block[:, i, m] * block[:, j, k]
        variance = (left(i, j) * left(k, m) * (n + 1) / (n - 1) - determinant) / (n - 2)
        vanishes &= np.abs(tetrad) < MAX_TETRAD_Z * np.sqrt(np.maximum(variance, 1e-12))
    return quartets[vanishes]


def _linked(corr: np.ndarray, n: int) -> np.ndarray:
    """Return (p, p) bool: True for pairs that stay correlated given any other column."""
    p = len(corr)
    pairs = np.array(list(combinations(range(p), 2)), dtype=np.int64).reshape(-1, 2)
    strong = pairs[absolute_z(corr, n, pairs, np.zeros((len(pairs), 0), dtype=np.int64)) > MIN_Z]
    found = np.zeros((p, p), dtype=bool)
    if not len(strong):
        return found
    stays = np.ones(len(strong), dtype=bool)
    for k in range(p):
        with_other = (strong != k).all(axis=1)
        z = absolute_z(corr, n, strong[with_other], np.full((int(with_other.sum()), 1), k, dtype=np.int64))
        stays[with_other] &= z > MIN_PARTIAL_Z
    i, j = strong[stays].T
    found[i, j] = found[j, i] = True
    return found


def _cliques_of_four(linked: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sets of four nodes that are all linked, (m, 4) int64 for each first node that has some."""
    for a in range(len(linked)):
        found = []
        after = np.flatnonzero(linked[a, a + 1 :]) + a + 1
        for k, b in enumerate(after.tolist()):
            both = after[k + 1 :][linked[b, after[k + 1 :]]]
            found += [(a, b, c, d) for c, d in combinations(both.tolist(), 2) if linked[c, d]]
        if found:
            yield np.array(found, dtype=np.int64)


def absolute_z(corr: np.ndarray, n: int, pairs: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return |z| of the partial correlations of pairs, (m,) float64.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    pairs : (m, 2) int64 array
    sets : (m, k) int64 array
        Conditioning set of k variables for each pair.
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
