"""G² on the available cases of a test, the rows in which x, y and the whole set are observed.

A missing cell has the code after the last level, and no bit in any plane.

Arrays of all functions here
----------------------------
missing_index : (p,) int64 array
    Number of a variable among those with missing values; -1 for a complete one.
observed : (h, words) uint64 array
    A bit for each row in which the variable with that number is observed.
mask : (words,) uint64 array
    A bit for each available row.
"""

import numpy as np

from ..compiling import kernel
from .contingency import dense_g2, fill_strata, max_dense_cells, sparse_g2
from .popcount import count, popcount
from .strata import fill_shared_masks, leaf_g2, strata_g2


@kernel
def mark_available(missing_index, observed, x, y, cond, size, mask):
    """Mark the rows in which x, y and the set are observed.

    Parameters
    ----------
    missing_index, observed, mask
        As in the module's docstring; `mask` is filled.
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` count.

    Returns
    -------
    bool
        False if all of them are complete; `mask` is then unchanged.
    """
    begun = False
    for k in range(size + 2):
        node = x if k == 0 else y if k == 1 else cond[k - 2]
        if missing_index[node] < 0:
            continue
        own = observed[missing_index[node]]
        for w in range(mask.shape[0]):
            mask[w] = mask[w] & own[w] if begun else own[w]
        begun = True
    return begun


@kernel
def pick_rows(mask, weights, picked):
    """Return the number and the total weight of the rows that `mask` marks; write these rows to `picked`."""
    one, m, total = np.uint64(1), 0, 0
    for w in range(mask.shape[0]):
        word = mask[w]
        while word:
            low = word & (~word + one)
            word ^= low
            picked[m] = 64 * w + popcount(low - one)
            total += weights[picked[m]] if weights.shape[0] else 1
            m += 1
    return m, total


@kernel
def available_codes_g2(codes, arity, weights, x, y, cond, size, xlogx, picked, z):
    """Return (G²/2, adjusted degrees of freedom) from the codes of some rows.

    Parameters
    ----------
    codes, arity, weights, x, y, cond, size, xlogx, z
        As in `contingency.scalar_g2`.
    picked : (m,) int64 array
        The rows, ascending.
    """
    q, m = fill_strata(codes, arity, cond, size, z), picked.shape[0]
    a, b, w = np.empty(m, codes.dtype), np.empty(m, codes.dtype), np.empty(min(m, weights.shape[0]), np.int64)
    for i in range(m):
        t = picked[i]
        z[i], a[i], b[i] = z[t], codes[x, t], codes[y, t]
    for i in range(w.shape[0]):
        w[i] = weights[picked[i]]
    ra, rb = arity[x], arity[y]
    if float(q) * float(ra) * float(rb) <= max_dense_cells(z.shape[0]):
        return dense_g2(a, b, ra, rb, w, z[:m], q, xlogx)
    return sparse_g2(a, b, ra, rb, w, z[:m], q, xlogx)


@kernel
def available_planes_g2(sample, x, y, cond, size, mask, scratch):
    """Return (number of rows, G²/2, adjusted degrees of freedom) of x < y from the bit planes of some rows.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (k,) int32 array
    size : int
    mask
        As in the module's docstring.
    scratch : DiscreteScratch
    """
    first, planes, xlogx, cells, rows = sample.first, sample.planes, sample.xlogx, scratch.cells, scratch.rows
    shared, columns = scratch.shared, scratch.columns
    fill_shared_masks(planes, first, x, y, scratch.pair, shared)
    n = count(mask)
    if size == 0:
        half, dof = leaf_g2(mask, n, planes, first, x, y, xlogx, shared, cells, rows, columns)
        return n, half, dof
    # The counted pairs include rows that lack other variables, so they are not used here.
    half, dof = strata_g2(
        planes, first, sample.counts, sample.pairs, sample.seen, xlogx, x, y, cond[:size], shared, scratch.masks,
        scratch.state, cells, rows, columns, mask, np.inf,
    )  # fmt: skip
    return n, half, dof
