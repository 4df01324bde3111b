"""Background job: one run in a separate thread, which other threads can watch and cancel."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .memory import out_of_memory
from .progress import Tick
from .sentences import Phrase

WAITING = "waiting"  # phase of a queued job; `done` is then the number of jobs ahead of it


@dataclass(frozen=True)
class Progress:
    """Last report of a job: phase, work done, known total (0 if unknown), and seconds since its start."""

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
    at_once : bool, default True
        Start now. Otherwise the job waits for `begin`.
    then : callable, optional
        Called in the thread of the job once it has ended.

    Attributes
    ----------
    reason : Phrase or None
        Reason of the cancellation; None if the user cancelled the job.
    """

    def __init__(
        self, work: Callable[[Tick], Any], *, at_once: bool = True, then: Callable[[], None] | None = None
    ) -> None:
        self._work = work
        self._then = then
        self._lock = threading.Lock()  # a job may be cancelled while it starts
        self._cancelled = threading.Event()
        self._over = threading.Event()
        self._began: float | None = None
        self._ended: float | None = None
        self._said = (WAITING, 0, 0)
        self._result: Any = None
        self._error: BaseException | None = None
        self.reason: Phrase | None = None
        if at_once:
            self.begin()

    def begin(self) -> None:
        """Start the thread of a queued job; do nothing if it has started or was cancelled."""
        with self._lock:
            if self.begun or self.cancelled:
                return
            self._began, self._said = time.monotonic(), ("starting", 0, 0)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._result = self._work(self._tick)
        except MemoryError:
            self._error = out_of_memory()
        except BaseException as error:  # raised by `result`, in the calling thread
            self._error = error
        self._end()
        if self._then is not None:
            self._then()

    def _end(self) -> None:
        self._ended = time.monotonic()
        del self._work  # releases the data that it references
        self._over.set()

    def _tick(self, phase: str, done: int, total: int) -> bool:
        self._said = (phase, done, total)
        return not self._cancelled.is_set()

    @property
    def begun(self) -> bool:
        """True once its thread was started."""
        return self._began is not None

    @property
    def running(self) -> bool:
        """True while the job is queued or at work."""
        return self._ended is None

    @property
    def cancelled(self) -> bool:
        """True once the job was requested to stop."""
        return self._cancelled.is_set()

    @property
    def progress(self) -> Progress:
        """Latest progress report."""
        now = self._ended or time.monotonic()
        return Progress(*self._said, seconds=now - self._began if self._began is not None else 0.0)

    def wait_behind(self, ahead: int) -> None:
        """Set the number of jobs ahead of this queued job."""
        with self._lock:
            if not self.begun:
                self._said = (WAITING, ahead, 0)

    def cancel(self, reason: Phrase | None = None) -> None:
        """Request the job to stop at its next tick, and keep its partial result. A queued job ends at once, with None.

        Parameters
        ----------
        reason : Phrase, optional
            Who cancelled it and why, if it was not the user. The first reason counts.
        """
        with self._lock:
            if not self.cancelled:
                self.reason = reason
            self._cancelled.set()
            if self.running and not self.begun:
                self._end()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; return False on a timeout."""
        return self._over.wait(seconds)

    def result(self) -> Any:
        """Wait for the job, and return its result or raise its exception."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._result
