"""Where work goes that leaves this process: `Workers` of this machine, or a `Cluster` by address."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from .errors import LearnersError
from .memory import resident_mb
from .progress import Tick

Loader = Callable[[], Any]  # gives a value to the process that calls it


class WorkerLost(LearnersError):
    """A worker ended without an answer."""


class TaskHandle:
    """One piece of work that a worker does, or will do; others look at it meanwhile.

    Parameters
    ----------
    rescue : callable, optional
        What a worker of this machine does with what it has found if this process is killed.

    Attributes
    ----------
    pid : int
        Its process on this machine; 0 before it began, and elsewhere.
    lost : int
        Workers that died under it, after which it began again on another one.
    """

    def __init__(self, rescue: Callable[[Any], None] | None = None) -> None:
        self.rescue = rescue
        self.pid = 0
        self.lost = 0

    def resident_mb(self) -> float:
        """Memory that its process holds; 0 before it began, and where nobody tells."""
        return resident_mb(self.pid) if self.pid else 0.0


class Pool(ABC):
    """Processes that do work for this one, so that a crash costs that work alone, and one can be killed."""

    @abstractmethod
    def stream(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Iterator[Any]:
        """What the generator ``work(*given, tick=tick)`` yields in a worker, as it comes; of a function its one answer.

        All of it travels by pickle, to processes of our own. Nothing comes of work that was cancelled before a worker
        had taken it. Work that began again on another worker may yield again what it had yielded.

        Raises
        ------
        WorkerLost
            If the process died, or was killed because it did not stop when it was told to.
        Exception
            What the work raised.
        """

    def call(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Any:
        """The answer of a function, as `each`; None if it was cancelled before a worker had taken it."""
        return next(iter(list(self.stream(work, *given, tick=tick, running=running))), None)

    @abstractmethod
    def share(self, value: Any) -> AbstractContextManager[Loader]:
        """A value that workers take by calling what this gives them, as long as the block lasts."""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """Pieces of work that can be done at once."""

    @abstractmethod
    def warm_up(self) -> None:
        """Begin what the first work would wait for."""

    @abstractmethod
    def close(self) -> None:
        """End what waits for work."""

    @abstractmethod
    def resident_mb(self) -> float:
        """Memory of this machine that all of them hold."""
