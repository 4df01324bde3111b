"""Job: one run of a learner in a thread of its own, watched and cancelled from another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .progress import Tick


@dataclass(frozen=True)
class Progress:
    """What a job last said: stage, work done, work known so far (0 = unknown), and seconds since its start."""

    phase: str
    done: int
    total: int
    seconds: float


class Job:
    """Run ``work(tick)`` in a daemon thread.

    Parameters
    ----------
    work : callable
        Takes a tick and returns the result.
    """

    def __init__(self, work: Callable[[Tick], Any]) -> None:
        self._work = work
        self._cancelled = threading.Event()
        self._began = time.monotonic()
        self._ended: float | None = None
        self._said = ("starting", 0, 0)
        self._result: Any = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._work(self._tick)
        except BaseException as error:  # handed on by `result`, in the thread that asks
            self._error = error
        self._ended = time.monotonic()

    def _tick(self, phase: str, done: int, total: int) -> bool:
        self._said = (phase, done, total)
        return not self._cancelled.is_set()

    @property
    def running(self) -> bool:
        """Whether the thread is still at work."""
        return self._ended is None

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._cancelled.is_set()

    @property
    def progress(self) -> Progress:
        """The latest word."""
        return Progress(*self._said, seconds=(self._ended or time.monotonic()) - self._began)

    def cancel(self) -> None:
        """Ask it to stop at the next tick; the partial result is kept."""
        self._cancelled.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; False if it did not come in time."""
        self._thread.join(seconds)
        return not self.running

    def result(self) -> Any:
        """What the work returned; raises what it raised. Waits for the end."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result
