"""The set given which two variables depend least on one another, whatever is held fixed.

Mahdi and Mezey (2013), equation 3. All sets of one pair are searched as a tree: each node eliminates one more member
from the covariance of what is left, so a set costs one step from the set before it.
"""

import numpy as np

from ..compiling import kernel
from .dependence import log_odds

REDUNDANT = 1e-12  # residual variance below which a variable counts as determined by others


@kernel
def search_sets(evidence, heads, members, begin, most, low, chain):
    """Smallest squared correlation of the first two heads for each size of set, over sets of members.

    Parameters
    ----------
    heads : (2,) or (3,) int64 array
        The pair i, j, and perhaps a variable w.
    members : (q,) int64 array
        Pool, without the heads.
    begin : int
        Only sets with at least one of ``members[begin:]``.
    most : int
        Largest set B of members.
    low : (h - 1, most + 2) float64 array
        Row 0: the smallest given B, row 1 the smallest given B and w, by the size of the whole set. Lowered in place.
    chain : (h - 1, most + 2, most) int16 array
        The sets B that reached `low`, as members.

    Returns
    -------
    int
        Number of sets looked at.
    """
    if most == 0:
        return 0
    n_heads, q, count = heads.shape[0], members.shape[0], 0
    by_table = evidence.separated.shape[2] > 0
    block = np.empty((most, q + n_heads, q + n_heads))
    if not by_table:
        _gather(evidence.corr, heads, members, block[0])
    given = np.empty((n_heads, n_heads))
    path = np.empty(most, np.int64)
    for first in range(begin, q):
        # A set is searched from its last member down, so those with a new member are those with a new first step.
        depth, path[0] = 0, first
        while depth >= 0:
            c = path[depth]
            row = n_heads + c
            if by_table or block[depth, row, row] >= REDUNDANT:
                if by_table:
                    count += _lower_by_table(evidence, heads, members, path, depth + 1, low, chain)
                else:
                    _heads_given(block[depth], row, given)
                    count += _lower_by_correlation(given, members, path, depth + 1, low, chain)
                if depth + 1 < most and c > 0:
                    if not by_table:
                        eliminate(block[depth], block[depth + 1], n_heads, c, depth + 2 == most)
                    depth += 1
                    path[depth] = c - 1
                    continue
            depth = _next(path, depth)
    return count


@kernel
def empty_set(evidence, heads, low, chain):
    """`search_sets` for the empty B alone."""
    path = np.empty(0, np.int64)
    if evidence.separated.shape[2]:
        return _lower_by_table(evidence, heads, path, path, 0, low, chain)
    given = np.empty((heads.shape[0], heads.shape[0]))
    _gather(evidence.corr, heads, path, given)
    return _lower_by_correlation(given, path, path, 0, low, chain)


@kernel
def least(evidence, low):
    """Size of the set with the smallest log-odds, and these; of equal ones the smallest size."""
    best, size = np.inf, 0
    for k in range(low.shape[0]):
        if low[k] <= 1.0:
            s = log_odds(evidence, k, low[k])
            if s < best:
                best, size = s, k
    return size, best


@kernel
def least_dependent(evidence, adjacency, x, y, i, most):
    """Least dependence of x and y over sets of neighbours of i: (size, log-odds, the set padded with -1, sets seen)."""
    members = np.flatnonzero(adjacency[i])
    size = min(most, members.shape[0])
    heads = np.array([x, y])
    low = np.full((1, size + 2), np.inf)
    chain = np.full((1, size + 2, size), -1, np.int16)
    count = empty_set(evidence, heads, low, chain)
    count += search_sets(evidence, heads, members, 0, size, low, chain)
    k, s = least(evidence, low[0])
    return k, s, chain[0, k], count


@kernel
def squared_correlation(cov, var_i, var_j):
    """Squared correlation; 0 if either variance is gone, for what a set determines is independent of the rest."""
    if var_i < REDUNDANT or var_j < REDUNDANT:
        return 0.0
    return min(cov * cov / (var_i * var_j), 1.0)


@kernel
def eliminate(block, inner, n_heads, c, last):
    """Lower triangle of the covariance of the heads and of members 0 .. c - 1, given member c too, into `inner`.

    Heads have the first rows of a block, member m row ``n_heads + m``. With `last` no third member will be eliminated
    from `inner` beside another: the covariances among members are left out, which are most of the work.
    """
    row = n_heads + c
    scale = 1.0 / block[row, row]
    for a in range(row):
        factor = block[row, a] * scale
        for b in range(min(a + 1, n_heads) if last else a + 1):
            inner[a, b] = block[a, b] - factor * block[row, b]
        inner[a, a] = block[a, a] - factor * block[row, a]


@kernel
def _gather(corr, heads, members, block):
    """Lower triangle of the correlations of heads and members."""
    n_heads = heads.shape[0]
    for a in range(n_heads + members.shape[0]):
        u = heads[a] if a < n_heads else members[a - n_heads]
        for b in range(a + 1):
            block[a, b] = corr[u, heads[b] if b < n_heads else members[b - n_heads]]


@kernel
def _heads_given(block, row, given):
    """Lower triangle of the heads' covariance given the variable of `row` too."""
    pivot = block[row, row]
    for a in range(given.shape[0]):
        for b in range(a + 1):
            given[a, b] = block[a, b] - block[row, a] * block[row, b] / pivot


@kernel
def _lower_by_correlation(given, members, path, size, low, chain):
    """Lower `low` by the set of the path, with and without the third head; how many sets that were."""
    squared = squared_correlation(given[1, 0], given[0, 0], given[1, 1])
    _lower(low[0], chain[0], size, squared, members, path, size)
    # What the other variables determine adds nothing to the set: it is the set without it.
    if given.shape[0] == 2 or given[2, 2] < REDUNDANT:
        return 1
    a, b, pivot = given[2, 0], given[2, 1], given[2, 2]
    squared = squared_correlation(given[1, 0] - a * b / pivot, given[0, 0] - a * a / pivot, given[1, 1] - b * b / pivot)
    _lower(low[1], chain[1], size + 1, squared, members, path, size)
    return 2


@kernel
def _lower_by_table(evidence, heads, members, path, size, low, chain):
    """`_lower_by_correlation` with perfect information: 0 where a set separates, 1 where it does not."""
    bits = 0
    for t in range(size):
        bits |= 1 << members[path[t]]
    separated = evidence.separated[heads[0], heads[1]]
    _lower(low[0], chain[0], size, 0.0 if separated[bits] else 1.0, members, path, size)
    if heads.shape[0] == 2:
        return 1
    _lower(low[1], chain[1], size + 1, 0.0 if separated[bits | (1 << heads[2])] else 1.0, members, path, size)
    return 2


@kernel
def _lower(low, chain, size, squared, members, path, length):
    if squared < low[size]:
        low[size] = squared
        for t in range(length):
            chain[size, t] = members[path[t]]
        chain[size, length:] = -1


@kernel
def _next(path, depth):
    """Step to the next set of the search; its depth, -1 at the end."""
    while depth > 0:
        path[depth] -= 1
        if path[depth] >= 0:
            return depth
        depth -= 1
    return -1
