"""G² among the rows that have x, y and the whole set, from codes or from bit planes.

A missing cell has the code one past the last level, and no bit in any plane. `hole` (p,) int64 is the number of a
variable among those with holes, -1 for none, and `there` (h, words) uint64 has a bit for each row that has it.
"""

import numpy as np

from ..compiling import kernel
from .contingency import dense_g2, fill_strata, most_dense, sparse_g2
from .popcount import count, popcount
from .strata import leaf_g2, share_masks, strata_g2


@kernel
def mark_available(hole, there, x, y, cond, size, mask):
    """A bit for each row that has all, into `mask` (words,); False if none of them has holes, and nothing is done."""
    begun = False
    for k in range(size + 2):
        node = x if k == 0 else y if k == 1 else cond[k - 2]
        if hole[node] < 0:
            continue
        own = there[hole[node]]
        for w in range(mask.shape[0]):
            mask[w] = mask[w] & own[w] if begun else own[w]
        begun = True
    return begun


@kernel
def pick_rows(mask, weights, picked):
    """(how many rows a mask marks, their weight); `picked` gets which they are."""
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
    """(G²/2, adjusted dof) from the codes of the rows `picked`; `z` (n,) int64 is scratch."""
    q, m = fill_strata(codes, arity, cond, size, z), picked.shape[0]
    a, b, w = np.empty(m, codes.dtype), np.empty(m, codes.dtype), np.empty(min(m, weights.shape[0]), np.int64)
    for i in range(m):
        t = picked[i]
        z[i], a[i], b[i] = z[t], codes[x, t], codes[y, t]
    for i in range(w.shape[0]):
        w[i] = weights[picked[i]]
    ra, rb = arity[x], arity[y]
    if float(q) * float(ra) * float(rb) <= most_dense(z.shape[0]):
        return dense_g2(a, b, ra, rb, w, z[:m], q, xlogx)
    return sparse_g2(a, b, ra, rb, w, z[:m], q, xlogx)


@kernel
def available_planes_g2(sample, x, y, cond, size, mask, scratch):
    """(rows, G²/2, adjusted dof) of x < y from the planes of the rows that `mask` marks."""
    first, planes, xlogx, cells, rows = sample.first, sample.planes, sample.xlogx, scratch.cells, scratch.rows
    shared, columns = scratch.shared, scratch.columns
    share_masks(planes, first, x, y, scratch.pair, shared)
    n = count(mask)
    if size == 0:
        half, dof = leaf_g2(mask, n, planes, first, x, y, xlogx, shared, cells, rows, columns)
        return n, half, dof
    # Pairs were counted in rows that lack others, so nothing is known of them here.
    half, dof = strata_g2(
        planes, first, sample.counts, sample.pairs, sample.seen, xlogx, x, y, cond[:size], shared, scratch.masks,
        scratch.state, cells, rows, columns, mask,
    )  # fmt: skip
    return n, half, dof
