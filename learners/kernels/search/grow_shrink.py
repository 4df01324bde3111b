"""Grow-shrink search for the parents of a variable among its predecessors in an order, from its previous parents.

Matrices are indexed by child and parent: entry `[j, i]` refers to i -> j.

Arguments of all functions here
-------------------------------
sample : families of a score
cache : FamilyCache
rules : OrderRules
memory : SearchMemory
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
from ..scores.families import family_key, insert_score, score_new_above

N_MOVES, N_PLACED, N_SCORED, TURN = 0, 1, 2, 3  # positions in `counters`
NO_NODE = -1
MAX_PROMISING = 12  # candidates listed for one node with its parents; further ones are looked up each time


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


class SearchMemory(NamedTuple):
    """What a search over orders has computed: for a node with given parents, which candidates cannot raise its score.

    Most calls of `grow` meet parents that were met before, with other predecessors. The scores are cached as well, but
    looking up hundreds of them takes longer than reading a bit of each.

    Attributes
    ----------
    counters : (4,) int64 array
        At `N_MOVES`, `N_PLACED`, `N_SCORED` and `TURN`.
    keys : (m,) uint64 array
        Key of a node with its parents, see `scores.families.family_key`; 0 for a free slot.
    used : (1,) int64 array
        Number of keys.
    examined : (m, words) uint64 array
        A bit for each candidate whose score is above `OrderRules.least` only if the candidate is listed.
    n_promising : (m,) int64 array
    promising, score_with : (m, MAX_PROMISING) int64 and float64 arrays
        Candidates that raise the score, nearly or more, and the score with each.
    """

    counters: np.ndarray
    keys: np.ndarray
    used: np.ndarray
    examined: np.ndarray
    n_promising: np.ndarray
    promising: np.ndarray
    score_with: np.ndarray


@kernel
def score_with_each(sample, cache, rules, memory, child, parents, candidates, floor, out):
    """Score the child given its parents and each candidate, from the cache where scores are cached.

    A score that is not above `floor` may become -inf; it is not cached.

    Parameters
    ----------
    sample, cache, rules, memory, child
        As in the module's docstring.
    parents, candidates, floor, out
        As in `scores.families.score_new_above`.
    """
    m = candidates.shape[0]
    if not rules.remembered:
        memory.counters[N_SCORED] += m
        score_new_above(sample, cache, child, parents, candidates, floor, out)
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
        score_new_above(sample, cache, child, parents, missing[:n], floor, found)
        memory.counters[N_SCORED] += n
        room = 2 * (cache.used[0] + n) <= cache.keys.shape[0]
        for c in range(n):
            out[which[c]] = found[c]
            if room and found[c] > -np.inf:
                insert_score(cache, key ^ cache.edge_key[child, missing[c]] if missing[c] >= 0 else key, found[c])


@kernel
def score_of(sample, cache, rules, memory, child, parents):
    """Return the score of one family.

    Parameters
    ----------
    sample, cache, rules, memory, child
        As in the module's docstring.
    parents : int64 array
    """
    out = np.empty(1)
    score_with_each(sample, cache, rules, memory, child, parents, np.array([NO_NODE]), -np.inf, out)
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
def grow(sample, cache, rules, memory, child, members, n, score, order, end, without, extra):
    """Add candidates while one raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n, order
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
    nodes, scores = np.empty(m, np.int64), np.empty(m)
    while m and n < rules.max_parents:
        k = promising_candidates(
            sample, cache, rules, memory, child, members[:n], score, candidates[:m], nodes, scores
        )  # fmt: skip
        if k == 0:
            break
        best = best_position(rules, nodes, scores, k)
        if not scores[best] > score + rules.least:
            break
        members[n], score = nodes[best], scores[best]
        m = remove_at(candidates, m, position_of(candidates, m, nodes[best]))
        n += 1
    return n, score


@kernel
def promising_candidates(sample, cache, rules, memory, child, parents, score, candidates, nodes, scores):
    """Write the candidates that raise the score, or nearly, to `nodes` and the score with each; return their number.

    A score that is too low by the rounding at most is written, too, because it may be equal to the highest one.

    Parameters
    ----------
    sample, cache, rules, memory, child
        As in the module's docstring.
    parents : int64 array
    score : float
        Score with these parents.
    candidates : (m,) int64 array
    nodes, scores : (m,) int64 and float64 arrays
    """
    least = score + rules.least - rules.rounding
    if not rules.remembered:
        score_with_each(sample, cache, rules, memory, child, parents, candidates, least, scores)
        return keep_promising(candidates, scores, least, nodes, scores, 0)
    at = slot_of(memory, family_key(cache.edge_key, child, parents))
    examined, may_follow = memory.examined[at], np.zeros(64 * memory.examined.shape[1], np.bool_)
    unknown, n = np.empty(candidates.shape[0], np.int64), 0
    for i in candidates:
        may_follow[i] = True
        if not examined[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
            unknown[n] = i
            n += 1
    k = 0
    for c in range(memory.n_promising[at]):
        if may_follow[memory.promising[at, c]]:
            nodes[k], scores[k] = memory.promising[at, c], memory.score_with[at, c]
            k += 1
    if n == 0:
        return k
    found = np.empty(n)
    score_with_each(sample, cache, rules, memory, child, parents, unknown[:n], least, found)
    remember(memory, at, unknown, found, n, least)
    return keep_promising(unknown, found[:n], least, nodes, scores, k)


@kernel
def keep_promising(candidates, found, least, nodes, scores, k):
    """Append the candidates whose scores are above `least` to the first k; return the new number.

    Parameters
    ----------
    candidates : int64 array
    found : (n,) float64 array
        Scores with the first n of them.
    least : float
    nodes, scores : int64 and float64 arrays
        `scores` may be `found` if k is 0.
    k : int
    """
    for c in range(found.shape[0]):
        if found[c] > least:
            nodes[k], scores[k] = candidates[c], found[c]
            k += 1
    return k


@kernel
def remember(memory, at, candidates, found, n, least):
    """Mark candidates as examined, and list those whose scores are above `least` while there is room.

    Parameters
    ----------
    memory : SearchMemory
    at : int
        Slot of the node with its parents.
    candidates, found : int64 and float64 arrays
        The first n count.
    n : int
    least : float
    """
    for c in range(n):
        i, q = candidates[c], memory.n_promising[at]
        if found[c] > least:
            if q == MAX_PROMISING:
                continue
            memory.promising[at, q], memory.score_with[at, q] = i, found[c]
            memory.n_promising[at] = q + 1
        memory.examined[at, i >> 6] |= np.uint64(1) << np.uint64(i & 63)


@kernel
def slot_of(memory, key):
    """Return the slot of a node with its parents; a memory that is half full is emptied first."""
    at = find_slot(memory.keys, key)
    if memory.keys[at] == 0:
        if 2 * memory.used[0] >= memory.keys.shape[0]:
            memory.keys[:] = 0
            memory.used[0] = 0
            at = find_slot(memory.keys, key)
        memory.keys[at] = key
        memory.used[0] += 1
        memory.examined[at] = 0
        memory.n_promising[at] = 0
    return at


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
def shrink(sample, cache, rules, memory, child, members, n, score):
    """Remove members while that raises the score; return (n, score). Required parents stay.

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n
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
                out[k] = score_of(sample, cache, rules, memory, child, others[: n - 1])
        worst = best_position(rules, members, out, n)
        if not out[worst] > score + rules.least:
            break
        score = out[worst]
        n = remove_at(members, n, worst)
    return n, score


@kernel
def grow_and_shrink(sample, cache, rules, memory, child, members, n, order, end, without, extra):
    """Grow and shrink from the first n members until neither raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n, order, end, without, extra
        As in `grow`.
    """
    score = score_of(sample, cache, rules, memory, child, members[:n])
    while True:
        n, score = grow(sample, cache, rules, memory, child, members, n, score, order, end, without, extra)
        before = n
        n, score = shrink(sample, cache, rules, memory, child, members, n, score)
        if n == before:
            return n, score


@kernel
def score_candidates(sample, cache, rules, memory, child, members, n, score, order, begin, row):
    """Fill the unknown entries of `row`: the score of the child with one more parent of ``order[begin:]``.

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n, order
        As in the module's docstring.
    score : float
        Present score.
    begin : int
    row : (p,) float64 array
        NaN where unknown; -inf where no parent may be added or it would not raise the score.
    """
    candidates, m = np.empty(order.shape[0] - begin, np.int64), 0
    for k in range(n):
        row[members[k]] = -np.inf
    for k in range(begin, order.shape[0]):
        i = order[k]
        if np.isnan(row[i]):
            row[i] = -np.inf
            if n < rules.max_parents and rules.may_add[child, i]:
                candidates[m] = i
                m += 1
    nodes, scores = np.empty(m, np.int64), np.empty(m)
    k = promising_candidates(sample, cache, rules, memory, child, members[:n], score, candidates[:m], nodes, scores)
    for c in range(k):
        row[nodes[c]] = scores[c]
