"""Hash tables with open addressing: random keys of 64 bits in arrays of any length, 0 for a free slot.

A key belongs to the slot that the upper half of its bits, as a share of 2^32, has among all slots.
"""

import numpy as np

from .compiling import kernel

LEFT, RIGHT = np.uint64(7), np.uint64(57)  # bits by which a key is rotated
HIGH_BITS = np.uint64(32)


@kernel
def rotate_bits(key):
    """Return the key with its bits rotated to the left, so that the order of members matters in combined keys."""
    return (key << LEFT) | (key >> RIGHT)


@kernel
def first_slot(n_slots, key):
    """Return the slot that a key has if it is free."""
    return np.int64(((key >> HIGH_BITS) * np.uint64(n_slots)) >> HIGH_BITS)


@kernel
def find_slot(keys, key):
    """Return the slot of `key`, or the free slot where it would go."""
    n_slots = keys.shape[0]
    at = first_slot(n_slots, key)
    while keys[at] != 0 and keys[at] != key:
        at += 1
        if at == n_slots:
            at = 0
    return at


@kernel
def spread_entries(keys, values, room):
    """Move the entries of the first `room` slots, once the whole table, to their slots in the enlarged table.

    The table grows in its own memory, so a large one is never stored twice. Its runs of used slots are moved from the
    last to the first. With more slots no key belongs to an earlier slot, so no run is written over an earlier one; nor
    does it reach the end of the table, since it did not reach the former end.

    Parameters
    ----------
    keys : (m,) uint64 array
        0 in all slots from `room` on.
    values : (m,) float64 array
    room : int
        One of the first `room` slots at least must be free.
    """
    longest = longest_run(keys[:room])
    buffer, first = (np.empty(longest, np.uint64), np.empty(longest)), (np.empty(longest, np.uint64), np.empty(longest))
    n_first = 0
    while keys[n_first] != 0:
        n_first += 1
    # The first run may continue one at the former end, so it is moved last.
    take_run(keys, values, 0, n_first, first)
    at = room - 1
    while at > n_first:
        end = at + 1
        while keys[at] != 0:
            at -= 1
        take_run(keys, values, at + 1, end, buffer)
        insert_run(keys, values, buffer, end - at - 1)
        at -= 1
    insert_run(keys, values, first, n_first)


@kernel
def longest_run(keys):
    """Return the number of slots of the longest run of used slots."""
    longest, n = 0, 0
    for at in range(keys.shape[0]):
        n = n + 1 if keys[at] != 0 else 0
        longest = max(longest, n)
    return longest


@kernel
def take_run(keys, values, begin, end, buffer):
    """Move the entries of a run of slots to a buffer.

    Parameters
    ----------
    keys, values
        As in `spread_entries`.
    begin, end : int
        The slots are ``begin .. end - 1``.
    buffer : (uint64 array, float64 array)
        Its first keys and values are filled.
    """
    for k in range(end - begin):
        buffer[0][k], buffer[1][k] = keys[begin + k], values[begin + k]
        keys[begin + k] = 0


@kernel
def insert_run(keys, values, buffer, n):
    """Insert entries that are not in the table.

    Parameters
    ----------
    keys, values
        As in `spread_entries`.
    buffer : (uint64 array, float64 array)
        Keys and values.
    n : int
        The first n are inserted.
    """
    for k in range(n):
        at = find_slot(keys, buffer[0][k])
        keys[at], values[at] = buffer[0][k], buffer[1][k]
