"""A cancel of HPC is heard at once, however many columns there are."""

from __future__ import annotations

import gc
import time

import numpy as np
import pytest

from learners import G2, Dataset, FisherZ, hpc
from learners.independence import CITest

P, N = 1_000, 300
PROMISED = 0.1  # seconds, see `learners.common.progress`
LONG_ENOUGH = 2.5  # all phases of the first targets


def columns(kind: str, p: int = P) -> CITest:
    """Each column depends on the one before it and on one more; half of all pairs are dependent."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(N, p))
    for k in range(2, p):
        values[:, k] += 0.6 * values[:, k - 1] + 0.6 * values[:, rng.integers(0, k - 1)]
    names = [f"v{k}" for k in range(p)]
    if kind == "continuous":
        return FisherZ(Dataset.from_values(values, names), threads=1)
    codes = (values > 0).T.astype(int)
    return G2(Dataset.from_codes(codes, [2] * p, names), rows_per_cell=5, threads=1)


def longest_silence(test: CITest) -> float:
    """Seconds that this thread works between two ticks; what other programs take does not count."""
    gc.collect()
    gc.freeze()  # what was loaded before is not walked through again by each collection of rubbish
    try:
        began = last = time.thread_time()
        longest = 0.0

        def tick(*_said: object) -> bool:
            nonlocal last, longest
            longest = max(longest, time.thread_time() - last)
            last = time.thread_time()
            return last - began < LONG_ENOUGH

        result = hpc(test, tick=tick)
    finally:
        gc.unfreeze()
    assert not result.complete
    assert result.n_tests > 500_000
    return longest


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
def test_a_thousand_columns_are_searched_with_a_tick_every_100_ms(kind):
    """The work between two ticks, in the better of two runs: a busy machine slows a thread at work, too."""
    hpc(columns(kind, 8))  # compiles
    test = columns(kind)
    assert any(longest_silence(test) < PROMISED for _ in range(2))
