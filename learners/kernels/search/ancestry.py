"""Parents and ancestors of the DAG that a greedy search stands at; see `climbing.Climb`."""

import numpy as np

from ..compiling import kernel


@kernel
def is_ancestor(state, i, j):
    """Whether i is j or an ancestor of it."""
    return (state.ancestors[j, i >> 6] >> np.uint64(i & 63)) & np.uint64(1) != 0


@kernel
def join(state, i, j):
    """Make i a parent of j, and no more."""
    n = state.n_parents[j]
    while n and state.parents[j, n - 1] > i:
        state.parents[j, n] = state.parents[j, n - 1]
        n -= 1
    state.parents[j, n] = i
    state.parent[j, i] = True
    state.n_parents[j] += 1


@kernel
def part(state, i, j):
    """Take i from the parents of j, and no more."""
    n = 0
    while state.parents[j, n] != i:
        n += 1
    state.n_parents[j] -= 1
    for k in range(n, state.n_parents[j]):
        state.parents[j, k] = state.parents[j, k + 1]
    state.parent[j, i] = False


@kernel
def list_parents(parent, parents, n_parents):
    """Fill the lists from the matrix (see `Climb`)."""
    for j in range(parent.shape[0]):
        n_parents[j] = 0
        for i in range(parent.shape[0]):
            if parent[j, i]:
                parents[j, n_parents[j]] = i
                n_parents[j] += 1


@kernel
def extend_ancestors(state, i, j):
    """After adding i -> j: j and its descendants gain the ancestors of i."""
    for k in range(state.parent.shape[0]):
        if is_ancestor(state, j, k):
            state.ancestors[k] |= state.ancestors[i]


@kernel
def find_ancestors(parents, n_parents, ancestors):
    """All ancestors anew: sweep over the edges until nothing changes."""
    p = ancestors.shape[0]
    ancestors[:] = 0
    for j in range(p):
        ancestors[j, j >> 6] = np.uint64(1) << np.uint64(j & 63)
    changed = True
    while changed:
        changed = False
        for j in range(p):
            own = ancestors[j]
            for i in parents[j, : n_parents[j]]:
                of_parent, new = ancestors[i], np.uint64(0)
                for w in range(own.shape[0]):
                    new |= of_parent[w] & ~own[w]
                    own[w] |= of_parent[w]
                changed |= new != 0
