"""Greedy search over DAGs, one edge at a time: hill climbing and tabu search.

The whole search lives in the arrays of a `Climb`, so `climb` can return at any step (to be cancelled, or given more
room) and go on later. Matrices are child by parent: `[j, i]` is about i -> j.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy_rows
from ..scores.families import family_key, find, remember, score_new
from .ancestry import extend_ancestors, find_ancestors, is_ancestor, join, part

ADD, DELETE, REVERSE = 0, 1, 2
DONE, STOPPED, NEEDS_ROOM = 0, 1, 2  # what `climb` returns
N_MOVES, WITHOUT_BEST, WIDEST = 0, 1, 2  # places in `counters`
THRESHOLD = 1e-9  # least gain, as a share of the score
ROUNDING = 1e-12  # gains closer than this share of the score count as equal


class Rules(NamedTuple):
    """What the search may do.

    `may_add`, `required` (p, p) bool. `order` (p,) int64: place of each node in ties. Hill climbing has no `patience`;
    tabu search ends after `patience` moves in a row without a new best.
    """

    may_add: np.ndarray
    required: np.ndarray
    max_parents: int
    order: np.ndarray
    patience: int


class Climb(NamedTuple):
    """Where the search stands.

    `parent` (p, p) bool, with `n_parents` (p,) int64 and `key` (1,) uint64 of it, and `parents` (p, p) int32, whose row
    j begins with the parents of j, ascending; `ancestors` (p, words) uint64, bit i
    of row j set iff i is j or an ancestor of it; `local` (p,) score of each family; `toggled` (p, p) that score with
    the edge put in or taken out, -inf where that is not allowed; `top` (p,) largest of each row; `stale` (p,) bool,
    rows to be filled. `best_parent`, `best` (1,): the best structure so far and its score, NaN before the first.
    `tabu` (L,) uint64: keys of the last structures, free places filled with the first. `moves` (m, 3) int32 op, i, j;
    `gains`, `scores` (m,) float64 of each. `counters` (3,) int64, the last the most parents that a node had.
    """

    parent: np.ndarray
    n_parents: np.ndarray
    parents: np.ndarray
    key: np.ndarray
    ancestors: np.ndarray
    local: np.ndarray
    toggled: np.ndarray
    top: np.ndarray
    stale: np.ndarray
    best_parent: np.ndarray
    best: np.ndarray
    tabu: np.ndarray
    moves: np.ndarray
    gains: np.ndarray
    scores: np.ndarray
    counters: np.ndarray


@kernel
def climb(sample, cache, rules, state, stop, done):
    """Move until no move helps or patience ends; `stop` (1,) ends early, `done` (1,) counts moves.

    Returns `DONE`, `STOPPED`, or `NEEDS_ROOM` if the cache or the log of moves must grow first.
    """
    while True:
        code = refresh(sample, cache, rules, state, stop)
        if code != DONE:
            return code
        score = state.local.sum()
        if np.isnan(state.best[0]):
            keep_best(state, score)
        op, i, j, gain = best_move(cache, rules, state, ROUNDING * max(abs(score), sample.n))
        least = THRESHOLD * max(1.0, abs(score))
        if op < 0 or (rules.patience == 0 and gain <= least):
            return DONE
        if state.counters[N_MOVES] == state.moves.shape[0]:
            return NEEDS_ROOM
        apply(cache, state, op, i, j, gain)
        done[0] += 1
        if state.local.sum() > state.best[0] + least:
            keep_best(state, state.local.sum())
        elif rules.patience:
            state.counters[WITHOUT_BEST] += 1
            if state.counters[WITHOUT_BEST] == rules.patience:
                return DONE


@kernel
def keep_best(state, score):
    """Note the present structure as the best so far."""
    state.best[0] = score
    copy_rows(state.parent, state.best_parent)
    state.counters[WITHOUT_BEST] = 0


@kernel
def changed_key(edge_key, key, op, i, j):
    """Key of the structure after the move: the XOR of the keys of its edges (Zobrist)."""
    key ^= edge_key[j, i]
    return key ^ edge_key[i, j] if op == REVERSE else key


@kernel
def refresh(sample, cache, rules, state, stop):
    """Fill the stale rows of `toggled`."""
    p = state.parent.shape[0]
    for j in range(p):
        if state.stale[j]:
            if stop[0]:
                return STOPPED
            if 2 * (cache.used[0] + p + 1) > cache.keys.shape[0]:
                return NEEDS_ROOM
            fill_row(sample, cache, rules, state, j)
            state.stale[j] = False
    return DONE


@kernel
def fill_row(sample, cache, rules, state, j):
    """Score the family of j, and with each allowed edge into it put in or taken out."""
    parents = state.parents[j, : state.n_parents[j]].astype(np.int64)
    full = parents.shape[0] >= rules.max_parents
    key = family_key(cache.edge_key, j, parents)
    row = state.toggled[j]
    missing = np.empty(row.shape[0], np.int64)
    n_missing = 0
    state.local[j] = score_without(sample, cache, key, j, parents, -1)
    for i in range(row.shape[0]):
        row[i] = -np.inf
        if state.parent[j, i]:
            if not rules.required[j, i]:
                row[i] = score_without(sample, cache, key ^ cache.edge_key[j, i], j, parents, i)
        elif rules.may_add[j, i] and not full:
            at = find(cache.keys, key ^ cache.edge_key[j, i])
            if cache.keys[at] != 0:
                row[i] = cache.values[at]
            else:
                missing[n_missing] = i
                n_missing += 1
    if n_missing:
        found = np.empty(n_missing)
        score_new(sample, cache, j, parents, missing[:n_missing], found)
        for c in range(n_missing):
            row[missing[c]] = found[c]
            remember(cache, key ^ cache.edge_key[j, missing[c]], found[c])
    state.top[j] = row.max()


@kernel
def score_without(sample, cache, key, j, parents, i):
    """Score of j given its parents but i, from the cache or into it; `key` is the key of that family."""
    at = find(cache.keys, key)
    if cache.keys[at] != 0:
        return cache.values[at]
    out = np.empty(1)
    score_new(sample, cache, j, parents[parents != i], np.array([-1]), out)
    remember(cache, key, out[0])
    return out[0]


@kernel
def is_acyclic(state, op, i, j):
    """Whether the graph is still acyclic after the move."""
    if op == ADD:
        return not is_ancestor(state, j, i)
    if op == REVERSE:  # another path from i to j would close a cycle
        for k in state.parents[j, : state.n_parents[j]]:
            if k != i and is_ancestor(state, i, k):
                return False
    return True


@kernel
def gain_of(state, op, i, j):
    """What the move adds to the score; -inf if the rules do not allow it."""
    gain = state.toggled[j, i] - state.local[j]
    return gain + (state.toggled[i, j] - state.local[i]) if op == REVERSE else gain


@kernel
def best_move(cache, rules, state, rounding):
    """(op, i, j, gain) of the best legal move to a structure that is not tabu; op -1 if there is none.

    Ties: additions before deletions before reversals, then the smallest i, then the smallest j in `order`.
    """
    p = state.parent.shape[0]
    best, best_place = -np.inf, 0
    chosen = (-1, -1, -1, -np.inf)
    for j in range(p):
        if state.top[j] - state.local[j] >= best - rounding:
            for i in range(p):
                op = DELETE if state.parent[j, i] else ADD
                gain = gain_of(state, op, i, j)
                place = (op * p + rules.order[i]) * p + rules.order[j]
                if beats(gain, place, best, best_place, rounding) and is_open(cache, state, op, i, j):
                    best, best_place, chosen = max(best, gain), place, (op, i, j, gain)
        for i in state.parents[j, : state.n_parents[j]]:
            gain = gain_of(state, REVERSE, i, j)
            place = (REVERSE * p + rules.order[i]) * p + rules.order[j]
            if beats(gain, place, best, best_place, rounding) and is_open(cache, state, REVERSE, i, j):
                best, best_place, chosen = max(best, gain), place, (REVERSE, np.int64(i), j, gain)
    return chosen


@kernel
def beats(gain, place, best, best_place, rounding):
    """Whether a move is better than the best so far, or as good and earlier in the order of ties."""
    if gain == -np.inf:
        return False
    return gain > best + rounding or (gain >= best - rounding and place < best_place)


@kernel
def is_open(cache, state, op, i, j):
    """Whether the move keeps the graph acyclic and leads to a structure that is not tabu."""
    if not is_acyclic(state, op, i, j):
        return False
    key = changed_key(cache.edge_key, state.key[0], op, i, j)
    return not (state.tabu == key).any()


@kernel
def apply(cache, state, op, i, j, gain):
    """Make the move and log it; rows of changed children become stale, their new local scores are known."""
    state.key[0] = changed_key(cache.edge_key, state.key[0], op, i, j)
    n = state.counters[N_MOVES]
    state.moves[n, 0], state.moves[n, 1], state.moves[n, 2] = op, i, j
    state.local[j] = state.toggled[j, i]
    join(state, i, j) if op == ADD else part(state, i, j)
    state.stale[j] = True
    if op == REVERSE:
        state.local[i] = state.toggled[i, j]
        join(state, j, i)
        state.stale[i] = True
    state.counters[WIDEST] = max(state.counters[WIDEST], state.n_parents[i], state.n_parents[j])
    if op == ADD:
        extend_ancestors(state, i, j)
    else:
        find_ancestors(state.parents, state.n_parents, state.ancestors)
    state.gains[n], state.scores[n] = gain, state.local.sum()
    state.counters[N_MOVES] = n + 1
    if state.tabu.shape[0]:
        state.tabu[(n + 1) % state.tabu.shape[0]] = state.key[0]


@kernel
def legal_move(state, position):
    """(count, op, i, j): how many moves are legal, and the one at `position` among them (ops, then i, then j)."""
    p = state.parent.shape[0]
    count = 0
    chosen = (-1, -1, -1)
    for op in range(3):
        for i in range(p):
            for j in range(p):
                fits = i != j and state.parent[j, i] == (op != ADD) and gain_of(state, op, i, j) > -np.inf
                if fits and is_acyclic(state, op, i, j):
                    if count == position:
                        chosen = (op, i, j)
                    count += 1
    return count, chosen[0], chosen[1], chosen[2]
