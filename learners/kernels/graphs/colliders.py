"""v-structures: of a graph, and unshielded triples that separating sets make colliders, with their orientation."""

import numpy as np

from ..compiling import kernel
from .adjacency import is_adjacent, is_directed, neighbor_lists
from .meek_rules import close
from .paths import add_ancestors, has_ancestor

ORIENTED, CONTRADICTED, CYCLIC = 0, 1, 2  # fates of a proposed arrow


@kernel
def is_collider(adjacency, present, members, i, k, j):
    """Return True if i and j are not adjacent, were separated, and k is not in their separating set.

    Parameters
    ----------
    adjacency : (p, p) bool array
    present, members : arrays
        As in `Sepsets`.
    i, k, j : int
    """
    if adjacency[i, j] or not present[i, j]:
        return False
    for t in range(members.shape[2]):  # noqa: SIM110  (no generators in a kernel)
        if members[i, j, t] == k:
            return False
    return True


@kernel
def keep_v_structures(amat, begin, near):
    """Return the graph with the same adjacencies whose only arrows are those of the v-structures of `amat`.

    Parameters
    ----------
    amat : (p, p) bool array
    begin, near : int64 and int32 arrays
        Adjacency lists as in `adjacency.neighbor_lists`.

    Returns
    -------
    (p, p) bool array
    """
    kept = amat | amat.T
    for k in range(amat.shape[0]):
        own = near[begin[k] : begin[k + 1]]
        for i in own:
            if not is_directed(amat, i, k):
                continue
            for j in own:
                if j != i and is_directed(amat, j, k) and not is_adjacent(amat, i, j):
                    kept[k, i] = False
                    break
    return kept


@kernel
def find_colliders(adjacency, begin, near, present, members):
    """Return all triples i - k - j, i < j, that are colliders, (m, 3) int64, ascending in k, i, j.

    Parameters
    ----------
    adjacency : (p, p) bool array
    begin, near : int64 and int32 arrays
        Adjacency lists as in `adjacency.neighbor_lists`.
    present, members : arrays
        As in `Sepsets`.
    """
    found = np.empty((0, 3), np.int64)
    for filling in range(2):
        m = 0
        for k in range(adjacency.shape[0]):
            for a in range(begin[k], begin[k + 1]):
                for b in range(a + 1, begin[k + 1]):
                    i, j = near[a], near[b]
                    if is_collider(adjacency, present, members, i, k, j):
                        if filling:
                            found[m, 0], found[m, 1], found[m, 2] = i, k, j
                        m += 1
        if not filling:
            found = np.empty((m, 3), np.int64)
    return found


@kernel
def ranked_colliders(adjacency, begin, near, present, members, log_phi):
    """Return the triples of `find_colliders` by falling `log_phi` of their ends, then ascending in i, k, j.

    Parameters
    ----------
    adjacency, begin, near, present, members
        As in `find_colliders`.
    log_phi : (p, p) float64 array
        Largest ln p of each pair.
    """
    found = find_colliders(adjacency, begin, near, present, members)
    key = np.empty(found.shape[0])
    for t in range(found.shape[0]):
        key[t] = found[t, 0]
    found = found[np.argsort(key, kind="mergesort")]
    for t in range(found.shape[0]):
        key[t] = -log_phi[found[t, 0], found[t, 2]]
    return found[np.argsort(key, kind="mergesort")]


@kernel
def orient_colliders(amat, triples, stop):
    """Orient i -> k <- j for the triples in order, in place; refuse arrows that contradict another or close a cycle.

    Parameters
    ----------
    amat : (p, p) bool array
    triples : (m, 3) int64 array
    stop : (1,) int8 array

    Returns
    -------
    (n, 4) int64 array
        Rows ``fate, parent, k, other``, one for each arrow: fate is `ORIENTED`, `CONTRADICTED` or `CYCLIC`. Only the
        first refusal of an arrow is recorded, since there may be thousands.
    """
    p = amat.shape[0]
    ancestors = np.zeros((p, (p + 63) // 64), np.uint64)
    for i in range(p):
        for j in range(p):
            if amat[i, j] and not amat[j, i]:
                add_ancestors(ancestors, i, j)
    refused = np.zeros((p, p), np.bool_)
    log = np.empty((2 * amat.sum(), 4), np.int64)
    n = 0
    for t in range(triples.shape[0]):
        if stop[0]:
            break
        i, k, j = triples[t]
        fate = ORIENTED
        if not (amat[i, k] and amat[j, k]):
            fate = CONTRADICTED
        elif has_ancestor(ancestors, i, k) or has_ancestor(ancestors, j, k):
            fate = CYCLIC
        for parent, other in ((i, j), (j, i)):
            if fate == ORIENTED:
                if not amat[k, parent]:
                    continue
                amat[k, parent] = False
                add_ancestors(ancestors, parent, k)
            elif refused[parent, k]:
                continue
            else:
                refused[parent, k] = True
            log[n, 0], log[n, 1], log[n, 2], log[n, 3] = fate, parent, k, other
            n += 1
    return log[:n]


@kernel
def orient_and_close(amat, triples, stop):
    """Call `orient_colliders` and `meek_rules.close`; return the arrows of the first and both results of the second.

    Less is oriented once `stop` is set.
    """
    adjacency = np.zeros(amat.shape, np.bool_)
    for i in range(amat.shape[0]):
        for j in range(amat.shape[0]):
            adjacency[i, j] = amat[i, j] or amat[j, i]
    begin, near = neighbor_lists(adjacency)
    arrows = orient_colliders(amat, triples, stop)
    closed, implied = close(amat, begin, near, False, stop)
    return arrows, closed, implied
