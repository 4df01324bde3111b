"""Where a search over equivalence classes stands, what it may do, and what a step changes."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..graphs.classes import after_delete, after_insert, after_turn, changed_marks, spread
from .decomposition import arrow, joined

INSERT, DELETE, TURN = 0, 1, 2
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
    where `stale` (p, p) bool is False; -inf where there is no operator. `lowered` (p, p) bool: because of a path.
    `scored` (p, p) bool, symmetric: pairs whose insertion is scored.
    """

    amat: np.ndarray
    begin: np.ndarray
    near: np.ndarray
    ceiling: np.ndarray
    stale: np.ndarray
    lowered: np.ndarray
    scored: np.ndarray


@kernel
def is_shielding(rules, state, i, j):
    """Whether joining i and j shields a triple i, k, j of the kind that `beside` says."""
    if rules.beside != AS_GIVEN:
        for k in state.near[state.begin[i] : state.begin[i + 1]]:
            if joined(state.amat, k, j) and counts(rules, state, i, k, j):
                return True
    return False


@kernel
def counts(rules, state, i, k, j):
    """Whether an unshielded triple is one that may be shielded."""
    return rules.beside == SHIELDING_TRIPLES or (arrow(state.amat, i, k) and arrow(state.amat, j, k))


@kernel
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


@kernel
def apply(state, op, x, y, nodes):
    """The class after an operator and its lists, and the (m, 2) pairs but x, y whose marks changed.

    What the step concerns becomes stale; after a turn, which changes what its far ends may gain too, everything.
    """
    if op == TURN:
        amat, begin, near = after_turn(state.amat, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, begin, near)
        state.stale[:] = True
        return amat, begin, near, marks[~((marks[:, 0] == min(x, y)) & (marks[:, 1] == max(x, y)))]
    if op == INSERT:
        amat, begin, near = after_insert(state.amat, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, state.begin, state.near)
        raise_behind(state, amat, marks)
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


@kernel
def raise_behind(state, after, marks):
    """Have the lowered ceilings found anew whose path may have used an edge that is turned against it."""
    tails, heads = np.zeros(after.shape[0], np.bool_), np.zeros(after.shape[0], np.bool_)
    for m in range(marks.shape[0]):
        for i, j in ((marks[m, 0], marks[m, 1]), (marks[m, 1], marks[m, 0])):
            if state.amat[i, j] and not after[i, j]:
                tails[i] = heads[j] = True
    spread(state.amat, state.begin, state.near, tails, False)
    spread(state.amat, state.begin, state.near, heads, True)
    for y in np.flatnonzero(tails):
        state.stale[y] |= heads & state.lowered[y]
