"""Covariances of embedded columns on the rows in which a set of variables is observed.

A continuous variable is embedded as one column, a categorical one with r observed levels as r - 1 indicators, and a
constant one as no column (Andrews, Ramsey and Cooper 2019). Row weights, which add up to the number of rows, are
contained in sums and cells: each row is multiplied by the square root of its weight.

With missing values, sums over the available rows are computed from sums over all rows, in which a missing cell counts
as 0, minus precomputed sums over the rows that lack one variable. Rows that lack two or more members are subtracted
more than once; only they are visited.

Arrays of all functions here
----------------------------
first, missing_index, absent, absent_sums, begin, both_absent, cell_row, cells, ones, sums
    Attributes of `EmbeddedSample`.
nodes : int64 array
    The variables of the test.
columns : int64 array
    Their columns, in the order of `nodes`, with room for one more.
block : float64 array
    Sums of products of these columns and, in the last row, of the column of ones; lower triangle.
positions : int64 array
    Scratch: positions in the block.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arrays import LANES, dot
from ..compiling import kernel
from ..counting.popcount import popcount

ROWS_AT_ONCE = 256  # a multiple of `LANES`
MIN_VARIANCE = 1e-12  # a column with less variance among the rows of a test is constant there


class EmbeddedSample(NamedTuple):
    """q embedded columns of p variables.

    Attributes
    ----------
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``.
    continuous : (p,) bool array
    n : int
        Number of all rows.
    corr : (q, q) float64 array
        Correlations of the columns of complete data, or completed ones; empty otherwise.
    pair_rows : (p, p) float64 array
        With completed correlations, the rows in which two variables are observed; empty otherwise.
    sums : (q + 1, q + 1) float64 array
        Sums of products of standardized columns, 0 where missing, and last of a column of ones; empty for complete
        data.
    missing_index : (p,) int64 array
        Number of a variable among those with missing values; -1 for a complete one.
    absent : (h, words) uint64 array
        A bit for each row that lacks the variable with that number.
    absent_sums : (h, q + 1, q + 1) float64 array
        `sums` over these rows only; empty where that would take too much memory.
    begin : (h, h + 1) int64 array
        Where the rows that lack two variables begin in `both_absent`, the variable with the larger number first; empty
        where those would take too much memory.
    both_absent : (k,) int32 array
        Rows of `cells`, ascending for each pair of variables.
    cell_row : (n,) int64 array
        Row of `cells` for a row with missing values; -1 for other rows.
    cells : (q m,) float64 array
        The standardized columns in the m rows with missing values, one variable after the other.
    ones : (m,) float64 array
        The column of ones in those rows: the square root of the weight; empty without weights.
    """

    first: np.ndarray
    continuous: np.ndarray
    n: int
    corr: np.ndarray
    pair_rows: np.ndarray
    sums: np.ndarray
    missing_index: np.ndarray
    absent: np.ndarray
    absent_sums: np.ndarray
    begin: np.ndarray
    both_absent: np.ndarray
    cell_row: np.ndarray
    cells: np.ndarray
    ones: np.ndarray


@kernel
def record_rows(rows, n):
    """Record the number of rows of a test in `rows`: the last, the fewest and the most."""
    rows[0] = n
    rows[1] = min(rows[1], n)
    rows[2] = max(rows[2], n)


@kernel
def rows_of_pairs(pair_rows, nodes):
    """Return the smallest number of rows in which two of the variables are observed, rounded.

    Parameters
    ----------
    pair_rows : (p, p) float64 array
    nodes : int64 array
    """
    fewest = np.inf
    for a in range(nodes.shape[0]):
        for b in range(a):
            fewest = min(fewest, pair_rows[nodes[a], nodes[b]])
    return int(round(fewest))


@kernel
def add_columns(first, v, columns, m):
    """Append the columns of variable v to the first `m` of `columns`; return the new number.

    Parameters
    ----------
    first, columns
        As in the module's docstring.
    v, m : int
    """
    for c in range(first[v], first[v + 1]):
        columns[m] = c
        m += 1
    return m


@kernel
def fill_correlations(corr, columns, m, block):
    """Write the correlations of some columns to the lower triangle of a block.

    Parameters
    ----------
    corr : (q, q) float64 array
    columns : int64 array
    m : int
        The first `m` of `columns` count.
    block : float64 array
    """
    for a in range(m):
        row = corr[columns[a]]
        for b in range(a + 1):
            block[a, b] = row[columns[b]]


@kernel
def fill_available(
    sums,
    missing_index,
    absent,
    absent_sums,
    begin,
    both_absent,
    cell_row,
    cells,
    ones,
    nodes,
    first,
    columns,
    m,
    block,
    words,
    gathered,
    values,
    positions,
):
    """Compute the correlations of some columns on the rows in which all nodes are observed; return the number of rows.

    A column that is constant on these rows gets 0, also on the diagonal.

    Parameters
    ----------
    sums, missing_index, absent, absent_sums, begin, both_absent, cell_row, cells, ones, nodes, first, columns
        As in the module's docstring; `columns` gets the column of ones as its last.
    m : int
        Columns without that of ones.
    block : (m + 1, m + 1) float64 array
        Its lower triangle is filled.
    words : (3, words) uint64 array
        Scratch.
    gathered : (m + 1, `ROWS_AT_ONCE`) float64 array
        Scratch.
    values, positions : (m + 1,) float64 and int64 arrays
        Scratch.
    """
    columns[m] = sums.shape[0] - 1
    fill_correlations(sums, columns, m + 1, block)
    known, n_holes, at = absent_sums.shape[0] > 0, 0, 0
    for k in range(nodes.shape[0]):
        h, end = missing_index[nodes[k]], at + first[nodes[k] + 1] - first[nodes[k]]
        if h >= 0:
            n_holes += 1
            if known:
                subtract_absent(absent_sums[h], columns, m + 1, at, end, block)
        at = end
    listed = known and begin.shape[0] > 0
    if listed:
        add_back_absent_pairs(
            missing_index, begin, both_absent, cells, ones, first, nodes, m + 1, block, gathered, positions
        )
    if n_holes > known + listed:
        mark_absent_rows(missing_index, absent, nodes, words[0], words[1], words[2])
        taken = known + listed
        correct_rows(
            words[taken],
            missing_index,
            absent,
            cell_row,
            cells,
            ones,
            nodes,
            taken,
            first,
            m + 1,
            block,
            values,
            positions,
        )
    n = int(round(block[m, m]))
    if n > 0:
        to_correlations(block, m)
    return n


@kernel
def subtract_absent(absent_sums, columns, m, begin, end, block):
    """Subtract the sums over the rows that lack one variable.

    Parameters
    ----------
    absent_sums : (q + 1, q + 1) float64 array
        Sums of this variable.
    columns, block
        As in the module's docstring.
    m : int
        Number of columns, that of ones included.
    begin, end : int
        Positions of the variable's own columns, in which these rows have no values.
    """
    for a in range(m):
        if begin <= a < end:
            continue
        row = absent_sums[columns[a]]
        for b in range(a + 1):
            block[a, b] -= row[columns[b]]


@kernel
def add_back_absent_pairs(missing_index, begin, both_absent, cells, ones, first, nodes, m, block, gathered, positions):
    """Add the rows that lack two of the nodes, for each pair of nodes, since they were subtracted once too often.

    Parameters
    ----------
    missing_index, begin, both_absent, cells, ones, first, nodes, block, positions
        As in the module's docstring.
    m : int
        Number of columns, that of ones included.
    gathered : (m, `ROWS_AT_ONCE`) float64 array
        Scratch.
    """
    for i in range(nodes.shape[0]):
        for j in range(i):
            h, g = missing_index[nodes[i]], missing_index[nodes[j]]
            if h < 0 or g < 0:
                continue
            rows = both_absent[begin[max(h, g), min(h, g)] : begin[max(h, g), min(h, g) + 1]]
            for at in range(0, rows.shape[0], ROWS_AT_ONCE):
                part = rows[at : at + ROWS_AT_ONCE]
                add_rows(cells, ones, first, nodes, i, j, part, m, block, gathered, positions)


@kernel
def add_rows(cells, ones, first, nodes, i, j, rows, m, block, gathered, positions):
    """Add the products of some rows that lack the nodes i and j.

    Parameters
    ----------
    cells, ones, first, nodes, block, positions
        As in the module's docstring.
    i, j : int
        Positions in `nodes`.
    rows : int32 array
        At most `ROWS_AT_ONCE` rows of `cells`.
    m : int
        Number of columns, that of ones included.
    gathered : (m, `ROWS_AT_ONCE`) float64 array
        Scratch.
    """
    height, count = cells.shape[0] // max(first[-1], 1), rows.shape[0]
    filled = (count + LANES - 1) // LANES * LANES
    t, at = 0, 0
    for k in range(nodes.shape[0]):
        v = nodes[k]
        width = first[v + 1] - first[v]
        if k != i and k != j:
            for c in range(width):
                own, begin = gathered[t], first[v] * height + c
                for r in range(count):
                    own[r] = cells[begin + rows[r] * width]
                for r in range(count, filled):
                    own[r] = 0.0
                positions[t] = at + c
                t += 1
        at += width
    own = gathered[t]
    for r in range(count):
        own[r] = ones[rows[r]] if ones.shape[0] else 1.0
    for r in range(count, filled):
        own[r] = 0.0
    positions[t] = m - 1
    for a in range(t + 1):
        own, target = gathered[a], block[positions[a]]
        for b in range(a + 1):
            target[positions[b]] += dot(own, gathered[b], filled)


@kernel
def mark_absent_rows(missing_index, absent, nodes, once, twice, thrice):
    """Mark the rows that lack at least one, at least two and at least three of the nodes.

    Parameters
    ----------
    missing_index, absent, nodes
        As in the module's docstring.
    once, twice, thrice : (words,) uint64 arrays
        Filled.
    """
    done = 0
    if nodes.shape[0] > 2 and min(missing_index[nodes[0]], missing_index[nodes[1]], missing_index[nodes[2]]) >= 0:
        mark_three_absent(
            absent[missing_index[nodes[0]]],
            absent[missing_index[nodes[1]]],
            absent[missing_index[nodes[2]]],
            once,
            twice,
            thrice,
        )
        done = 3
    else:
        for w in range(once.shape[0]):
            once[w], twice[w], thrice[w] = 0, 0, 0
    for k in range(done, nodes.shape[0]):
        h = missing_index[nodes[k]]
        if h >= 0:
            lacking = absent[h]
            for w in range(once.shape[0]):
                thrice[w] |= twice[w] & lacking[w]
                twice[w] |= once[w] & lacking[w]
                once[w] |= lacking[w]


@kernel
def mark_three_absent(first, second, third, once, twice, thrice):
    """Mark rows as `mark_absent_rows`, for three variables at once.

    Parameters
    ----------
    first, second, third : (words,) uint64 arrays
        A bit for each row that lacks the variable.
    once, twice, thrice : (words,) uint64 arrays
        Filled.
    """
    for w in range(once.shape[0]):
        either, both_absent = first[w] | second[w], first[w] & second[w]
        once[w] = either | third[w]
        twice[w] = both_absent | (either & third[w])
        thrice[w] = both_absent & third[w]


@kernel
def correct_rows(
    marked, missing_index, absent, cell_row, cells, ones, nodes, known, first, m, block, values, positions
):
    """Correct the sums for each marked row, by how often it was subtracted and added back.

    Parameters
    ----------
    marked : (words,) uint64 array
    missing_index, absent, cell_row, cells, ones, nodes, first, block, positions
        As in the module's docstring.
    known : int
        0: rows were not subtracted yet; 1: once for each missing node; 2: rows lacking two nodes were added back, too.
    m : int
        Number of columns, that of ones included.
    values : (m,) float64 array
        Scratch.
    """
    one, height = np.uint64(1), cells.shape[0] // max(first[-1], 1)
    for w in range(marked.shape[0]):
        word = marked[w]
        while word:
            low = word & (~word + one)
            word ^= low
            bit = popcount(low - one)
            row = cell_row[64 * w + bit]
            lacking, t, at = 0, 0, 0
            for k in range(nodes.shape[0]):
                v = nodes[k]
                width = first[v + 1] - first[v]
                h = missing_index[v]
                if h >= 0 and (absent[h, w] >> np.uint64(bit)) & one:
                    lacking += 1
                else:
                    for c in range(width):
                        values[t], positions[t] = cells[first[v] * height + row * width + c], at + c
                        t += 1
                at += width
            values[t], positions[t] = ones[row] if ones.shape[0] else 1.0, m - 1
            often = -1.0 if known == 0 else lacking - 1.0
            if known > 1:
                often -= lacking * (lacking - 1) / 2
            add_row(values, positions, t + 1, often, block)


@kernel
def add_row(values, positions, t, often, block):
    """Add the products of a row's values to the block.

    Parameters
    ----------
    values : float64 array
    positions : int64 array
        Position of each value in the block.
    t : int
        The first `t` values count.
    often : float
        Factor of the products.
    block : float64 array
    """
    for a in range(t):
        weighted, target = often * values[a], block[positions[a]]
        for b in range(a + 1):
            target[positions[b]] += weighted * values[b]


@kernel
def to_correlations(block, m):
    """Convert sums of products of `m` columns to correlations; row m holds the sums; a constant column becomes 0."""
    n = block[m, m]
    for a in range(m):
        for b in range(a + 1):
            block[a, b] = block[a, b] / n - block[m, a] / n * (block[m, b] / n)
    for a in range(m):
        block[m, a] = 1.0 / math.sqrt(block[a, a]) if block[a, a] > MIN_VARIANCE else 0.0
    for a in range(m):
        for b in range(a + 1):
            block[a, b] *= block[m, a] * block[m, b]


@kernel
def count_absent_pairs(absent, begin):
    """Count in ``begin[h, g + 1]``, g < h, the rows of `absent` (h, m) bool that lack both variables."""
    lacking = np.empty(absent.shape[0], np.int64)
    for r in range(absent.shape[1]):
        n = absent_in_row(absent, r, lacking)
        for i in range(n):
            for j in range(i):
                begin[lacking[i], lacking[j] + 1] += 1


@kernel
def list_absent_pairs(absent, at, both_absent):
    """Write the rows that lack both variables to `both_absent` from ``at[h, g]`` on; move ``at[h, g]`` to their end."""
    lacking = np.empty(absent.shape[0], np.int64)
    for r in range(absent.shape[1]):
        n = absent_in_row(absent, r, lacking)
        for i in range(n):
            for j in range(i):
                both_absent[at[lacking[i], lacking[j]]] = r
                at[lacking[i], lacking[j]] += 1


@kernel
def absent_in_row(absent, r, lacking):
    """Write the variables that row r lacks to `lacking`, ascending; return their number."""
    n = 0
    for h in range(absent.shape[0]):
        if absent[h, r]:
            lacking[n] = h
            n += 1
    return n
