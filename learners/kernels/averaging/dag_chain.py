"""Markov chain of DAGs with a global proposal from exact edge probabilities.

Eaton and Murphy (2007), Bayesian structure learning using dynamic programming and MCMC. UAI. `local` (p, 2^p) float64
are ln weights of parent sets; parent sets are bit masks.
"""

import math

import numpy as np

from ..arrays import copy
from ..compiling import kernel


@kernel
def run_chain(local, log_q, leap, uniforms, parents, thin, kept, n_leapt, stop, done):
    """Run Metropolis-Hastings over DAGs with a uniform prior, and keep every `thin`-th DAG.

    A step is global with probability `leap`: each pair is redrawn from `log_q`, without an edge with
    probability 1 - P(i -> j) - P(j -> i). Otherwise one pair changes.

    Parameters
    ----------
    local : (p, 2^p) float64 array
    log_q : (p, p) float64 array
        ln P(i -> j).
    leap : float
    uniforms : (steps, 4 + p (p - 1) / 2) float64 array
    parents : (p,) int64 array
        Masks to start from; changed in place.
    thin : int
    kept : (n, p) int64 array
        Filled.
    n_leapt : (2,) int64 array
        Counts the global steps proposed and accepted.
    stop, done : (1,) int8 and int64 arrays
    """
    p = local.shape[0]
    new = np.empty(p, np.int64)
    here = log_weight_of_dag(local, parents)
    here_q = log_proposal(log_q, parents)
    for t in range(uniforms.shape[0]):
        if stop[0]:
            return
        u = uniforms[t]
        copy(parents, new)
        leaps = u[0] < leap
        if leaps:
            n_leapt[0] += 1
            redraw_pairs(log_q, u, new)
        else:
            change_pair(u, new)
        if is_acyclic(new):
            there = log_weight_of_dag(local, new)
            ratio = there - here
            there_q = log_proposal(log_q, new) if leaps or leap > 0.0 else 0.0
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
def change_pair(u, parents):
    """Change one pair, drawn by u[1], to another of its three states, drawn by u[2]."""
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
def redraw_pairs(log_q, u, parents):
    """Draw all pairs again."""
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
def log_proposal(log_q, parents):
    """Return ln of the probability that `redraw_pairs` draws these parents."""
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
def log_weight_of_dag(local, parents):
    """Return the ln weight of a DAG."""
    total = 0.0
    for j in range(local.shape[0]):
        total += local[j, parents[j]]
    return total


@kernel
def is_acyclic(parents):
    """Return True if all nodes can be removed one by one as sources."""
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
