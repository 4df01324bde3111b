"""G² of two variables given a configuration of others, counted from codes.

A dense table is filled while it has few cells compared with the rows; otherwise the cells that occur are hashed.

Arrays of all functions here
----------------------------
codes : (p, n) uint8 or uint16 array
    Level of each variable in each row.
arity : (p,) int64 array
    Number of levels.
weights : (n,) int64 array
    Weights of the rows; empty if all are 1.
xlogx : (m,) float64 array
    ``xlogx[c]`` = c ln c.
"""

import math

import numpy as np

from ..compiling import kernel

DENSE_CELLS = 16_384  # a dense table of up to this many cells is filled for any number of rows
DENSE_PER_ROW = 48  # cells per row up to which a larger dense table is filled
MAX_CELLS = 1 << 22  # maximum number of cells of a dense table (32 MB)
ROWS_AT_ONCE = 512
PARTS = 4
FIRST_ROOM = 1 << 15  # entries of a hash table at the start, at most two per key
PRIME, SPREAD = 2_147_483_647, 2_654_435_769  # 2^31 - 1, and 2^32 by the golden ratio: the product stays below 2^63


@kernel
def c_log_c(count, xlogx):
    """Return c ln c, looked up in `xlogx` where possible; 0 at 0."""
    if count < xlogx.shape[0]:
        return xlogx[count]
    return count * math.log(count)


@kernel
def max_dense_cells(n_rows):
    """Return the largest number of cells of a dense table for `n_rows` rows."""
    return max(DENSE_CELLS, min(DENSE_PER_ROW * n_rows, MAX_CELLS))


@kernel
def number_keys(keys):
    """Replace nonnegative keys by 0 .. q - 1 in order of appearance, and return q."""
    room = 16
    while room < min(2 * keys.shape[0], FIRST_ROOM):
        room *= 2
    label, of = np.full(room, -1, np.int32), np.empty(room, np.int64)
    q = 0
    for t in range(keys.shape[0]):
        key = np.int64(keys[t])
        at = place_of(key, label, of)
        if label[at] < 0:
            if 2 * q >= label.shape[0]:
                label, of = with_more_room(label, of)
                at = place_of(key, label, of)
            label[at] = q
            of[at] = key
            q += 1
        keys[t] = label[at]
    return q


@kernel
def place_of(key, label, of):
    """Return the position of a key in a hash table, or of the free entry for it, whose label is negative.

    Parameters
    ----------
    key : int
    label : (room,) int32 array
        -1 for free entries; the room is a power of 2.
    of : (room,) int64 array
        Keys of the entries.
    """
    last = label.shape[0] - 1
    at = ((key % PRIME) * SPREAD >> 24) & last
    while label[at] >= 0 and of[at] != key:
        at = (at + 1) & last
    return at


@kernel
def with_more_room(label, of):
    """Return the labels and the keys of a hash table in one of four times the size.

    Parameters
    ----------
    label, of
        As in `place_of`.
    """
    wider, keys = np.full(4 * label.shape[0], -1, np.int32), np.empty(4 * label.shape[0], np.int64)
    for entry in range(label.shape[0]):
        if label[entry] >= 0:
            at = place_of(of[entry], wider, keys)
            wider[at] = label[entry]
            keys[at] = of[entry]
    return wider, keys


@kernel
def fill_strata(codes, arity, cond, size, z):
    """Number the configuration of the first `size` variables of `cond` in each row.

    Parameters
    ----------
    codes, arity
        As in the module's docstring.
    cond : (k,) int32 array
        The conditioning variables.
    size : int
    z : (n,) int64 array
        Filled with the number of each row's configuration.

    Returns
    -------
    int
        Upper bound of the numbers, exclusive.
    """
    limit = max_dense_cells(z.shape[0])
    z[:] = 0
    q = 1
    for k in range(size):
        r = arity[cond[k]]
        if q * r > limit:
            q = number_keys(z)
        row = codes[cond[k]]
        for t in range(z.shape[0]):
            z[t] = z[t] * r + row[t]
        q *= r
    return q


@kernel
def dense_g2(a, b, ra, rb, weights, z, q, xlogx):
    """Return (G²/2, adjusted degrees of freedom) from a dense table.

    Parameters
    ----------
    a, b : (n,) integer arrays
        Codes of the two variables.
    ra, rb : int
        Their numbers of levels.
    weights, xlogx
        As in the module's docstring.
    z : (n,) int64 array
        Stratum of each row.
    q : int
        Number of strata.
    """
    table = np.zeros(q * ra * rb, np.int64)
    if weights.shape[0]:
        for t in range(z.shape[0]):
            table[(z[t] * ra + a[t]) * rb + b[t]] += weights[t]
    else:
        for t in range(z.shape[0]):
            table[(z[t] * ra + a[t]) * rb + b[t]] += 1
    return table_g2(table, ra, rb, xlogx)


@kernel
def count_rows(codes, arity, x, y, cond, size, cells):
    """Return a table with a cell for each configuration of `cond`, x and y, counted block by block.

    Parameters
    ----------
    codes, arity, x, y, cond, size
        As in `scalar_g2`.
    cells : int
        Number of cells.
    """
    n = codes.shape[1]
    cell = np.empty(ROWS_AT_ONCE, np.uint32)  # of each row of a block: it stays in the fastest cache
    # Small tables are counted in parts: rows with the same cell would wait for one another in a single one.
    parts = PARTS if PARTS * cells <= n else 1
    table = np.zeros(parts * cells, np.int32)
    for begin in range(0, n, ROWS_AT_ONCE):
        m = min(ROWS_AT_ONCE, n - begin)
        for k in range(size + 2):
            v = cond[k] if k < size else x if k == size else y
            r, row = np.uint32(arity[v]), codes[v, begin : begin + m]
            if k == 0:
                for t in range(m):
                    cell[t] = row[t]
            else:
                for t in range(m):
                    cell[t] = np.uint32(cell[t] * r) + row[t]  # 32 bits each: products of 64 take three times as long
        if parts == 1:
            for t in range(m):
                table[cell[t]] += 1
            continue
        whole = m - m % PARTS
        for t in range(0, whole, PARTS):
            table[cell[t]] += 1
            table[np.uint64(cell[t + 1] + cells)] += 1
            table[np.uint64(cell[t + 2] + 2 * cells)] += 1
            table[np.uint64(cell[t + 3] + 3 * cells)] += 1
        for t in range(whole, m):
            table[cell[t]] += 1
    for k in range(1, parts):
        for c in range(cells):
            table[c] += table[k * cells + c]
    return table[:cells]


@kernel
def table_g2(table, ra, rb, xlogx):
    """Return (G²/2, adjusted degrees of freedom) of a dense table.

    Parameters
    ----------
    table : (q · ra · rb,) integer array
        Count of each cell, stratum by stratum.
    ra, rb, xlogx
        As in `dense_g2`.
    """
    occupied = np.empty(table.shape[0] + 1, np.int32)
    n = 0
    for c in range(table.shape[0]):  # without a branch: which cells are empty is hard to predict
        occupied[n] = c
        n += np.int64(table[c] != 0)
    occupied[n] = table.shape[0]
    columns = np.zeros(rb, np.int64)
    half, dof, at = 0.0, 0, 0
    while at < n:
        end = (occupied[at] // (ra * rb) + 1) * (ra * rb)
        stratum, total, rows_seen = 0.0, 0, 0
        while occupied[at] < end:
            begin = occupied[at] // rb * rb
            margin = 0
            while occupied[at] < begin + rb:
                count = np.int64(table[occupied[at]])
                margin += count
                columns[occupied[at] - begin] += count
                stratum += c_log_c(count, xlogx)
                at += 1
            rows_seen += 1
            total += margin
            stratum -= c_log_c(margin, xlogx)
        columns_seen = 0
        for j in range(rb):
            if columns[j]:
                columns_seen += 1
                stratum -= c_log_c(columns[j], xlogx)
                columns[j] = 0
        half += stratum + c_log_c(total, xlogx)
        dof += (rows_seen - 1) * (columns_seen - 1)
    return half, dof


@kernel
def margin_sum(keys, counts, xlogx, stride, seen):
    """Return Σ c ln c over the counts summed by key.

    Parameters
    ----------
    keys, counts : (m,) int64 arrays
        Key of the margin and count of each cell.
    xlogx
        As in the module's docstring.
    stride : int
        The stratum of a key is ``key // stride``.
    seen : (q,) int64 array
        Increased by the number of keys that occur in each stratum.
    """
    margin = keys.copy()
    m = number_keys(margin)
    sums = np.zeros(m, np.int64)
    key_of = np.empty(m, np.int64)
    for c in range(keys.shape[0]):
        sums[margin[c]] += counts[c]
        key_of[margin[c]] = keys[c]
    total = 0.0
    for k in range(m):
        if sums[k]:
            total += c_log_c(sums[k], xlogx)
            seen[key_of[k] // stride] += 1
    return total


@kernel
def sparse_g2(a, b, ra, rb, weights, z, q, xlogx):
    """Return (G²/2, adjusted degrees of freedom) from the cells that occur.

    Memory grows with the number of rows, not of cells.

    Parameters
    ----------
    a, b, ra, rb, weights, z, q, xlogx
        As in `dense_g2`.
    """
    q = number_keys(z) if q > z.shape[0] else q
    key = (z * ra + a) * rb + b
    cell = key.copy()
    m = number_keys(cell)
    counts = np.zeros(m, np.int64)
    cells = np.empty(m, np.int64)
    for t in range(z.shape[0]):
        counts[cell[t]] += weights[t] if weights.shape[0] else 1
        cells[cell[t]] = key[t]
    strata = cells // (ra * rb)
    totals = np.zeros(q, np.int64)
    half = 0.0
    for c in range(m):
        half += c_log_c(counts[c], xlogx)
        totals[strata[c]] += counts[c]
    seen_a = np.zeros(q, np.int64)
    seen_b = np.zeros(q, np.int64)
    half -= margin_sum(cells // rb, counts, xlogx, ra, seen_a)
    half -= margin_sum(strata * rb + cells % rb, counts, xlogx, rb, seen_b)
    dof = 0
    for s in range(q):
        half += c_log_c(totals[s], xlogx)
        if seen_a[s]:
            dof += (seen_a[s] - 1) * (seen_b[s] - 1)
    return half, dof


@kernel
def scalar_g2(codes, arity, weights, x, y, cond, size, xlogx, z):
    """Return (G²/2, adjusted degrees of freedom) of x and y given the first `size` variables of `cond`.

    The adjusted degrees of freedom are Σ_z (a_z - 1)(b_z - 1) over the numbers of levels seen in stratum z.

    Parameters
    ----------
    codes, arity, weights, xlogx
        As in the module's docstring.
    x, y : int
        The variables.
    cond : (k,) int32 array
    size : int
    z : (n,) int64 array
        Scratch.
    """
    ra, rb = arity[x], arity[y]
    cells = n_cells(arity, x, y, cond, size)
    if weights.shape[0] == 0 and cells <= max_dense_cells(z.shape[0]):
        return table_g2(count_rows(codes, arity, x, y, cond, size, int(cells)), ra, rb, xlogx)
    q = fill_strata(codes, arity, cond, size, z)
    if float(q) * float(ra) * float(rb) <= max_dense_cells(z.shape[0]):
        return dense_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)
    return sparse_g2(codes[x], codes[y], ra, rb, weights, z, q, xlogx)


@kernel
def n_cells(arity, x, y, cond, size):
    """Return r_x r_y Π r_z, the number of cells of a table, as a float, which cannot overflow.

    Parameters
    ----------
    arity : (p,) int64 array
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` count.
    """
    cells = float(arity[x]) * float(arity[y])
    for k in range(size):
        cells *= float(arity[cond[k]])
    return cells


@kernel
def count_levels(codes, first, counts):
    """Add the number of rows with each code of each column to `counts`.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
    first : (p + 1,) int64 array
        Code c of column v is counted at ``first[v] + c``.
    counts : int64 array
    """
    widest = 0
    for v in range(codes.shape[0]):
        widest = max(widest, first[v + 1] - first[v])
    # Four counts of each code: rows with the same code would wait for one another at a single one.
    parts = np.zeros((4, widest), np.int64)
    n = codes.shape[1]
    for v in range(codes.shape[0]):
        row = codes[v]
        for t in range(0, n - 3, 4):
            parts[0, row[t]] += 1
            parts[1, row[t + 1]] += 1
            parts[2, row[t + 2]] += 1
            parts[3, row[t + 3]] += 1
        for t in range(n - n % 4, n):
            parts[0, row[t]] += 1
        for c in range(first[v + 1] - first[v]):
            for k in range(4):
                counts[first[v] + c] += parts[k, c]
                parts[k, c] = 0
