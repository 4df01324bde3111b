"""Unshielded triples that the separating sets call colliders, and their orientation, strongest first."""

import numpy as np

from ..compiling import kernel
from ..tests.subsets import neighbor_lists
from .closure import close

ORIENTED, CONTRADICTED, CYCLIC = 0, 1, 2  # what became of an arrow that was proposed


@kernel
def is_collider(adjacency, present, members, i, k, j):
    """Whether i and j are apart, were separated, and k is not in the set that did it."""
    if adjacency[i, j] or not present[i, j]:
        return False
    for t in range(members.shape[2]):  # noqa: SIM110  (no generators in a kernel)
        if members[i, j, t] == k:
            return False
    return True


@kernel
def find_colliders(adjacency, begin, near, present, members):
    """(m, 3) int64 of all triples i - k - j, i < j, that are colliders; ascending in k, i, j.

    `begin` and `near` list neighbours as `subsets.neighbor_lists` does; `present` and `members` are those of `Sepsets`.
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
    """As `find_colliders`, but in the order of falling `log_phi` (p, p) of the ends, then ascending in i, k, j."""
    found = find_colliders(adjacency, begin, near, present, members)
    key = np.empty(found.shape[0])
    for t in range(found.shape[0]):
        key[t] = found[t, 0]
    found = found[np.argsort(key, kind="mergesort")]
    for t in range(found.shape[0]):
        key[t] = -log_phi[found[t, 0], found[t, 2]]
    return found[np.argsort(key, kind="mergesort")]


@kernel
def above(ancestors, node, other):
    """Whether `other` is an ancestor of `node`."""
    return (ancestors[node, other >> 6] >> np.uint64(other & 63)) & np.uint64(1) == np.uint64(1)


@kernel
def add_arrow(ancestors, parent, child):
    """Keep the ancestors of all nodes right when parent -> child is added."""
    for v in range(ancestors.shape[0]):
        if v == child or above(ancestors, v, child):
            for word in range(ancestors.shape[1]):
                ancestors[v, word] |= ancestors[parent, word]
            ancestors[v, parent >> 6] |= np.uint64(1) << np.uint64(parent & 63)


@kernel
def orient_colliders(amat, triples, stop):
    """Orient i -> k <- j for the triples in their order, in place; refuse what contradicts an arrow or closes a cycle.

    Returns
    -------
    (n, 4) int64 array
        Rows ``fate, parent, k, other``, one an arrow: fate is ORIENTED, CONTRADICTED or CYCLIC. Of the refusals of an
        arrow only the first is told, for there may be thousands.
    """
    p = amat.shape[0]
    ancestors = np.zeros((p, (p + 63) // 64), np.uint64)
    for i in range(p):
        for j in range(p):
            if amat[i, j] and not amat[j, i]:
                add_arrow(ancestors, i, j)
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
        elif above(ancestors, i, k) or above(ancestors, j, k):
            fate = CYCLIC
        for parent, other in ((i, j), (j, i)):
            if fate == ORIENTED:
                if not amat[k, parent]:
                    continue
                amat[k, parent] = False
                add_arrow(ancestors, parent, k)
            elif refused[parent, k]:
                continue
            else:
                refused[parent, k] = True
            log[n, 0], log[n, 1], log[n, 2], log[n, 3] = fate, parent, k, other
            n += 1
    return log[:n]


@kernel
def oriented(amat, triples, stop):
    """What `orient_colliders` makes of a graph, in place, and then Meek's rules: its arrows, and what `close` returns.

    Less than that once `stop` is set.
    """
    adjacency = np.zeros(amat.shape, np.bool_)
    for i in range(amat.shape[0]):
        for j in range(amat.shape[0]):
            adjacency[i, j] = amat[i, j] or amat[j, i]
    begin, near = neighbor_lists(adjacency)
    arrows = orient_colliders(amat, triples, stop)
    closed, implied = close(amat, begin, near, False, stop)
    return arrows, closed, implied
