"""Covariances among embedded columns, of all rows or of those that have a set of variables.

A continuous variable is embedded as one column; a categorical one of r observed levels as r - 1 indicators; a constant
one as none (Andrews, Ramsey and Cooper 2019). The columns of variable v are ``first[v] .. first[v + 1] - 1``.

With holes, sums over the rows that have all of a set come from sums over all rows, a missing cell counting as 0, less
what was summed once for the rows that lack a variable. Only rows that lack two members or more, which that takes away
more than once, are visited.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel

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
        Row of `cells` for a row with missing cells, -1 for others.
    cells : (m, q + 1) float64 array
        The standardised columns of the rows with missing cells.
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
    (2, words) uint64, and `rows` (3,) int64: how many rows the last test had, and the fewest and most of any.
    """

    nodes: np.ndarray
    columns: np.ndarray
    block: np.ndarray
    chol: np.ndarray
    left: np.ndarray
    basis: np.ndarray
    words: np.ndarray
    rows: np.ndarray


@kernel
def note_rows(rows, n):
    """Take note of the rows of one more test."""
    rows[0] = n
    rows[1] = min(rows[1], n)
    rows[2] = max(rows[2], n)


@kernel
def add_columns(sample, v, columns, m):
    """Append the columns of variable v to the first `m` of `columns`; how many there are then."""
    for c in range(sample.first[v], sample.first[v + 1]):
        columns[m] = c
        m += 1
    return m


@kernel
def fill_block(sample, nodes, size, columns, m, scratch):
    """Correlations of the first `m` of `columns` among the rows that have the first `size` of `nodes`, into the block.

    Returns how many rows that are. A column that is constant there is all 0, also with itself.
    """
    block = scratch.block
    if sample.sums.shape[0] == 0:
        for a in range(m):
            for b in range(a + 1):
                block[a, b] = sample.corr[columns[a], columns[b]]
        return sample.n
    columns[m] = sample.sums.shape[0] - 1  # the ones, for the means and the rows
    sum_products(sample, nodes, size, columns, m + 1, block, scratch.words)
    n = int(round(block[m, m]))
    if n == 0:
        return 0
    for a in range(m):
        for b in range(a + 1):
            block[a, b] = block[a, b] / n - block[m, a] / n * (block[m, b] / n)
    to_correlations(block, m)
    return n


@kernel
def to_correlations(block, m):
    """Scale the lower triangle of covariances; a constant column becomes 0 throughout."""
    for a in range(m):
        for b in range(a):
            both = block[a, a] > FLAT and block[b, b] > FLAT
            block[a, b] = block[a, b] / np.sqrt(block[a, a] * block[b, b]) if both else 0.0
    for a in range(m):
        block[a, a] = 1.0 if block[a, a] > FLAT else 0.0


@kernel
def sum_products(sample, nodes, size, columns, m, block, words):
    """Lower triangle of the sums of products over the rows that have all nodes."""
    known = sample.lost.shape[0] > 0
    for a in range(m):
        for b in range(a + 1):
            block[a, b] = sample.sums[columns[a], columns[b]]
    n_holes = 0
    for k in range(size):
        h = sample.hole[nodes[k]]
        if h >= 0:
            n_holes += 1
            if known:
                take_away(sample.lost[h], columns, m, block)
    if n_holes == 0 or (known and n_holes == 1):
        return
    visit_rows(sample, nodes, size, columns, m, block, words, known)


@kernel
def take_away(lost, columns, m, block):
    """Subtract what the rows that lack one variable add."""
    for a in range(m):
        row = lost[columns[a]]
        for b in range(a + 1):
            block[a, b] -= row[columns[b]]


@kernel
def visit_rows(sample, nodes, size, columns, m, block, words, known):
    """Correct the sums for each row that lacks a node or, if `known`, more than one."""
    once, twice = words[0], words[1]
    once[:] = 0
    twice[:] = 0
    for k in range(size):
        h = sample.hole[nodes[k]]
        if h >= 0:
            absent = sample.absent[h]
            for w in range(once.shape[0]):
                twice[w] |= once[w] & absent[w]
                once[w] |= absent[w]
    marked = twice if known else once
    one = np.uint64(1)
    for w in range(marked.shape[0]):
        word = marked[w]
        while word:
            low = word & (~word + one)
            word ^= low
            t = 64 * w + bit_place(low)
            factor = -1.0
            if known:
                for k in range(size):
                    h = sample.hole[nodes[k]]
                    factor += h >= 0 and (sample.absent[h, w] & low) != 0
            add_row(sample.cells[sample.place[t]], columns, m, factor, block)


@kernel
def bit_place(low):
    """Position of the only bit of a word."""
    place = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if low >> np.uint64(shift):
            low >>= np.uint64(shift)
            place += shift
    return place


@kernel
def add_row(cells, columns, m, factor, block):
    """Add the products of one row, `factor` times."""
    for a in range(m):
        value = cells[columns[a]] * factor
        if value != 0.0:
            for b in range(a + 1):
                block[a, b] += value * cells[columns[b]]
