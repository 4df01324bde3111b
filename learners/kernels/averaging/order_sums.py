"""Sums over all orders of a few variables, by dynamic programming.

Sets are bit masks. Parents of node j are masks of the p - 1 other nodes, in which the nodes after j have one place
less. Koivisto (2006), Advances in exact Bayesian structure discovery in Bayesian networks. UAI.
"""

import math

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount

# Difference of logarithms beyond which the smaller term changes the larger one by rounding error only.
NEGLIGIBLE = -40.0


@kernel
def log_add(a, b):
    """Return ln(e^a + e^b)."""
    if a < b:
        a, b = b, a
    # Most partial sums have terms of very different size; the larger term then equals the sum to the last digit.
    if b == -np.inf or (b - a < NEGLIGIBLE and abs(a) >= 1.0):
        return a
    return a + math.log1p(math.exp(b - a))


@kernel
def sum_subsets(row):
    """Replace each entry by ln of the sum over the subsets of its mask, in place."""
    bit = 1
    while bit < row.shape[0]:
        for begin in range(bit, row.shape[0], 2 * bit):
            for mask in range(begin, begin + bit):
                row[mask] = log_add(row[mask], row[mask - bit])
        bit <<= 1


@kernel
def sum_supersets(row, most):
    """Replace the entries of masks with at most `most` members by ln of the sum over their supersets, in place.

    The other entries are left with sums over some of their supersets.
    """
    bit = 1
    while bit < row.shape[0]:
        for begin in range(0, row.shape[0], 2 * bit):
            for mask in range(begin, begin + bit):
                # No required sum needs an entry with more members than this among the bits so far.
                if np.int64(popcount(np.uint64(mask & (bit - 1)))) <= most:
                    row[mask] = log_add(row[mask], row[mask + bit])
        bit <<= 1


@kernel
def fill_subset_sums(local, begin, end, sums, stop, done):
    """Compute for some nodes the ln weight of all parent sets within each mask of the others.

    Parameters
    ----------
    local : (p, 2^(p-1)) float64 array
        ln weights of the parent sets, -inf where not allowed.
    begin, end : int
        The nodes ``begin .. end - 1``.
    sums : (p, 2^(p-1)) float64 array
        Filled.
    stop, done : (1,) int8 and int64 arrays
    """
    for j in range(begin, end):
        if stop[0]:
            return
        sums[j] = local[j]
        sum_subsets(sums[j])
        done[0] += 1


@kernel
def among_others(mask, j):
    """Return a mask of nodes without j as a mask of the nodes other than j."""
    below = (1 << j) - 1
    return mask & below | mask >> 1 & ~below


@kernel
def among_all(others, j):
    """Return a mask of the nodes other than j as a mask of all nodes."""
    below = (1 << j) - 1
    return others & below | (others & ~below) << 1


@kernel
def fill_orders(sums, begin, end, weights, stop, done):
    """Compute the ln weights of the orders in which the nodes of each mask come first, and come last.

    Parameters
    ----------
    sums : (p, 2^(p-1)) float64 array
        ln of the sum of the weights of all parent sets within each mask of the other nodes.
    begin, end : int
        The rows ``begin .. end - 1`` of `weights`.
    weights : (2, 2^p) float64 array
        Filled: nodes that come first in row 0, last in row 1.
    stop, done : (1,) int8 and int64 arrays
    """
    p, whole = sums.shape[0], weights.shape[1] - 1
    for side in range(begin, end):
        weights[side, 0] = 0.0
        for mask in range(1, whole + 1):
            if stop[0]:
                return
            total = -np.inf
            for j in range(p):
                if mask >> j & 1:
                    rest = mask ^ (1 << j)
                    before = rest if side == 0 else whole ^ mask
                    total = log_add(total, weights[side, rest] + sums[j, among_others(before, j)])
            weights[side, mask] = total
        done[0] += 1


@kernel
def draw_orders(sums, first, uniforms, orders):
    """Draw orders with the probabilities of their DAGs, from the last node on.

    Parameters
    ----------
    sums : (p, 2^(p-1)) float64 array
        As in `fill_orders`.
    first : (2^p,) float64 array
        The first row of `fill_orders`.
    uniforms : (n, p) float64 array
    orders : (n, p) int64 array
        Filled.
    """
    p = sums.shape[0]
    for t in range(orders.shape[0]):
        mask = first.shape[0] - 1
        for place in range(p - 1, -1, -1):
            left, found = uniforms[t, place], -1
            for j in range(p):
                if mask >> j & 1:
                    rest = mask ^ (1 << j)
                    share = math.exp(first[rest] + sums[j, among_others(rest, j)] - first[mask])
                    if share > 0.0:
                        found = j
                        left -= share
                        if left < 0.0:
                            break
            orders[t, place] = found
            mask ^= 1 << found


@kernel
def fill_arrows(sets, scores, n_sets, weights, begin, end, directed, stop, done):
    """Compute P(i -> j) under a uniform prior over orders, for some columns j.

    Parameters
    ----------
    sets : (p, s) int64 array
        Allowed parents of each node, as masks of the other nodes.
    scores : (p, s) float64 array
        Their ln weights.
    n_sets : (p,) int64 array
        Number of sets of each node.
    weights : (2, 2^p) float64 array
        As in `fill_orders`.
    begin, end : int
        The columns ``begin .. end - 1``.
    directed : (p, p) float64 array
        Increased.
    stop, done : (1,) int8 and int64 arrays
    """
    p, whole = directed.shape[0], weights.shape[1] - 1
    around = np.empty((whole + 1) // 2)
    for j in range(begin, end):
        if stop[0]:
            return
        for others in range(around.shape[0]):
            mask = among_all(others, j)
            around[others] = weights[0, mask] + weights[1, whole ^ mask ^ (1 << j)]
        most = 0
        for t in range(n_sets[j]):
            most = max(most, np.int64(popcount(np.uint64(sets[j, t]))))
        sum_supersets(around, most)
        for t in range(n_sets[j]):
            weight = around[sets[j, t]] + scores[j, t] - weights[0, whole]
            if weight > -700.0:
                share, mask = math.exp(weight), among_all(sets[j, t], j)
                for i in range(p):
                    if mask >> i & 1:
                        directed[i, j] += share
        done[0] += 1
