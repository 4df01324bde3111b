"""Task on a worker of a Dask scheduler: run it, and answer the polls of the process that sent it."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any

from .dask_client import distribute_from_worker
from .errors import ParameterError
from .version import __version__
from .worker_process import portable_error, values_of

ABANDONED_SECONDS = 300.0  # seconds without a poll after which the task is cancelled
ProgressReport = tuple[str, int, int]


class RemoteTask:
    """State of one task: its progress, the values that it has yielded, and whether it is still wanted."""

    def __init__(self) -> None:
        self.said: ProgressReport = ("starting", 0, 0)
        self.wanted, self.seen = True, time.monotonic()
        self._values: list[Any] = []
        self._gone = 0  # number of earlier values, which the sender has received
        self._lock = threading.Lock()

    def add(self, value: Any) -> None:
        """Add a value."""
        with self._lock:
            self._values.append(value)

    def since(self, had: int) -> tuple[int, list[Any]]:
        """Return the position of the first stored value, and all stored values.

        The sender has received `had` values, which are deleted.
        """
        with self._lock:
            # A restarted task has fewer values than the sender received; it yields the same ones again.
            arrived = min(max(0, had - self._gone), len(self._values))
            del self._values[:arrived]
            self._gone += arrived
            return self._gone, self._values[:]

    def tick(self, phase: str, done: int, total: int) -> bool:
        """Store the progress for the next poll; return False if the task was cancelled or abandoned."""
        self.said = (phase, done, total)
        return self.wanted and time.monotonic() - self.seen < ABANDONED_SECONDS


_RUNNING: dict[str, RemoteTask] = {}  # tasks of this process, by ticket


def run_task(ticket: str, version: str, packed: bytes) -> tuple[int, list[Any]]:
    """Run a task and return the values that the sender may not have received, as `RemoteTask.since`.

    Raises
    ------
    ParameterError
        If the version of the sender differs.
    Exception
        The exception that the task raised.
    """
    if version != __version__:
        raise ParameterError(
            f"workers must have the same Edgewise, found {__version__} on a worker and {version} here; install the "
            "same one on all of them"
        )
    work, given = pickle.loads(packed)
    one = _RUNNING[ticket] = RemoteTask()
    try:
        with distribute_from_worker():
            for value in values_of(work(*given, tick=one.tick)):
                one.add(value)
        return one.since(0)
    except Exception as error:
        raise portable_error(error)  # noqa: B904  (it is the same)
    finally:
        del _RUNNING[ticket]


def poll_task(ticket: str, wanted: bool, had: int) -> tuple[ProgressReport, int, list[Any]] | None:
    """Return the progress of a task and its values from number `had` on; None if it does not run here.

    Values are stored until a later poll confirms them: an answer may be lost on its way.
    """
    one = _RUNNING.get(ticket)
    if one is None:
        return None
    one.seen, one.wanted = time.monotonic(), wanted
    return one.said, *one.since(had)
