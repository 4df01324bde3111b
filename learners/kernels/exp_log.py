"""Vectorized exponentials and logarithms, equal to the last bit with and without compilation.

The loops contain only sums, products and bit shifts, so that the compiler vectorizes them. A number is split into 2^k
and a factor near 1. Adding `ROUNDING` puts the nearest integer k into the last bits, and a float whose exponent bits
hold k is 2^k.
"""

import math

import numpy as np

from .compiling import kernel

LOG2_E = 1.0 / math.log(2.0)
LN2, LN2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # k times the first is exact
ROUNDING = 1.5 * 2.0**52
ROUNDING_BITS = 0x4338000000000000
ROOT_BITS = 0x3FE6A09E667F3BCD  # bits of the square root of 1/2
MANTISSA, BIAS = 52, 1023
MAX_EXPONENT = 600.0  # largest absolute value that is supported
E2, E3, E4, E5, E6, E7 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040
E8, E9, E10, E11, E12 = 1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800, 1 / 479001600


# ln(1 + f) = 2 s + s³ (L1 + L2 s² + ...) with s = f / (2 + f), as in the C library of FreeBSD (e_log.c)
L1, L2, L3, L4 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01
L5, L6, L7 = 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01


@kernel
def exp_all(values, n, scale):
    """Replace the first `n` numbers by their exponentials.

    Parameters
    ----------
    values : float64 array
        Numbers of at most `MAX_EXPONENT` in absolute value; overwritten.
    n : int
    scale : (n,) float64 array
        Scratch.
    """
    for i in range(n):
        x = values[i]
        shifted = x * LOG2_E + ROUNDING
        whole = shifted - ROUNDING
        r = (x - whole * LN2) - whole * LN2_REST
        tail = E7 + r * (E8 + r * (E9 + r * (E10 + r * (E11 + r * E12))))
        values[i] = 1.0 + r * (1.0 + r * (E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * tail))))))
        scale[i] = shifted
    bits = scale.view(np.int64)
    for i in range(n):
        bits[i] = (bits[i] + BIAS) << MANTISSA
    for i in range(n):
        values[i] *= scale[i]


@kernel
def log_all(values, n, scale):
    """Replace the first `n` numbers by their natural logarithms.

    Parameters
    ----------
    values : float64 array
        Numbers above 1e-300; overwritten.
    n : int
    scale : (n,) float64 array
        Scratch.
    """
    bits, powers = values.view(np.int64), scale.view(np.int64)
    for i in range(n):
        power = (bits[i] - ROOT_BITS) >> MANTISSA
        bits[i] -= power << MANTISSA  # now between the square roots of 1/2 and 2
        powers[i] = power + ROUNDING_BITS
    for i in range(n):
        power, f = scale[i] - ROUNDING, values[i] - 1.0
        s = np.divide(f, 2.0 + f)  # unlike a slash, does not check for 0
        z, half = s * s, 0.5 * f * f
        r = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + z * (L6 + z * L7))))))
        values[i] = power * LN2 - ((half - (s * (half + r) + power * LN2_REST)) - f)
