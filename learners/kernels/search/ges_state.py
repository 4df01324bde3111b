"""State of a search over equivalence classes, its rules, and the effect of a step."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..graphs.adjacency import is_adjacent, is_directed, is_undirected
from ..graphs.class_operators import changed_marks, delete_in_place, insert_in_place, turn_in_place
from ..graphs.paths import extend_reach

INSERT, DELETE, TURN = 0, 1, 2
AS_GIVEN, SHIELDING_COLLIDERS, SHIELDING_TRIPLES = 0, 1, 2  # pairs that may be adjacent in addition to `GESRules.base`


class GESRules(NamedTuple):
    """Rules of the search.

    Attributes
    ----------
    base : (p, p) bool array
        Symmetric: pairs that may be adjacent.
    forbidden, required : (p, p) bool arrays
        Symmetric: pairs that must not be adjacent, none of them in `base`, and pairs that must be.
    directions : (p, p) bool array
        i -> j wherever the pair is adjacent; used if `directed`.
    directed : bool
    shielding : int
        Pairs outside `base` that may be adjacent as well: `AS_GIVEN`, `SHIELDING_COLLIDERS` or `SHIELDING_TRIPLES`.
    max_parents : int
    order : (p,) int64 array
        Rank of each node in ties.
    """

    base: np.ndarray
    forbidden: np.ndarray
    required: np.ndarray
    directions: np.ndarray
    directed: bool
    shielding: int
    max_parents: int
    order: np.ndarray


class GESState(NamedTuple):
    """State of the search.

    Attributes
    ----------
    amat : (p, p) bool array
        The CPDAG.
    spare : (p, p) bool array
        A copy of it, which the next step turns into the next CPDAG.
    begin, near : int64 and integer arrays
        Adjacency lists of the CPDAG.
    ceiling : (p, p) float64 array
        At [y, x] an upper bound of the gain of operators on x -> y, valid where `stale` is False; -inf for no operator.
    top : (p,) float64 array
        At least the largest ceiling of each row whose ceilings are valid.
    stale : (p, p) bool array
    stale_rows : (p,) bool array
        True where the row of `stale` may have True.
    lowered : (p, p) bool array
        True where a path lowered the ceiling.
    lowered_rows : (p,) bool array
        True where the row of `lowered` may have True.
    scored : (p, p) bool array
        Symmetric: pairs whose insertion is scored.
    """

    amat: np.ndarray
    spare: np.ndarray
    begin: np.ndarray
    near: np.ndarray
    ceiling: np.ndarray
    top: np.ndarray
    stale: np.ndarray
    stale_rows: np.ndarray
    lowered: np.ndarray
    lowered_rows: np.ndarray
    scored: np.ndarray


@kernel
def is_shielding(rules, state, i, j):
    """Return True if an edge between i and j shields a triple i, k, j of the kind that `shielding` names.

    Parameters
    ----------
    rules : GESRules
    state : GESState
    i, j : int
    """
    if rules.shielding != AS_GIVEN:
        for k in state.near[state.begin[i] : state.begin[i + 1]]:
            if is_adjacent(state.amat, k, j) and may_shield(rules, state, i, k, j):
                return True
    return False


@kernel
def may_shield(rules, state, i, k, j):
    """Return True if an unshielded triple may be shielded.

    Parameters
    ----------
    rules : GESRules
    state : GESState
    i, k, j : int
    """
    return rules.shielding == SHIELDING_TRIPLES or (is_directed(state.amat, i, k) and is_directed(state.amat, j, k))


@kernel
def mark_stale(state, y, x):
    """Mark the ceiling of operators on x -> y as stale."""
    state.stale[y, x] = True
    state.stale_rows[y] = True


@kernel
def mark_stale_row(state, y):
    """Mark all ceilings of operators on edges into y as stale."""
    state.stale[y] = True
    state.stale_rows[y] = True


@kernel
def mark_all_stale(state):
    """Mark all ceilings as stale."""
    state.stale[:] = True
    state.stale_rows[:] = True


@kernel
def admit_shields(rules, state):
    """Score the insertions that would shield a triple which may be shielded."""
    for k in range(state.amat.shape[0] if rules.shielding != AS_GIVEN else 0):
        own = state.near[state.begin[k] : state.begin[k + 1]]
        for i in own:
            for j in own:
                new = (
                    i != j
                    and not state.scored[i, j]
                    and not is_adjacent(state.amat, i, j)
                    and not rules.forbidden[i, j]
                )
                if new and may_shield(rules, state, i, k, j):
                    state.scored[i, j] = state.scored[j, i] = True
                    mark_stale(state, i, j)
                    mark_stale(state, j, i)


@kernel
def apply_operator(state, op, x, y, nodes):
    """Apply an operator.

    Parameters
    ----------
    state : GESState
        Its matrices become the present CPDAG and the next one, which is in `spare`. Ceilings that the step may change
        become stale; after a turn, which also changes gains of distant nodes, all do.
    op : int
        `INSERT`, `DELETE` or `TURN`.
    x, y : int
    nodes : int64 array
        T, H or C of the operator.

    Returns
    -------
    begin, near : arrays
        Adjacency lists of the next CPDAG.
    marks : (m, 2) int64 array
        Pairs other than x, y whose marks changed.
    widest : int
        Maximum number of parents and neighbors, in the next CPDAG, of a node with a changed mark.
    """
    if op == INSERT:
        amat, begin, near = insert_in_place(state.spare, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, state.begin, state.near)
        mark_unblocked(state, amat, marks)
    elif op == DELETE:
        amat, begin, near = delete_in_place(state.spare, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, begin, near)
    else:
        amat, begin, near = turn_in_place(state.spare, state.begin, state.near, x, y, nodes)
        marks = changed_marks(state.amat, amat, begin, near)
        marks = marks[~((marks[:, 0] == min(x, y)) & (marks[:, 1] == max(x, y)))]
    if op == TURN:
        mark_all_stale(state)
    else:
        mark_stale_around(state, amat, begin, near, x, y, marks)
    widest = max(n_into(amat, begin, near, x), n_into(amat, begin, near, y))
    state.amat[x, y], state.amat[y, x] = amat[x, y], amat[y, x]
    for m in range(marks.shape[0]):
        i, j = marks[m]
        state.amat[i, j], state.amat[j, i] = amat[i, j], amat[j, i]
        widest = max(widest, n_into(amat, begin, near, i), n_into(amat, begin, near, j))
    return begin, near, marks, widest


@kernel
def n_into(amat, begin, near, k):
    """Return the number of parents and neighbors of a node.

    Parameters
    ----------
    amat : (p, p) bool array
        A CPDAG.
    begin, near : int64 and integer arrays
        Its adjacency lists.
    k : int
    """
    count = 0
    for i in near[begin[k] : begin[k + 1]]:
        count += amat[i, k]
    return count


@kernel
def mark_stale_around(state, amat, begin, near, x, y, marks):
    """Mark the ceilings as stale that an insertion or a deletion may change.

    Parameters
    ----------
    state : GESState
        Of the class before the step.
    amat, begin, near
        CPDAG after the step, and its adjacency lists.
    x, y : int
    marks : (m, 2) int64 array
        Pairs other than x, y whose marks changed.
    """
    for m in range(marks.shape[0]):
        mark_stale_row(state, marks[m, 0])
        mark_stale_row(state, marks[m, 1])
    # An edge a -> b concerns the families of b alone; as an adjacency, it concerns the nodes with an end as neighbor.
    for a, b in ((x, y), (y, x)):
        mark_stale(state, a, b)
        if state.amat[a, b] or amat[a, b]:
            mark_stale_row(state, b)
        for k in near[begin[a] : begin[a + 1]]:
            if is_undirected(amat, k, a):
                mark_stale(state, k, b)
                if is_undirected(amat, k, b):
                    mark_stale_row(state, k)


@kernel
def mark_unblocked(state, after, marks):
    """Mark the lowered ceilings as stale whose path may have used an edge that was turned against it."""
    tails, heads = np.zeros(after.shape[0], np.bool_), np.zeros(after.shape[0], np.bool_)
    for m in range(marks.shape[0]):
        for i, j in ((marks[m, 0], marks[m, 1]), (marks[m, 1], marks[m, 0])):
            if state.amat[i, j] and not after[i, j]:
                tails[i] = heads[j] = True
    extend_reach(state.amat, state.begin, state.near, tails, False)
    extend_reach(state.amat, state.begin, state.near, heads, True)
    for y in range(after.shape[0]):
        if tails[y] and state.lowered_rows[y]:
            for x in range(after.shape[0]):
                if heads[x] and state.lowered[y, x]:
                    mark_stale(state, y, x)
