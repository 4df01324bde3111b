"""Sums of products."""

from .compiling import kernel

LANES = 8


@kernel
def dot(one, other, n):
    """Sum of products of the first `n`, a multiple of `LANES`."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0  # several sums at a time, for one would wait for itself
    s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0
    for i in range(0, n, LANES):
        s0 += one[i] * other[i]
        s1 += one[i + 1] * other[i + 1]
        s2 += one[i + 2] * other[i + 2]
        s3 += one[i + 3] * other[i + 3]
        s4 += one[i + 4] * other[i + 4]
        s5 += one[i + 5] * other[i + 5]
        s6 += one[i + 6] * other[i + 6]
        s7 += one[i + 7] * other[i + 7]
    return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
