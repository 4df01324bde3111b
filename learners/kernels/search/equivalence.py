"""Operators of greedy equivalence search: what each insertion or deletion would gain, and which is the best.

Chickering (2002), section 5; turns are in `turning`. With Ne the undirected neighbours of y, and NA those of them that
are joined to x:

- Insert(x, y, T), x and y apart, T among Ne and not joined to x: C = NA + T is a clique and blocks every semi-directed
  path from y to x. It gains s(y | Pa + C + x) - s(y | Pa + C).
- Delete(x, y, H), x -> y or x - y, H among NA: C = NA - H is a clique. It gains s(y | Pa + C - x) - s(y | Pa + C + x).

So an operator is a pair and a clique C. What a pair can gain at best, if no path is in the way, depends on the
surroundings of y alone; `ceiling[y, x]` holds it until they change. Paths are looked at only where they can matter; the
ceilings lowered by that hold until an edge that such a path may use is turned against it.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.classes import after_delete, after_insert, agrees, leads_to
from ..scores.families import family_key, find, local_score, remember, score_new
from .class_state import DELETE, INSERT, is_shielding
from .climbing import beats
from .cliques import apart_from, common_of, family_of, n_joined, next_clique, surroundings
from .decomposition import joined
from .turning import best_turn, fill_turns

RECALLED = 20  # scores that the cache knows take the time of one that it does not


@kernel
def refresh(sample, cache, rules, state, op, row, budget):
    """Fill what is stale of `ceiling`, from a row on; the row to go on with, or p.

    A call ends where the cache must grow, or after `budget` scores. Scores that the cache knows count, too: a search
    that ranked all pairs before finds a million of them.
    """
    p, begun, n_rows = state.amat.shape[0], cache.used[0], 0
    for y in range(row, p):
        if not state.stale[y].any():
            continue
        if cache.used[0] - begun + n_rows * p // RECALLED > budget:
            return y
        n_rows += 1
        if op == INSERT:
            filled = fill_inserts(sample, cache, rules, state, y)
        elif op == DELETE:
            filled = fill_deletes(sample, cache, rules, state, y)
        else:
            filled = fill_turns(sample, cache, rules, state, y)
        if not filled:
            return y
        state.stale[y] = False
    return p


@kernel
def fill_inserts(sample, cache, rules, state, y):
    """Ceilings of the insertions into y that are stale; False if the cache has no room."""
    p = state.amat.shape[0]
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    candidates, n_common = np.empty(p, np.int64), np.empty(p, np.int64)
    every = np.arange(pool.shape[0])
    n = 0
    for x in range(p):
        if state.stale[y, x]:
            state.ceiling[y, x] = -np.inf
            state.lowered[y, x] = False
            if x != y and state.scored[y, x] and not joined(state.amat, x, y):
                candidates[n], n_common[n] = x, n_joined(state.amat, pool, every, pool.shape[0], x)
                n += 1
    missing, chosen, size = np.empty(n, np.int64), np.empty(pool.shape[0], np.int64), 0
    while size >= 0 and n:
        if parents.shape[0] + size < rules.max_parents:
            if 2 * (cache.used[0] + n + 1) > cache.keys.shape[0]:
                return False
            family = family_of(parents, pool, chosen, size, -1)
            key, own = family_key(cache.edge_key, y, family), local_score(sample, cache, y, family)
            m = 0
            for c in range(n):
                x = candidates[c]
                if n_joined(state.amat, pool, chosen, size, x) == n_common[c]:
                    at = find(cache.keys, key ^ cache.edge_key[y, x])
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
    """Score the family with each of the candidates, and raise the ceilings."""
    if missing.shape[0] == 0:
        return
    found = np.empty(missing.shape[0])
    score_new(sample, cache, y, family, missing, found)
    for c in range(missing.shape[0]):
        x = missing[c]
        remember(cache, key ^ cache.edge_key[y, x], found[c])
        state.ceiling[y, x] = max(state.ceiling[y, x], found[c] - own)


@kernel
def fill_deletes(sample, cache, rules, state, y):
    """Ceilings of the deletions of edges at y that are stale; False if the cache has no room."""
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    state.ceiling[y][state.stale[y]] = -np.inf
    chosen = np.empty(pool.shape[0], np.int64)
    for x in state.near[state.begin[y] : state.begin[y + 1]]:
        if not (state.stale[y, x] and state.amat[x, y]) or rules.joined[x, y]:
            continue
        common, size = common_of(state.amat, pool, x), 0
        while size >= 0:
            if 2 * (cache.used[0] + 2) > cache.keys.shape[0]:
                return False
            gain = gain_of_delete(sample, cache, x, y, parents, common, chosen, size)
            state.ceiling[y, x] = max(state.ceiling[y, x], gain)
            size = next_clique(state.amat, common, chosen, size)
    return True


@kernel
def gain_of_delete(sample, cache, x, y, parents, common, chosen, size):
    """What Delete gains whose clique the chosen members are."""
    without = family_of(parents, common, chosen, size, x)
    with_x = np.sort(np.append(without, x))
    return local_score(sample, cache, y, without) - local_score(sample, cache, y, with_x)


@kernel
def best_operator(sample, cache, rules, state, op, rounding, best, row, budget):
    """The best valid operator (gain, place, x, y, nodes), `nodes` its T, H or C, and the row y to go on with, or p.

    `best` is the best of the rows before `row`, with x = -1 if there is none; a call ends with the row in which it has
    looked at `budget` operators. Ties: the smallest x, then the smallest y in `order`, then the first clique.
    """
    p = state.amat.shape[0]
    gain_of_best, best_place, best_x, best_y, nodes = best
    looked = 0
    while row < p and looked < budget:
        y, ceiling = row, state.ceiling[row]
        least = gain_of_best - rounding
        for x in range(p):
            if ceiling[x] < least:  # nearly all of them
                continue
            place = rules.order[x] * p + rules.order[y]
            if not beats(ceiling[x], place, gain_of_best, best_place, rounding):
                continue
            looked += 1
            if op == INSERT:
                if not (rules.base[x, y] or is_shielding(rules, state, x, y)):
                    continue
                gain, found = best_insert(cache, rules, state, x, y, rounding)
                if not rules.directed and gain < state.ceiling[y, x]:
                    state.ceiling[y, x] = gain
                    state.lowered[y, x] = True
            elif op == DELETE:
                gain, found = best_delete(sample, cache, rules, state, x, y, rounding)
            else:
                gain, found = best_turn(sample, cache, rules, state, x, y, rounding)
            if beats(gain, place, gain_of_best, best_place, rounding):
                gain_of_best, best_place, best_x, best_y, nodes = max(gain_of_best, gain), place, x, y, found
                least = gain_of_best - rounding
        row += 1
    return (gain_of_best, best_place, best_x, best_y, nodes), row


@kernel
def best_insert(cache, rules, state, x, y, rounding):
    """(gain, T) of the best valid insertion of x -> y; -inf if there is none. All scores are in the cache."""
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    n_common = common_of(state.amat, pool, x).shape[0]
    blocked, chosen, size = np.zeros(state.amat.shape[0], np.bool_), np.empty(pool.shape[0], np.int64), 0
    best, tails = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        fits = parents.shape[0] + size < rules.max_parents
        if fits and n_joined(state.amat, pool, chosen, size, x) == n_common:
            family = family_of(parents, pool, chosen, size, -1)
            key = family_key(cache.edge_key, y, family)
            own, after = find(cache.keys, key), find(cache.keys, key ^ cache.edge_key[y, x])
            gain = cache.values[after] - cache.values[own]
            if gain > best + rounding:
                clique = pool[chosen[:size]]
                blocked[clique] = True
                if not leads_to(state.amat, state.begin, state.near, y, x, blocked):
                    extra = apart_from(state.amat, clique, x)
                    if not rules.directed or insert_agrees(rules, state, x, y, extra):
                        best, tails = gain, extra
                blocked[clique] = False
        size = next_clique(state.amat, pool, chosen, size)
    return best, tails


@kernel
def best_delete(sample, cache, rules, state, x, y, rounding):
    """(gain, H) of the best valid deletion of the edge from x to y."""
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    common, chosen, size = common_of(state.amat, pool, x), np.empty(pool.shape[0], np.int64), 0
    best, heads = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        gain = gain_of_delete(sample, cache, x, y, parents, common, chosen, size)
        if gain > best + rounding:
            rest = np.ones(common.shape[0], np.bool_)
            rest[chosen[:size]] = False
            if not rules.directed or delete_agrees(rules, state, x, y, common[rest]):
                best, heads = gain, common[rest]
        size = next_clique(state.amat, common, chosen, size)
    return best, heads


@kernel
def insert_agrees(rules, state, x, y, tails):
    """Whether the class after the insertion holds a DAG that keeps to the directions."""
    return agrees(*after_insert(state.amat, state.begin, state.near, x, y, tails), rules.directions)


@kernel
def delete_agrees(rules, state, x, y, heads):
    """Whether the class after the deletion holds a DAG that keeps to the directions."""
    return agrees(*after_delete(state.amat, state.begin, state.near, x, y, heads), rules.directions)
