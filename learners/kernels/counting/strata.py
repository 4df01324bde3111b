"""G² from bit planes, stratum by stratum.

`planes`, `first`, `counts`, `pairs`, `seen`, `joint` and `xlogx` are as in `bit_planes`. Scratch of one thread:

shared : (m, words) uint64 array
    AND of each pair of states of x and y, without their last states; see `fill_shared_masks`.
cells : (ra · rb,) int64 array
    Table of one stratum.
rows, columns : (ra,) and (rb,) int64 arrays
    Margins of this table.
"""

import numpy as np

from ..compiling import kernel
from .bit_planes import pair_g2
from .contingency import c_log_c
from .popcount import and_into, count, count_and


@kernel
def stratum_g2(cells, rows, columns, ra, rb, total, xlogx):
    """Return (G²/2, degrees of freedom) of one stratum from its table and margins; (0, 0) for a degenerate stratum.

    Parameters
    ----------
    cells, rows, columns, xlogx
        As in the module's docstring.
    ra, rb : int
        Levels of x and of y.
    total : int
        Rows of the stratum.
    """
    seen_a = 0
    half = c_log_c(total, xlogx)
    for i in range(ra):
        if rows[i]:
            seen_a += 1
            half -= c_log_c(rows[i], xlogx)
    seen_b = 0
    for j in range(rb):
        if columns[j]:
            seen_b += 1
            half -= c_log_c(columns[j], xlogx)
    if seen_a <= 1 or seen_b <= 1:
        return 0.0, 0
    for c in range(ra * rb):
        half += c_log_c(cells[c], xlogx)
    return half, (seen_a - 1) * (seen_b - 1)


@kernel
def fill_shared_masks(planes, first, x, y, pair, shared):
    """Fill `shared` for x and y, unless it already holds this pair.

    Parameters
    ----------
    planes, first, shared
        As in the module's docstring.
    x, y : int
    pair : (2,) int64 array
        The pair that `shared` holds.
    """
    if pair[0] == x and pair[1] == y:
        return
    pair[0], pair[1] = x, y
    k = 0
    for a in range(first[x], first[x + 1] - 1):
        for b in range(first[y], first[y + 1] - 1):
            and_into(planes[a], planes[b], shared[k])
            k += 1


@kernel
def fill_cells(mask, rows, columns, ra, rb, shared, cells):
    """Fill the table of a stratum: free cells by bit counts, the others by subtraction from the margins.

    Parameters
    ----------
    mask : (words,) uint64 array
        A bit for each row of the stratum.
    rows, columns, shared, cells
        As in the module's docstring.
    ra, rb : int
        Levels of x and of y.
    """
    for j in range(rb):
        cells[(ra - 1) * rb + j] = columns[j]
    k = 0
    for i in range(ra - 1):
        rest = rows[i]
        for j in range(rb - 1):
            cell = 0
            if rest and columns[j]:
                cell = count_and(mask, shared[k])
            k += 1
            cells[i * rb + j] = cell
            cells[(ra - 1) * rb + j] -= cell
            rest -= cell
        cells[i * rb + rb - 1] = rest
        cells[(ra - 1) * rb + rb - 1] -= rest


@kernel
def fill_margin(mask, planes, begin, end, total, margin):
    """Count the rows of a stratum in each state of a variable.

    Parameters
    ----------
    mask : (words,) uint64 array
        A bit for each row of the stratum.
    planes
        As in `bit_planes`.
    begin, end : int
        The variable's planes are ``begin .. end - 1``.
    total : int
        Rows of the stratum.
    margin : int64 array
        Filled.
    """
    rest = total
    for s in range(begin, end - 1):
        margin[s - begin] = count_and(mask, planes[s]) if rest else 0
        rest -= margin[s - begin]
    margin[end - 1 - begin] = rest


@kernel
def one_variable_g2(planes, first, pairs, seen, joint, xlogx, x, y, v, shared, rest, columns):
    """Return (G²/2, adjusted degrees of freedom) of x < y given v.

    The margins are known pairs, and the last stratum is what the others leave.

    Parameters
    ----------
    planes, first, pairs, seen, joint, xlogx, shared, columns
        As in the module's docstring.
    x, y, v : int
    rest : (ra · rb,) int64 array
        Scratch: the table of the strata that are left.
    """
    begin_x, begin_y = first[x], first[y]
    ra, rb = first[x + 1] - begin_x, first[y + 1] - begin_y
    for a in range(ra):
        for b in range(rb):
            rest[a * rb + b] = pairs[begin_x + a, begin_y + b]
    half = joint[v, v] - joint[x, v] - joint[y, v]
    last = first[v + 1] - 1
    for s in range(first[v], last + 1):
        seen_x, seen_y = np.int64(seen[x, s]), np.int64(seen[y, s])
        if seen_x == 0:
            continue
        if s == last:
            for c in range(ra * rb):
                half += c_log_c(rest[c], xlogx)
        elif seen_x == 1 or seen_y == 1:
            # All rows are in one state of x or y: each cell is a margin or 0.
            for a in range(ra):
                for b in range(rb):
                    cell = np.int64(min(pairs[s, begin_x + a], pairs[s, begin_y + b]))
                    rest[a * rb + b] -= cell
                    half += c_log_c(cell, xlogx)
        else:
            half += _stratum_sum(planes[s], pairs[s], begin_x, begin_y, ra, rb, shared, rest, columns, xlogx)
    return half, one_variable_dof(first, seen, x, y, v)


@kernel
def one_variable_dof(first, seen, x, y, v):
    """Return the adjusted degrees of freedom of x and y given v, from the counted pairs.

    Parameters
    ----------
    first, seen
        As in the module's docstring.
    x, y, v : int
    """
    dof = 0
    for s in range(first[v], first[v + 1]):
        if seen[x, s]:
            dof += (np.int64(seen[x, s]) - 1) * (np.int64(seen[y, s]) - 1)
    return dof


@kernel
def _stratum_sum(mask, margins, begin_x, begin_y, ra, rb, shared, rest, columns, xlogx):
    """Return Σ c ln c over the cells of a stratum, and subtract them from `rest`.

    Parameters
    ----------
    mask : (words,) uint64 array
        A bit for each row of the stratum.
    margins : (m,) uint32 array
        Row of `pairs` of the stratum's state.
    begin_x, begin_y : int
        First planes of x and of y.
    ra, rb : int
        Levels of x and of y.
    shared, rest, columns, xlogx
        As in `one_variable_g2`.
    """
    total = 0.0
    for b in range(rb):
        columns[b] = margins[begin_y + b]
    k = 0
    for a in range(ra - 1):
        row = np.int64(margins[begin_x + a])
        for b in range(rb - 1):
            if row and columns[b]:
                cell = count_and(mask, shared[k])
                total += c_log_c(cell, xlogx)
                rest[a * rb + b] -= cell
                columns[b] -= cell
                row -= cell
            k += 1
        total += c_log_c(row, xlogx)
        rest[a * rb + rb - 1] -= row
        columns[rb - 1] -= row
    for b in range(rb):
        total += c_log_c(columns[b], xlogx)
        rest[(ra - 1) * rb + b] -= columns[b]
    return total


@kernel
def planes_g2(sample, x, y, cond, size, scratch):
    """Return (G²/2, adjusted degrees of freedom) of x < y given `cond`, by the fastest method for bit planes.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (size,) int32 array
    size : int
    scratch : DiscreteScratch
    """
    first, planes, xlogx = sample.first, sample.planes, sample.xlogx
    if sample.pairs.shape[0] and size == 0:
        return pair_g2(first, sample.counts, sample.joint, x, y, sample.n, xlogx)
    fill_shared_masks(planes, first, x, y, scratch.pair, scratch.shared)
    if sample.pairs.shape[0] and size == 1:
        return one_variable_g2(
            planes, first, sample.pairs, sample.seen, sample.joint, xlogx, x, y, cond[0],
            scratch.shared, scratch.rest, scratch.columns,
        )  # fmt: skip
    if size == 0:
        return marginal_g2(first, sample.counts, x, y, sample.n, xlogx, scratch.shared, scratch.cells)
    return strata_g2(
        planes, first, sample.counts, sample.pairs, sample.seen, xlogx, x, y, cond, scratch.shared, scratch.masks,
        scratch.state, scratch.cells, scratch.rows, scratch.columns, planes[0, :0], np.inf,
    )  # fmt: skip


@kernel
def marginal_g2(first, counts, x, y, n, xlogx, shared, cells):
    """Return (G²/2, adjusted degrees of freedom) of x < y without a conditioning set, where pairs are not counted.

    Parameters
    ----------
    first, counts, xlogx, shared, cells
        As in the module's docstring.
    x, y : int
    n : int
        Number of rows.
    """
    rows, columns = counts[first[x] : first[x + 1]], counts[first[y] : first[y + 1]]
    ra, rb = rows.shape[0], columns.shape[0]
    for k in range((ra - 1) * (rb - 1)):
        cells[k // (rb - 1) * rb + k % (rb - 1)] = count(shared[k])
    close_table(cells, rows, columns, ra, rb)
    return stratum_g2(cells, rows, columns, ra, rb, n, xlogx)


@kernel
def strata_g2(
    planes, first, counts, pairs, seen, xlogx, x, y, cond, shared, masks, state, cells, rows, columns, some, enough
):  # fmt: skip
    """Return (G²/2, adjusted degrees of freedom) of x < y given `cond`, depth first over its configurations.

    Each configuration adds to G²; counting ends early, with partial sums, once G²/2 exceeds `enough`.

    Parameters
    ----------
    planes, first, counts, pairs, seen, xlogx, shared, cells, rows, columns
        As in the module's docstring.
    x, y : int
    cond : (k,) int32 array
        k at least 1.
    masks : (k, words) uint64 array
        Scratch: the rows of the partial configuration at each depth.
    state : (k + 1,) int64 array
        Scratch: the current plane at each depth.
    some : (words,) uint64 array
        A bit for each row that counts; empty if all count.
    enough : float
        Infinity to count all configurations.
    """
    known, size, partly = pairs.shape[0] > 0, cond.shape[0], some.shape[0] > 0
    half = 0.0
    dof = 0
    depth = 0
    state[0] = first[cond[0]]  # next state at each depth, as a row of `planes`
    while depth >= 0 and half <= enough:
        s = state[depth]
        if s == first[cond[depth] + 1]:
            depth -= 1
            continue
        state[depth] += 1
        if known and (seen[x, s] <= 1 or seen[y, s] <= 1 or (depth and pairs[state[depth - 1] - 1, s] <= 1)):
            continue  # x or y does not vary in this stratum or any part of it
        if depth == 0 and not partly:
            mask, total = planes[s], counts[s]
        else:
            above = some if depth == 0 else planes[state[0] - 1] if depth == 1 and not partly else masks[depth - 1]
            total = and_into(above, planes[s], masks[depth])
            mask = masks[depth]
        if total <= 1:  # a single row adds nothing to the statistic
            continue
        if depth + 1 < size:
            depth += 1
            state[depth] = first[cond[depth]]
            continue
        part, part_dof = leaf_g2(mask, total, planes, first, x, y, xlogx, shared, cells, rows, columns)
        half += part
        dof += part_dof
    return half, dof


@kernel
def leaf_g2(mask, total, planes, first, x, y, xlogx, shared, cells, rows, columns):
    """Return (G²/2, degrees of freedom) of x < y among the rows of a mask.

    Parameters
    ----------
    mask : (words,) uint64 array
    total : int
        Rows of the mask.
    planes, first, xlogx, shared, cells, rows, columns
        As in the module's docstring.
    x, y : int
    """
    ra, rb = first[x + 1] - first[x], first[y + 1] - first[y]
    fill_margin(mask, planes, first[x], first[x + 1], total, rows)
    if is_degenerate(rows, ra, total):
        return 0.0, 0
    fill_margin(mask, planes, first[y], first[y + 1], total, columns)
    if is_degenerate(columns, rb, total):
        return 0.0, 0
    fill_cells(mask, rows, columns, ra, rb, shared, cells)
    return stratum_g2(cells, rows, columns, ra, rb, total, xlogx)


@kernel
def is_degenerate(margin, r, total):
    """Return True if all `total` rows of a stratum are in one of the `r` states of its `margin`."""
    for s in range(r):
        if margin[s]:
            return margin[s] == total
    return True


@kernel
def close_table(cells, rows, columns, ra, rb):
    """Fill the last row and column of a table by subtraction from its margins.

    Parameters
    ----------
    cells, rows, columns
        As in the module's docstring.
    ra, rb : int
        Levels of x and of y.
    """
    for i in range(ra - 1):
        rest = rows[i]
        for j in range(rb - 1):
            rest -= cells[i * rb + j]
        cells[i * rb + rb - 1] = rest
    for j in range(rb):
        rest = columns[j]
        for i in range(ra - 1):
            rest -= cells[i * rb + j]
        cells[(ra - 1) * rb + j] = rest
