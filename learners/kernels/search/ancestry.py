"""Parents and ancestors of the DAG of a greedy search; see `hill_climbing.ClimbState`."""

import numpy as np

from ..compiling import kernel


@kernel
def is_ancestor(state, i, j):
    """Return True if i is j or an ancestor of it."""
    return (state.ancestors[j, i >> 6] >> np.uint64(i & 63)) & np.uint64(1) != 0


@kernel
def add_parent(state, i, j):
    """Make i a parent of j, without updating the ancestors."""
    n = state.n_parents[j]
    while n and state.parents[j, n - 1] > i:
        state.parents[j, n] = state.parents[j, n - 1]
        n -= 1
    state.parents[j, n] = i
    state.parent[j, i] = True
    state.n_parents[j] += 1


@kernel
def remove_parent(state, i, j):
    """Remove i from the parents of j, without updating the ancestors."""
    n = 0
    while state.parents[j, n] != i:
        n += 1
    state.n_parents[j] -= 1
    for k in range(n, state.n_parents[j]):
        state.parents[j, k] = state.parents[j, k + 1]
    state.parent[j, i] = False


@kernel
def list_parents(parent, parents, n_parents):
    """Fill the lists of parents from the matrix (see `ClimbState`)."""
    for j in range(parent.shape[0]):
        n_parents[j] = 0
        for i in range(parent.shape[0]):
            if parent[j, i]:
                parents[j, n_parents[j]] = i
                n_parents[j] += 1


@kernel
def extend_ancestors(state, i, j):
    """Update the ancestors after i -> j was added: j and its descendants gain those of i."""
    new = state.ancestors[i]
    for k in range(state.parent.shape[0]):
        if is_ancestor(state, j, k) and not is_ancestor(state, i, k):
            own = state.ancestors[k]
            for w in range(own.shape[0]):
                own[w] |= new[w]


@kernel
def find_ancestors(parents, n_parents, ancestors):
    """Compute all ancestors by sweeps over the edges until nothing changes."""
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
