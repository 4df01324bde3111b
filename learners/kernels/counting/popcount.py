"""Bit counts of words of 64 rows; LLVM vectorizes these loops where the processor supports it."""

import numpy as np
from numba import config, types
from numba.extending import intrinsic

from ..compiling import kernel

if config.DISABLE_JIT:

    def popcount(word):
        """Number of bits set."""
        return int(word).bit_count()

else:

    @intrinsic
    def popcount(typing_context, word):  # noqa: ARG001  (numba's signature)
        """Number of bits set in a uint64."""

        def build(context, builder, signature, arguments):  # noqa: ARG001
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), build


@kernel
def count(a):
    """Return the number of bits set in an array of words."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        total += popcount(a[t])
    return np.int64(total)


@kernel
def count_and(a, b):
    """Return the number of bits set in both arrays."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        total += popcount(a[t] & b[t])
    return np.int64(total)


@kernel
def and_into(a, b, out):
    """Write ``a & b`` to `out` and return its number of bits."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        word = a[t] & b[t]
        out[t] = word
        total += popcount(word)
    return np.int64(total)


@kernel
def first_bit(mask):
    """Return the position of the first bit set; at least one must be set."""
    word = 0
    while mask[word] == 0:
        word += 1
    return 64 * word + lowest(mask[word])


@kernel
def lowest(word):
    """Return the position of the lowest bit set in a word that is not 0."""
    return np.int64(popcount((word & (~word + np.uint64(1))) - np.uint64(1)))


@kernel
def fill_rows(mask, rows):
    """Write the positions of all bits set to `rows`, ascending; `rows` has exactly as many places."""
    n = 0
    for word in range(mask.shape[0]):
        rest = mask[word]
        while rest != 0:
            rows[n] = 64 * word + lowest(rest)
            rest &= rest - np.uint64(1)
            n += 1


@kernel
def count_grid(a, b, out):
    """Write to ``out[i, j]`` the number of bits set in both ``a[i]`` and ``b[j]``.

    Two rows of each are processed at a time: reading a word takes longer than counting it, so each word read serves
    twice.
    """
    m, n = a.shape[0], b.shape[0]
    for i in range(0, m - 1, 2):
        for j in range(0, n - 1, 2):
            out[i, j], out[i, j + 1], out[i + 1, j], out[i + 1, j + 1] = count_four(a[i], a[i + 1], b[j], b[j + 1])
        if n % 2:
            out[i, n - 1], out[i + 1, n - 1] = count_two(a[i], a[i + 1], b[n - 1])
    if m % 2:
        for j in range(0, n - 1, 2):
            out[m - 1, j], out[m - 1, j + 1] = count_two(b[j], b[j + 1], a[m - 1])
        if n % 2:
            out[m - 1, n - 1] = count_and(a[m - 1], b[n - 1])


@kernel
def count_two(a, b, c):
    """Return the number of bits set in both `a` and `c`, and in both `b` and `c`."""
    ac, bc = np.uint64(0), np.uint64(0)
    for t in range(c.shape[0]):
        word = c[t]
        ac += popcount(a[t] & word)
        bc += popcount(b[t] & word)
    return np.int64(ac), np.int64(bc)


@kernel
def count_four(a, b, c, d):
    """Return the numbers of bits set in both `a` and `c`, `a` and `d`, `b` and `c`, and `b` and `d`."""
    ac, ad, bc, bd = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for t in range(c.shape[0]):
        one, other, third, fourth = a[t], b[t], c[t], d[t]
        ac += popcount(one & third)
        ad += popcount(one & fourth)
        bc += popcount(other & third)
        bd += popcount(other & fourth)
    return np.int64(ac), np.int64(ad), np.int64(bc), np.int64(bd)
