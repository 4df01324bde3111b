"""Sums over all orders of a few variables, by dynamic programming.

Sets are bit masks. `local` (p, 2^p) float64 are ln weights of parent sets, -inf where not allowed. Koivisto (2006),
Advances in exact Bayesian structure discovery in Bayesian networks. UAI.
"""

import math

import numpy as np

from ..compiling import kernel

NEGLIGIBLE = -40.0  # difference from which on the smaller term changes no digit of a larger one beyond ±1


@kernel
def log_add(a, b):
    """Return ln(e^a + e^b)."""
    if a < b:
        a, b = b, a
    # Most sums on the way are of very different terms. Of these the larger one is the sum, to the last digit.
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
def sum_supersets(row):
    """Replace each entry by ln of the sum over the supersets of its mask, in place."""
    bit = 1
    while bit < row.shape[0]:
        for begin in range(0, row.shape[0], 2 * bit):
            for mask in range(begin, begin + bit):
                row[mask] = log_add(row[mask], row[mask + bit])
        bit <<= 1


@kernel
def fill_subset_sums(local, begin, end, sums, stop, done):
    """Compute for some nodes the ln weight of all parent sets within each mask.

    Parameters
    ----------
    local : (p, 2^p) float64 array
    begin, end : int
        The nodes ``begin .. end - 1``.
    sums : (p, 2^p) float64 array
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
def fill_orders(sums, first, last):
    """Compute the ln weights of the orders in which the nodes of each mask come first, or come last."""
    p, whole = sums.shape[0], sums.shape[1] - 1
    first[0] = last[0] = 0.0
    for mask in range(1, whole + 1):
        first[mask] = last[mask] = -np.inf
        for j in range(p):
            if mask >> j & 1:
                rest = mask ^ (1 << j)
                first[mask] = log_add(first[mask], first[rest] + sums[j, rest])
                last[mask] = log_add(last[mask], last[rest] + sums[j, whole ^ mask])


@kernel
def draw_orders(sums, first, uniforms, orders):
    """Draw orders with the probabilities of their DAGs, from the last node on.

    Parameters
    ----------
    sums : (p, 2^p) float64 array
        As in `fill_subset_sums`.
    first : (2^p,) float64 array
        As in `fill_orders`.
    uniforms : (n, p) float64 array
    orders : (n, p) int64 array
        Filled.
    """
    p = sums.shape[0]
    for t in range(orders.shape[0]):
        mask = sums.shape[1] - 1
        for place in range(p - 1, -1, -1):
            left, found = uniforms[t, place], -1
            for j in range(p):
                if mask >> j & 1:
                    rest = mask ^ (1 << j)
                    share = math.exp(first[rest] + sums[j, rest] - first[mask])
                    if share > 0.0:
                        found = j
                        left -= share
                        if left < 0.0:
                            break
            orders[t, place] = found
            mask ^= 1 << found


@kernel
def fill_arrows(local, first, last, begin, end, directed, stop, done):
    """Compute P(i -> j) under a uniform prior over orders, for some columns j.

    Parameters
    ----------
    local : (p, 2^p) float64 array
    first, last : (2^p,) float64 arrays
        As in `fill_orders`.
    begin, end : int
        The columns ``begin .. end - 1``.
    directed : (p, p) float64 array
        Increased.
    stop, done : (1,) int8 and int64 arrays
    """
    p, whole = local.shape[0], local.shape[1] - 1
    around = np.empty((whole + 1) // 2)  # indexed by masks of the other columns
    for j in range(begin, end):
        if stop[0]:
            return
        below = (1 << j) - 1
        for others in range(around.shape[0]):
            mask = others & below | (others & ~below) << 1
            around[others] = first[mask] + last[whole ^ mask ^ (1 << j)]
        sum_supersets(around)
        for others in range(around.shape[0]):
            mask = others & below | (others & ~below) << 1
            weight = around[others] + local[j, mask] - first[whole]
            if weight > -700.0:
                share = math.exp(weight)
                for i in range(p):
                    if mask >> i & 1:
                        directed[i, j] += share
        done[0] += 1
