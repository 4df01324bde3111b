"""Interface of task pools: `ProcessPool` on this machine, `Cluster` on a Dask scheduler."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from .errors import LearnersError
from .memory import resident_mb
from .progress import Tick

Loader = Callable[[], Any]  # called in a worker, returns the shared value


class WorkerLost(LearnersError):
    """A worker process ended without a result."""


class TaskHandle:
    """Handle of a running or queued task, which other threads may read.

    Parameters
    ----------
    rescue : callable, optional
        Called by a worker of this machine with its result, if this process was killed meanwhile.

    Attributes
    ----------
    pid : int
        Process on this machine that runs the task; 0 before it starts, and on other machines.
    lost : int
        Number of workers that died under the task; it restarted each time.
    """

    def __init__(self, rescue: Callable[[Any], None] | None = None) -> None:
        self.rescue = rescue
        self.pid = 0
        self.lost = 0

    def resident_mb(self) -> float:
        """Return the resident memory of the task's process in MB; 0 before it starts, or if unknown."""
        return resident_mb(self.pid) if self.pid else 0.0


class Pool(ABC):
    """Pool of worker processes. A crash ends one task only, and each task can be killed."""

    @abstractmethod
    def stream(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Iterator[Any]:
        """Run ``work(*given, tick=tick)`` in a worker, and yield the values of a generator or the result of a function.

        Arguments and results are pickled. A task that was cancelled before it started yields nothing. A task that
        restarts on another worker may yield the same values again.

        Raises
        ------
        WorkerLost
            If the worker died, or was killed because it did not stop after a cancel.
        Exception
            The exception that `work` raised.
        """

    def call(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Any:
        """Run a function as `stream` and return its result; None if it was cancelled before it started."""
        return next(iter(list(self.stream(work, *given, tick=tick, running=running))), None)

    @abstractmethod
    def share(self, value: Any) -> AbstractContextManager[Loader]:
        """Return a context manager that gives workers access to a value: they call the loader that it yields."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """Number of tasks that can run at the same time."""

    @abstractmethod
    def warm_up(self) -> None:
        """Start the workers early, so that the first task need not wait for them."""

    @abstractmethod
    def close(self) -> None:
        """End the idle workers."""

    @abstractmethod
    def resident_mb(self) -> float:
        """Return the resident memory in MB of all workers on this machine."""
