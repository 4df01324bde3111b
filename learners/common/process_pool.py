"""Pool of worker processes on this machine.

loky and joblib were considered instead. They lack what the app needs: progress reports and cancels while a task runs,
the kill of a single task that does not stop, values that a generator yields while it runs, the rescue of a result whose
parent was killed, and a low priority. Their memory maps lie in files that a killed parent leaves behind.
"""

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
from .progress import Tick
from .shared_memory import load_shared, share
from .task_pool import Loader, Pool, TaskHandle, WorkerLost
from .worker_process import POLL_SECONDS, PROGRESS, STOP, STOP_SECONDS, VALUE

EXIT_SECONDS = 5.0  # seconds to wait for a process to end after its pipe was closed


class ProcessPool(Pool):
    """Start worker processes on demand and keep idle ones; they have a low priority.

    Parameters
    ----------
    kept : int
        Number of idle processes to keep.
    patience : float
        Seconds from a cancel to the kill of a worker that does not stop.
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
        """Run a task as `Pool.stream`; each process runs one task at a time."""
        worker, running = self._take(), running or TaskHandle()
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
        """Share a value as `Pool.share`; large arrays are memory-mapped, not copied."""
        with share(value) as path:
            yield partial(load_shared, path)

    @property
    def capacity(self) -> int:
        """Number of idle processes that are kept."""
        return self._kept

    def warm_up(self) -> None:
        """Start an idle process, so that the first task need not wait for one."""
        self._give_back(self._take())

    def close(self) -> None:
        """End the idle processes."""
        with self._lock:
            free, self._free = self._free, []
        for worker in free:
            worker.end()

    def resident_mb(self) -> float:
        """Return the resident memory of all processes in MB."""
        return sum(resident_mb(worker.process.pid) for worker in (*self._free, *self._at_work))

    def _take(self) -> _Worker:
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
    """One worker process and the pipe to it."""

    def __init__(self) -> None:
        self.pipe, theirs = Pipe()
        with theirs:
            number = theirs.fileno()
            self.process: subprocess.Popen = start_module(
                "learners.common.worker_process", str(number), pass_fds=(number,)
            )

    def stream(self, asked: tuple, tick: Tick, patience: float) -> Iterator[Any]:
        """Yield the values of a task; return the exception that it raised, or None."""
        try:
            self.pipe.send(asked)
            return (yield from self._answers(tick, patience))
        except (EOFError, OSError) as error:
            raise WorkerLost(
                f"the worker process ended unexpectedly ({self._exit_reason()}), and its results are lost; "
                "other runs continue; try again, with fewer columns or rows if memory is short"
            ) from error

    def _answers(self, tick: Tick, patience: float) -> Iterator[Any]:
        progress, stopped_at = ("starting", 0, 0), 0.0
        while True:
            if self.pipe.poll(POLL_SECONDS):
                kind, value = self.pipe.recv()
                if kind == VALUE:
                    yield value
                elif kind == PROGRESS:
                    progress = value
                else:
                    return value
            if stopped_at and time.monotonic() - stopped_at > patience:
                raise WorkerLost(
                    f"the run did not stop within {patience:g} s of being cancelled; its process was killed, and its "
                    "results are lost; other runs continue"
                )
            if not stopped_at and not tick(*progress):
                stopped_at = time.monotonic()
                self.pipe.send(STOP)

    def _exit_reason(self) -> str:
        """Return the end of the process in words, such as "exit code 1"."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(EXIT_SECONDS)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "its pipe was closed"

    def end(self) -> None:
        """Kill the process."""
        self.pipe.close()
        self.process.kill()
        self.process.wait()
