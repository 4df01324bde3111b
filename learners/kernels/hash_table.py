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
