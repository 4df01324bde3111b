"""Counting bits in words of 64 rows. LLVM turns these loops into vector instructions where the machine has them."""

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
    """Bits set in `a`."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        total += popcount(a[t])
    return np.int64(total)


@kernel
def count_and(a, b):
    """Bits set in both `a` and `b`."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        total += popcount(a[t] & b[t])
    return np.int64(total)


@kernel
def and_into(a, b, out):
    """Write ``a & b`` to `out`; return its bits set."""
    total = np.uint64(0)
    for t in range(a.shape[0]):
        word = a[t] & b[t]
        out[t] = word
        total += popcount(word)
    return np.int64(total)
