"""d-separation in a known DAG, as a test of independence."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class DAGSample(NamedTuple):
    """A known DAG in the form of a sample without rows.

    Attributes
    ----------
    amat : (p, p) bool array
        ``amat[i, j]`` for i -> j.
    n : int
    """

    amat: np.ndarray
    n: int = 0


@kernel
def decide_d_separation(sample, x, y, cond, size, scratch):  # noqa: ARG001
    """Return (statistic, NaN, True): statistic 0 if the set d-separates x and y, infinite otherwise.

    Follows active trails (Koller and Friedman 2009, Probabilistic graphical models, algorithm 3.1).

    Parameters
    ----------
    sample : DAGSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : None
        Unused.
    """
    amat = sample.amat
    p = amat.shape[0]
    given = np.zeros(p, np.bool_)
    opened = np.zeros(p, np.bool_)  # the set and its ancestors: as colliders they open trails
    todo = np.empty(2 * p, np.int64)
    n = 0
    for k in range(size):
        given[cond[k]] = True
        opened[cond[k]] = True
        todo[n] = cond[k]
        n += 1
    while n:
        n -= 1
        v = todo[n]
        for k in range(p):
            if amat[k, v] and not opened[k]:
                opened[k] = True
                todo[n] = k
                n += 1
    # A trail arrives at a node from a child (even state) or from a parent (odd state).
    visited = np.zeros(2 * p, np.bool_)
    visited[2 * x] = True
    todo[0], n = 2 * x, 1
    while n:
        n -= 1
        v, from_parent = todo[n] // 2, todo[n] % 2
        if v == y and not given[v]:
            return np.inf, np.nan, True
        for k in range(p):
            down = amat[v, k] and not given[v]
            up = amat[k, v] and (opened[v] if from_parent else not given[v])
            state = 2 * k + 1 if down else 2 * k
            if (down or up) and not visited[state]:
                visited[state] = True
                todo[n] = state
                n += 1
    return 0.0, np.nan, True
