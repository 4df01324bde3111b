"""Job: one run of a learner in a thread of its own, watched and cancelled from another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .memory import out_of_memory
from .progress import Tick

WAITING = "waiting"  # phase of a job that has not begun; `done` is then the number of jobs before it


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
    at_once : bool, default True
        Whether to begin now; else the job waits for `begin`.
    then : callable, optional
        Called in the job's thread once it has ended.

    Attributes
    ----------
    reason : str
        Why it was cancelled, if it was not the user who asked; else empty.
    """

    def __init__(
        self, work: Callable[[Tick], Any], *, at_once: bool = True, then: Callable[[], None] | None = None
    ) -> None:
        self._work = work
        self._then = then
        self._lock = threading.Lock()  # a job may be cancelled while it begins
        self._cancelled = threading.Event()
        self._over = threading.Event()
        self._began: float | None = None
        self._ended: float | None = None
        self._said = (WAITING, 0, 0)
        self._result: Any = None
        self._error: BaseException | None = None
        self.reason = ""
        if at_once:
            self.begin()

    def begin(self) -> None:
        """Start the thread of a job that waits; one that has begun or was cancelled is left as it is."""
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
        except BaseException as error:  # handed on by `result`, in the thread that asks
            self._error = error
        self._end()
        if self._then is not None:
            self._then()

    def _end(self) -> None:
        self._ended = time.monotonic()
        del self._work  # and with it the data that it holds
        self._over.set()

    def _tick(self, phase: str, done: int, total: int) -> bool:
        self._said = (phase, done, total)
        return not self._cancelled.is_set()

    @property
    def begun(self) -> bool:
        """Whether its thread was started."""
        return self._began is not None

    @property
    def running(self) -> bool:
        """Whether there is more to come: it is at work, or waits to begin."""
        return self._ended is None

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._cancelled.is_set()

    @property
    def progress(self) -> Progress:
        """The latest word."""
        now = self._ended or time.monotonic()
        return Progress(*self._said, seconds=now - self._began if self._began is not None else 0.0)

    def wait_behind(self, ahead: int) -> None:
        """Say how many jobs come before this one, which has not begun."""
        with self._lock:
            if not self.begun:
                self._said = (WAITING, ahead, 0)

    def cancel(self, reason: str = "") -> None:
        """Ask it to stop at the next tick; the partial result is kept. One that waits ends at once, with None.

        Parameters
        ----------
        reason : str, optional
            A sentence on who asked, if it was not the user; see `reason`. The first one counts.
        """
        with self._lock:
            if not self.cancelled:
                self.reason = reason
            self._cancelled.set()
            if self.running and not self.begun:
                self._end()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; False if it did not come in time."""
        return self._over.wait(seconds)

    def result(self) -> Any:
        """What the work returned; raises what it raised. Waits for the end."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._result
