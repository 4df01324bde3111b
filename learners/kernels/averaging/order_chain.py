"""Markov chain of orders: each order weighs as much as all DAGs that agree with it.

Friedman and Koller (2003), Being Bayesian about network structure, Machine Learning 50. Moves of Kuipers, Suter and
Moffa (2022), Efficient sampling and structure learning of Bayesian networks: two nodes, neighbors or any two, exchange
positions, and a node is moved within a window, to each position with its probability.

Arguments of all functions here
-------------------------------
table : (p, 2^k) float64 array
    As in `parent_sets.fill_weights`.
flag : (p, p) int64 array
    Bit of i among the candidates of j; 0 if i is not a candidate.
chain : Chain
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel

NEIGHBOURS, PAIRS = 0.3, 0.5  # cumulative shares of these exchanges; other moves relocate a node in a window
MAX_WINDOW = 48  # maximum number of nodes of a window


class Chain(NamedTuple):
    """State of a chain.

    Attributes
    ----------
    order : (p,) int64 array
    before : (p,) int64 array
        Mask of the candidates before each node.
    needed : (p,) int64 array
        Mask of candidates of which a parent set must have one; 0 for none.
    value : (p,) float64 array
        ln weight of each node's parent sets.
    """

    order: np.ndarray
    before: np.ndarray
    needed: np.ndarray
    value: np.ndarray


@kernel
def start_order(table, flag, chain):
    """Fill `before`, `needed` and `value` for the order."""
    p = chain.order.shape[0]
    chain.needed[:] = 0
    for t in range(p):
        j = chain.order[t]
        chain.before[j] = 0
        for s in range(t):
            chain.before[j] |= flag[j, chain.order[s]]
        chain.value[j] = table[j, chain.before[j]]


@kernel
def move_orders(table, flag, uniforms, chain, stop):
    """Make a move for each row of random numbers.

    Parameters
    ----------
    table, flag, chain
        As in the module's docstring.
    uniforms : (steps, 4) float64 array
    stop : (1,) int8 array
    """
    p = chain.order.shape[0]
    if p < 2:  # there is only one order
        return
    wide = min(p, MAX_WINDOW)
    gains = np.empty(wide)
    for t in range(uniforms.shape[0]):
        if stop[0]:
            return
        u = uniforms[t]
        if u[0] < NEIGHBOURS:
            at = int(u[1] * (p - 1))
            exchange(table, flag, chain, at, at + 1, u[3])
        elif u[0] < PAIRS:
            s, e = int(u[1] * p), int(u[2] * (p - 1))
            e += e >= s
            exchange(table, flag, chain, min(s, e), max(s, e), u[3])
        else:
            relocate(table, flag, chain, int(u[1] * (p - wide + 1)), int(u[2] * wide), gains, u[3])


@kernel
def exchange(table, flag, chain, s, e, u):
    """Exchange the nodes at the positions s < e, if that is accepted.

    Parameters
    ----------
    table, flag, chain
        As in the module's docstring.
    s, e : int
    u : float
        Uniform random number.
    """
    order, before, value = chain.order, chain.before, chain.value
    a, b = order[s], order[e]
    of_a, of_b, gain = before[a] | flag[a, b], before[b] & ~flag[b, a], 0.0
    for k in range(s + 1, e):
        w = order[k]
        of_a |= flag[a, w]
        of_b &= ~flag[b, w]
        if flag[w, a] or flag[w, b]:
            gain += table[w, (before[w] | flag[w, b]) & ~flag[w, a]] - value[w]
    gain += table[a, of_a] - value[a] + table[b, of_b] - value[b]
    if not math.log(max(u, 1e-300)) < gain:
        return
    for k in range(s + 1, e):
        w = order[k]
        before[w] = (before[w] | flag[w, b]) & ~flag[w, a]
        value[w] = table[w, before[w]]
    order[s], order[e], before[a], before[b] = b, a, of_a, of_b
    value[a], value[b] = table[a, of_a], table[b, of_b]


@kernel
def relocate(table, flag, chain, first, home, gains, u):
    """Draw the position of a node within a window.

    Parameters
    ----------
    table, flag, chain
        As in the module's docstring.
    first : int
        First position of the window.
    home : int
        Position of the node in the window.
    gains : float64 array
        Scratch, as long as the window.
    u : float
        Uniform random number.
    """
    order, before, value = chain.order, chain.before, chain.value
    v = order[first + home]
    gains[home] = 0.0
    for step in (-1, 1):
        mask, others, k = before[v], 0.0, home + step
        while 0 <= k < gains.shape[0]:
            w = order[first + k]
            if flag[w, v]:
                others += table[w, before[w] ^ flag[w, v]] - value[w]
            mask ^= flag[v, w]
            gains[k] = others + table[v, mask] - value[v]
            k += step
    to = draw_position(gains, u)
    step = 1 if to > home else -1
    for k in range(home, to, step):
        w = order[first + k + step]
        before[v] ^= flag[v, w]
        if flag[w, v]:
            before[w] ^= flag[w, v]
            value[w] = table[w, before[w]]
        order[first + k] = w
    order[first + to] = v
    value[v] = table[v, before[v]]


@kernel
def draw_position(gains, u):
    """Draw a position with probability proportional to exp(gain)."""
    highest = gains[0]
    for k in range(1, gains.shape[0]):
        highest = max(highest, gains[k])
    total = 0.0
    for k in range(gains.shape[0]):
        total += math.exp(gains[k] - highest)
    left, found = u * total, 0
    for k in range(gains.shape[0]):
        share = math.exp(gains[k] - highest)
        if share > 0.0:
            found = k
            left -= share
            if left < 0.0:
                break
    return found
