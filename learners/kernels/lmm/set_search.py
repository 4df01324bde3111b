"""Search for the set given which two variables are least dependent.

Mahdi and Mezey (2013), equation 3. The sets of a pair form a tree: each node of it eliminates one more member from the
covariance of the rest, so that a set costs one step from the set before it.

Arguments of all functions here
-------------------------------
evidence : DependenceEvidence or TestedEvidence
heads : (2,) or (3,) int64 array
    The pair i, j, and perhaps a variable w.
members : (q,) int64 array
    Pool, without the heads.
low : (h - 1, max_size + 2) float64 array
    Smallest squared correlation given B (row 0) and given B and w (row 1), by the size of the whole set.
chain : (h - 1, max_size + 2, max_size) int16 array
    The sets B that reached `low`.
path : int64 array
    Positions in `members` of the set B.
"""

import numpy as np

from ..compiling import kernel
from .dependence import log_odds
from .tested import has_correlations, lower_entry, lower_one_by_one

REDUNDANT = 1e-12  # residual variance below which a variable counts as determined by others


@kernel
def search_sets(evidence, heads, members, begin, max_size, low, chain):
    """Lower `low` by the sets of up to `max_size` members; return the number of sets.

    Parameters
    ----------
    evidence, heads, members, low, chain
        As in the module's docstring; the last two are updated.
    begin : int
        Only sets with at least one of ``members[begin:]``.
    max_size : int
    """
    if max_size == 0:
        return 0
    path = np.empty(max_size, np.int64)
    if not has_correlations(evidence):
        return search_one_by_one(evidence, heads, members, begin, max_size, low, chain, path)
    n_heads, q, count = heads.shape[0], members.shape[0], 0
    block = np.empty((max_size, q + n_heads, q + n_heads))
    _gather_correlations(evidence.corr, heads, members, block[0])
    given = np.empty((n_heads, n_heads))
    for first in range(begin, q):
        # A set is searched from its last member down, so sets with a new member are those with a new first step.
        depth, path[0] = 0, first
        while depth >= 0:
            c = path[depth]
            row = n_heads + c
            if block[depth, row, row] >= REDUNDANT:
                _heads_given(block[depth], row, given)
                count += _lower_by_correlation(given, members, path, depth + 1, low, chain)
                if depth + 1 < max_size and c > 0:
                    eliminate(block[depth], block[depth + 1], n_heads, c, depth + 2 == max_size)
                    depth += 1
                    path[depth] = c - 1
                    continue
            depth = _next_set(path, depth)
    return count


@kernel
def search_one_by_one(evidence, heads, members, begin, max_size, low, chain, path):
    """Run `search_sets` with a test, or an entry of the table, for each set.

    It creates no array, since a kernel that does counts who holds each array of its arguments.

    Parameters
    ----------
    evidence, heads, members, begin, max_size, low, chain
        As in `search_sets`.
    path : (max_size,) int64 array
        Scratch.
    """
    count = 0
    if max_size == 0:
        return count
    for first in range(begin, members.shape[0]):
        depth, path[0] = 0, first
        while depth >= 0:
            count += lower_one_by_one(evidence, heads, members, path, depth + 1, low, chain)
            c = path[depth]
            if depth + 1 < max_size and c > 0:
                depth += 1
                path[depth] = c - 1
            else:
                depth = _next_set(path, depth)
    return count


@kernel
def search_empty_set(evidence, heads, low, chain):
    """Run `search_sets` for the empty B only.

    Parameters
    ----------
    evidence, heads, low, chain
        As in the module's docstring.
    """
    path = np.empty(0, np.int64)
    if not has_correlations(evidence):
        return lower_one_by_one(evidence, heads, path, path, 0, low, chain)
    given = np.empty((heads.shape[0], heads.shape[0]))
    _gather_correlations(evidence.corr, heads, path, given)
    return _lower_by_correlation(given, path, path, 0, low, chain)


@kernel
def min_log_odds(evidence, low):
    """Return (size, log-odds) of the set with the smallest log-odds, the smallest size among equal ones."""
    best, size = np.inf, 0
    for k in range(low.shape[0]):
        if low[k] <= 1.0:
            s = log_odds(evidence, k, low[k])
            if s < best:
                best, size = s, k
    return size, best


@kernel
def least_dependent(evidence, adjacency, x, y, i, max_size):
    """Return (size, log-odds, set padded with -1, sets seen) of the least dependence of x and y given neighbors of i.

    Parameters
    ----------
    evidence : DependenceEvidence
    adjacency : (p, p) bool array
    x, y, i : int
    max_size : int
    """
    members = np.flatnonzero(adjacency[i])
    size = min(max_size, members.shape[0])
    heads = np.array([x, y])
    low = np.full((1, size + 2), np.inf)
    chain = np.full((1, size + 2, size), -1, np.int16)
    count = search_empty_set(evidence, heads, low, chain)
    count += search_sets(evidence, heads, members, 0, size, low, chain)
    k, s = min_log_odds(evidence, low[0])
    return k, s, chain[0, k], count


@kernel
def squared_correlation(cov, var_i, var_j):
    """Return the squared correlation; 0 if a variance vanishes.

    A variable that the set determines is independent of the rest.
    """
    if var_i < REDUNDANT or var_j < REDUNDANT:
        return 0.0
    return min(cov * cov / (var_i * var_j), 1.0)


@kernel
def eliminate(block, inner, n_heads, c, last):
    """Condition the lower triangle of a covariance on one more member.

    Parameters
    ----------
    block : float64 array
        Covariance of the heads, then the members: member m has row ``n_heads + m``.
    inner : float64 array
        Filled for the heads and the members 0 .. c - 1.
    n_heads : int
    c : int
        The member.
    last : bool
        True: no two further members will be eliminated, so the covariances among members are left out.
    """
    row = n_heads + c
    scale = 1.0 / block[row, row]
    for a in range(row):
        factor = block[row, a] * scale
        for b in range(min(a + 1, n_heads) if last else a + 1):
            inner[a, b] = block[a, b] - factor * block[row, b]
        inner[a, a] = block[a, a] - factor * block[row, a]


@kernel
def _gather_correlations(corr, heads, members, block):
    """Write the correlations of heads and members to the lower triangle of `block`.

    Parameters
    ----------
    corr : (p, p) float64 array
    heads, members
        As in the module's docstring.
    block : float64 array
    """
    n_heads = heads.shape[0]
    for a in range(n_heads + members.shape[0]):
        u = heads[a] if a < n_heads else members[a - n_heads]
        for b in range(a + 1):
            block[a, b] = corr[u, heads[b] if b < n_heads else members[b - n_heads]]


@kernel
def _heads_given(block, row, given):
    """Store in `given` the lower triangle of the heads' covariance, conditional on the variable of `row`."""
    pivot = block[row, row]
    for a in range(given.shape[0]):
        for b in range(a + 1):
            given[a, b] = block[a, b] - block[row, a] * block[row, b] / pivot


@kernel
def _lower_by_correlation(given, members, path, size, low, chain):
    """Lower `low` by the set of the path, without and with the third head; return the number of sets.

    Parameters
    ----------
    given : (h, h) float64 array
        Covariance of the heads given the set.
    members, path, low, chain
        As in the module's docstring.
    size : int
        Number of members of the set.
    """
    squared = squared_correlation(given[1, 0], given[0, 0], given[1, 1])
    lower_entry(low[0], chain[0], size, squared, members, path, size)
    # A variable that the others determine adds nothing to the set.
    if given.shape[0] == 2 or given[2, 2] < REDUNDANT:
        return 1
    a, b, pivot = given[2, 0], given[2, 1], given[2, 2]
    squared = squared_correlation(given[1, 0] - a * b / pivot, given[0, 0] - a * a / pivot, given[1, 1] - b * b / pivot)
    lower_entry(low[1], chain[1], size + 1, squared, members, path, size)
    return 2


@kernel
def _next_set(path, depth):
    """Advance `path` to the next set of the search; return its depth, -1 at the end."""
    while depth > 0:
        path[depth] -= 1
        if path[depth] >= 0:
            return depth
        depth -= 1
    return -1
