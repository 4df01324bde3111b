"""Workers: processes that do work for this one, so that a crash costs that work alone, and one can be killed."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import Any

from .errors import LearnersError
from .memory import resident_mb
from .processes import begin
from .progress import Tick
from .worker import DONE, EVERY, SAID, STOP

PATIENCE = 5.0  # seconds that a cancelled worker may take to hand over what it has, then it is killed
ENDING = 5.0  # seconds for a process to be gone once its line is closed


class WorkerLost(LearnersError):
    """A worker ended without an answer."""


class Running:
    """One piece of work that a worker does, or will do; others look at it meanwhile."""

    def __init__(self) -> None:
        self.pid = 0

    def resident_mb(self) -> float:
        """Memory that its process holds; 0 before it began, and where nobody tells."""
        return resident_mb(self.pid) if self.pid else 0.0


class Workers:
    """Processes that are begun as they are needed, and kept for what comes next.

    Parameters
    ----------
    kept : int
        Of those that have nothing to do.
    patience : float
        Seconds from a cancel to the kill.
    """

    def __init__(self, kept: int, *, patience: float = PATIENCE) -> None:
        self._kept, self._patience = kept, patience
        self._free: list[_Worker] = []
        self._at_work: list[_Worker] = []
        self._lock = threading.Lock()

    def do(self, work: Callable[..., Any], *given: Any, tick: Tick, running: Running | None = None) -> Any:
        """``work(*given, tick=tick)`` in a worker. All of it travels by pickle, to a process of our own.

        Raises
        ------
        WorkerLost
            If the process died, or was killed because it did not stop when it was told to.
        Exception
            What the work raised.
        """
        worker, running = self._taken(), running or Running()
        running.pid = worker.process.pid
        self._at_work.append(worker)
        try:
            kind, answer = worker.do(work, given, tick, self._patience)
        except BaseException:
            worker.end()
            raise
        finally:
            running.pid = 0
            self._at_work.remove(worker)
        self._give_back(worker)
        if kind != DONE:
            raise answer
        return answer

    def make_ready(self) -> None:
        """Begin one that waits, so that the first work need not."""
        self._give_back(self._taken())

    def close(self) -> None:
        """End those that wait."""
        with self._lock:
            free, self._free = self._free, []
        for worker in free:
            worker.end()

    def resident_mb(self) -> float:
        """Memory that all of them hold."""
        return sum(resident_mb(worker.process.pid) for worker in (*self._free, *self._at_work))

    def _taken(self) -> _Worker:
        with self._lock:
            while self._free:
                worker = self._free.pop()
                if worker.process.poll() is None:
                    return worker
                worker.end()
        return _Worker()

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if len(self._free) < self._kept:
                self._free.append(worker)
                return
        worker.end()


class _Worker:
    """One process, and the line to it."""

    def __init__(self) -> None:
        self.line, theirs = Pipe()
        with theirs:
            number = theirs.fileno()
            self.process: subprocess.Popen = begin("learners.common.worker", str(number), pass_fds=(number,))

    def do(self, work: Callable[..., Any], given: tuple, tick: Tick, patience: float) -> tuple[str, Any]:
        """What came of it: a word and a value."""
        try:
            self.line.send((work, given))
            return self._answer(self.line, tick, patience)
        except (EOFError, OSError) as error:
            raise WorkerLost(
                f"the process that did the work ended unexpectedly ({self._how()}), and what it had found is lost; "
                "other runs are not touched; try again, with fewer columns or rows if memory is short"
            ) from error

    def _answer(self, line: Connection, tick: Tick, patience: float) -> tuple[str, Any]:
        said, stopped_at = ("starting", 0, 0), 0.0
        while True:
            if line.poll(EVERY):
                kind, said = line.recv()
                if kind != SAID:
                    return kind, said
            if stopped_at and time.monotonic() - stopped_at > patience:
                raise WorkerLost(
                    f"the run did not stop within {patience:g} s of being told to, so its process was ended, and what "
                    "it had found is lost; other runs are not touched"
                )
            if not stopped_at and not tick(*said):
                stopped_at = time.monotonic()
                line.send(STOP)

    def _how(self) -> str:
        """How the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(ENDING)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "its line was closed"

    def end(self) -> None:
        """Kill it."""
        self.line.close()
        self.process.kill()
        self.process.wait()
