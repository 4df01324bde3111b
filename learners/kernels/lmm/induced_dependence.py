"""v-structures by induced dependence: Mahdi and Mezey (2013), algorithm 3."""

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from .set_search import min_log_odds, search_empty_set, search_sets


@kernel
def induced_dependence(evidence, adjacency, x, max_size, stop):
    """Compute the dependence of x on each y two edges away, without and with the node w between them (lines 3-4).

    The result is incomplete once ``stop[0]`` is set.

    Parameters
    ----------
    evidence : DependenceEvidence
    adjacency : (p, p) bool array
    x : int
    max_size : int
        Number of members of the largest set B.
    stop : (1,) int8 array

    Returns
    -------
    ends : (m, 2) int64 array
        Rows w, y with x - w - y, x and y not adjacent.
    values : (m, 2) float64 array
        Smallest log-odds over sets B of other neighbors of x: given B, and given B and w.
    sets : (m, 2, max_size) int16 array
        These sets B, padded with -1.
    count : int
        Number of sets examined.
    """
    near = np.flatnonzero(adjacency[x])
    m = 0
    for w in near:
        for y in np.flatnonzero(adjacency[w]):
            m += y != x and not adjacency[x, y]
    ends, values = np.empty((m, 2), np.int64), np.empty((m, 2))
    sets = np.full((m, 2, max_size), -1, np.int16)
    count, row = 0, 0
    for w in near:
        members = near[near != w]
        size = min(max_size, members.shape[0])
        for y in np.flatnonzero(adjacency[w]):
            if y == x or adjacency[x, y] or stop[0]:
                continue
            heads = np.array([x, y, w])
            low = np.full((2, size + 2), np.inf)
            chain = np.full((2, size + 2, size), -1, np.int16)
            count += search_empty_set(evidence, heads, low, chain)
            count += search_sets(evidence, heads, members, 0, size, low, chain)
            ends[row, 0], ends[row, 1] = w, y
            for side in range(2):
                k, values[row, side] = min_log_odds(evidence, low[side])
                copy(chain[side, k], sets[row, side])
            row += 1
    return ends, values, sets, count


@kernel
def orient_triples(amat, triples, n_candidates):
    """Orient x -> w <- y for the first triples x, w, y, in place, unless an edge already points out of w (lines 10-17).

    The paper requires that neither edge be oriented; then the second and third parent of a collider would be refused,
    and rule R1 would reverse them.

    Returns
    -------
    (m,) bool array
        True for triples that were accepted.
    """
    accepted = np.zeros(triples.shape[0], np.bool_)
    for t in range(n_candidates):
        x, w, y = triples[t]
        if amat[x, w] and amat[y, w]:
            amat[w, x] = amat[w, y] = False
            accepted[t] = True
    return accepted
