"""Sorting by strength: a radix sort, stable and without comparisons."""

import numpy as np
from numba import njit

BITS = 8  # of a digit
DIGITS = 8


@njit(cache=True, nogil=True)
def weakest_first(log_p, part, n_parts):
    """Positions sorted by part, within a part by falling ``log_p <= 0``, ties in their order; and where each part ends.

    `part` (m,) uint8 is below `n_parts`. Returns (m,) int64 and (n_parts,) int64.
    """
    m = log_p.shape[0]
    key, order = np.abs(log_p).view(np.uint64), np.arange(m)  # floats above 0 are ordered as their bits are
    spare_key, spare_order = np.empty_like(key), np.empty_like(order)
    starts = digit_starts(key)
    mask = np.uint64((1 << BITS) - 1)
    for digit in range(DIGITS):
        start, shift = starts[digit], np.uint64(BITS * digit)
        if start[-1] < 0:
            continue
        for t in range(m):
            value = (key[t] >> shift) & mask
            place = start[value]
            start[value] += 1
            spare_key[place], spare_order[place] = key[t], order[t]
        key, spare_key = spare_key, key
        order, spare_order = spare_order, order
    end = np.zeros(n_parts, np.int64)
    for t in range(m):
        end[part[t]] += 1
    end = np.cumsum(end)
    place = np.zeros(n_parts, np.int64)
    place[1:] = end[:-1]
    for t in range(m):
        which = part[order[t]]
        spare_order[place[which]] = order[t]
        place[which] += 1
    return spare_order, end


@njit(cache=True, nogil=True)
def digit_starts(key):
    """(DIGITS, 2 ** BITS) int64: where the keys with each value of each digit begin; -1 at the end if all keys agree."""
    m = key.shape[0]
    starts = np.zeros((DIGITS, 1 << BITS), np.int64)
    mask = np.uint64((1 << BITS) - 1)
    for t in range(m):
        for digit in range(DIGITS):
            starts[digit, (key[t] >> np.uint64(BITS * digit)) & mask] += 1
    for digit in range(DIGITS):
        begin = 0
        row = starts[digit]
        agree = False
        for value in range(1 << BITS):
            n = row[value]
            agree = agree or n == m
            row[value] = begin
            begin += n
        if agree:
            row[-1] = -1
    return starts
