"""Operators of greedy equivalence search: what each insertion or deletion would gain, and which is the best.

Chickering (2002), section 5. With Ne the undirected neighbours of y, and NA those of them that are joined to x:

- Insert(x, y, T), x and y apart, T among Ne and not joined to x: C = NA + T is a clique and blocks every semi-directed
  path from y to x. It gains s(y | Pa + C + x) - s(y | Pa + C).
- Delete(x, y, H), x -> y or x - y, H among NA: C = NA - H is a clique. It gains s(y | Pa + C - x) - s(y | Pa + C + x).

So an operator is a pair and a clique C. What a pair can gain at best, if no path is in the way, depends on the
surroundings of y alone; `ceiling[y, x]` holds it until they change. Paths are looked at only where they can matter.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from .classes import after_delete, after_insert, agrees, changed_marks, leads_to
from .climbing import DONE, NEEDS_ROOM, beats
from .cliques import apart_from, common_of, family_of, n_joined, next_clique, surroundings
from .decomposition import arrow, joined
from .families import family_key, find, local_score, remember, score_families

INSERT, DELETE = 0, 1
AS_GIVEN, SHIELDING_COLLIDERS, SHIELDING_TRIPLES = 0, 1, 2  # which pairs may be joined beside those of `Rules.base`


class Rules(NamedTuple):
    """What the search may do.

    `base` (p, p) bool, symmetric: pairs that may be joined. `apart`, `joined` (p, p) bool, symmetric: pairs that must
    be apart, none of them in `base`, and joined. `directions` (p, p) bool: i -> j wherever the pair is joined; looked
    at if `directed`. `beside` says which pairs outside `base` may be joined as well. `order` (p,) int64: place of each
    node in ties.
    """

    base: np.ndarray
    apart: np.ndarray
    joined: np.ndarray
    directions: np.ndarray
    directed: bool
    beside: int
    max_parents: int
    order: np.ndarray


class State(NamedTuple):
    """Where the search stands.

    `amat` (p, p) bool, the CPDAG, with its lists `begin`, `near`. `ceiling` (p, p), `[y, x]` about x -> y, is right
    where `stale` (p, p) bool is False; -inf where there is no operator. `scored` (p, p) bool, symmetric: pairs whose
    insertion is scored.
    """

    amat: np.ndarray
    begin: np.ndarray
    near: np.ndarray
    ceiling: np.ndarray
    stale: np.ndarray
    scored: np.ndarray


@njit(cache=True, nogil=True)
def refresh(sample, cache, rules, state, op, budget):
    """Fill what is stale of `ceiling`, row by row; `NEEDS_ROOM` if the cache must grow, or after `budget` scores."""
    begun = cache.used[0]
    for y in range(state.amat.shape[0]):
        if not state.stale[y].any():
            continue
        if cache.used[0] - begun > budget:
            return NEEDS_ROOM
        if op == INSERT:
            filled = fill_inserts(sample, cache, rules, state, y)
        else:
            filled = fill_deletes(sample, cache, rules, state, y)
        if not filled:
            return NEEDS_ROOM
        state.stale[y] = False
    return DONE


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def score_missing(sample, cache, state, y, family, key, own, missing):
    """Score the family with each of the candidates, and raise the ceilings."""
    if missing.shape[0] == 0:
        return
    found = np.empty(missing.shape[0])
    score_families(sample, y, family, missing, found)
    for c in range(missing.shape[0]):
        x = missing[c]
        remember(cache, key ^ cache.edge_key[y, x], found[c])
        state.ceiling[y, x] = max(state.ceiling[y, x], found[c] - own)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def gain_of_delete(sample, cache, x, y, parents, common, chosen, size):
    """What Delete gains whose clique the chosen members are."""
    without = family_of(parents, common, chosen, size, x)
    with_x = np.sort(np.append(without, x))
    return local_score(sample, cache, y, without) - local_score(sample, cache, y, with_x)


@njit(cache=True, nogil=True)
def best_operator(sample, cache, rules, state, op, rounding):
    """(gain, x, y, nodes) of the best valid operator, `nodes` its T or H; x is -1 if there is none.

    Ties: the smallest x, then the smallest y in `order`, then the first clique.
    """
    p = state.amat.shape[0]
    best, best_place, best_x, best_y = -np.inf, 0, -1, -1
    nodes = np.empty(0, np.int64)
    for y in range(p):
        for x in range(p):
            place = rules.order[x] * p + rules.order[y]
            if not beats(state.ceiling[y, x], place, best, best_place, rounding):
                continue
            if op == INSERT:
                gain, found = best_insert(cache, rules, state, x, y, rounding)
            else:
                gain, found = best_delete(sample, cache, rules, state, x, y, rounding)
            if beats(gain, place, best, best_place, rounding):
                best, best_place, best_x, best_y, nodes = max(best, gain), place, x, y, found
    return best, best_x, best_y, nodes


@njit(cache=True, nogil=True)
def best_insert(cache, rules, state, x, y, rounding):
    """(gain, T) of the best valid insertion of x -> y; -inf if there is none. All scores are in the cache."""
    nothing = np.empty(0, np.int64)
    if not (rules.base[x, y] or is_shielding(rules, state, x, y)):
        return -np.inf, nothing
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    n_common = common_of(state.amat, pool, x).shape[0]
    blocked, chosen, size = np.zeros(state.amat.shape[0], np.bool_), np.empty(pool.shape[0], np.int64), 0
    best, tails = -np.inf, nothing
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def insert_agrees(rules, state, x, y, tails):
    """Whether the class after the insertion holds a DAG that keeps to the directions."""
    return agrees(*after_insert(state.amat, state.begin, state.near, x, y, tails), rules.directions)


@njit(cache=True, nogil=True)
def delete_agrees(rules, state, x, y, heads):
    """Whether the class after the deletion holds a DAG that keeps to the directions."""
    return agrees(*after_delete(state.amat, state.begin, state.near, x, y, heads), rules.directions)


@njit(cache=True, nogil=True)
def is_shielding(rules, state, i, j):
    """Whether joining i and j shields a triple i, k, j of the kind that `beside` says."""
    if rules.beside != AS_GIVEN:
        for k in state.near[state.begin[i] : state.begin[i + 1]]:
            if joined(state.amat, k, j) and counts(rules, state, i, k, j):
                return True
    return False


@njit(cache=True, nogil=True)
def counts(rules, state, i, k, j):
    """Whether an unshielded triple is one that may be shielded."""
    return rules.beside == SHIELDING_TRIPLES or (arrow(state.amat, i, k) and arrow(state.amat, j, k))


@njit(cache=True, nogil=True)
def admit_shields(rules, state):
    """Have the insertions scored that would shield a triple which may be shielded."""
    for k in range(state.amat.shape[0] if rules.beside != AS_GIVEN else 0):
        own = state.near[state.begin[k] : state.begin[k + 1]]
        for i in own:
            for j in own:
                new = i != j and not state.scored[i, j] and not joined(state.amat, i, j) and not rules.apart[i, j]
                if new and counts(rules, state, i, k, j):
                    state.scored[i, j] = state.scored[j, i] = True
                    state.stale[i, j] = state.stale[j, i] = True


@njit(cache=True, nogil=True)
def apply(state, op, x, y, nodes):
    """The class after an operator and its lists, and the (m, 2) pairs but x, y whose marks changed.

    What the step concerns becomes stale.
    """
    if op == INSERT:
        amat, begin, near = after_insert(state.amat, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, state.begin, state.near)
    else:
        amat, begin, near = after_delete(state.amat, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, begin, near)
    stale = state.stale
    stale[x] = stale[y] = True
    for i, j in marks:
        stale[i] = stale[j] = True
    # Whether x and y are joined matters to the neighbours that they share, and to those that either has.
    for a, b in ((x, y), (y, x)):
        for k in near[begin[a] : begin[a + 1]]:
            stale[k, b] = True
            if joined(amat, k, b):
                stale[k] = True
    return amat, begin, near, marks
