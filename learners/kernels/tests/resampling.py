"""Statistics of a table of two variables given others, stratum by stratum: permuted, or shrunk towards even cells.

Rows are listed by stratum: those of stratum s are ``order[begin[s]:begin[s + 1]]``.
"""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import f, fill_strata


@kernel
def rows_by_stratum(codes, arity, cond):
    """(order, begin): the rows by their configuration of the variables `cond` (k,) int32."""
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
    """Σ c ln c over the cells of all strata; `a` and `b` (n,) are codes by stratum, `table` (ra · rb,) is scratch."""
    total = 0.0
    for s in range(begin.shape[0] - 1):
        if begin[s + 1] - begin[s] < 2:
            continue  # c ln c of a lone row is 0
        table[:] = 0
        for t in range(begin[s], begin[s + 1]):
            table[a[t] * rb + b[t]] += 1
        for c in range(ra * rb):
            total += f(table[c], xlogx)
    return total


@kernel
def permuted_sums(a, b, ra, rb, begin, xlogx, rng, out):
    """`cell_sum` as it is into ``out[0]``, then with `b` shuffled within each stratum anew into every other place."""
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
    """(I, λ): mutual information in nats given the strata, from James-Stein estimates of the cells, and how far shrunk.

    Hausser and Strimmer (2009), equations 4 and 5: each of the `n_cells` cells is drawn towards 1 / n_cells. Strata
    without rows stay even, and add nothing. `weights` (n,) int64 are those of the rows, by stratum.
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
    """Weights of the rows ``begin .. end - 1`` by cell."""
    table[:] = 0.0
    for t in range(begin, end):
        table[a[t] * rb + b[t]] += weights[t]
