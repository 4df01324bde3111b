"""Workers: processes of this machine that do work for this one."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Pipe
from typing import Any

from .child_process import start_module
from .memory import resident_mb
from .pool import Loader, Pool, TaskHandle, WorkerLost
from .progress import Tick
from .shared_memory import load_shared, share
from .worker_process import POLL_SECONDS, PROGRESS, STOP, STOP_SECONDS, VALUE

EXIT_SECONDS = 5.0  # seconds for a process to be gone once its line is closed


class ProcessPool(Pool):
    """Processes that are begun as they are needed, and kept for what comes next; they have low priority.

    Parameters
    ----------
    kept : int
        Of those that have nothing to do.
    patience : float
        Seconds from a cancel to the kill.
    """

    def __init__(self, kept: int, *, patience: float = STOP_SECONDS) -> None:
        self._kept, self._patience = kept, patience
        self._free: list[_Worker] = []
        self._at_work: list[_Worker] = []
        self._lock = threading.Lock()

    def stream(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Iterator[Any]:
        """See `Pool`; each process does one piece of work at a time."""
        worker, running = self._taken(), running or TaskHandle()
        running.pid = worker.process.pid
        self._at_work.append(worker)
        try:
            failed = yield from worker.stream((work, given, running.rescue), tick, self._patience)
        except BaseException:
            worker.end()
            raise
        finally:
            running.pid = 0
            self._at_work.remove(worker)
        self._give_back(worker)
        if failed is not None:
            raise failed

    @contextlib.contextmanager
    def share(self, value: Any) -> Iterator[Loader]:
        """See `Pool`; large arrays are mapped and not copied."""
        with share(value) as path:
            yield partial(load_shared, path)

    @property
    def capacity(self) -> int:
        """Processes that are kept."""
        return self._kept

    def warm_up(self) -> None:
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
            self.process: subprocess.Popen = start_module(
                "learners.common.worker_process", str(number), pass_fds=(number,)
            )

    def stream(self, asked: tuple, tick: Tick, patience: float) -> Iterator[Any]:
        """What comes of it; returned is what it raised, or None."""
        try:
            self.line.send(asked)
            return (yield from self._answers(tick, patience))
        except (EOFError, OSError) as error:
            raise WorkerLost(
                f"the process that did the work ended unexpectedly ({self._how()}), and what it had found is lost; "
                "other runs are not touched; try again, with fewer columns or rows if memory is short"
            ) from error

    def _answers(self, tick: Tick, patience: float) -> Iterator[Any]:
        said, stopped_at = ("starting", 0, 0), 0.0
        while True:
            if self.line.poll(POLL_SECONDS):
                kind, told = self.line.recv()
                if kind == VALUE:
                    yield told
                elif kind == PROGRESS:
                    said = told
                else:
                    return told
            if stopped_at and time.monotonic() - stopped_at > patience:
                raise WorkerLost(
                    f"the run did not stop within {patience:g} s of being told to, so its process was ended, and what "
                    "it had found is lost; other runs are not touched"
                )
            if not stopped_at and not tick(*said):
                stopped_at = time.monotonic()
                self.line.send(STOP)

    def _how(self) -> str:
        """How the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(EXIT_SECONDS)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "its line was closed"

    def end(self) -> None:
        """Kill it."""
        self.line.close()
        self.process.kill()
        self.process.wait()
