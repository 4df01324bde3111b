"""Turn operator of greedy equivalence search.

Hauser and Bühlmann (2012), section 4.3, for observed data. Turn(x, y, C) makes x -> y in DAGs of the class that have
y -> x, where C of the neighbors of y other than x are its parents. With N those neighbors that are adjacent to x, C is
a clique and

- if y -> x, C contains N, and C and the neighbors of x block every other semi-directed path from y to x;
- if y - x, C has a node outside N, and C & N separates C - N from N - C among the neighbors of y.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.adjacency import is_adjacent, is_directed, is_undirected
from ..graphs.class_operators import turn_in_place
from ..graphs.consistent_extension import respects_directions
from ..graphs.paths import leads_to
from ..scores.families import local_score
from .cliques import family_of, n_adjacent, next_clique, surroundings

MAX_SCORES = 4  # scores per turn: two families before and two after it


@kernel
def fill_turns(sample, cache, rules, state, y):
    """Fill the ceilings of turns into x -> y, ignoring paths; False if the cache has no room.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    y : int
    """
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    state.ceiling[y] = -np.inf
    for x in state.near[state.begin[y] : state.begin[y + 1]]:
        if not state.amat[y, x]:
            continue
        rest = pool[pool != x]
        chosen, size = np.empty(rest.shape[0], np.int64), 0
        while size >= 0:
            if parents.shape[0] + size < rules.max_parents and is_valid_clique(state, rest, chosen, size, x, y):
                if 4 * (cache.used[0] + MAX_SCORES) > 3 * cache.keys.shape[0]:
                    return False
                gain = turn_gain(sample, cache, rules, state, x, y, parents, rest, chosen, size)
                state.ceiling[y, x] = max(state.ceiling[y, x], gain)
            size = next_clique(state.amat, rest, chosen, size)
    return True


@kernel
def best_turn(sample, cache, rules, state, x, y, rounding):
    """Return (gain, C) of the best valid turn into x -> y; -inf if there is none. All scores are in the cache.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    rounding : float
    """
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    rest = pool[pool != x]
    chosen, size = np.empty(rest.shape[0], np.int64), 0
    best, tails = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        if parents.shape[0] + size < rules.max_parents and is_valid_clique(state, rest, chosen, size, x, y):
            gain = turn_gain(sample, cache, rules, state, x, y, parents, rest, chosen, size)
            clique = rest[chosen[:size]]
            valid = gain > best + rounding and not closes_cycle(state, x, y, clique)
            if valid and (not rules.directed or turn_respects_directions(rules, state, x, y, clique)):
                best, tails = gain, clique
        size = next_clique(state.amat, rest, chosen, size)
    return best, tails


@kernel
def is_valid_clique(state, rest, chosen, size, x, y):
    """Return True if the chosen clique meets the conditions of the operator, ignoring paths outside the neighbors of y.

    Parameters
    ----------
    state : GESState
    rest : int64 array
        Neighbors of y other than x.
    chosen, size
        As in `cliques.next_clique`.
    x, y : int
    """
    every = np.arange(rest.shape[0])
    shared = n_adjacent(state.amat, rest, chosen, size, x)
    if is_directed(state.amat, y, x):
        return shared == n_adjacent(state.amat, rest, every, rest.shape[0], x)
    if shared == size:
        return False
    taken = np.zeros(rest.shape[0], np.bool_)
    taken[chosen[:size]] = True
    return is_separated(state, rest, taken, x)


@kernel
def is_separated(state, rest, taken, x):
    """Return True if the taken nodes adjacent to x separate the other taken ones from the others adjacent to x.

    Parameters
    ----------
    state : GESState
    rest : int64 array
    taken : bool array
        Members of the clique among `rest`.
    x : int
    """
    seen, todo, n = taken.copy(), np.empty(rest.shape[0], np.int64), 0
    for c in range(rest.shape[0]):
        if taken[c] and not is_adjacent(state.amat, rest[c], x):
            todo[n] = c
            n += 1
    while n:
        n -= 1
        at = rest[todo[n]]
        for c in range(rest.shape[0]):
            if not seen[c] and is_adjacent(state.amat, at, rest[c]):
                if is_adjacent(state.amat, rest[c], x):
                    return False
                seen[c] = True
                todo[n] = c
                n += 1
    return True


@kernel
def closes_cycle(state, x, y, clique):
    """Return True if another semi-directed path leads from y to x, past the clique and the neighbors of x.

    Parameters
    ----------
    state : GESState
    x, y : int
    clique : int64 array
    """
    if is_undirected(state.amat, x, y):
        return False
    blocked = np.zeros(state.amat.shape[0], np.bool_)
    blocked[clique] = True
    for k in state.near[state.begin[x] : state.begin[x + 1]]:
        blocked[k] |= is_undirected(state.amat, k, x)
    for k in state.near[state.begin[y] : state.begin[y + 1]]:
        if k != x and state.amat[y, k] and not blocked[k]:
            blocked[y] = True
            if leads_to(state.amat, state.begin, state.near, k, x, blocked):
                return True
    return False


@kernel
def turn_gain(sample, cache, rules, state, x, y, parents, rest, chosen, size):
    """Return the gain of the turn whose clique consists of the chosen members of `rest`.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    parents : int64 array
        Parents of y.
    rest, chosen, size
        As in `is_valid_clique`.
    """
    _, of_x = surroundings(state.amat, state.begin, state.near, rules.order, x)
    shared, n = np.empty(size, np.int64), 0
    if is_undirected(state.amat, x, y):
        for c in chosen[:size]:
            if is_adjacent(state.amat, rest[c], x):
                shared[n] = c
                n += 1
    left = family_of(of_x, rest, shared, n, y)
    given = family_of(parents, rest, chosen, size, -1)
    now = local_score(sample, cache, y, given) + local_score(sample, cache, x, np.sort(np.append(left, y)))
    turned = local_score(sample, cache, y, np.sort(np.append(given, x))) + local_score(sample, cache, x, left)
    return turned - now


@kernel
def turn_respects_directions(rules, state, x, y, tails):
    """Return True if the class after the turn has a DAG with the required directions.

    Parameters
    ----------
    rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    tails : int64 array
    """
    after = turn_in_place(state.amat.copy(), state.begin, state.near, x, y, tails)
    return respects_directions(*after, rules.directions)
