"""All jobs of this process: so many at once, each with an owner, and with limits of time and memory.

A job that is ended keeps what it has found, and says why it ended.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from learners.common.job import Job
from learners.common.memory import resident_mb
from learners.common.pool import Running
from learners.common.progress import Tick
from pages.session.jobs.limits import Limits, limits
from pages.session.jobs.log import APP, WORKER
from pages.session.jobs.workers import workers
from viz.text import format_seconds

# Memory that a job gave back takes a moment to be seen; only then is the next one ended.
REST_SECONDS = 5.0


class Owner(NamedTuple):
    """Who wants a job.

    Attributes
    ----------
    name : str
        The same for all jobs of a user.
    is_there : callable
        Whether somebody waits for it; asked from another thread.
    left_seconds : float
        Until it ends, from when nobody was there any more.
    gone : str
        How that is said.
    """

    name: str
    is_there: Callable[[], bool]
    left_seconds: float
    gone: str = "its page had been closed"


SERVER = Owner("", lambda: True, math.inf)


@dataclass
class Entry:
    """A job, who wants it, when its owner was last there, and what a worker does of it, if one does."""

    job: Job
    owner: Owner
    seen: float
    running: Running | None = None
    began: float | None = None

    @property
    def where(self) -> str:
        """Where it is, or will be, at work."""
        return APP if self.running is None else WORKER


class Lane(NamedTuple):
    """Jobs of one place, how many are at work and how many wait."""

    at_work: int
    waiting: int


class Supervisor:
    """The jobs of one process, in the order in which they were asked for.

    Parameters
    ----------
    allowed : Limits
    clock : callable
        Seconds.
    resident : callable
        MB that the process holds, 0 if unknown.
    reached : callable
        Jobs that workers can do at once.
    """

    def __init__(
        self,
        allowed: Limits,
        *,
        clock: Callable[[], float] = time.monotonic,
        resident: Callable[[], float] = resident_mb,
        reached: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.allowed = allowed
        self._clock, self._resident, self._reached = clock, resident, reached
        self._entries: list[Entry] = []
        self._lock = threading.RLock()
        self._ended_for_memory = -REST_SECONDS

    def submit(
        self,
        work: Callable[[Tick], Any],
        owner: Owner = SERVER,
        running: Running | None = None,
    ) -> Job:
        """A job that begins as soon as there is room.

        Parameters
        ----------
        work : callable
            Takes a tick and returns the result.
        owner : Owner, optional
            Who waits for it.
        running : Running, optional
            What a worker does of it. Default: it is done in this process.
        """
        job = Job(work, at_once=False, then=self.look)
        with self._lock:
            self._entries.append(Entry(job, owner, self._clock(), running))
        self.look()
        return job

    def look(self) -> bool:
        """End what has lost its owner or passed a limit, begin what has room; whether any job is left."""
        with self._lock:
            self._entries = [one for one in self._entries if one.job.running]
            for entry in self._entries:
                self._end_if_due(entry)
            self._end_for_memory()
            self._begin()
            return bool(self._entries)

    def lanes(self) -> dict[str, Lane]:
        """Jobs by where they are at work."""
        with self._lock:
            going = [one for one in self._entries if one.job.running]
        counted = {}
        for where in (APP, WORKER):
            begun = [one.job.begun for one in going if one.where == where]
            counted[where] = Lane(sum(begun), len(begun) - sum(begun))
        return counted

    def is_full(self) -> bool:
        """Whether a job for workers would have to wait."""
        return sum(self.lanes()[WORKER]) >= self._places()

    def _end_if_due(self, entry: Entry) -> None:
        now, left = self._clock(), entry.owner.left_seconds
        if entry.owner.is_there():
            entry.seen = now
        elif now - entry.seen > left:
            entry.job.cancel(f"the run was ended because {entry.owner.gone} for {format_seconds(left)}")
        most = self.allowed.seconds
        if entry.began is not None and now - entry.began > most:
            entry.job.cancel(
                f"the run was ended after {format_seconds(most)}, the longest that a run may take here; use fewer "
                "columns or rows, smaller sets or fewer resamples, or raise EDGEWISE_SECONDS on the server"
            )
        if entry.running is not None and (held := entry.running.resident_mb()) > self.allowed.run_mb:
            entry.job.cancel(
                f"the run was ended because its process held {held:,.0f} MB, more than {self.allowed.run_mb:,.0f} MB; "
                "use fewer columns or rows, or smaller sets, or raise EDGEWISE_RUN_MB on the server"
            )

    def _end_for_memory(self) -> None:
        """End the youngest job, while the process holds too much: what grew since it began is most likely its own."""
        here = [one.job for one in self._entries if one.running is None]
        at_work = [job for job in here if job.begun and not job.cancelled]
        now, held = self._clock(), self._resident()
        if not at_work or held <= self.allowed.memory_mb or now - self._ended_for_memory < REST_SECONDS:
            return
        self._ended_for_memory = now
        at_work[-1].cancel(
            f"the run was ended because the app held {held:,.0f} MB, more than {self.allowed.memory_mb:,.0f} MB; "
            "use fewer columns or rows, or smaller sets, or raise EDGEWISE_MEMORY_MB on the server"
        )

    def _begin(self) -> None:
        """Begin those that have room, and tell the others how many come before them.

        Of those of workers no user has more than `allowed.each` at work: others' pass his that wait.
        """
        for where, places in ((APP, self.allowed.jobs), (WORKER, self._places())):
            self._fill([one for one in self._entries if one.job.running and one.where == where], places)

    def _places(self) -> float:
        """Jobs that workers do at once."""
        return min(self.allowed.workers, self._reached())

    def _fill(self, going: list[Entry], places: float) -> None:
        at_work = Counter(one.owner.name for one in going if one.job.begun)
        for place, entry in enumerate(sorted(going, key=lambda one: not one.job.begun)):
            if entry.job.begun:
                continue
            if at_work.total() < places and (entry.running is None or at_work[entry.owner.name] < self.allowed.each):
                at_work[entry.owner.name] += 1
                entry.began = self._clock()
                entry.job.begin()
            else:
                entry.job.wait_behind(place)


@cache
def supervisor() -> Supervisor:
    """The one of this process."""
    return Supervisor(limits(), reached=lambda: workers().places)
