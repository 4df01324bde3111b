"""Longest interval without a tick at a thousand columns, and latency of a cancel, for each learner.

Run by ``python -m benchmarks silences``. Seconds are CPU time, so other programs do not count.
"""

from __future__ import annotations

import gc
import time
from functools import cache

import numpy as np

from learners import Dataset, learn
from learners.registry import LEARNERS

P, N = 1_000, 300
WORK = 1.5  # CPU seconds after which the run is cancelled
CASES = [(key, kind) for key, one in LEARNERS.items() for kind in one.kinds if one.most_columns is None]


@cache
def columns(kind: str, p: int = P) -> Dataset:
    """Draw columns that depend on the previous and on one other column; half of all pairs are dependent."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(N, p))
    for k in range(2, p):
        values[:, k] += 0.6 * values[:, k - 1] + 0.6 * values[:, rng.integers(0, k - 1)]
    names = [f"v{k}" for k in range(p)]
    if kind == "continuous":
        return Dataset.from_values(values, names)
    levels = Dataset.from_codes((values > 0).T.astype(int), [2] * p, names)
    if kind == "categorical":
        return levels
    half = p // 2
    numbers = Dataset.from_values(values[:, :half], names[:half])
    return Dataset.joined(names, levels.select(range(half, p)), numbers)


class Listener:
    """Listener that cancels after `WORK` CPU seconds and records its thread's longest CPU time between two ticks."""

    def __init__(self) -> None:
        self._began, self._last = time.process_time(), time.thread_time()
        self.cancelled_at: float | None = None
        self.silence, self.phase = 0.0, "the beginning"

    def __call__(self, phase: str, _done: int, _total: int) -> bool:
        """Record the time since the last call; return False once the work is long enough."""
        now = time.thread_time()
        if now - self._last > self.silence:
            self.silence, self.phase = now - self._last, phase
        self._last = now
        if time.process_time() - self._began < WORK:
            return True
        self.cancelled_at = time.process_time()
        return False


def listened_to(key: str, kind: str) -> tuple[float, float, str]:
    """Return the longest silence, the seconds from the cancel to the end, and the phase that follows the silence."""
    gc.collect()
    gc.freeze()  # garbage collection must not scan previously loaded objects again
    try:
        listener = Listener()
        result = learn(key, columns(kind), tick=listener)
        ended = time.process_time()
    finally:
        gc.unfreeze()
    if result.complete != (listener.cancelled_at is None):
        raise AssertionError(f"{key} was cancelled, and says that it is complete")
    return listener.silence, ended - (listener.cancelled_at or ended), listener.phase


def main(words: list[str]) -> None:
    """Print the better of two runs of each learner, or of the named ones, on each data type."""
    print("| learner | data | longest silence, s | before | from the cancel to the end, s |")
    print("|---|---|---|---|---|")
    for key, kind in CASES:
        if not words or key in words:
            learn(key, columns(kind, 8))  # compiles the kernels
            silence, end, phase = min(listened_to(key, kind) for _ in range(2))
            print(f"| {key} | {kind} | {silence:.3f} | {phase} | {end:.2f} |", flush=True)
