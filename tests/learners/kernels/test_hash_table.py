"""Hash tables that grow in their own memory lose no entry."""

import numpy as np
import pytest

from learners.kernels.hash_table import find_slot, spread_entries


@pytest.mark.parametrize("grown", [33, 40, 64, 512])
@pytest.mark.parametrize("seed", range(25))
def test_a_grown_table_finds_every_entry_and_no_other(seed, grown):
    """Also where runs of entries continue at the start of the table, and with a single free slot."""
    rng = np.random.default_rng(seed)
    room = 32
    keys, values = np.zeros(room, dtype=np.uint64), np.empty(room)
    # Most keys belong near the end of the table.
    near_end = rng.integers(28 << 59, 32 << 59, room, dtype=np.uint64)
    everywhere = rng.integers(1, 2**64, room, dtype=np.uint64)
    present = np.where(rng.random(room) < 0.8, near_end, everywhere)[: room - 1 if seed % 2 else room // 2]
    for value, key in enumerate(present):
        at = find_slot(keys, key)
        keys[at], values[at] = key, value
    keys.resize(grown, refcheck=False)
    values.resize(grown, refcheck=False)
    spread_entries(keys, values, room)
    assert sorted(keys[keys != 0]) == sorted(present)
    for value, key in enumerate(present):
        at = find_slot(keys, key)
        assert keys[at] == key
        assert values[at] == value
    absent = rng.integers(1, 2**64, 200, dtype=np.uint64)
    assert all(keys[find_slot(keys, key)] == 0 for key in absent)
