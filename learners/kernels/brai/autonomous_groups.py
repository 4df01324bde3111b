"""The autonomous groups on which a call of RAI recurses; arguments as in `refinement`."""

import numpy as np

from ..compiling import kernel


@kernel
def split_groups(inside, amat):
    """Return (label, n_groups): the autonomous group of each node, -1 for exogenous ones.

    The descendant group is the last: the chain components without an arrow to another one. The connected components of
    the remaining nodes are the ancestor groups. If the arrows contain a cycle, all nodes are descendants.
    """
    m = inside.shape[0]
    chain = components(inside, amat, True)
    leaves = np.ones(m, np.bool_)  # True for chain components without an arrow to another one
    for i in range(m):
        for j in range(m):
            if inside[i] and inside[j] and chain[i] != chain[j] and amat[i, j]:
                leaves[chain[i]] = False
    above = inside.copy()
    any_leaf = False
    for i in range(m):
        if inside[i] and leaves[chain[i]]:
            above[i] = False
            any_leaf = True
    if not any_leaf:
        above[:] = False
    label = components(above, amat, False)
    n_groups = label.max() + 1 if m else 0
    for i in range(m):
        if inside[i] and not above[i]:
            label[i] = n_groups
    return label, n_groups + 1


@kernel
def components(of, amat, undirected):
    """Return the connected component of each of the nodes `of`, (m,) int64; -1 for other nodes.

    `undirected`: only undirected edges connect.
    """
    m = of.shape[0]
    label = np.full(m, -1, np.int64)
    todo = np.empty(m, np.int64)
    n_found = 0
    for start in range(m):
        if not of[start] or label[start] >= 0:
            continue
        label[start] = n_found
        todo[0], n = start, 1
        while n:
            n -= 1
            v = todo[n]
            for k in range(m):
                near = (amat[v, k] and amat[k, v]) if undirected else (amat[v, k] or amat[k, v])
                if near and of[k] and label[k] < 0:
                    label[k] = n_found
                    todo[n] = k
                    n += 1
        n_found += 1
    return label


@kernel
def max_fan_in(inside, amat, label, n_groups):
    """Return (n_groups,) int64: the largest number of potential parents of a node in each group.

    Parameters
    ----------
    inside : (m,) bool array
    amat : (m, m) bool array
    label : (m,) int64 array
        Group of each node.
    n_groups : int
    """
    n_parents = np.zeros(n_groups, np.int64)
    for j in range(inside.shape[0]):
        if inside[j] and label[j] >= 0:
            n = 0
            for k in range(inside.shape[0]):
                n += amat[k, j]
            n_parents[label[j]] = max(n_parents[label[j]], n)
    return n_parents
