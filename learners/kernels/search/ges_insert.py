"""Insert operator of greedy equivalence search.

Insert(x, y, T), x and y not adjacent, T neighbors of y not adjacent to x: with NA the neighbors of y that are adjacent
to x, C = NA + T is a clique and blocks every semi-directed path from y to x. It gains s(y | Pa + C + x) - s(y | Pa +
C). Chickering (2002), theorem 15.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.adjacency import is_adjacent
from ..graphs.class_operators import after_insert
from ..graphs.consistent_extension import respects_directions
from ..graphs.paths import leads_to
from ..hash_table import find_slot
from ..scores.families import family_key, insert_score, local_score, score_new
from .cliques import adjacent_to, family_of, n_adjacent, next_clique, not_adjacent_to, surroundings


@kernel
def fill_inserts(sample, cache, rules, state, y):
    """Fill the stale ceilings of insertions into y; False if the cache has no room.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    y : int
    """
    p = state.amat.shape[0]
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    candidates, n_common = np.empty(p, np.int64), np.empty(p, np.int64)
    every = np.arange(pool.shape[0])
    n = 0
    for x in range(p):
        if state.stale[y, x]:
            state.ceiling[y, x] = -np.inf
            state.lowered[y, x] = False
            if x != y and state.scored[y, x] and not is_adjacent(state.amat, x, y):
                candidates[n], n_common[n] = x, n_adjacent(state.amat, pool, every, pool.shape[0], x)
                n += 1
    missing, chosen, size = np.empty(n, np.int64), np.empty(pool.shape[0], np.int64), 0
    while size >= 0 and n:
        if parents.shape[0] + size < rules.max_parents:
            if 4 * (cache.used[0] + n + 1) > 3 * cache.keys.shape[0]:
                return False
            family = family_of(parents, pool, chosen, size, -1)
            key, own = family_key(cache.edge_key, y, family), local_score(sample, cache, y, family)
            m = 0
            for c in range(n):
                x = candidates[c]
                if n_adjacent(state.amat, pool, chosen, size, x) == n_common[c]:
                    at = find_slot(cache.keys, key ^ cache.edge_key[y, x])
                    if cache.keys[at] != 0:
                        state.ceiling[y, x] = max(state.ceiling[y, x], cache.values[at] - own)
                    else:
                        missing[m] = x
                        m += 1
            score_missing(sample, cache, state, y, family, key, own, missing[:m])
        size = next_clique(state.amat, pool, chosen, size)
    return True


@kernel
def score_missing(sample, cache, state, y, family, key, own, missing):
    """Score the family with each of the missing candidates, and raise the ceilings.

    Parameters
    ----------
    sample, cache, state
        As in `ges.refresh_ceilings`.
    y : int
    family : int64 array
    key : uint64
        Key of the family.
    own : float
        Score of the family.
    missing : int64 array
    """
    if missing.shape[0] == 0:
        return
    found = np.empty(missing.shape[0])
    score_new(sample, cache, y, family, missing, found)
    for c in range(missing.shape[0]):
        x = missing[c]
        insert_score(cache, key ^ cache.edge_key[y, x], found[c])
        state.ceiling[y, x] = max(state.ceiling[y, x], found[c] - own)


@kernel
def best_insert(cache, rules, state, x, y, rounding):
    """Return (gain, T) of the best valid insertion of x -> y; -inf if there is none. All scores are in the cache.

    Parameters
    ----------
    cache, rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    rounding : float
    """
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    n_common = adjacent_to(state.amat, pool, x).shape[0]
    blocked, chosen, size = np.zeros(state.amat.shape[0], np.bool_), np.empty(pool.shape[0], np.int64), 0
    best, tails = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        fits = parents.shape[0] + size < rules.max_parents
        if fits and n_adjacent(state.amat, pool, chosen, size, x) == n_common:
            family = family_of(parents, pool, chosen, size, -1)
            key = family_key(cache.edge_key, y, family)
            own, after = find_slot(cache.keys, key), find_slot(cache.keys, key ^ cache.edge_key[y, x])
            gain = cache.values[after] - cache.values[own]
            if gain > best + rounding:
                clique = pool[chosen[:size]]
                blocked[clique] = True
                if not leads_to(state.amat, state.begin, state.near, y, x, blocked):
                    extra = not_adjacent_to(state.amat, clique, x)
                    if not rules.directed or insert_respects_directions(rules, state, x, y, extra):
                        best, tails = gain, extra
                blocked[clique] = False
        size = next_clique(state.amat, pool, chosen, size)
    return best, tails


@kernel
def insert_respects_directions(rules, state, x, y, tails):
    """Return True if the class after the insertion has a DAG with the required directions.

    Parameters
    ----------
    rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    tails : int64 array
    """
    return respects_directions(*after_insert(state.amat, state.begin, state.near, x, y, tails), rules.directions)
