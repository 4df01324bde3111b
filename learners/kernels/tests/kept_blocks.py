"""Correlations among the rows that have all variables of a set, kept for other tests of the same variables.

Searches ask of the same few variables again and again, with others of them as x and y: of the tests of PC that need
three members, three in four. What is kept does not depend on who asks: it is worked out with the variables ascending.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .embedded import add_columns, fill_available

FACTOR, PRIME = 1_000_003, 2_147_483_647


class KeptBlocks(NamedTuple):
    """A place for each of the last sets of up to k + 2 variables, by hash, for one thread.

    Attributes
    ----------
    members : (2^b, k + 2) int32 array
        One more than the variables, ascending; 0 where there is none.
    rows : (2^b,) int64 array
        How many rows have them all.
    corr : (2^b, (m + 1) m / 2) float64 array
        The correlations of their up to m columns: the lower triangle, row by row.
    ascending : (k + 2,) int64 array
        The variables of the last test.
    order : (m,) int64 array
        Where each column of the last test is among those of `ascending`.
    """

    members: np.ndarray
    rows: np.ndarray
    corr: np.ndarray
    ascending: np.ndarray
    order: np.ndarray


class EmbeddedScratch(NamedTuple):
    """Working memory of one thread for sets of up to k variables with m columns in all.

    `nodes` (k + 2,), `columns` and `basis` (m + 1,) int64, `block`, `chol` and `left` (m + 1, m + 1) float64, `words`
    (3, words) uint64, `gathered` (m + 1, `ROWS_AT_ONCE`) and `values` (m + 1,) float64, `places` (m + 1,) int64; `rows`
    (3,) int64 says how many rows the last test had, and the fewest and most of any; `kept` is what it keeps.
    """

    nodes: np.ndarray
    columns: np.ndarray
    block: np.ndarray
    chol: np.ndarray
    left: np.ndarray
    basis: np.ndarray
    words: np.ndarray
    gathered: np.ndarray
    values: np.ndarray
    places: np.ndarray
    rows: np.ndarray
    kept: KeptBlocks


@kernel
def fill_kept(sample, nodes, block, scratch):
    """Correlations of the columns of `nodes` among the rows that have them all, into the lower triangle.

    Returns how many rows that are.
    """
    kept = scratch.kept
    ascending, order = kept.ascending[: nodes.shape[0]], kept.order
    m = sort_nodes(sample.first, nodes, ascending, order)
    slot = place_of(ascending, kept.members.shape[0])
    members, corr = kept.members[slot], kept.corr[slot]
    if not holds(members, ascending):
        kept.rows[slot] = work_out(sample, ascending, scratch, corr)
        note(members, ascending)
    for a in range(m):
        for b in range(a + 1):
            high, low = max(order[a], order[b]), min(order[a], order[b])
            block[a, b] = corr[high * (high + 1) // 2 + low]
    return kept.rows[slot]


@kernel
def work_out(sample, nodes, scratch, corr):
    """The same of nodes ascending, one row of the triangle after the other."""
    columns, square = scratch.columns, scratch.left
    m = 0
    for k in range(nodes.shape[0]):
        m = add_columns(sample.first, nodes[k], columns, m)
    n = fill_available(
        sample.sums, sample.hole, sample.absent, sample.lost, sample.begin, sample.both, sample.place, sample.cells,
        sample.ones, nodes, sample.first, columns, m, square, scratch.words, scratch.gathered, scratch.values,
        scratch.places,
    )  # fmt: skip
    at = 0
    for a in range(m):
        for b in range(a + 1):
            corr[at] = square[a, b]
            at += 1
    return n


@kernel
def sort_nodes(first, nodes, ascending, order):
    """The nodes by number; where the columns of each, as they come in `nodes`, are then. How many columns."""
    m = 0
    for i in range(nodes.shape[0]):
        v, before, begin = nodes[i], 0, 0
        for k in range(nodes.shape[0]):
            if nodes[k] < v:
                before += 1
                begin += first[nodes[k] + 1] - first[nodes[k]]
        ascending[before] = v
        for c in range(first[v + 1] - first[v]):
            order[m] = begin + c
            m += 1
    return m


@kernel
def place_of(nodes, n_places):
    """Where a set is, if it is kept."""
    key = 0
    for k in range(nodes.shape[0]):
        key = (key * FACTOR + nodes[k]) % PRIME
    return key & (n_places - 1)


@kernel
def holds(members, nodes):
    """Whether the place is that of the set."""
    for k in range(members.shape[0]):  # noqa: SIM110
        if members[k] != (nodes[k] + 1 if k < nodes.shape[0] else 0):
            return False
    return True


@kernel
def note(members, nodes):
    """Say that it is."""
    for k in range(members.shape[0]):
        members[k] = nodes[k] + 1 if k < nodes.shape[0] else 0
