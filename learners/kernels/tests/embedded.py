"""Covariances among embedded columns, of all rows or of those that have a set of variables.

A continuous variable is embedded as one column; a categorical one of r observed levels as r - 1 indicators; a constant
one as none (Andrews, Ramsey and Cooper 2019). The columns of variable v are ``first[v] .. first[v + 1] - 1``.

With holes, sums over the rows that have all of a set come from sums over all rows, a missing cell counting as 0, less
what was summed once for the rows that lack a variable. Only rows that lack two members or more, which that takes away
more than once, are visited.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount

ROWS_AT_ONCE = 256
FLAT = 1e-12  # a column with less variance among the rows of a test is constant there


class EmbeddedSample(NamedTuple):
    """q embedded columns of p variables.

    Attributes
    ----------
    first : (p + 1,) int64 array
    continuous : (p,) bool array
    n : int
        All rows.
    corr : (q, q) float64 array
        Their correlations, where no cell is missing; else empty.
    sums : (q + 1, q + 1) float64 array
        Sums of products of standardised columns, 0 where missing, and last of a column of ones; empty without holes.
    hole : (p,) int64 array
        Number of a variable among those with holes, -1 for none.
    absent : (h, words) uint64 array
        A bit for each row that lacks the variable.
    lost : (h, q + 1, q + 1) float64 array
        `sums` of those rows alone; empty where that would take too much memory.
    place : (n,) int64 array
        Column of `cells` for a row with missing cells, -1 for others.
    cells : (q + 1, m) float64 array
        The standardised columns, one a row of the array, in the rows with missing cells.
    """

    first: np.ndarray
    continuous: np.ndarray
    n: int
    corr: np.ndarray
    sums: np.ndarray
    hole: np.ndarray
    absent: np.ndarray
    lost: np.ndarray
    place: np.ndarray
    cells: np.ndarray


class EmbeddedScratch(NamedTuple):
    """Working memory of one thread for sets of up to k variables with m columns in all.

    `nodes` (k + 2,), `columns` and `basis` (m + 1,) int64, `block`, `chol` and `left` (m + 1, m + 1) float64, `words`
    (2, words) uint64, `gathered` (m + 3, `ROWS_AT_ONCE`) float64 and `picked` (`ROWS_AT_ONCE`,) int64; `rows` (3,)
    int64 says how many rows the last test had, and the fewest and most of any.
    """

    nodes: np.ndarray
    columns: np.ndarray
    block: np.ndarray
    chol: np.ndarray
    left: np.ndarray
    basis: np.ndarray
    words: np.ndarray
    gathered: np.ndarray
    picked: np.ndarray
    rows: np.ndarray


@kernel
def note_rows(rows, n):
    """Take note of the rows of one more test."""
    rows[0] = n
    rows[1] = min(rows[1], n)
    rows[2] = max(rows[2], n)


@kernel
def add_columns(first, v, columns, m):
    """Append the columns of variable v to the first `m` of `columns`; how many there are then."""
    for c in range(first[v], first[v + 1]):
        columns[m] = c
        m += 1
    return m


@kernel
def fill_known(corr, columns, m, block):
    """Correlations of the first `m` of `columns`, into the lower triangle of the block."""
    for a in range(m):
        row = corr[columns[a]]
        for b in range(a + 1):
            block[a, b] = row[columns[b]]


@kernel
def fill_available(sums, hole, absent, lost, place, cells, nodes, columns, m, block, words, gathered, rows):
    """Correlations of the first `m` of `columns` among the rows that have all `nodes`, into the lower triangle.

    Returns how many rows that are. A column that is constant there is all 0, also with itself. `columns` and the block
    have room for one more, the ones, which give the rows and the means.
    """
    columns[m] = sums.shape[0] - 1
    fill_known(sums, columns, m + 1, block)
    known, n_holes = lost.shape[0] > 0, 0
    for k in range(nodes.shape[0]):
        h = hole[nodes[k]]
        if h >= 0:
            n_holes += 1
            if known:
                take_away(lost[h], columns, m + 1, block)
    if n_holes > known:
        mark_rows(hole, absent, nodes, words[0], words[1])
        marked = words[1] if known else words[0]
        visit_rows(marked, hole, absent, place, cells, nodes, known, columns, m + 1, block, gathered, rows)
    n = int(round(block[m, m]))
    if n > 0:
        to_correlations(block, m, n)
    return n


@kernel
def take_away(lost, columns, m, block):
    """Subtract what the rows that lack one variable add."""
    for a in range(m):
        row = lost[columns[a]]
        for b in range(a + 1):
            block[a, b] -= row[columns[b]]


@kernel
def mark_rows(hole, absent, nodes, once, twice):
    """A bit for each row that lacks one of the nodes or more, and for each that lacks two or more."""
    begun = False
    for k in range(nodes.shape[0]):
        h = hole[nodes[k]]
        if h < 0:
            continue
        lacking = absent[h]
        if begun:
            for w in range(once.shape[0]):
                twice[w] |= once[w] & lacking[w]
                once[w] |= lacking[w]
        else:
            for w in range(once.shape[0]):
                once[w], twice[w] = lacking[w], 0
        begun = True


@kernel
def visit_rows(marked, hole, absent, place, cells, nodes, known, columns, m, block, gathered, rows):
    """Correct the sums for each row marked, by how often the table of what is lost took it away too much."""
    one, count = np.uint64(1), 0
    for w in range(marked.shape[0]):
        word = marked[w]
        while word:
            low = word & (~word + one)
            word ^= low
            place_in_word = popcount(low - one)
            lacking = 0
            if known:
                for k in range(nodes.shape[0]):
                    h = hole[nodes[k]]
                    if h >= 0:
                        lacking += np.int64((absent[h, w] >> np.uint64(place_in_word)) & one)
            rows[count] = place[64 * w + place_in_word]
            gathered[m, count] = lacking - 1.0
            count += 1
            if count == ROWS_AT_ONCE:
                add_rows(cells, columns, m, block, gathered, rows, count)
                count = 0
    add_rows(cells, columns, m, block, gathered, rows, count)


@kernel
def add_rows(cells, columns, m, block, gathered, rows, count):
    """Add the products of `count` rows, each as often as row m of `gathered` says; a missing cell is 0."""
    filled = (count + 3) // 4 * 4
    for a in range(m):
        column = cells[columns[a]]
        for i in range(count):
            gathered[a, i] = column[rows[i]]
    for a in range(m + 1):
        for i in range(count, filled):
            gathered[a, i] = 0.0
    often, weighted = gathered[m], gathered[m + 1]
    for a in range(m):
        for i in range(filled):
            weighted[i] = often[i] * gathered[a, i]
        for b in range(a + 1):
            other = gathered[b]
            s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # four sums at a time, for one would wait for itself
            for i in range(0, filled, 4):
                s0 += weighted[i] * other[i]
                s1 += weighted[i + 1] * other[i + 1]
                s2 += weighted[i + 2] * other[i + 2]
                s3 += weighted[i + 3] * other[i + 3]
            block[a, b] += (s0 + s1) + (s2 + s3)


@kernel
def to_correlations(block, m, n):
    """From sums of products, with those of the ones in row m, to correlations; a constant column becomes 0."""
    for a in range(m):
        for b in range(a + 1):
            block[a, b] = block[a, b] / n - block[m, a] / n * (block[m, b] / n)
    for a in range(m):
        block[m, a] = 1.0 / math.sqrt(block[a, a]) if block[a, a] > FLAT else 0.0
    for a in range(m):
        for b in range(a + 1):
            block[a, b] *= block[m, a] * block[m, b]
