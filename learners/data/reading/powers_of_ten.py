"""Leading bits of powers of ten, with which decimal numbers are rounded to floats."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...kernels.reading.decimal_numbers import MAX_POWER, MIN_POWER

BITS = 128


@cache
def powers_of_ten() -> np.ndarray:
    """Return the leading 128 bits of 5^q for the powers q of the kernel, (591, 2) uint64, the upper half first.

    The leading bits of 10^q are those of 5^q. They are rounded down for q >= 0, and up for q < 0 (Lemire 2021,
    section 5).
    """
    halves = [divmod(_leading_bits(power), 1 << 64) for power in range(MIN_POWER, MAX_POWER + 1)]
    table = np.array(halves, dtype=np.uint64)
    table.flags.writeable = False
    return table


def _leading_bits(power: int) -> int:
    """Return the leading 128 bits of 5^power as an integer of that many bits."""
    whole = 5 ** abs(power)
    if power >= 0:
        excess = whole.bit_length() - BITS
        return whole >> excess if excess > 0 else whole << -excess
    return (1 << (BITS - 1 + (whole - 1).bit_length())) // whole + 1
