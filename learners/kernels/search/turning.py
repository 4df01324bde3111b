"""Turning operators of greedy equivalence search: what each would gain, and whether it is valid.

Hauser and Bühlmann (2012), section 4.3, for observed data. Turn(x, y, C) makes x -> y in DAGs of the class that have
y -> x, where C of the undirected neighbours of y, x apart, are its parents. With N those neighbours that are joined to
x, C is a clique and

- if y -> x, C holds N, and C and the undirected neighbours of x block every other semi-directed path from y to x;
- if y - x, C holds a node outside N, and C & N separates C - N from N - C among the neighbours of y.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.classes import after_turn, agrees, leads_to
from ..scores.families import local_score
from .cliques import family_of, n_joined, next_clique, surroundings
from .decomposition import arrow, joined, open_edge

MOST_SCORES = 4  # of a turn: two families before and two after it


@kernel
def fill_turns(sample, cache, rules, state, y):
    """Ceilings of the turns into x -> y, paths left aside; False if the cache has no room."""
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    state.ceiling[y] = -np.inf
    for x in state.near[state.begin[y] : state.begin[y + 1]]:
        if not state.amat[y, x]:
            continue
        rest = pool[pool != x]
        chosen, size = np.empty(rest.shape[0], np.int64), 0
        while size >= 0:
            if parents.shape[0] + size < rules.max_parents and may_be_turned(state, rest, chosen, size, x, y):
                if 2 * (cache.used[0] + MOST_SCORES) > cache.keys.shape[0]:
                    return False
                gain = gain_of_turn(sample, cache, rules, state, x, y, parents, rest, chosen, size)
                state.ceiling[y, x] = max(state.ceiling[y, x], gain)
            size = next_clique(state.amat, rest, chosen, size)
    return True


@kernel
def best_turn(sample, cache, rules, state, x, y, rounding):
    """(gain, C) of the best valid turn into x -> y; -inf if there is none. All scores are in the cache."""
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    rest = pool[pool != x]
    chosen, size = np.empty(rest.shape[0], np.int64), 0
    best, tails = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        if parents.shape[0] + size < rules.max_parents and may_be_turned(state, rest, chosen, size, x, y):
            gain = gain_of_turn(sample, cache, rules, state, x, y, parents, rest, chosen, size)
            clique = rest[chosen[:size]]
            valid = gain > best + rounding and not closes_cycle(state, x, y, clique)
            if valid and (not rules.directed or turn_agrees(rules, state, x, y, clique)):
                best, tails = gain, clique
        size = next_clique(state.amat, rest, chosen, size)
    return best, tails


@kernel
def may_be_turned(state, rest, chosen, size, x, y):
    """Whether the chosen clique meets what the operator asks for, paths outside the neighbours of y left aside."""
    every = np.arange(rest.shape[0])
    shared = n_joined(state.amat, rest, chosen, size, x)
    if arrow(state.amat, y, x):
        return shared == n_joined(state.amat, rest, every, rest.shape[0], x)
    if shared == size:
        return False
    taken = np.zeros(rest.shape[0], np.bool_)
    taken[chosen[:size]] = True
    return is_separated(state, rest, taken, x)


@kernel
def is_separated(state, rest, taken, x):
    """Whether those of `rest` that are taken and joined to x part the others taken from the others joined to x."""
    seen, todo, n = taken.copy(), np.empty(rest.shape[0], np.int64), 0
    for c in range(rest.shape[0]):
        if taken[c] and not joined(state.amat, rest[c], x):
            todo[n] = c
            n += 1
    while n:
        n -= 1
        at = rest[todo[n]]
        for c in range(rest.shape[0]):
            if not seen[c] and joined(state.amat, at, rest[c]):
                if joined(state.amat, rest[c], x):
                    return False
                seen[c] = True
                todo[n] = c
                n += 1
    return True


@kernel
def closes_cycle(state, x, y, clique):
    """Whether another semi-directed path leads from y to x, past the clique and the neighbours of x."""
    if open_edge(state.amat, x, y):
        return False
    blocked = np.zeros(state.amat.shape[0], np.bool_)
    blocked[clique] = True
    for k in state.near[state.begin[x] : state.begin[x + 1]]:
        blocked[k] |= open_edge(state.amat, k, x)
    for k in state.near[state.begin[y] : state.begin[y + 1]]:
        if k != x and state.amat[y, k] and not blocked[k]:
            blocked[y] = True
            if leads_to(state.amat, state.begin, state.near, k, x, blocked):
                return True
    return False


@kernel
def gain_of_turn(sample, cache, rules, state, x, y, parents, rest, chosen, size):
    """What Turn gains whose clique the chosen members of `rest` are."""
    _, of_x = surroundings(state.amat, state.begin, state.near, rules.order, x)
    shared, n = np.empty(size, np.int64), 0
    if open_edge(state.amat, x, y):
        for c in chosen[:size]:
            if joined(state.amat, rest[c], x):
                shared[n] = c
                n += 1
    left = family_of(of_x, rest, shared, n, y)
    given = family_of(parents, rest, chosen, size, -1)
    now = local_score(sample, cache, y, given) + local_score(sample, cache, x, np.sort(np.append(left, y)))
    turned = local_score(sample, cache, y, np.sort(np.append(given, x))) + local_score(sample, cache, x, left)
    return turned - now


@kernel
def turn_agrees(rules, state, x, y, tails):
    """Whether the class after the turn holds a DAG that keeps to the directions."""
    return agrees(*after_turn(state.amat, state.begin, state.near, x, y, tails), rules.directions)
