"""Grow-shrink search for the parents of a variable among its predecessors in an order, from its previous parents.

Matrices are indexed by child and parent: entry `[j, i]` refers to i -> j.

Arguments of all functions here
-------------------------------
sample : families of a score
cache : FamilyCache
rules : OrderRules
counters : (4,) int64 array
child : int
members, n : int64 array and int
    Its first n members are the parents, in the order in which they were found.
order : (p,) int64 array
    The nodes in order.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..hash_table import find_slot
from ..scores.families import family_key, insert_score, score_new

N_MOVES, N_PLACED, N_SCORED, TURN = 0, 1, 2, 3  # positions in `counters`
NO_NODE = -1


class OrderRules(NamedTuple):
    """Rules of the search.

    Attributes
    ----------
    may_add, required : (p, p) bool arrays
    ahead : (p, p) bool array
        Entry [i, j] is True if i comes before j in every order.
    rank : (p,) int64 array
        Rank of each node in ties.
    max_parents : int
    least : float
        Each change must gain more than this.
    rounding : float
        Gains that differ by less are equal.
    remembered : bool
        True: scores are cached.
    """

    may_add: np.ndarray
    required: np.ndarray
    ahead: np.ndarray
    rank: np.ndarray
    max_parents: int
    least: float
    rounding: float
    remembered: bool


@kernel
def score_with_each(sample, cache, rules, counters, child, parents, candidates, out):
    """Score the child given its parents and each candidate, from the cache where scores are cached.

    Parameters
    ----------
    sample, cache, rules, counters, child
        As in the module's docstring.
    parents, candidates, out
        As in `scores.families.fit_families`.
    """
    m = candidates.shape[0]
    if not rules.remembered:
        counters[N_SCORED] += m
        score_new(sample, cache, child, parents, candidates, out)
        return
    key = family_key(cache.edge_key, child, parents)
    missing, which = np.empty(m, np.int64), np.empty(m, np.int64)
    n = 0
    for c in range(m):
        own = key ^ cache.edge_key[child, candidates[c]] if candidates[c] >= 0 else key
        at = find_slot(cache.keys, own)
        if cache.keys[at] != 0:
            out[c] = cache.values[at]
        else:
            missing[n], which[n] = candidates[c], c
            n += 1
    if n:
        found = np.empty(n)
        score_new(sample, cache, child, parents, missing[:n], found)
        counters[N_SCORED] += n
        room = 2 * (cache.used[0] + n) <= cache.keys.shape[0]
        for c in range(n):
            out[which[c]] = found[c]
            if room:
                insert_score(cache, key ^ cache.edge_key[child, missing[c]] if missing[c] >= 0 else key, found[c])


@kernel
def score_of(sample, cache, rules, counters, child, parents):
    """Return the score of one family.

    Parameters
    ----------
    sample, cache, rules, counters, child
        As in the module's docstring.
    parents : int64 array
    """
    out = np.empty(1)
    score_with_each(sample, cache, rules, counters, child, parents, np.array([NO_NODE]), out)
    return out[0]


@kernel
def position_of(members, n, i):
    """Return the position of i among the first n members, -1 if it is not there."""
    for k in range(n):
        if members[k] == i:
            return k
    return -1


@kernel
def remove_at(members, n, k):
    """Remove the member at position k; return how many are left."""
    for m in range(k, n - 1):
        members[m] = members[m + 1]
    return n - 1


@kernel
def grow(sample, cache, rules, counters, child, members, n, score, order, end, without, extra):
    """Add candidates while one raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, counters, child, members, n, order
        As in the module's docstring.
    score : float
        Present score.
    end : int
        The candidates are ``order[:end]``.
    without : int
        Node that is not a candidate; `NO_NODE` for none.
    extra : int
        Further candidate; `NO_NODE` for none.
    """
    if n >= rules.max_parents:
        return n, score
    candidates, m = candidates_of(rules, child, members, n, order, end, without, extra)
    out = np.empty(m)
    while m and n < rules.max_parents:
        score_with_each(sample, cache, rules, counters, child, members[:n], candidates[:m], out)
        best = best_position(rules, candidates, out, m)
        if not out[best] > score + rules.least:
            break
        members[n], score = candidates[best], out[best]
        n += 1
        m = remove_at(candidates, m, best)
    return n, score


@kernel
def candidates_of(rules, child, members, n, order, end, without, extra):
    """Return (candidates, m): the nodes that may become parents but are not, and their number.

    Parameters
    ----------
    rules, child, members, n, order, end, without, extra
        As in `grow`.
    """
    is_open = rules.may_add[child].copy()
    for k in range(n):
        is_open[members[k]] = False
    candidates, m = np.empty(end + 1, np.int64), 0
    for k in range(end):
        i = order[k]
        if is_open[i] and i != without:
            candidates[m] = i
            m += 1
    if extra >= 0 and is_open[extra]:
        candidates[m] = extra
        m += 1
    return candidates, m


@kernel
def best_position(rules, nodes, scores, n):
    """Return the position of the highest score; the rank of the nodes breaks ties.

    Parameters
    ----------
    rules : OrderRules
    nodes : int64 array
    scores : float64 array
    n : int
        The first n count.
    """
    highest = scores[0]
    for c in range(1, n):
        highest = max(highest, scores[c])
    best = -1
    for c in range(n):
        if scores[c] >= highest - rules.rounding and (best < 0 or rules.rank[nodes[c]] < rules.rank[nodes[best]]):
            best = c
    return best


@kernel
def shrink(sample, cache, rules, counters, child, members, n, score):
    """Remove members while that raises the score; return (n, score). Required parents stay.

    Parameters
    ----------
    sample, cache, rules, counters, child, members, n
        As in the module's docstring.
    score : float
        Present score.
    """
    others, out = np.empty(n, np.int64), np.empty(n)
    while n:
        for k in range(n):
            out[k] = -np.inf
            if not rules.required[child, members[k]]:
                copy(members[:n], others)
                remove_at(others, n, k)
                out[k] = score_of(sample, cache, rules, counters, child, others[: n - 1])
        worst = best_position(rules, members, out, n)
        if not out[worst] > score + rules.least:
            break
        score = out[worst]
        n = remove_at(members, n, worst)
    return n, score


@kernel
def grow_and_shrink(sample, cache, rules, counters, child, members, n, order, end, without, extra):
    """Grow and shrink from the first n members until neither raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, counters, child, members, n, order, end, without, extra
        As in `grow`.
    """
    score = score_of(sample, cache, rules, counters, child, members[:n])
    while True:
        n, score = grow(sample, cache, rules, counters, child, members, n, score, order, end, without, extra)
        before = n
        n, score = shrink(sample, cache, rules, counters, child, members, n, score)
        if n == before:
            return n, score


@kernel
def score_candidates(sample, cache, rules, counters, child, members, n, order, begin, row):
    """Fill the unknown entries of `row`: the score of the child with one more parent of ``order[begin:]``.

    Parameters
    ----------
    sample, cache, rules, counters, child, members, n, order
        As in the module's docstring.
    begin : int
    row : (p,) float64 array
        NaN where unknown.
    """
    full, may_add = n >= rules.max_parents, rules.may_add[child]
    candidates, m = np.empty(order.shape[0] - begin, np.int64), 0
    for k in range(n):
        row[members[k]] = -np.inf
    for k in range(begin, order.shape[0]):
        i = order[k]
        if np.isnan(row[i]):
            if full or not may_add[i]:
                row[i] = -np.inf
            else:
                candidates[m] = i
                m += 1
    if m:
        out = np.empty(m)
        score_with_each(sample, cache, rules, counters, child, members[:n], candidates[:m], out)
        for c in range(m):
            row[candidates[c]] = out[c]
