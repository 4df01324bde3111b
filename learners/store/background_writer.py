"""Writing behind the pages' back: in the order in which it was asked for, by one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

from ..common.errors import LearnersError
from .faults import StoreFault

Task = Callable[[], object]


def failure_reason(error: Exception) -> str:
    """Return the reason of a failure. The error itself is not kept: it holds what was at hand, such as a table."""
    return str(error) if isinstance(error, LearnersError) else "it could not be saved; export what you need"


class BackgroundWriter:
    """Does what it is given, one after the other.

    What fails changes nothing for the rest; `failed` of its key says why, the first reason until something of that key
    is done again. A fault of the store is no reason: it concerns all keys, until it has passed.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[str, bool, Task, Future]] = SimpleQueue()
        self._newest: dict[str, Future] = {}
        self._failed: dict[str, str] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._go_on, daemon=True, name="store").start()

    def do(self, key: str, work: Task, *, newest: bool = False) -> Future:
        """Do something later.

        Parameters
        ----------
        key : str
            Whose work it is.
        work : callable
        newest : bool, default False
            Whether it is of no use once more of this key was asked for with `newest`.
        """
        told: Future = Future()
        with self._lock:
            if newest:
                self._newest[key] = told
            self._queue.put((key, newest, work, told))
        return told

    def wait(self, seconds: float | None = None) -> None:
        """Until all that was asked for so far is done."""
        self.do("", lambda: None).result(seconds)

    def failed(self, key: str) -> str:
        """Why the last work of a key failed; empty if it did not."""
        return self._failed.get(key, "")

    def _go_on(self) -> None:
        while True:
            self._one(*self._queue.get())

    def _one(self, key: str, newest: bool, work: Task, told: Future) -> None:
        with self._lock:
            if newest and self._newest.get(key) is not told:
                told.set_result(None)
                return
            if newest:
                del self._newest[key]
        try:
            done = work()
        except Exception as error:
            if not isinstance(error, StoreFault):
                self._failed.setdefault(key, failure_reason(error))
            told.set_exception(error)
        else:
            self._failed.pop(key, None)
            told.set_result(done)
