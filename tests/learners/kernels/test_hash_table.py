"""Hash tables that grow in their own memory lose no entry."""

import numpy as np
import pytest

from learners.kernels.hash_table import find_slot, spread_entries
from learners.kernels.scores.families import KEYS_AT_ONCE, NewScores, look_up, store_scores
from learners.scores.score import NO_FITS, _empty_cache


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


@pytest.mark.parametrize("n", [0, 1, KEYS_AT_ONCE, 2 * KEYS_AT_ONCE + 3])
def test_stored_scores_are_found_and_others_are_nan(n):
    """Several keys are looked up at the same time, in a table in which many have the same first slot."""
    rng = np.random.default_rng(n)
    keys = rng.integers(1, 2**64, 2 * n, dtype=np.uint64)
    keys[: n // 2] = rng.integers(1, 2**59, n // 2, dtype=np.uint64)
    cache = _empty_cache(max(2 * n, 8), np.zeros((1, 1), dtype=np.uint64), NO_FITS)
    new = NewScores(keys[::2].copy(), np.arange(n, dtype=float), np.array([n]))
    store_scores(new, cache)
    assert (new.used[0], cache.used[0]) == (0, n)
    values = np.zeros(2 * n)
    look_up(cache, keys, values)
    np.testing.assert_array_equal(values[::2], np.arange(n))
    assert np.isnan(values[1::2]).all()
