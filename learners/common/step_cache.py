"""Stages of a learner: parts of a run that hang on some of its parameters only, which several runs have in common."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

T = TypeVar("T")
Once = Callable[[Hashable, Callable[[], T]], T]


def uncached(_key: Hashable, compute: Callable[[], T]) -> T:
    """A stage of a run that shares nothing."""
    return compute()


class StepCache:
    """Stages by what they hang on: a name and those parameters. Nobody may change what a stage has made.

    For runs on the same data, with the same knowledge and seed. A stage that raises is not kept.

    Parameters
    ----------
    most : int
        Stages kept; the oldest leave.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._kept: dict[Hashable, object] = {}
        self._lock = threading.Lock()

    def __call__(self, key: Hashable, compute: Callable[[], T]) -> T:
        if key not in self._kept:
            made = compute()
            with self._lock:
                self._kept[key] = made
                if len(self._kept) > self._most:
                    del self._kept[next(iter(self._kept))]
            return made
        return self._kept[key]
