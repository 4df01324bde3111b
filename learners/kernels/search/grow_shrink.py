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
before : (words,) uint64 array
    A bit for each predecessor, as in `bits_of`.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.popcount import count, fill_rows
from ..hash_table import find_slot, first_slot
from ..scores.families import family_key, insert_score, score_new_above

N_MOVES, N_PLACED, N_SCORED, N_KNOWN, TURN = 0, 1, 2, 3, 4  # positions in `counters`
NO_NODE = -1
ONE = np.uint64(1)
MAX_PROMISING = 12  # candidates listed for one node with its parents; further ones are looked up each time


class OrderRules(NamedTuple):
    """Rules of the search.

    Attributes
    ----------
    may_add, required : (p, p) bool arrays
    may_add_bits : (p, words) uint64 array
        `may_add` in bits, as in `bits_of`.
    ahead : (p, p) bool array
        Entry [i, j] is True if i comes before j in every order.
    rank : (p,) int64 array
        Rank of each node in ties.
    max_parents : int
    least : float
        Each change must gain more than this.
    rounding : float
        Gains that differ by less are equal.
    cached : bool
        True: scores are cached.
    """

    may_add: np.ndarray
    required: np.ndarray
    may_add_bits: np.ndarray
    ahead: np.ndarray
    rank: np.ndarray
    max_parents: int
    least: float
    rounding: float
    cached: bool


class SearchMemory(NamedTuple):
    """What a search over orders has computed: for a node with given parents, which candidates cannot raise its score.

    Most calls of `grow` meet parents that were met before, with other predecessors. The scores are cached as well, but
    looking up hundreds of them takes longer than reading a bit of each.

    Attributes
    ----------
    counters : (5,) int64 array
        At `N_MOVES`, `N_PLACED`, `N_SCORED`, `N_KNOWN` (candidates that were examined before) and `TURN`.
    family_keys, family_scores : (k,) uint64 and float64 arrays
        Key of a node with its parents, see `scores.families.family_key`, and the score; the last one of each slot.
    keys : (m,) uint64 array
        Key of a node with its parents; 0 for a free slot.
    used : (1,) int64 array
        Number of keys.
    examined : (m, words) uint64 array
        A bit for each candidate whose score is above `OrderRules.least` only if the candidate is listed.
    n_promising : (m,) int64 array
    promising, score_with : (m, MAX_PROMISING) int64 and float64 arrays
        Candidates that raise the score, nearly or more, and the score with each.
    """

    counters: np.ndarray
    family_keys: np.ndarray
    family_scores: np.ndarray
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
    if not rules.cached:
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
    key = family_key(cache.edge_key, child, parents)
    at = first_slot(memory.family_keys.shape[0], key)
    if memory.family_keys[at] == key:
        memory.counters[N_KNOWN] += 1
    else:
        out = np.empty(1)
        score_with_each(sample, cache, rules, memory, child, parents, np.array([NO_NODE]), -np.inf, out)
        memory.family_keys[at], memory.family_scores[at] = key, out[0]
    return memory.family_scores[at]


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
def bits_of(nodes, n_words):
    """Return a bit for each of the nodes: bit i & 63 of word i >> 6."""
    bits = np.zeros(n_words, np.uint64)
    for i in nodes:
        set_bit(bits, i)
    return bits


@kernel
def set_bit(bits, i):
    """Add node i to a set of bits."""
    bits[i >> 6] |= ONE << np.uint64(i & 63)


@kernel
def clear_bit(bits, i):
    """Remove node i from a set of bits."""
    bits[i >> 6] &= ~(ONE << np.uint64(i & 63))


@kernel
def has_bit(bits, i):
    """Return True if node i is in a set of bits."""
    return bits[i >> 6] >> np.uint64(i & 63) & ONE != 0


@kernel
def grow(sample, cache, rules, memory, child, members, n, score, before):
    """Add candidates while one raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n, before
        As in the module's docstring.
    score : float
        Present score.
    """
    candidates = before & rules.may_add_bits[child]
    for k in range(n):
        clear_bit(candidates, members[k])
    while n < rules.max_parents:
        nodes, scores = promising_candidates(sample, cache, rules, memory, child, members[:n], score, candidates)
        if nodes.shape[0] == 0:
            break
        best = best_position(rules, nodes, scores)
        if not scores[best] > score + rules.least:
            break
        members[n], score = nodes[best], scores[best]
        clear_bit(candidates, nodes[best])
        n += 1
    return n, score


@kernel
def promising_candidates(sample, cache, rules, memory, child, parents, score, candidates):
    """Return the candidates that raise the score, or nearly, and the score with each.

    A score that is too low by the rounding at most is returned, too, because it may be equal to the highest one.

    Parameters
    ----------
    sample, cache, rules, memory, child
        As in the module's docstring.
    parents : int64 array
    score : float
        Score with these parents.
    candidates : (words,) uint64 array
        Bits, as in `bits_of`.
    """
    least = score + rules.least - rules.rounding
    at = slot_of(memory, family_key(cache.edge_key, child, parents))
    unknown, n_known = unknown_among(candidates, memory.examined[at])
    memory.counters[N_KNOWN] += n_known
    n, k = unknown.shape[0], 0
    nodes, scores = np.empty(memory.n_promising[at] + n, np.int64), np.empty(memory.n_promising[at] + n)
    for c in range(memory.n_promising[at]):
        if has_bit(candidates, memory.promising[at, c]):
            nodes[k], scores[k] = memory.promising[at, c], memory.score_with[at, c]
            k += 1
    if n:
        found = np.empty(n)
        score_with_each(sample, cache, rules, memory, child, parents, unknown, least, found)
        remember(memory, at, unknown, found, least)
        k = keep_promising(unknown, found, least, nodes, scores, k)
    return nodes[:k], scores[:k]


@kernel
def unknown_among(candidates, examined):
    """Return the candidates that have not been examined, ascending, and the number of the others.

    Parameters
    ----------
    candidates, examined : (words,) uint64 arrays
        Bits, as in `bits_of`.
    """
    left = candidates & ~examined
    unknown = np.empty(count(left), np.int64)
    fill_rows(left, unknown)
    return unknown, count(candidates) - unknown.shape[0]


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
    k : int
    """
    for c in range(found.shape[0]):
        if found[c] > least:
            nodes[k], scores[k] = candidates[c], found[c]
            k += 1
    return k


@kernel
def remember(memory, at, candidates, found, least):
    """Mark candidates as examined, and list those whose scores are above `least` while there is room.

    Parameters
    ----------
    memory : SearchMemory
    at : int
        Slot of the node with its parents.
    candidates, found : int64 and float64 arrays
        Candidates, and the score with each.
    least : float
    """
    for c in range(found.shape[0]):
        i, q = candidates[c], memory.n_promising[at]
        if found[c] > least:
            if q == MAX_PROMISING:
                continue
            memory.promising[at, q], memory.score_with[at, q] = i, found[c]
            memory.n_promising[at] = q + 1
        set_bit(memory.examined[at], i)


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
def best_position(rules, nodes, scores):
    """Return the position of the highest score; the rank of the nodes breaks ties.

    Parameters
    ----------
    rules : OrderRules
    nodes : int64 array
    scores : float64 array
    """
    highest = scores.max()
    best = -1
    for c in range(scores.shape[0]):
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
        worst = best_position(rules, members, out[:n])
        if not out[worst] > score + rules.least:
            break
        score = out[worst]
        n = remove_at(members, n, worst)
    return n, score


@kernel
def grow_and_shrink(sample, cache, rules, memory, child, members, n, before):
    """Grow and shrink from the first n members until neither raises the score; return (n, score).

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n, before
        As in `grow`.
    """
    score = score_of(sample, cache, rules, memory, child, members[:n])
    while True:
        n, score = grow(sample, cache, rules, memory, child, members, n, score, before)
        n_grown = n
        n, score = shrink(sample, cache, rules, memory, child, members, n, score)
        if n == n_grown:
            return n, score


@kernel
def score_candidates(sample, cache, rules, memory, child, members, n, score, others, row):
    """Fill the unknown entries of `row`: the score of the child with one more parent among the others.

    Parameters
    ----------
    sample, cache, rules, memory, child, members, n
        As in the module's docstring.
    score : float
        Present score.
    others : int64 array
    row : (p,) float64 array
        NaN where unknown; -inf where no parent may be added or it would not raise the score.
    """
    candidates = np.zeros(memory.examined.shape[1], np.uint64)
    for k in range(n):
        row[members[k]] = -np.inf
    for i in others:
        if np.isnan(row[i]):
            row[i] = -np.inf
            if n < rules.max_parents and rules.may_add[child, i]:
                set_bit(candidates, i)
    nodes, scores = promising_candidates(sample, cache, rules, memory, child, members[:n], score, candidates)
    for c in range(nodes.shape[0]):
        row[nodes[c]] = scores[c]
