"""Greedy search over DAGs, one edge at a time: hill climbing and tabu search.

The whole state lives in the arrays of a `ClimbState`, so that `climb` can return at any step, to be cancelled or given
more room, and continue later. Matrices are child by parent: `[j, i]` refers to i -> j.

Arguments of all functions here
-------------------------------
sample : families of a score
cache : FamilyCache
rules : ClimbRules
state : ClimbState
stop : (1,) int8 array
    Set by another thread to end early.
op : int
    `ADD`, `DELETE` or `REVERSE`.
i, j : int
    The edge i -> j.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..hash_table import find_slot
from ..scores.families import family_key, insert_score, score_new
from .ancestry import add_parent, extend_ancestors, find_ancestors, is_ancestor, remove_parent

ADD, DELETE, REVERSE = 0, 1, 2
DONE, STOPPED, NEEDS_ROOM = 0, 1, 2  # return values of `climb`
N_MOVES, WITHOUT_BEST, MOST_PARENTS = 0, 1, 2  # positions in `counters`
MIN_GAIN = 1e-9  # minimum gain of a move, relative to the score
ROUNDING = 1e-12  # gains that differ by less, relative to the score, are equal
GAP = 2.5  # if no gain is between one and so many roundings below the largest, lower gains cannot decide a tie


class ClimbRules(NamedTuple):
    """Rules of the search.

    Attributes
    ----------
    may_add, required : (p, p) bool arrays
    max_parents : int
    order : (p,) int64 array
        Rank of each node in ties.
    patience : int
        Tabu search ends after this many consecutive moves without a new best; 0 for hill climbing.
    """

    may_add: np.ndarray
    required: np.ndarray
    max_parents: int
    order: np.ndarray
    patience: int


class ClimbState(NamedTuple):
    """State of the search.

    Attributes
    ----------
    parent : (p, p) bool array
    n_parents, parents : (p,) int64 and (p, p) int32 arrays
        Row j of `parents` begins with the parents of j, ascending.
    key : (1,) uint64 array
        Key of the structure.
    ancestors : (p, words) uint64 array
        Bit i of row j is set if i is j or an ancestor of j.
    local : (p,) float64 array
        Score of each family.
    toggled : (p, p) float64 array
        That score with the edge added or removed; -inf where that is not allowed.
    top : (p,) float64 array
        Upper bound of each row of `toggled`, apart from additions that would close a cycle.
    turn : (p,) float64 array
        Upper bound of the gains of the reversals of edges into each node.
    stale : (p,) bool array
        Rows that must be filled.
    unkept : (p,) bool array
        Rows in which `parent` may differ from `best_parent`.
    best_parent, best : (p, p) bool and (1,) float64 arrays
        Best structure so far and its score; NaN before the first.
    tabu : (L,) uint64 array
        Keys of the last structures; free slots hold the first key.
    moves : (m, 3) int32 array
        Operator, i, j.
    gains, scores : (m,) float64 arrays
        Gain of each move, and score after it.
    counters : (3,) int64 array
        At `N_MOVES`, `WITHOUT_BEST` and `MOST_PARENTS`.
    """

    parent: np.ndarray
    n_parents: np.ndarray
    parents: np.ndarray
    key: np.ndarray
    ancestors: np.ndarray
    local: np.ndarray
    toggled: np.ndarray
    top: np.ndarray
    turn: np.ndarray
    stale: np.ndarray
    unkept: np.ndarray
    best_parent: np.ndarray
    best: np.ndarray
    tabu: np.ndarray
    moves: np.ndarray
    gains: np.ndarray
    scores: np.ndarray
    counters: np.ndarray


@kernel
def climb(sample, cache, rules, state, stop, done):
    """Move until no move helps or patience ends.

    Parameters
    ----------
    sample, cache, rules, state, stop
        As in the module's docstring.
    done : (1,) int64 array
        Counts the moves.

    Returns
    -------
    int
        `DONE`, `STOPPED`, or `NEEDS_ROOM` if the cache or the log of moves must grow first.
    """
    while True:
        code = refresh(sample, cache, rules, state, stop)
        if code != DONE:
            return code
        score = state.local.sum()
        if np.isnan(state.best[0]):
            keep_best(state, score)
        op, i, j, gain = best_move(cache, rules, state, ROUNDING * max(abs(score), sample.n))
        least = MIN_GAIN * max(1.0, abs(score))
        if op < 0 or (rules.patience == 0 and gain <= least):
            return DONE
        if state.counters[N_MOVES] == state.moves.shape[0]:
            return NEEDS_ROOM
        apply_move(cache, state, op, i, j, gain)
        done[0] += 1
        score = state.scores[state.counters[N_MOVES] - 1]
        if score > state.best[0] + least:
            keep_best(state, score)
        elif rules.patience:
            state.counters[WITHOUT_BEST] += 1
            if state.counters[WITHOUT_BEST] == rules.patience:
                return DONE


@kernel
def keep_best(state, score):
    """Record the current structure as the best so far."""
    state.best[0] = score
    for j in range(state.parent.shape[0]):
        if state.unkept[j]:
            copy(state.parent[j], state.best_parent[j])
            state.unkept[j] = False
    state.counters[WITHOUT_BEST] = 0


@kernel
def changed_key(edge_key, key, op, i, j):
    """Return the key of the structure after a move: the XOR of the keys of its edges (Zobrist hashing).

    Parameters
    ----------
    edge_key : (p, p) uint64 array
    key : uint64
    op, i, j
        As in the module's docstring.
    """
    key ^= edge_key[j, i]
    return key ^ edge_key[i, j] if op == REVERSE else key


@kernel
def refresh(sample, cache, rules, state, stop):
    """Fill the stale rows of `toggled`; return `DONE`, `STOPPED` or `NEEDS_ROOM`.

    Parameters
    ----------
    sample, cache, rules, state, stop
        As in the module's docstring.
    """
    p = state.parent.shape[0]
    for j in range(p):
        if state.stale[j]:
            if stop[0]:
                return STOPPED
            if 4 * (cache.used[0] + p + 1) > 3 * cache.keys.shape[0]:
                return NEEDS_ROOM
            fill_row(sample, cache, rules, state, j)
            state.stale[j] = False
    return DONE


@kernel
def fill_row(sample, cache, rules, state, j):
    """Score the family of j, and with each allowed edge into j added or removed.

    Parameters
    ----------
    sample, cache, rules, state, j
        As in the module's docstring.
    """
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
            at = find_slot(cache.keys, key ^ cache.edge_key[j, i])
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
            insert_score(cache, key ^ cache.edge_key[j, missing[c]], found[c])
    state.top[j] = row.max()
    state.turn[j] = np.inf
    for k in range(row.shape[0]):
        if state.parent[k, j]:
            state.turn[k] = np.inf


@kernel
def score_without(sample, cache, key, j, parents, i):
    """Return the score of j given its parents without i, from the cache or computed and stored.

    Parameters
    ----------
    sample, cache, j, i
        As in the module's docstring; i is -1 for all parents.
    key : uint64
        Key of that family.
    parents : int64 array
    """
    at = find_slot(cache.keys, key)
    if cache.keys[at] != 0:
        return cache.values[at]
    out = np.empty(1)
    score_new(sample, cache, j, parents[parents != i], np.array([-1]), out)
    insert_score(cache, key, out[0])
    return out[0]


@kernel
def is_acyclic(state, op, i, j):
    """Return True if the graph is still acyclic after the move.

    Parameters
    ----------
    state, op, i, j
        As in the module's docstring.
    """
    if op == ADD:
        return not is_ancestor(state, j, i)
    if op == REVERSE:  # another path from i to j would close a cycle
        for k in state.parents[j, : state.n_parents[j]]:
            if k != i and is_ancestor(state, i, k):
                return False
    return True


@kernel
def move_gain(state, op, i, j):
    """Return the gain of a move; -inf if the rules do not allow it.

    Parameters
    ----------
    state, op, i, j
        As in the module's docstring.
    """
    gain = state.toggled[j, i] - state.local[j]
    return gain + (state.toggled[i, j] - state.local[i]) if op == REVERSE else gain


@kernel
def best_move(cache, rules, state, rounding):
    """Return (op, i, j, gain) of the best legal move to a structure that is not tabu; op -1 if there is none.

    Ties: additions before deletions before reversals, then the smallest i, then the smallest j in `order`. First the
    largest gain is searched, in the child with the largest bound of its gains, until no other bound is larger. Then the
    moves within `rounding` of it are compared. If other gains are just below these, all moves are compared one after
    another, since gains that are equal in pairs need not be equal.

    Parameters
    ----------
    cache, rules, state
        As in the module's docstring.
    rounding : float
        Gains that differ by less are equal.
    """
    largest = largest_gain(cache, state)
    op, i, j, gain, undecided = compare_moves(
        cache, rules, state, rounding, largest - GAP * rounding, largest - rounding
    )
    if undecided:
        op, i, j, gain, _ = compare_moves(cache, rules, state, rounding, -np.inf, -np.inf)
    return op, i, j, gain


@kernel
def largest_gain(cache, state):
    """Return the largest gain of the legal moves to structures that are not tabu; -inf if there is none.

    Parameters
    ----------
    cache, state
        As in the module's docstring.
    """
    first, bound = 0, -np.inf
    for j in range(state.local.shape[0]):
        own = max(state.top[j] - state.local[j], state.turn[j])
        if own > bound:
            first, bound = j, own
    largest = raise_gain(cache, state, first, -np.inf)
    for j in range(state.local.shape[0]):
        if j != first:
            largest = raise_gain(cache, state, j, largest)
    return largest


@kernel
def raise_gain(cache, state, j, largest):
    """Return the larger one of `largest` and the largest gain of the legal moves of edges into j, and lower its bounds.

    Parameters
    ----------
    cache, state, j
        As in the module's docstring.
    largest : float
    """
    local = state.local[j]
    if state.top[j] - local > largest:
        row, top = state.toggled[j], -np.inf
        for i in range(row.shape[0]):
            gain = row[i] - local
            if gain > largest:
                op = DELETE if state.parent[j, i] else ADD
                if op == ADD and is_ancestor(state, j, i):
                    continue
                if not is_tabu(cache, state, op, i, j):
                    largest = gain
            top = max(top, row[i])
        state.top[j] = top
    if state.turn[j] > largest:
        turn = -np.inf
        for i in state.parents[j, : state.n_parents[j]]:
            gain = move_gain(state, REVERSE, i, j)
            if gain > largest and is_allowed(cache, state, REVERSE, i, j):
                largest = gain
            turn = max(turn, gain)
        state.turn[j] = turn
    return largest


@kernel
def compare_moves(cache, rules, state, rounding, floor, least):
    """Compare moves child by child; return (op, i, j, gain, undecided) of the best, op -1 if there is none.

    Rows whose bounds are too low are skipped; those of each other row are lowered. `top` is lowered by the additions
    found to close a cycle.

    Parameters
    ----------
    cache, rules, state, rounding
        As in `best_move`.
    floor, least : float
        Moves that gain less than `floor` are left out. Undecided: a legal move gains at least that, but less than
        `least`, and no move compared before it is better.
    """
    p = state.parent.shape[0]
    best, best_place, undecided = -np.inf, 0, False
    chosen = (-1, -1, -1, -np.inf)
    for j in range(p):
        local = state.local[j]
        if state.top[j] - local >= max(floor, best - rounding):
            row, top = state.toggled[j], -np.inf
            for i in range(p):
                gain = row[i] - local
                if gain >= max(floor, best - rounding) and gain > -np.inf:
                    op = DELETE if state.parent[j, i] else ADD
                    if op == ADD and is_ancestor(state, j, i):
                        continue
                    place = (op * p + rules.order[i]) * p + rules.order[j]
                    if beats(gain, place, best, best_place, rounding) and not is_tabu(cache, state, op, i, j):
                        undecided |= gain < least
                        best, best_place, chosen = max(best, gain), place, (op, i, j, gain)
                top = max(top, row[i])
            state.top[j] = top
        if state.turn[j] >= max(floor, best - rounding):
            turn = -np.inf
            for i in state.parents[j, : state.n_parents[j]]:
                gain = move_gain(state, REVERSE, i, j)
                place = (REVERSE * p + rules.order[i]) * p + rules.order[j]
                if (
                    gain >= floor
                    and beats(gain, place, best, best_place, rounding)
                    and is_allowed(cache, state, REVERSE, i, j)
                ):
                    undecided |= gain < least
                    best, best_place, chosen = max(best, gain), place, (REVERSE, np.int64(i), j, gain)
                turn = max(turn, gain)
            state.turn[j] = turn
    return chosen[0], chosen[1], chosen[2], chosen[3], undecided


@kernel
def beats(gain, place, best, best_place, rounding):
    """Return True if a move is better than the best so far, or equal and earlier in the order of ties.

    Parameters
    ----------
    gain, place
        Gain of the move, and its rank in ties.
    best, best_place
        The same of the best move so far.
    rounding : float
    """
    if gain == -np.inf:
        return False
    return gain > best + rounding or (gain >= best - rounding and place < best_place)


@kernel
def is_allowed(cache, state, op, i, j):
    """Return True if a move keeps the graph acyclic and leads to a structure that is not tabu.

    Parameters
    ----------
    cache, state, op, i, j
        As in the module's docstring.
    """
    return is_acyclic(state, op, i, j) and not is_tabu(cache, state, op, i, j)


@kernel
def is_tabu(cache, state, op, i, j):
    """Return True if a move leads to a structure that is tabu.

    Parameters
    ----------
    cache, state, op, i, j
        As in the module's docstring.
    """
    key = changed_key(cache.edge_key, state.key[0], op, i, j)
    found = False
    for other in state.tabu:
        found |= other == key
    return found


@kernel
def apply_move(cache, state, op, i, j, gain):
    """Apply and log a move; rows of changed children become stale.

    Parameters
    ----------
    cache, state, op, i, j
        As in the module's docstring.
    gain : float
    """
    state.key[0] = changed_key(cache.edge_key, state.key[0], op, i, j)
    n = state.counters[N_MOVES]
    state.moves[n, 0], state.moves[n, 1], state.moves[n, 2] = op, i, j
    state.local[j] = state.toggled[j, i]
    add_parent(state, i, j) if op == ADD else remove_parent(state, i, j)
    state.stale[j] = state.unkept[j] = True
    if op == REVERSE:
        state.local[i] = state.toggled[i, j]
        add_parent(state, j, i)
        state.stale[i] = state.unkept[i] = True
    state.counters[MOST_PARENTS] = max(state.counters[MOST_PARENTS], state.n_parents[i], state.n_parents[j])
    if op == ADD:
        extend_ancestors(state, i, j)
    else:
        before = state.ancestors.copy()
        find_ancestors(state.parents, state.n_parents, state.ancestors)
        raise_tops(state, before)
    state.gains[n], state.scores[n] = gain, state.local.sum()
    state.counters[N_MOVES] = n + 1
    if state.tabu.shape[0]:
        state.tabu[(n + 1) % state.tabu.shape[0]] = state.key[0]


@kernel
def raise_tops(state, before):
    """Raise `top` of the children of additions that no longer close a cycle.

    Parameters
    ----------
    state
        As in the module's docstring.
    before : (p, words) uint64 array
        The ancestors before the move.
    """
    for i in range(before.shape[0]):
        for w in range(before.shape[1]):
            lost = before[i, w] & ~state.ancestors[i, w]
            j = w << 6
            while lost:
                if lost & np.uint64(1):
                    state.top[j] = max(state.top[j], state.toggled[j, i])
                lost >>= np.uint64(1)
                j += 1


@kernel
def legal_move(state, position):
    """Return (count, op, i, j): the number of legal moves, and the one at `position` among them (by operator, i, j)."""
    p = state.parent.shape[0]
    count = 0
    chosen = (-1, -1, -1)
    for op in range(3):
        for i in range(p):
            for j in range(p):
                fits = i != j and state.parent[j, i] == (op != ADD) and move_gain(state, op, i, j) > -np.inf
                if fits and is_acyclic(state, op, i, j):
                    if count == position:
                        chosen = (op, i, j)
                    count += 1
    return count, chosen[0], chosen[1], chosen[2]
