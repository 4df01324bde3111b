"""Insert operator of greedy equivalence search.

Insert(x, y, T), x and y not adjacent, T neighbors of y not adjacent to x: with NA the neighbors of y that are adjacent
to x, C = NA + T is a clique and blocks every semi-directed path from y to x. It gains s(y | Pa + C + x) - s(y | Pa +
C). Chickering (2002), theorem 15.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.class_operators import insert_in_place
from ..graphs.consistent_extension import respects_directions
from ..graphs.paths import leads_to
from ..hash_table import find_slot
from ..scores.families import add_score, family_key, look_up, score_new
from .cliques import adjacent_to, family_of, n_adjacent, next_clique, not_adjacent_to, surroundings


@kernel
def fill_insert_rows(sample, cache, rules, state, rows, part, n_parts, new):
    """Fill the stale ceilings of insertions from a part of the nodes; return the number of rows that are filled.

    Threads can fill different parts at the same time, because they only read the cache.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    rows : int64 array
        Heads of the insertions.
    part, n_parts : int
    new : NewScores
        Empty, with room for p + 1 scores at least, which are to be stored in the cache.
    """
    p = state.amat.shape[0]
    first, end = part * p // n_parts, (part + 1) * p // n_parts
    for k in range(rows.shape[0]):
        if not fill_inserts(sample, cache, rules, state, rows[k], first, end, new):
            return k
    return rows.shape[0]


@kernel
def settle(state, rows):
    """Mark the ceilings of rows as valid that all parts have filled."""
    for y in rows:
        state.stale[y] = False
        state.stale_rows[y] = False
        state.top[y] = state.ceiling[y].max()


@kernel
def fill_inserts(sample, cache, rules, state, y, first, end, new):
    """Fill the stale ceilings of insertions into y from the nodes of ``range(first, end)``; False if `new` has no room.

    No family is scored twice, because a candidate is not adjacent to y and members of a clique are.

    Parameters
    ----------
    sample, cache, rules, state, new
        As in `fill_insert_rows`.
    y, first, end : int
    """
    p = state.amat.shape[0]
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    candidates, n = np.empty(end - first, np.int64), 0
    is_near = np.zeros(p, np.bool_)
    is_near[state.near[state.begin[y] : state.begin[y + 1]]] = True
    for x in range(first, end):
        if state.stale[y, x]:
            state.ceiling[y, x] = -np.inf
            state.lowered[y, x] = False
            if x != y and state.scored[y, x] and not is_near[x]:
                candidates[n] = x
                n += 1
    in_pool, in_clique = np.zeros(p, np.int64), np.zeros(p, np.int64)
    count_adjacent(state, pool, in_pool)
    fitting, keys, values = np.empty(n, np.int64), np.empty(n, np.uint64), np.empty(n)
    chosen, size = np.empty(pool.shape[0], np.int64), 0
    while size >= 0 and n:
        if parents.shape[0] + size < rules.max_parents:
            if new.used[0] + n + 1 > new.keys.shape[0]:
                return False
            family = family_of(parents, pool, chosen, size, -1)
            key = family_key(cache.edge_key, y, family)
            own = score_of(sample, cache, y, family, key, new, first == 0)
            in_clique[:] = 0
            count_adjacent(state, pool[chosen[:size]], in_clique)
            m = 0
            for x in candidates[:n]:
                if in_clique[x] == in_pool[x]:
                    fitting[m], keys[m] = x, key ^ cache.edge_key[y, x]
                    m += 1
            look_up(cache, keys[:m], values)
            score_missing(sample, cache, y, family, fitting[:m], keys, values, new)
            for c in range(m):
                x = fitting[c]
                state.ceiling[y, x] = max(state.ceiling[y, x], values[c] - own)
        size = next_clique(state.amat, pool, chosen, size)
    return True


@kernel
def count_adjacent(state, nodes, counts):
    """Add to `counts` (p,) how many of the nodes each node is adjacent to."""
    for k in nodes:
        for x in state.near[state.begin[k] : state.begin[k + 1]]:
            counts[x] += 1


@kernel
def score_of(sample, cache, y, family, key, new, adds):
    """Return the score of a family, from the cache or computed.

    Parameters
    ----------
    sample, cache, new
        As in `fill_insert_rows`.
    y : int
    family : int64 array
    key : uint64
        Key of the family.
    adds : bool
        If True, a computed score is added to `new`; one of all parts does so.
    """
    at = find_slot(cache.keys, key)
    if cache.keys[at] != 0:
        return cache.values[at]
    found = np.empty(1)
    score_new(sample, cache, y, family, np.array([-1]), found)
    if adds:
        add_score(new, key, found[0])
    return found[0]


@kernel
def score_missing(sample, cache, y, family, fitting, keys, values, new):
    """Score the family with each candidate whose score is not known, and add the scores to `new`.

    Parameters
    ----------
    sample, cache, new
        As in `fill_insert_rows`.
    y : int
    family : int64 array
    fitting : (m,) int64 array
        Candidates.
    keys : uint64 array
        Keys of the family with each candidate.
    values : float64 array
        Its scores, NaN where not known; filled.
    """
    which = np.flatnonzero(np.isnan(values[: fitting.shape[0]]))
    if which.shape[0] == 0:
        return
    found = np.empty(which.shape[0])
    score_new(sample, cache, y, family, fitting[which], found)
    for c in range(which.shape[0]):
        values[which[c]] = found[c]
        add_score(new, keys[which[c]], found[c])


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
    after = insert_in_place(state.amat.copy(), state.begin, state.near, x, y, tails)
    return respects_directions(*after, rules.directions)
