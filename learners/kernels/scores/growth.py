"""Growth of a hash table in its own memory, so that a large one is never stored twice."""

from ..compiling import kernel
from ..hash_table import find_slot


@kernel
def spread_entries(keys, values, room):
    """Move the entries of the first `room` slots, once the whole table, to their slots in the enlarged table.

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
