"""The queue of all jobs of this process, with owners and with limits of time and memory.

A job that is ended keeps its partial result and gives the reason.
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

from learners.common.cancellable_job import Job
from learners.common.cluster import Cluster
from learners.common.memory import resident_mb
from learners.common.process_pool import ProcessPool
from learners.common.progress import Tick
from learners.common.sentences import Sentence, phrase, say
from learners.common.task_pool import Pool, TaskHandle
from pages.session.jobs.limits import SCHEDULER, Limits, limits
from pages.session.jobs.log import APP, WORKER
from viz.text import format_seconds

# Pause after ending a job for memory, until the measurement shows the released memory.
REST_SECONDS = 5.0


class Owner(NamedTuple):
    """The owner of a job.

    Attributes
    ----------
    name : str
        Name of the user, the same for all of the user's jobs.
    is_there : callable
        Returns True if somebody waits for the job; called from another thread.
    left_seconds : float
        Seconds until the job ends after its owner left.
    gone : Sentence
        Clause with the reason for ending a job whose owner left.
    """

    name: str
    is_there: Callable[[], bool]
    left_seconds: float
    gone: Sentence = say("its page had been closed")


SERVER = Owner("", lambda: True, math.inf)


@dataclass
class Entry:
    """A job with its owner, the time when the owner was last seen, and the state of its remote task, if any."""

    job: Job
    owner: Owner
    seen: float
    running: TaskHandle | None = None
    began: float | None = None

    @property
    def where(self) -> str:
        """Return the kind of process that executes the job: the app or a worker."""
        return APP if self.running is None else WORKER


class Lane(NamedTuple):
    """Numbers of running and waiting jobs, in the app or on workers."""

    at_work: int
    waiting: int


class Supervisor:
    """The jobs of one process, in the order of their submission.

    Parameters
    ----------
    allowed : Limits
    clock : callable
        Returns seconds.
    resident : callable
        Returns the memory of the process in MB; 0 if unknown.
    reached : callable
        Returns the number of jobs that workers can do at once.
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
        running: TaskHandle | None = None,
    ) -> Job:
        """Queue a new job and return it; the job starts as soon as there is room.

        Parameters
        ----------
        work : callable
            Takes a tick and returns the result.
        owner : Owner, optional
        running : TaskHandle, optional
            State of the remote task. Default: the job runs in this process.
        """
        job = Job(work, at_once=False, then=self.look)
        with self._lock:
            self._entries.append(Entry(job, owner, self._clock(), running))
        self.look()
        return job

    def look(self) -> bool:
        """End jobs without owner or past a limit, and begin waiting ones; return True if any job is left."""
        with self._lock:
            self._entries = [entry for entry in self._entries if entry.job.running]
            for entry in self._entries:
                self._end_if_due(entry)
            self._end_for_memory()
            self._begin()
            return bool(self._entries)

    def lanes(self) -> dict[str, Lane]:
        """Return the numbers of jobs by where they are executed."""
        with self._lock:
            going = [entry for entry in self._entries if entry.job.running]
        counted = {}
        for where in (APP, WORKER):
            begun = [entry.job.begun for entry in going if entry.where == where]
            counted[where] = Lane(sum(begun), len(begun) - sum(begun))
        return counted

    def is_full(self) -> bool:
        """Return True if a new job for workers would have to wait."""
        return sum(self.lanes()[WORKER]) >= self._places()

    def _end_if_due(self, entry: Entry) -> None:
        now, left = self._clock(), entry.owner.left_seconds
        if entry.owner.is_there():
            entry.seen = now
        elif now - entry.seen > left:
            reason = phrase(
                "the run was ended because {reason} for {time}", reason=entry.owner.gone, time=format_seconds(left)
            )
            entry.job.cancel(reason)
        most = self.allowed.seconds
        if entry.began is not None and now - entry.began > most:
            reason = phrase(
                "the run was ended after {time}, the limit on this server; use fewer columns or rows, smaller sets or "
                "fewer resamples, or raise EDGEWISE_SECONDS on the server",
                time=format_seconds(most),
            )
            entry.job.cancel(reason)
        if entry.running is not None and (held := entry.running.resident_mb()) > self.allowed.run_mb:
            reason = phrase(
                "the run was ended because its process held {n} MB, more than {m} MB; use fewer columns or rows, or "
                "smaller sets, or raise EDGEWISE_RUN_MB on the server",
                n=round(held),
                m=round(self.allowed.run_mb),
            )
            entry.job.cancel(reason)

    def _end_for_memory(self) -> None:
        """End the youngest job if the process uses too much memory, since that job most likely causes it."""
        here = [entry.job for entry in self._entries if entry.running is None]
        at_work = [job for job in here if job.begun and not job.cancelled]
        now, held = self._clock(), self._resident()
        if not at_work or held <= self.allowed.memory_mb or now - self._ended_for_memory < REST_SECONDS:
            return
        self._ended_for_memory = now
        reason = phrase(
            "the run was ended because the app held {n} MB, more than {m} MB; use fewer columns or rows, or smaller "
            "sets, or raise EDGEWISE_MEMORY_MB on the server",
            n=round(held),
            m=round(self.allowed.memory_mb),
        )
        at_work[-1].cancel(reason)

    def _begin(self) -> None:
        """Begin jobs that have room, and set the queue position of the waiting jobs.

        On workers no user has more than `allowed.each` jobs at once: jobs of others overtake the waiting ones.
        """
        for where, places in ((APP, self.allowed.jobs), (WORKER, self._places())):
            self._fill([entry for entry in self._entries if entry.job.running and entry.where == where], places)

    def _places(self) -> float:
        """Return the number of jobs that workers can do at once."""
        return min(self.allowed.workers, self._reached())

    def _fill(self, going: list[Entry], places: float) -> None:
        at_work = Counter(entry.owner.name for entry in going if entry.job.begun)
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
    """Return the supervisor of this process."""
    return Supervisor(limits(), reached=lambda: workers().capacity)


@cache
def workers() -> Pool:
    """Return the worker pool of this process: processes of this machine, or those of a Dask scheduler."""
    given = limits()
    return Cluster(given.scheduler, asked=SCHEDULER) if given.scheduler else ProcessPool(int(given.workers))
