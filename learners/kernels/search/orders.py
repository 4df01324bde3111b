"""Sums over all orders of a few variables, by dynamic programming, and a chain of DAGs that leaps by them.

Sets are bit masks. `local` (p, 2^p) float64 are ln weights of parent sets, -inf where not allowed.
"""

import math

import numpy as np

from ..compiling import kernel
from ..copying import copy


@kernel
def log_add(a, b):
    """ln(e^a + e^b)."""
    if a < b:
        a, b = b, a
    return a if b == -np.inf else a + math.log1p(math.exp(b - a))


@kernel
def sum_subsets(row):
    """In place: ln of the sum over the subsets of each mask."""
    bit = 1
    while bit < row.shape[0]:
        for mask in range(row.shape[0]):
            if mask & bit:
                row[mask] = log_add(row[mask], row[mask ^ bit])
        bit <<= 1


@kernel
def sum_supersets(row):
    """In place: ln of the sum over the supersets of each mask."""
    bit = 1
    while bit < row.shape[0]:
        for mask in range(row.shape[0]):
            if not mask & bit:
                row[mask] = log_add(row[mask], row[mask | bit])
        bit <<= 1


@kernel
def fill_subset_sums(local, begin, end, sums, stop, done):
    """Rows of `sums` (p, 2^p): of node j the ln weight of all parent sets within each mask."""
    for j in range(begin, end):
        if stop[0]:
            return
        sums[j] = local[j]
        sum_subsets(sums[j])
        done[0] += 1


@kernel
def fill_orders(sums, first, last):
    """ln weights of the orders in which the nodes of each mask come `first`, or come `last` after all others."""
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
    """Orders (n, p), each with the probability of its DAGs, drawn from the last node on by `uniforms` (n, p)."""
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
    """Columns of `directed` (p, p): P(i -> j) where every order is as likely beforehand; Koivisto (2006)."""
    p, whole = local.shape[0], local.shape[1] - 1
    around = np.empty(whole + 1)
    for j in range(begin, end):
        if stop[0]:
            return
        for mask in range(whole + 1):
            before = mask >> j & 1
            around[mask] = -np.inf if before else first[mask] + last[whole ^ mask ^ (1 << j)]
        sum_supersets(around)
        for mask in range(whole + 1):
            weight = around[mask] + local[j, mask] - first[whole]
            if weight > -700.0:
                for i in range(p):
                    if mask >> i & 1:
                        directed[i, j] += math.exp(weight)
        done[0] += 1


@kernel
def run_chain(local, log_q, leap, uniforms, parents, thin, kept, n_leapt, stop, done):
    """Metropolis-Hastings over DAGs, uniform before the data; every `thin`-th DAG goes into `kept` (n, p) int64 masks.

    `parents` (p,) are the masks to begin with, changed in place. A step leaps with probability `leap`: each pair is
    drawn anew from `log_q` (p, p), ln P(i -> j); what i -> j and j -> i leave is the share of no edge.
    Else one pair changes. `uniforms` (steps, 4 + p (p - 1) / 2); `n_leapt` (2,) counts leaps tried and taken.
    Eaton and Murphy (2007).
    """
    p = local.shape[0]
    new = np.empty(p, np.int64)
    here = weight_of(local, parents)
    here_q = log_q_of(log_q, parents)
    for t in range(uniforms.shape[0]):
        if stop[0]:
            return
        u = uniforms[t]
        copy(parents, new)
        leaps = u[0] < leap
        if leaps:
            n_leapt[0] += 1
            redraw(log_q, u, new)
        else:
            change(u, new)
        if is_acyclic(new):
            there = weight_of(local, new)
            ratio = there - here
            there_q = log_q_of(log_q, new) if leaps or leap > 0.0 else 0.0
            if leaps:
                ratio += here_q - there_q
            if math.log(max(u[3], 1e-300)) < ratio:
                copy(new, parents)
                here, here_q = there, there_q
                n_leapt[1] += leaps
        if (t + 1) % thin == 0:
            kept[(t + 1) // thin - 1] = parents
        done[0] += 1


@kernel
def change(u, parents):
    """Give one pair, drawn by u[1], another of its three states, drawn by u[2]."""
    p = parents.shape[0]
    t = min(int(u[1] * (p * (p - 1) // 2)), p * (p - 1) // 2 - 1)
    i = 0
    while t >= p - 1 - i:
        t -= p - 1 - i
        i += 1
    j = i + 1 + t
    now = 1 if parents[j] >> i & 1 else 2 if parents[i] >> j & 1 else 0
    turn = (now + 1 + int(u[2] < 0.5)) % 3
    parents[j] &= ~(1 << i)
    parents[i] &= ~(1 << j)
    if turn == 1:
        parents[j] |= 1 << i
    elif turn == 2:
        parents[i] |= 1 << j


@kernel
def redraw(log_q, u, parents):
    """Draw all pairs anew."""
    p = parents.shape[0]
    parents[:] = 0
    t = 4
    for i in range(p):
        for j in range(i + 1, p):
            forward, backward = math.exp(log_q[i, j]), math.exp(log_q[j, i])
            if u[t] < forward:
                parents[j] |= 1 << i
            elif u[t] < forward + backward:
                parents[i] |= 1 << j
            t += 1


@kernel
def log_q_of(log_q, parents):
    """ln of the probability that `redraw` draws these."""
    p = parents.shape[0]
    total = 0.0
    for i in range(p):
        for j in range(i + 1, p):
            if parents[j] >> i & 1:
                total += log_q[i, j]
            elif parents[i] >> j & 1:
                total += log_q[j, i]
            else:
                total += math.log1p(-math.exp(log_q[i, j]) - math.exp(log_q[j, i]))
    return total


@kernel
def weight_of(local, parents):
    """ln weight of a DAG."""
    total = 0.0
    for j in range(local.shape[0]):
        total += local[j, parents[j]]
    return total


@kernel
def is_acyclic(parents):
    """Whether sources can be taken away one by one."""
    p = parents.shape[0]
    left = (1 << p) - 1
    while left:
        before = left
        for j in range(p):
            if left >> j & 1 and not parents[j] & left:
                left ^= 1 << j
        if left == before:
            return False
    return True
