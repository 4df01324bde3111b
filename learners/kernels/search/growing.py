"""Parents of one variable among those before it in an order: grown and shrunk from those that it had.

Matrices are child by parent: `[j, i]` is about i -> j. `members` are parents in the order in which they were found.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..scores.families import family_key, find, remember, score_new

N_MOVES, N_PLACED, N_SCORED, TURN = 0, 1, 2, 3  # places in `counters`
NOBODY = -1


class Rules(NamedTuple):
    """What the search may do.

    `may_add`, `required` (p, p) bool. `ahead` (p, p) bool, [i, j]: i comes before j in every order. `rank` (p,) int64:
    place of each node in ties. A change must gain more than `least`; gains closer than `rounding` are equal. Scores of
    families are looked up and kept if they are `remembered`, else computed again.
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
def score_each(sample, cache, rules, counters, child, parents, candidates, out):
    """Scores of the child given its parents and each candidate, from the cache where they are remembered."""
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
        at = find(cache.keys, own)
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
                remember(cache, key ^ cache.edge_key[child, missing[c]] if missing[c] >= 0 else key, found[c])


@kernel
def score_of(sample, cache, rules, counters, child, parents):
    """Score of one family."""
    out = np.empty(1)
    score_each(sample, cache, rules, counters, child, parents, np.array([NOBODY]), out)
    return out[0]


@kernel
def where(members, n, i):
    """Where i is among the first n members, -1 if it is not."""
    for k in range(n):
        if members[k] == i:
            return k
    return -1


@kernel
def take_out(members, n, k):
    """Take out the member in place k; return how many are left."""
    for m in range(k, n - 1):
        members[m] = members[m + 1]
    return n - 1


@kernel
def grow(sample, cache, rules, counters, child, members, n, score, order, end, without, beside):
    """(n, score) once no candidate raises the score any more: those of ``order[:end]`` but `without`, and `beside`."""
    if n >= rules.max_parents:
        return n, score
    candidates, m = candidates_of(rules, child, members, n, order, end, without, beside)
    out = np.empty(m)
    while m and n < rules.max_parents:
        score_each(sample, cache, rules, counters, child, members[:n], candidates[:m], out)
        best = best_of(rules, candidates, out, m)
        if not out[best] > score + rules.least:
            break
        members[n], score = candidates[best], out[best]
        n += 1
        m = take_out(candidates, m, best)
    return n, score


@kernel
def candidates_of(rules, child, members, n, order, end, without, beside):
    """Those of ``order[:end]`` but `without`, and `beside`, that may become parents and are none; and their number."""
    open_ones = rules.may_add[child].copy()
    for k in range(n):
        open_ones[members[k]] = False
    candidates, m = np.empty(end + 1, np.int64), 0
    for k in range(end):
        i = order[k]
        if open_ones[i] and i != without:
            candidates[m] = i
            m += 1
    if beside >= 0 and open_ones[beside]:
        candidates[m] = beside
        m += 1
    return candidates, m


@kernel
def best_of(rules, nodes, scores, n):
    """Place of the highest score; of equal ones that of the node first in ties."""
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
    """(n, score) once taking out no member raises the score any more; required ones stay."""
    others, out = np.empty(n, np.int64), np.empty(n)
    while n:
        for k in range(n):
            out[k] = -np.inf
            if not rules.required[child, members[k]]:
                copy(members[:n], others)
                take_out(others, n, k)
                out[k] = score_of(sample, cache, rules, counters, child, others[: n - 1])
        worst = best_of(rules, members, out, n)
        if not out[worst] > score + rules.least:
            break
        score = out[worst]
        n = take_out(members, n, worst)
    return n, score


@kernel
def grow_and_shrink(sample, cache, rules, counters, child, members, n, order, end, without, beside):
    """(n, score) of the parents that neither growing nor shrinking betters, begun from the first n `members`."""
    score = score_of(sample, cache, rules, counters, child, members[:n])
    while True:
        n, score = grow(sample, cache, rules, counters, child, members, n, score, order, end, without, beside)
        before = n
        n, score = shrink(sample, cache, rules, counters, child, members, n, score)
        if n == before:
            return n, score


@kernel
def look_ahead(sample, cache, rules, counters, child, members, n, order, begin, row):
    """Fill what is not known of `row`: the score of the child with one more parent of ``order[begin:]``."""
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
        score_each(sample, cache, rules, counters, child, members[:n], candidates[:m], out)
        for c in range(m):
            row[candidates[c]] = out[c]
