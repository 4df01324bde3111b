"""Statistics of a table of two variables, stratum by stratum: permuted, shrinkage estimates, or Pearson's X².

Arrays of all functions here
----------------------------
a, b : (n,) integer arrays
    Codes of the two variables, with rows sorted by stratum.
ra, rb : int
    Their numbers of levels.
begin : (q + 1,) int64 array
    The rows of stratum s are ``begin[s] .. begin[s + 1] - 1``.
"""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import c_log_c, fill_strata


@kernel
def rows_by_stratum(codes, arity, cond):
    """Return (order, begin): the rows sorted by their configuration of the variables `cond` (k,) int32."""
    z = np.empty(codes.shape[1], np.int64)
    q = fill_strata(codes, arity, cond, cond.shape[0], z)
    begin = np.zeros(q + 1, np.int64)
    for t in range(z.shape[0]):
        begin[z[t] + 1] += 1
    begin = np.cumsum(begin)
    place, order = begin[:-1].copy(), np.empty(z.shape[0], np.int64)
    for t in range(z.shape[0]):
        order[place[z[t]]] = t
        place[z[t]] += 1
    return order, begin


@kernel
def cell_sum(a, b, ra, rb, begin, xlogx, table):
    """Return Σ c ln c over the cells of all strata.

    Parameters
    ----------
    a, b, ra, rb, begin
        As in the module's docstring.
    xlogx : float64 array
        ``xlogx[c]`` = c ln c.
    table : (ra · rb,) int64 array
        Scratch.
    """
    total = 0.0
    for s in range(begin.shape[0] - 1):
        if begin[s + 1] - begin[s] < 2:
            continue  # c ln c of a single row is 0
        table[:] = 0
        for t in range(begin[s], begin[s + 1]):
            table[np.int64(a[t]) * rb + b[t]] += 1
        for c in range(ra * rb):
            total += c_log_c(table[c], xlogx)
    return total


@kernel
def permuted_sums(a, b, ra, rb, begin, xlogx, rng, out):
    """Write `cell_sum` to ``out[0]`` and the sum for each permutation of `b` within its strata to the other entries.

    Parameters
    ----------
    a, b, ra, rb, begin
        As in the module's docstring; `b` is shuffled in place.
    xlogx : float64 array
        ``xlogx[c]`` = c ln c.
    rng : numpy.random.Generator
    out : float64 array
    """
    table = np.empty(ra * rb, np.int64)
    out[0] = cell_sum(a, b, ra, rb, begin, xlogx, table)
    for k in range(1, out.shape[0]):
        for s in range(begin.shape[0] - 1):
            for t in range(begin[s + 1] - 1, begin[s], -1):
                other = begin[s] + int(rng.random() * (t - begin[s] + 1))
                b[t], b[other] = b[other], b[t]
        out[k] = cell_sum(a, b, ra, rb, begin, xlogx, table)


@kernel
def shrunk_information(a, b, ra, rb, begin, weights, n_cells):
    """Return (I, λ): mutual information in nats from James-Stein estimates of the cells, and the shrinkage intensity.

    Hausser and Strimmer (2009), equations 4 and 5: each cell is shrunk towards 1 / n_cells. Strata without rows stay
    uniform and add nothing.

    Parameters
    ----------
    a, b, ra, rb, begin
        As in the module's docstring.
    weights : (n,) int64 array
        Weights of the rows, sorted by stratum.
    n_cells : float
    """
    n = weights.sum()
    table = np.empty(ra * rb)
    squares = 0.0
    for s in range(begin.shape[0] - 1):
        fill_table(a, b, rb, begin[s], begin[s + 1], weights, table)
        for c in range(ra * rb):
            squares += (table[c] / n) ** 2
    spread = (n - 1.0) * (squares - 1.0 / n_cells)
    intensity = min(1.0, (1.0 - squares) / spread) if spread > 0.0 else 1.0
    information = 0.0
    rows, columns = np.empty(ra), np.empty(rb)
    for s in range(begin.shape[0] - 1):
        if begin[s + 1] == begin[s]:
            continue
        fill_table(a, b, rb, begin[s], begin[s + 1], weights, table)
        rows[:], columns[:] = 0.0, 0.0
        for i in range(ra):
            for j in range(rb):
                cell = intensity / n_cells + (1.0 - intensity) * table[i * rb + j] / n
                table[i * rb + j] = cell
                rows[i] += cell
                columns[j] += cell
        total = rows.sum()
        for i in range(ra):
            for j in range(rb):
                cell = table[i * rb + j]
                if cell > 0.0:
                    information += cell * math.log(cell * total / (rows[i] * columns[j]))
    return max(information, 0.0), intensity


@kernel
def fill_table(a, b, rb, begin, end, weights, table):
    """Sum the weights of the rows ``begin .. end - 1`` by cell.

    Parameters
    ----------
    a, b, rb, weights
        As in `shrunk_information`.
    begin, end : int
    table : (ra · rb,) float64 array
        Filled.
    """
    table[:] = 0.0
    for t in range(begin, end):
        table[np.int64(a[t]) * rb + b[t]] += weights[t]


@kernel
def pearson_x2(a, b, ra, rb, begin, weights):
    """Return Σ (1 - 1/n_s) X²_s over the strata.

    Only levels that a stratum shows count. If rows are permuted, the factor makes the mean of each stratum equal to
    their degrees of freedom: E. S. Pearson (1947), The choice of statistical tests illustrated on the interpretation of
    data classed in a 2 × 2 table. Biometrika 34. Campbell (2007), Chi-squared and Fisher-Irwin tests of two-by-two
    tables with small sample recommendations. Statistics in Medicine 26.

    Parameters
    ----------
    a, b, ra, rb, begin
        As in the module's docstring.
    weights : (n,) int64 array
        Weights of the rows, sorted by stratum.
    """
    table, rows, columns = np.zeros(ra * rb), np.zeros(ra), np.zeros(rb)
    total = 0.0
    for s in range(begin.shape[0] - 1):
        n, shown_rows, shown_columns = 0.0, 0.0, 0.0
        for t in range(begin[s], begin[s + 1]):
            weight = float(weights[t])
            n += weight
            shown_rows += rows[a[t]] == 0.0
            shown_columns += columns[b[t]] == 0.0
            rows[a[t]] += weight
            columns[b[t]] += weight
            table[np.int64(a[t]) * rb + b[t]] += weight
        squares = 0.0
        for t in range(begin[s], begin[s + 1]):  # a cell counts once, at its first row
            cell = table[np.int64(a[t]) * rb + b[t]]
            squares += cell * cell / (rows[a[t]] * columns[b[t]])
            table[np.int64(a[t]) * rb + b[t]] = 0.0
        for t in range(begin[s], begin[s + 1]):
            rows[a[t]] = 0.0
            columns[b[t]] = 0.0
        if shown_rows > 1.0 and shown_columns > 1.0:
            total += (n - 1.0) * (squares - 1.0)
    return max(total, 0.0)
