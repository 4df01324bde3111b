"""Hash tables that grow in their own memory lose no entry."""

import numpy as np
import pytest

from learners.kernels.hash_table import find_slot, spread_entries


@pytest.mark.parametrize("factor", [2, 4, 16])
@pytest.mark.parametrize("seed", range(25))
def test_a_grown_table_finds_every_entry_and_no_other(seed, factor):
    """Also where runs of entries continue at the start of the table, and with a single free slot."""
    rng = np.random.default_rng(seed)
    room = 32
    keys, values = np.zeros(room, dtype=np.uint64), np.empty(room)
    # Most keys belong near the end of the old table or of its copies in the new one.
    homes = np.where(rng.random(room) < 0.8, rng.integers(room - 4, room, room), rng.integers(0, room, room))
    present = np.unique(homes + room * rng.integers(1, 1000, room)).astype(np.uint64)
    present = rng.permutation(present)[: room - 1 if seed % 2 else room // 2]
    for value, key in enumerate(present):
        at = find_slot(keys, key)
        keys[at], values[at] = key, value
    keys.resize(factor * room, refcheck=False)
    values.resize(factor * room, refcheck=False)
    spread_entries(keys, values, room)
    assert sorted(keys[keys != 0]) == sorted(present)
    for value, key in enumerate(present):
        at = find_slot(keys, key)
        assert keys[at] == key
        assert values[at] == value
    absent = np.setdiff1d(np.arange(1, 500, dtype=np.uint64), present)
    assert all(keys[find_slot(keys, key)] == 0 for key in absent)
