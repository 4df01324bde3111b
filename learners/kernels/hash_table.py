"""Hash tables with open addressing: keys of 64 bits in arrays of a power of two, 0 for a free slot."""

import numpy as np

from .compiling import kernel

LEFT, RIGHT = np.uint64(7), np.uint64(57)  # bits by which a key is rotated


@kernel
def rotate_bits(key):
    """Return the key with its bits rotated to the left, so that the order of members matters in combined keys."""
    return (key << LEFT) | (key >> RIGHT)


@kernel
def find_slot(keys, key):
    """Return the slot of `key`, or the free slot where it would go."""
    last = keys.shape[0] - 1
    at = np.int64(key & np.uint64(last))
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & last
    return at


@kernel
def spread_entries(keys, values, room):
    """Move the entries of the first `room` slots, once the whole table, to their slots in the enlarged table.

    The table grows in its own memory, so a large one is never stored twice.

    Parameters
    ----------
    keys : (2^m,) uint64 array
        0 in all slots from `room` on.
    values : (2^m,) float64 array
    room : int
        Power of two. One of the first `room` slots at least must be free.
    """
    # Behind a free slot no entry is moved past one that must still be moved, so none is lost.
    free = 0
    while keys[free] != 0:
        free += 1
    for step in range(1, room):
        at = (free + step) & (room - 1)
        key = keys[at]
        if key != 0:
            keys[at] = 0
            to = find_slot(keys, key)
            keys[to], values[to] = key, values[at]
