"""Cache of correlation blocks on the rows in which a set of variables is observed.

Searches request the same few variables repeatedly, with different ones as x and y: three in four of the tests of PC on
three variables. A cached block does not depend on the order in which a test names its variables: it is
computed with the variables ascending.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .embedded_covariance import add_columns, fill_available

FACTOR, PRIME = 1_000_003, 2_147_483_647


class CovarianceCache(NamedTuple):
    """Hash table of the last sets of up to k + 2 variables, one slot each, for one thread.

    Attributes
    ----------
    members : (2^b, k + 2) int32 array
        The variables plus one, ascending; 0 for none.
    rows : (2^b,) int64 array
        Rows in which all of them are observed.
    corr : (2^b, (m + 1) m / 2) float64 array
        Correlations of their up to m columns: the lower triangle, row by row.
    ascending : (k + 2,) int64 array
        The variables of the last test.
    order : (m,) int64 array
        Position of each column of the last test among the columns of `ascending`.
    """

    members: np.ndarray
    rows: np.ndarray
    corr: np.ndarray
    ascending: np.ndarray
    order: np.ndarray


class EmbeddedScratch(NamedTuple):
    """Working memory of one thread for sets of up to k variables, with m columns in all.

    Attributes
    ----------
    nodes : (k + 2,) int64 array
    columns, basis : (m + 1,) int64 arrays
    block, chol, left : (m + 1, m + 1) float64 arrays
    words : (3, words) uint64 array
    gathered : (m + 1, `ROWS_AT_ONCE`) float64 array
    values, positions : (m + 1,) float64 and int64 arrays
    rows : (3,) int64 array
        Rows of the last test, and the fewest and most rows of any test.
    kept : CovarianceCache
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
    positions: np.ndarray
    rows: np.ndarray
    kept: CovarianceCache


@kernel
def fill_cached_block(sample, nodes, block, scratch):
    """Write the correlations of the nodes' columns to the block's lower triangle; return the number of rows.

    Parameters
    ----------
    sample : EmbeddedSample
    nodes : int64 array
    block : float64 array
    scratch : EmbeddedScratch
    """
    kept = scratch.kept
    ascending, order = kept.ascending[: nodes.shape[0]], kept.order
    m = sort_nodes(sample.first, nodes, ascending, order)
    slot = slot_of(ascending, kept.members.shape[0])
    members, corr = kept.members[slot], kept.corr[slot]
    if not has_members(members, ascending):
        kept.rows[slot] = compute_block(sample, ascending, scratch, corr)
        store_members(members, ascending)
    for a in range(m):
        for b in range(a + 1):
            high, low = max(order[a], order[b]), min(order[a], order[b])
            block[a, b] = corr[high * (high + 1) // 2 + low]
    return kept.rows[slot]


@kernel
def compute_block(sample, nodes, scratch, corr):
    """Compute the correlations of ascending nodes as `fill_cached_block`, one row of the triangle after the other.

    Parameters
    ----------
    sample, nodes, scratch
        As in `fill_cached_block`.
    corr : float64 array
        Filled: a row of ``CovarianceCache.corr``.
    """
    columns, square = scratch.columns, scratch.left
    m = 0
    for k in range(nodes.shape[0]):
        m = add_columns(sample.first, nodes[k], columns, m)
    n = fill_available(
        sample.sums, sample.missing_index, sample.absent, sample.absent_sums, sample.begin, sample.both_absent,
        sample.cell_row, sample.cells, sample.ones, nodes, sample.first, columns, m, square, scratch.words,
        scratch.gathered, scratch.values, scratch.positions,
    )  # fmt: skip
    at = 0
    for a in range(m):
        for b in range(a + 1):
            corr[at] = square[a, b]
            at += 1
    return n


@kernel
def sort_nodes(first, nodes, ascending, order):
    """Sort the nodes; return the number of their columns.

    Parameters
    ----------
    first : (p + 1,) int64 array
        First column of each variable.
    nodes : int64 array
    ascending : int64 array
        Filled with the sorted nodes.
    order : int64 array
        Filled: position after sorting of each column, in the order of `nodes`.
    """
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
def slot_of(nodes, n_places):
    """Return the slot of a set among `n_places`, a power of two."""
    key = 0
    for k in range(nodes.shape[0]):
        key = (key * FACTOR + nodes[k]) % PRIME
    return key & (n_places - 1)


@kernel
def has_members(members, nodes):
    """Return True if a slot's `members` are the nodes."""
    for k in range(members.shape[0]):  # noqa: SIM110
        if members[k] != (nodes[k] + 1 if k < nodes.shape[0] else 0):
            return False
    return True


@kernel
def store_members(members, nodes):
    """Write the nodes to a slot's `members`."""
    for k in range(members.shape[0]):
        members[k] = nodes[k] + 1 if k < nodes.shape[0] else 0
