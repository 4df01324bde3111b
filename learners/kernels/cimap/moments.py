"""Mutual information, of pairs alone and given others, and its asymptotic standard deviation."""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import fill_strata, most_dense, number


@kernel
def fill_information(sample, begin, end, bits, spread, stop, done):
    """Mutual information of the variables ``begin <= x < end`` and later ones, and its asymptotic standard deviation.

    m = Σ n L / N and s² = (Σ n L² / N - m²) / N, with L = log2(n_ij N / (n_i n_j)).
    """
    p, n = sample.arity.shape[0], float(sample.n)
    widest, dense = sample.arity.max(), most_dense(sample.codes.shape[1])
    table = np.empty(min(widest * widest, dense), np.int64)
    rows, columns = np.empty(widest, np.int64), np.empty(widest, np.int64)
    none = np.zeros(sample.codes.shape[1] if widest * widest > dense else 0, np.int64)  # no row is in another stratum
    for x in range(begin, end):
        if stop[0]:
            return
        for y in range(x + 1, p):
            ra, rb = sample.arity[x], sample.arity[y]
            if ra * rb <= dense:
                rows[:ra] = 0
                columns[:rb] = 0
                _fill_table(sample, x, y, ra, rb, table)
                first, second = _sums_of_table(table, ra, rb, n, rows, columns)
            else:
                first, second = _sums_of_cells(*_cells_that_occur(sample, x, y, none), ra, rb, n)
            bits[x, y] = bits[y, x] = max(first, 0.0)
            spread[x, y] = spread[y, x] = math.sqrt(max(second - first * first, 0.0) / n)
        done[0] += 1


@kernel
def _sums_of_table(table, ra, rb, n, rows, columns):
    """(Σ n L / N, Σ n L² / N) over the cells of a table; `rows` and `columns` come as zeros."""
    for a in range(ra):
        for b in range(rb):
            rows[a] += table[a * rb + b]
            columns[b] += table[a * rb + b]
    first, second = 0.0, 0.0
    for a in range(ra):
        for b in range(rb):
            cell = table[a * rb + b]
            if cell:
                surprise = math.log2(float(cell) * n / (float(rows[a]) * float(columns[b])))
                first += cell / n * surprise
                second += cell / n * surprise * surprise
    return first, second


@kernel
def information_given(sample, x, y, cond, size, z):
    """Mutual information of x < y given the first `size` of `cond` in bits, and its asymptotic standard deviation.

    m = Σ n L / N and s² = (Σ n L² / N - m²) / N over the cells of the table of all of them, with
    L = log2(n_xyz n_z / (n_xz n_yz)): what the variance of pairs becomes in tables of more ways. `z` (n,) int64 is
    scratch.
    """
    fill_strata(sample.codes, sample.arity, cond, size, z)
    n = float(sample.n)
    keys, counts = _cells_that_occur(sample, x, y, z)
    first, second = _sums_of_cells(keys, counts, sample.arity[x], sample.arity[y], n)
    return max(first, 0.0), math.sqrt(max(second - first * first, 0.0) / n)


@kernel
def _sums_of_cells(keys, counts, ra, rb, n):
    """(Σ n L / N, Σ n L² / N) over the cells that occur, numbered as `_cells_that_occur` does."""
    strata = keys // (ra * rb)
    totals = _margin(strata, counts)
    rows, columns = _margin(keys // rb, counts), _margin(strata * rb + keys % rb, counts)
    first, second = 0.0, 0.0
    for c in range(keys.shape[0]):
        if counts[c]:
            surprise = math.log2(float(counts[c]) * totals[c] / (rows[c] * columns[c]))
            first += counts[c] / n * surprise
            second += counts[c] / n * surprise * surprise
    return first, second


@kernel
def _margin(keys, counts):
    """(m,) float64: for each cell the rows in all cells with its key."""
    label = keys.copy()
    sums = np.zeros(number(label))
    for c in range(keys.shape[0]):
        sums[label[c]] += counts[c]
    return sums[label]


@kernel
def _cells_that_occur(sample, x, y, z):
    """(keys, counts) of the cells with rows, ``key = (z * ra + a) * rb + b``: memory grows with the rows alone."""
    row, column, weighted = sample.codes[x], sample.codes[y], sample.weights.shape[0] > 0
    ra, rb = sample.arity[x], sample.arity[y]
    key = np.empty(row.shape[0], np.int64)
    for t in range(row.shape[0]):
        key[t] = (z[t] * ra + row[t]) * rb + column[t]
    cell = key.copy()
    m = number(cell)
    keys, counts = np.empty(m, np.int64), np.zeros(m, np.int64)
    for t in range(row.shape[0]):
        keys[cell[t]] = key[t]
        counts[cell[t]] += sample.weights[t] if weighted else 1
    return keys, counts


@kernel
def _fill_table(sample, x, y, ra, rb, table):
    """Rows in each pair of states of x and y, into ``table[a * rb + b]``."""
    first, pairs = sample.first, sample.pairs
    if pairs.shape[0] and first[x] < first[x + 1] and first[y] < first[y + 1]:
        for a in range(ra):
            for b in range(rb):
                table[a * rb + b] = pairs[first[x] + a, first[y] + b]
        return
    table[: ra * rb] = 0
    row, column, weighted = sample.codes[x], sample.codes[y], sample.weights.shape[0] > 0
    for t in range(row.shape[0]):
        table[np.int64(row[t]) * rb + column[t]] += sample.weights[t] if weighted else 1
