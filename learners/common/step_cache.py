"""Cache of learner steps: several runs share a step if the parameters that it depends on are equal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

T = TypeVar("T")
Once = Callable[[Hashable, Callable[[], T]], T]


def uncached(_key: Hashable, compute: Callable[[], T]) -> T:
    """Compute a step without a cache."""
    return compute()


class StepCache:
    """Cache of steps by a key: the name of the step and the parameters that it depends on.

    It serves runs on the same data, with the same knowledge and seed. Callers must not modify cached values. A step
    that raises is not cached.

    Parameters
    ----------
    most : int
        Maximum number of steps; the oldest is evicted first.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._steps: dict[Hashable, object] = {}
        self._lock = threading.Lock()

    def __call__(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result of a step, computed if it is not stored."""
        if key not in self._steps:
            made = compute()
            with self._lock:
                self._steps[key] = made
                if len(self._steps) > self._most:
                    del self._steps[next(iter(self._steps))]
            return made
        return self._steps[key]
