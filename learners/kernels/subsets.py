"""Walking the k-subsets of a pool in lexicographic order, without a list of them."""

from numba import njit


@njit(cache=True, nogil=True)
def first_subset(size, chosen):
    """Positions 0 .. size - 1 into `chosen`."""
    for k in range(size):
        chosen[k] = k


@njit(cache=True, nogil=True)
def next_subset(size, n_pool, chosen):
    """Advance the positions `chosen` in place; False when the last subset was reached."""
    k = size - 1
    while k >= 0 and chosen[k] == n_pool - size + k:
        k -= 1
    if k < 0:
        return False
    chosen[k] += 1
    for later in range(k + 1, size):
        chosen[later] = chosen[later - 1] + 1
    return True


@njit(cache=True, nogil=True)
def fill_pool(adjacency, node, other, pool):
    """Neighbours of `node` but `other`, ascending, into `pool`; how many."""
    count = 0
    for k in range(adjacency.shape[0]):
        if k != other and adjacency[node, k]:
            pool[count] = k
            count += 1
    return count
