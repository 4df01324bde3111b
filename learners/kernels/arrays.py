"""Copies of rows and matrices, and dot products.

``target[:] = source`` copies a row as well, but numba takes a second to compile each such line, because it prepares the
error message for different lengths.
"""

import numpy as np

from .compiling import kernel

LANES = 8


# Unsigned indices never count from the end of an array, so the compiler sees that reads are contiguous.
K0, K1, K2, K3, K4, K5, K6, K7, STEP = (np.uint64(k) for k in range(LANES + 1))


@kernel
def copy(source, target):
    """Copy all members of a row to the first positions of another row."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@kernel
def copy_rows(source, target):
    """Copy a matrix to another one of the same shape."""
    for i in range(source.shape[0]):
        copy(source[i], target[i])


@kernel
def dot(one, other, n):
    """Return the dot product of the first `n` members of two rows; `n` is a multiple of `LANES`."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # several sums, since additions to a single one wait for one another
    s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0
    for i in range(K0, np.uint64(n), STEP):
        s0 += one[i] * other[i]
        s1 += one[i + K1] * other[i + K1]
        s2 += one[i + K2] * other[i + K2]
        s3 += one[i + K3] * other[i + K3]
        s4 += one[i + K4] * other[i + K4]
        s5 += one[i + K5] * other[i + K5]
        s6 += one[i + K6] * other[i + K6]
        s7 += one[i + K7] * other[i + K7]
    return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
