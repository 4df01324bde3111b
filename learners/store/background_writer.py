"""Background writer: one thread executes tasks in FIFO order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

from ..common.errors import LearnersError
from .faults import StoreFault

Task = Callable[[], object]


def failure_reason(error: Exception) -> str:
    """Return the reason of a failure as text; the error itself would keep data such as a table alive."""
    return str(error) if isinstance(error, LearnersError) else "it could not be saved; export what you need"


class BackgroundWriter:
    """Execute tasks one after another in a thread.

    A failing task does not affect the others; `failed` returns the first reason until a task of the same key succeeds.
    Store faults are not recorded, because they affect all keys.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[str, bool, Task, Future]] = SimpleQueue()
        self._newest: dict[str, Future] = {}
        self._failed: dict[str, str] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._go_on, daemon=True, name="store").start()

    def do(self, key: str, work: Task, *, newest: bool = False) -> Future:
        """Queue a task.

        Parameters
        ----------
        key : str
            Owner of the task.
        work : callable
        newest : bool, default False
            Skip the task if a later one of this key with `newest` is queued.
        """
        future: Future = Future()
        with self._lock:
            if newest:
                self._newest[key] = future
            self._queue.put((key, newest, work, future))
        return future

    def wait(self, seconds: float | None = None) -> None:
        """Wait until all queued tasks are done."""
        self.do("", lambda: None).result(seconds)

    def failed(self, key: str) -> str:
        """Return the reason why the last task of a key failed; empty if it succeeded."""
        return self._failed.get(key, "")

    def _go_on(self) -> None:
        while True:
            self._one(*self._queue.get())

    def _one(self, key: str, newest: bool, work: Task, future: Future) -> None:
        with self._lock:
            if newest and self._newest.get(key) is not future:
                future.set_result(None)
                return
            if newest:
                del self._newest[key]
        try:
            done = work()
        except Exception as error:
            if not isinstance(error, StoreFault):
                self._failed.setdefault(key, failure_reason(error))
            future.set_exception(error)
        else:
            self._failed.pop(key, None)
            future.set_result(done)
