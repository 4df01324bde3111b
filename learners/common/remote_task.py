"""What a worker of a Dask scheduler does for a `cluster`: one piece of work, which the one who sent it looks at."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any

from .dask_client import distribute_from_worker
from .errors import ParameterError
from .version import __version__
from .worker_process import portable_error, values_of

ABANDONED_SECONDS = 300.0  # seconds without a look after which nobody waits any more
ProgressReport = tuple[str, int, int]


class RemoteTask:
    """One piece of work: how far it is, what it has yielded, and whether it is still wanted."""

    def __init__(self) -> None:
        self.said: ProgressReport = ("starting", 0, 0)
        self.wanted, self.seen = True, time.monotonic()
        self._values: list[Any] = []
        self._gone = 0  # values before these, which have arrived
        self._lock = threading.Lock()

    def add(self, value: Any) -> None:
        """One value more."""
        with self._lock:
            self._values.append(value)

    def since(self, had: int) -> tuple[int, list[Any]]:
        """Position of the first value that is still here, and all from there on; the first `had` have arrived."""
        with self._lock:
            # Fewer than have arrived may be here: work that began again yields the same once more.
            arrived = min(max(0, had - self._gone), len(self._values))
            del self._values[:arrived]
            self._gone += arrived
            return self._gone, self._values[:]

    def tick(self, phase: str, done: int, total: int) -> bool:
        """Keep the word until the next look."""
        self.said = (phase, done, total)
        return self.wanted and time.monotonic() - self.seen < ABANDONED_SECONDS


_RUNNING: dict[str, RemoteTask] = {}  # in this process


def run_task(ticket: str, version: str, packed: bytes) -> tuple[int, list[Any]]:
    """Do the work; what is not known to have arrived comes back, as `RemoteTask.since` tells it.

    Raises
    ------
    ParameterError
        If this is another version than that of the sender.
    Exception
        What the work raised.
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


def poll_task(ticket: str, goes_on: bool, had: int) -> tuple[ProgressReport, int, list[Any]] | None:
    """How far it is, and what it has yielded after the `had` values that have arrived; None if it is not done here.

    Values stay until a later look says that they have arrived: an answer may be lost on its way.
    """
    one = _RUNNING.get(ticket)
    if one is None:
        return None
    one.seen, one.wanted = time.monotonic(), goes_on
    return one.said, *one.since(had)
