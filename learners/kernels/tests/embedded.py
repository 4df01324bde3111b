"""Covariances among embedded columns, of all rows or of those that have a set of variables.

A continuous variable is embedded as one column; a categorical one of r observed levels as r - 1 indicators; a constant
one as none (Andrews, Ramsey and Cooper 2019). The columns of variable v are ``first[v] .. first[v + 1] - 1``.

Weights of rows, which add up to their number, are in the sums and cells: each row is multiplied by the root of its own.

With holes, sums over the rows that have all of a set come from sums over all rows, a missing cell counting as 0, less
what was summed once for the rows that lack a variable. Only rows that lack two members or more, which that takes away
more than once, are visited.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount
from ..dots import LANES, dot

ROWS_AT_ONCE = 256  # a multiple of `LANES`
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
    begin : (h, h + 1) int64 array
        Where in `both` the rows stand that lack two variables, the one with the larger number first; empty where
        those would take too much memory.
    both : (k,) int32 array
        Rows of `cells`, ascending for each two.
    place : (n,) int64 array
        Row of `cells` for a row with missing cells, -1 for others.
    cells : (q m,) float64 array
        The standardised columns in the m rows with missing cells, variable after variable: what a test reads of one
        lies close.
    ones : (m,) float64 array
        The column of ones in those rows: the root of the weight; empty without weights.
    """

    first: np.ndarray
    continuous: np.ndarray
    n: int
    corr: np.ndarray
    sums: np.ndarray
    hole: np.ndarray
    absent: np.ndarray
    lost: np.ndarray
    begin: np.ndarray
    both: np.ndarray
    place: np.ndarray
    cells: np.ndarray
    ones: np.ndarray


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
def fill_available(
    sums,
    hole,
    absent,
    lost,
    begin,
    both,
    place,
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
    places,
):
    """Correlations of the first `m` of `columns` among the rows that have all `nodes`, into the lower triangle.

    Returns how many rows that are. A column that is constant there is all 0, also with itself. `columns` are those of
    the nodes, in that order; they and the block have room for one more, the ones, which give the rows and the means.
    """
    columns[m] = sums.shape[0] - 1
    fill_known(sums, columns, m + 1, block)
    known, n_holes, at = lost.shape[0] > 0, 0, 0
    for k in range(nodes.shape[0]):
        h, end = hole[nodes[k]], at + first[nodes[k] + 1] - first[nodes[k]]
        if h >= 0:
            n_holes += 1
            if known:
                take_away(lost[h], columns, m + 1, at, end, block)
        at = end
    listed = known and begin.shape[0] > 0
    if listed:
        add_back_pairs(hole, begin, both, cells, ones, first, nodes, m + 1, block, gathered, places)
    if n_holes > known + listed:
        mark_rows(hole, absent, nodes, words[0], words[1], words[2])
        taken = known + listed
        visit_rows(words[taken], hole, absent, place, cells, ones, nodes, taken, first, m + 1, block, values, places)
    n = int(round(block[m, m]))
    if n > 0:
        to_correlations(block, m)
    return n


@kernel
def take_away(lost, columns, m, begin, end, block):
    """Subtract what the rows that lack one variable add; in its own columns, from `begin` to `end`, that is nothing."""
    for a in range(m):
        if begin <= a < end:
            continue
        row = lost[columns[a]]
        for b in range(a + 1):
            block[a, b] -= row[columns[b]]


@kernel
def add_back_pairs(hole, begin, both, cells, ones, first, nodes, m, block, gathered, places):
    """Add the rows that lack two of the nodes, for each such two: they were taken away once too often."""
    for i in range(nodes.shape[0]):
        for j in range(i):
            h, g = hole[nodes[i]], hole[nodes[j]]
            if h < 0 or g < 0:
                continue
            rows = both[begin[max(h, g), min(h, g)] : begin[max(h, g), min(h, g) + 1]]
            for at in range(0, rows.shape[0], ROWS_AT_ONCE):
                part = rows[at : at + ROWS_AT_ONCE]
                add_rows(cells, ones, first, nodes, i, j, part, m, block, gathered, places)


@kernel
def add_rows(cells, ones, first, nodes, i, j, rows, m, block, gathered, places):
    """Add the products of some rows; of nodes i and j they have nothing."""
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
                places[t] = at + c
                t += 1
        at += width
    own = gathered[t]
    for r in range(count):
        own[r] = ones[rows[r]] if ones.shape[0] else 1.0
    for r in range(count, filled):
        own[r] = 0.0
    places[t] = m - 1
    for a in range(t + 1):
        own, target = gathered[a], block[places[a]]
        for b in range(a + 1):
            target[places[b]] += dot(own, gathered[b], filled)


@kernel
def mark_rows(hole, absent, nodes, once, twice, thrice):
    """A bit for each row that lacks one of the nodes or more, two or more, and three or more."""
    done = 0
    if nodes.shape[0] > 2 and min(hole[nodes[0]], hole[nodes[1]], hole[nodes[2]]) >= 0:
        mark_three(absent[hole[nodes[0]]], absent[hole[nodes[1]]], absent[hole[nodes[2]]], once, twice, thrice)
        done = 3
    else:
        for w in range(once.shape[0]):
            once[w], twice[w], thrice[w] = 0, 0, 0
    for k in range(done, nodes.shape[0]):
        h = hole[nodes[k]]
        if h >= 0:
            lacking = absent[h]
            for w in range(once.shape[0]):
                thrice[w] |= twice[w] & lacking[w]
                twice[w] |= once[w] & lacking[w]
                once[w] |= lacking[w]


@kernel
def mark_three(first, second, third, once, twice, thrice):
    """The same of three variables, each word in one go."""
    for w in range(once.shape[0]):
        either, both = first[w] | second[w], first[w] & second[w]
        once[w] = either | third[w]
        twice[w] = both | (either & third[w])
        thrice[w] = both & third[w]


@kernel
def visit_rows(marked, hole, absent, place, cells, ones, nodes, known, first, m, block, values, places):
    """Correct the sums for each row marked, by how often it was taken away (`known` > 0) and added back (> 1)."""
    one, height = np.uint64(1), cells.shape[0] // max(first[-1], 1)
    for w in range(marked.shape[0]):
        word = marked[w]
        while word:
            low = word & (~word + one)
            word ^= low
            bit = popcount(low - one)
            row = place[64 * w + bit]
            lacking, t, at = 0, 0, 0
            for k in range(nodes.shape[0]):
                v = nodes[k]
                width = first[v + 1] - first[v]
                h = hole[v]
                if h >= 0 and (absent[h, w] >> np.uint64(bit)) & one:
                    lacking += 1
                else:
                    for c in range(width):
                        values[t], places[t] = cells[first[v] * height + row * width + c], at + c
                        t += 1
                at += width
            values[t], places[t] = ones[row] if ones.shape[0] else 1.0, m - 1
            often = -1.0 if known == 0 else lacking - 1.0
            if known > 1:
                often -= lacking * (lacking - 1) / 2
            add_row(values, places, t + 1, often, block)


@kernel
def add_row(values, places, t, often, block):
    """Add the products of the first `t` values of a row, each as often as said, to their places in the triangle."""
    for a in range(t):
        weighted, target = often * values[a], block[places[a]]
        for b in range(a + 1):
            target[places[b]] += weighted * values[b]


@kernel
def to_correlations(block, m):
    """From sums of products, with those of the ones in row m, to correlations; a constant column becomes 0."""
    n = block[m, m]
    for a in range(m):
        for b in range(a + 1):
            block[a, b] = block[a, b] / n - block[m, a] / n * (block[m, b] / n)
    for a in range(m):
        block[m, a] = 1.0 / math.sqrt(block[a, a]) if block[a, a] > FLAT else 0.0
    for a in range(m):
        for b in range(a + 1):
            block[a, b] *= block[m, a] * block[m, b]
