"""G² of two variables given a configuration of others, from codes.

Shapes: `codes` (p, n) of uint8 or uint16, `arity` (p,) int64, `weights` (n,) int64 or empty for ones, `cond` (k,)
int32, `xlogx` (m,) float64 with xlogx[c] = c ln c. A dense table is used while its cells are few beside the rows,
sorting else.
"""

import math

import numpy as np
from numba import njit

DENSE_CELLS = 65_536  # a dense table of up to this many cells, or 4 a row, is filled; more are sorted


@njit(cache=True, nogil=True)
def f(count, xlogx):
    """count · ln(count), 0 at 0."""
    if count < xlogx.shape[0]:
        return xlogx[count]
    return count * math.log(count)


@njit(cache=True, nogil=True)
def relabel(z):
    """Replace the labels in `z` by 0 .. q - 1 in ascending order of label; return q."""
    order = np.argsort(z)
    label = -1
    previous = np.int64(-1)
    for t in order:
        if z[t] != previous:
            label += 1
            previous = z[t]
        z[t] = label
    return label + 1


@njit(cache=True, nogil=True)
def fill_strata(codes, arity, cond, size, z):
    """Number the configuration of the first `size` variables of `cond` in each row; return the count of numbers."""
    limit = max(DENSE_CELLS, 4 * z.shape[0])
    z[:] = 0
    q = 1
    for k in range(size):
        r = arity[cond[k]]
        if q * r > limit:
            q = relabel(z)
        row = codes[cond[k]]
        for t in range(z.shape[0]):
            z[t] = z[t] * r + row[t]
        q *= r
    return q


@njit(cache=True, nogil=True)
def dense_g2(a, b, ra, rb, weights, z, q, xlogx):
    """(G²/2, adjusted dof) from a dense table of q · ra · rb counts."""
    table = np.zeros(q * ra * rb, np.int64)
    if weights.shape[0]:
        for t in range(z.shape[0]):
            table[(z[t] * ra + a[t]) * rb + b[t]] += weights[t]
    else:
        for t in range(z.shape[0]):
            table[(z[t] * ra + a[t]) * rb + b[t]] += 1
    columns = np.empty(rb, np.int64)
    half = 0.0
    dof = 0
    for s in range(q):
        columns[:] = 0
        total = 0
        rows_seen = 0
        stratum = 0.0
        for i in range(ra):
            margin = 0
            for j in range(rb):
                count = table[(s * ra + i) * rb + j]
                if count:
                    margin += count
                    columns[j] += count
                    stratum += f(count, xlogx)
            if margin:
                rows_seen += 1
                total += margin
                stratum -= f(margin, xlogx)
        if total == 0:
            continue
        columns_seen = 0
        for j in range(rb):
            if columns[j]:
                columns_seen += 1
                stratum -= f(columns[j], xlogx)
        half += stratum + f(total, xlogx)
        dof += (rows_seen - 1) * (columns_seen - 1)
    return half, dof


@njit(cache=True, nogil=True)
def sum_of_runs(key, weights, xlogx, stride, seen):
    """Σ f(run) over the runs of equal `key`; adds the number of runs of each stratum ``key // stride`` to `seen`."""
    order = np.argsort(key)
    total = 0.0
    count = np.int64(0)
    for position in range(order.shape[0]):
        t = order[position]
        count += weights[t] if weights.shape[0] else 1
        if position + 1 == order.shape[0] or key[order[position + 1]] != key[t]:
            if count:
                total += f(count, xlogx)
                seen[key[t] // stride] += 1
            count = 0
    return total


@njit(cache=True, nogil=True)
def sparse_g2(a, b, ra, rb, weights, z, q, xlogx):
    """(G²/2, adjusted dof) by sorting the rows; memory grows with the rows, not with the cells."""
    q = relabel(z) if q > z.shape[0] else q
    unused = np.zeros(q, np.int64)
    seen_a = np.zeros(q, np.int64)
    seen_b = np.zeros(q, np.int64)
    cells = (z * ra + a) * rb + b
    half = sum_of_runs(cells, weights, xlogx, ra * rb, unused)
    half -= sum_of_runs(z * ra + a, weights, xlogx, ra, seen_a)
    half -= sum_of_runs(z * rb + b, weights, xlogx, rb, seen_b)
    half += sum_of_runs(z, weights, xlogx, 1, unused)
    dof = 0
    for s in range(q):
        if seen_a[s]:
            dof += (seen_a[s] - 1) * (seen_b[s] - 1)
    return half, dof


@njit(cache=True, nogil=True)
def scalar_g2(codes, arity, weights, x, y, cond, size, xlogx, z):
    """(G²/2, adjusted dof) of x and y given the first `size` variables of `cond`; `z` (n,) int64 is scratch.

    Adjusted dof: Σ_z (a_z - 1)(b_z - 1) over the states seen in stratum z.
    """
    ra, rb = arity[x], arity[y]
    q = fill_strata(codes, arity, cond, size, z)
    if float(q) * ra * rb <= max(DENSE_CELLS, 4 * z.shape[0]):
        return dense_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)
    return sparse_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)


@njit(cache=True, nogil=True)
def n_cells(arity, x, y, cond, size):
    """r_x r_y Π r_z as a float, which cannot overflow."""
    cells = float(arity[x]) * float(arity[y])
    for k in range(size):
        cells *= float(arity[cond[k]])
    return cells
