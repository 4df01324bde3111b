"""Mutual information of pairs, its asymptotic standard deviation, and the data processing inequality."""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import fill_strata, max_dense_cells, number_keys


@kernel
def fill_information(sample, begin, end, bits, spread, stop, done):
    """Compute the mutual information in bits of the variables ``begin <= x < end`` with later ones.

    m = Σ n L / N and s² = (Σ n L² / N - m²) / N, with L = log2(n_ij N / (n_i n_j)).

    Parameters
    ----------
    sample : DiscreteSample
    begin, end : int
    bits, spread : (p, p) float64 arrays
        Filled with m and s.
    stop, done : (1,) arrays
        As in `ci.g2_search`.
    """
    p, n = sample.arity.shape[0], float(sample.n)
    widest, dense = sample.arity.max(), max_dense_cells(sample.codes.shape[1])
    table = np.empty(min(widest * widest, dense), np.int64)
    rows, columns = np.empty(widest, np.int64), np.empty(widest, np.int64)
    none = np.zeros(sample.codes.shape[1] if widest * widest > dense else 0, np.int64)  # all rows form one stratum
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
                first, second = _sums_of_cells(*_observed_cells(sample, x, y, none), ra, rb, n)
            bits[x, y] = bits[y, x] = max(first, 0.0)
            spread[x, y] = spread[y, x] = math.sqrt(max(second - first * first, 0.0) / n)
        done[0] += 1


@kernel
def _sums_of_table(table, ra, rb, n, rows, columns):
    """Return (Σ n L / N, Σ n L² / N) over the cells of a table.

    Parameters
    ----------
    table : (ra · rb,) int64 array
    ra, rb : int
    n : float
        Number of rows.
    rows, columns : int64 arrays
        Zeros at the start; become the margins.
    """
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
    """Return (mutual information of x < y given a set in bits, asymptotic standard deviation).

    m = Σ n L / N and s² = (Σ n L² / N - m²) / N over the cells of the whole table, with L = log2(n_xyz n_z / (n_xz
    n_yz)).

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    z : (n,) int64 array
        Scratch.
    """
    fill_strata(sample.codes, sample.arity, cond, size, z)
    n = float(sample.n)
    keys, counts = _observed_cells(sample, x, y, z)
    first, second = _sums_of_cells(keys, counts, sample.arity[x], sample.arity[y], n)
    return max(first, 0.0), math.sqrt(max(second - first * first, 0.0) / n)


@kernel
def _sums_of_cells(keys, counts, ra, rb, n):
    """Return (Σ n L / N, Σ n L² / N) over the cells that occur.

    Parameters
    ----------
    keys, counts : (m,) int64 arrays
        As returned by `_observed_cells`.
    ra, rb : int
    n : float
        Number of rows.
    """
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
    """Return for each cell the number of rows in all cells with its key, (m,) float64."""
    label = keys.copy()
    sums = np.zeros(number_keys(label))
    for c in range(keys.shape[0]):
        sums[label[c]] += counts[c]
    return sums[label]


@kernel
def _observed_cells(sample, x, y, z):
    """Return (keys, counts) of the cells with rows, ``key = (z * ra + a) * rb + b``; memory grows with the rows only.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    z : (n,) int64 array
        Stratum of each row.
    """
    row, column, weighted = sample.codes[x], sample.codes[y], sample.weights.shape[0] > 0
    ra, rb = sample.arity[x], sample.arity[y]
    key = np.empty(row.shape[0], np.int64)
    for t in range(row.shape[0]):
        key[t] = (z[t] * ra + row[t]) * rb + column[t]
    cell = key.copy()
    m = number_keys(cell)
    keys, counts = np.empty(m, np.int64), np.zeros(m, np.int64)
    for t in range(row.shape[0]):
        keys[cell[t]] = key[t]
        counts[cell[t]] += sample.weights[t] if weighted else 1
    return keys, counts


@kernel
def _fill_table(sample, x, y, ra, rb, table):
    """Count the rows in each pair of states of x and y into ``table[a * rb + b]``.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    ra, rb : int
    table : int64 array
    """
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


@kernel
def weakest_of_triplets(adjacency, information, tolerance, begin, end, loser, bar):
    """Find for each adjacent pair the third variable that explains it best (data processing inequality).

    k explains the pair i - j if both are adjacent to k and the information of the pair is below (1 - `tolerance`)
    times the smaller information of the other two pairs. Margolin et al. (2006), ARACNE: an algorithm for the
    reconstruction of gene regulatory networks.

    Parameters
    ----------
    adjacency : (p, p) bool array
    information : (p, p) float64 array
    tolerance : float
    begin, end : int
        Pairs ``begin <= i < end``, i < j.
    loser : (p, p) int32 array
        Filled with the k that has the highest bar; -1 where there is none.
    bar : (p, p) float64 array
        Filled with that bar.
    """
    p = adjacency.shape[0]
    for i in range(begin, end):
        for j in range(i + 1, p):
            if not adjacency[i, j]:
                continue
            for k in range(p):
                if k != i and k != j and adjacency[i, k] and adjacency[j, k]:
                    limit = (1.0 - tolerance) * min(information[i, k], information[j, k])
                    if information[i, j] < limit and (loser[i, j] < 0 or limit > bar[i, j]):
                        loser[i, j], bar[i, j] = k, limit
                        loser[j, i], bar[j, i] = k, limit
