"""G² of two variables given a configuration of others, from codes.

Shapes: `codes` (p, n) of uint8 or uint16, `arity` (p,) int64, `weights` (n,) int64 or empty for ones, `cond` (k,)
int32, `xlogx` (m,) float64 with xlogx[c] = c ln c. A dense table is used while its cells are few beside the rows,
hashing of the cells that occur else.
"""

import math

import numpy as np

from ..compiling import kernel

DENSE_CELLS = 16_384  # a dense table of up to this many cells is filled for any number of rows
DENSE_PER_ROW = 48  # or of this many a row
MOST_CELLS = 1 << 22  # but of no more than 32 MB
PRIME, SPREAD = 2_147_483_647, 2_654_435_769  # 2^31 - 1, and 2^32 by the golden ratio: the product stays below 2^63


@kernel
def f(count, xlogx):
    """count · ln(count), 0 at 0."""
    if count < xlogx.shape[0]:
        return xlogx[count]
    return count * math.log(count)


@kernel
def most_dense(n_rows):
    """Cells up to which a dense table is filled; beyond, those that occur are found by hashing."""
    return max(DENSE_CELLS, min(DENSE_PER_ROW * n_rows, MOST_CELLS))


@kernel
def number(keys):
    """Replace the keys, at least 0, by 0 .. q - 1 in order of appearance; return q."""
    room = 16
    while room < 2 * keys.shape[0]:
        room *= 2
    label = np.full(room, -1, np.int64)
    of = np.empty(room, np.int64)
    q = 0
    for t in range(keys.shape[0]):
        key = np.int64(keys[t])
        at = ((key % PRIME) * SPREAD >> 24) & (room - 1)
        while label[at] >= 0 and of[at] != key:
            at = (at + 1) & (room - 1)
        if label[at] < 0:
            label[at] = q
            of[at] = key
            q += 1
        keys[t] = label[at]
    return q


@kernel
def fill_strata(codes, arity, cond, size, z):
    """Number the configuration of the first `size` variables of `cond` in each row; return the count of numbers."""
    limit = most_dense(z.shape[0])
    z[:] = 0
    q = 1
    for k in range(size):
        r = arity[cond[k]]
        if q * r > limit:
            q = number(z)
        row = codes[cond[k]]
        for t in range(z.shape[0]):
            z[t] = z[t] * r + row[t]
        q *= r
    return q


@kernel
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


@kernel
def margin_sum(keys, counts, xlogx, stride, seen):
    """Σ f over the counts added up by key; adds the keys that occur in each stratum ``key // stride`` to `seen`."""
    margin = keys.copy()
    m = number(margin)
    sums = np.zeros(m, np.int64)
    key_of = np.empty(m, np.int64)
    for c in range(keys.shape[0]):
        sums[margin[c]] += counts[c]
        key_of[margin[c]] = keys[c]
    total = 0.0
    for k in range(m):
        if sums[k]:
            total += f(sums[k], xlogx)
            seen[key_of[k] // stride] += 1
    return total


@kernel
def sparse_g2(a, b, ra, rb, weights, z, q, xlogx):
    """(G²/2, adjusted dof) from the cells that occur; memory grows with the rows, not with the cells."""
    q = number(z) if q > z.shape[0] else q
    key = (z * ra + a) * rb + b
    cell = key.copy()
    m = number(cell)
    counts = np.zeros(m, np.int64)
    cells = np.empty(m, np.int64)
    for t in range(z.shape[0]):
        counts[cell[t]] += weights[t] if weights.shape[0] else 1
        cells[cell[t]] = key[t]
    strata = cells // (ra * rb)
    totals = np.zeros(q, np.int64)
    half = 0.0
    for c in range(m):
        half += f(counts[c], xlogx)
        totals[strata[c]] += counts[c]
    seen_a = np.zeros(q, np.int64)
    seen_b = np.zeros(q, np.int64)
    half -= margin_sum(cells // rb, counts, xlogx, ra, seen_a)
    half -= margin_sum(strata * rb + cells % rb, counts, xlogx, rb, seen_b)
    dof = 0
    for s in range(q):
        half += f(totals[s], xlogx)
        if seen_a[s]:
            dof += (seen_a[s] - 1) * (seen_b[s] - 1)
    return half, dof


@kernel
def scalar_g2(codes, arity, weights, x, y, cond, size, xlogx, z):
    """(G²/2, adjusted dof) of x and y given the first `size` variables of `cond`; `z` (n,) int64 is scratch.

    Adjusted dof: Σ_z (a_z - 1)(b_z - 1) over the states seen in stratum z.
    """
    ra, rb = arity[x], arity[y]
    q = fill_strata(codes, arity, cond, size, z)
    if float(q) * float(ra) * float(rb) <= most_dense(z.shape[0]):
        return dense_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)
    return sparse_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)


@kernel
def n_cells(arity, x, y, cond, size):
    """r_x r_y Π r_z as a float, which cannot overflow."""
    cells = float(arity[x]) * float(arity[y])
    for k in range(size):
        cells *= float(arity[cond[k]])
    return cells
