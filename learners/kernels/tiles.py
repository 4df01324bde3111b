"""Blocked matrix product: sums over a block of rows of the products of columns, two by two columns at a time.

Each pair of columns has sixteen partial sums, so that the compiler vectorizes the loop and each number that is read
serves two products. The columns of a block lie one after the other in a flat array with room for one more column.
"""

import numpy as np

from .compiling import kernel

BLOCK = 256  # number of rows of a block, summed in parts of 128
SIDE = 16  # number of partial sums, each of eight products of a part


# Unsigned, as in `arrays`.
K0, K1, K2, K3, K4, PART, ROWS = (np.uint64(k) for k in (0, 1, 2, 3, 4, 8 * SIDE, BLOCK))
S1, S2, S3, S4, S5, S6, S7 = (np.uint64(k * SIDE) for k in range(1, 8))


@kernel
def add_products(one, n_one, other, n_other, lower, sums, target):
    """Add the dot products of all pairs of columns to `target`.

    Parameters
    ----------
    one, other : float64 arrays
        Blocks of `BLOCK` rows, one column after the other, with room for one more column.
    n_one, n_other : int
        Number of columns of each block.
    lower : bool
        True: only the lower triangle of `target` is valid; the part above it holds arbitrary numbers.
    sums : (4 * `SIDE`,) float64 array
        Scratch.
    target : (n_one, n_other) float64 array
        Increased in place.
    """
    for a in range(0, n_one, 2):
        for b in range(0, a + 1 if lower else n_other, 2):
            fill_sums(one, np.uint64(a) * ROWS, other, np.uint64(b) * ROWS, sums)
            below, right = a + 1 < n_one, b + 1 < n_other
            target[a, b] += lane_sum(sums, K0)
            if right:
                target[a, b + 1] += lane_sum(sums, S1)
            if below:
                target[a + 1, b] += lane_sum(sums, S2)
            if below and right:
                target[a + 1, b + 1] += lane_sum(sums, S3)


@kernel
def fill_sums(one, p, other, q, sums):
    """Fill the partial sums of two columns of each block.

    Parameters
    ----------
    one, other, sums
        As in `add_products`.
    p, q : uint64
        First positions of the two columns in `one` and in `other`.
    """
    sums[:] = 0.0
    for begin in range(K0, ROWS, PART):
        i, j = p + begin, q + begin
        for k in range(K0, S1, K1):
            first, second = of_eight(one, i + k, other, j + k), of_eight(one, i + k, other, j + k + ROWS)
            third, fourth = of_eight(one, i + k + ROWS, other, j + k), of_eight(one, i + k + ROWS, other, j + k + ROWS)
            sums[k] += first
            sums[k + S1] += second
            sums[k + S2] += third
            sums[k + S3] += fourth


@kernel
def of_eight(one, p, other, q):
    """Return the sum of eight products that lie `SIDE` rows apart.

    Parameters
    ----------
    one, other : float64 arrays
    p, q : uint64
        Positions of the first factors.
    """
    even = one[p] * other[q] + one[p + S4] * other[q + S4]
    even += one[p + S2] * other[q + S2] + one[p + S6] * other[q + S6]
    odd = one[p + S1] * other[q + S1] + one[p + S5] * other[q + S5]
    return even + (odd + (one[p + S3] * other[q + S3] + one[p + S7] * other[q + S7]))


@kernel
def lane_sum(sums, begin):
    """Return the total of `SIDE` partial sums from position `begin` on."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(begin, begin + S1, K4):
        s0 += sums[k]
        s1 += sums[k + K1]
        s2 += sums[k + K2]
        s3 += sums[k + K3]
    return (s0 + s2) + (s1 + s3)
