"""Tests of the job queue of all sessions: concurrency, order, owners and limits."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable

import pytest

from learners.common import dask_client
from learners.common.cancellable_job import WAITING, Job
from learners.common.cluster import Cluster
from learners.common.errors import ParameterError
from learners.common.progress import Tick
from learners.common.task_pool import TaskHandle
from pages import lifespan
from pages.session.jobs import dispatch, ownership, queue
from pages.session.jobs import limits as limiting
from pages.session.jobs.limits import Limits, limits
from pages.session.jobs.log import APP, WORKER
from pages.session.jobs.queue import REST_SECONDS, Owner, Supervisor
from viz.translation.sentences import catalog

GENEROUS = Limits(jobs=1, seconds=100.0, left_seconds=30.0, memory_mb=1_000.0)


class House:
    """A supervisor with fake clock and memory, and work that continues until it is ended or cancelled."""

    def __init__(self, allowed: Limits = GENEROUS) -> None:
        self.now, self.held = 0.0, 100.0
        self.supervisor = Supervisor(allowed, clock=lambda: self.now, resident=lambda: self.held)
        self._ends: dict[Job, threading.Event] = {}

    def submit(
        self, has_owner: Callable[[], bool] = lambda: True, running: TaskHandle | None = None, user: str = ""
    ) -> Job:
        """Submit a job that does not end by itself."""
        end = threading.Event()

        def work(tick: Tick) -> str:
            while tick("at it", 1, 0) and not end.wait(0.001):
                pass
            return "whole" if end.is_set() else "partial"

        job = self.supervisor.submit(work, Owner(user, has_owner, 30.0), running)
        self._ends[job] = end
        return job

    def end(self, job: Job) -> None:
        """Let the job finish, and the next one begin."""
        self._ends[job].set()
        assert job.wait(10)
        self.supervisor.look()

    def after(self, seconds: float) -> None:
        """Check the jobs again after the given number of seconds."""
        self.now += seconds
        self.supervisor.look()

    def close(self) -> None:
        """End all threads."""
        for end in self._ends.values():
            end.set()


@pytest.fixture
def place():
    """Return a supervisor with one slot and generous limits."""
    one = House()
    yield one
    one.close()


def test_jobs_begin_in_their_order_as_places_become_free(place):
    """With one slot, the second and the third job wait and show how many jobs come before them."""
    one, two, three = (place.submit() for _ in range(3))
    assert [job.begun for job in (one, two, three)] == [True, False, False]
    assert [(job.progress.phase, job.progress.done) for job in (two, three)] == [(WAITING, 1), (WAITING, 2)]
    place.end(one)
    assert [job.begun for job in (two, three)] == [True, False]
    assert (three.progress.phase, three.progress.done) == (WAITING, 1)
    place.end(two)
    assert three.begun


def test_no_more_jobs_run_than_there_are_places():
    """With three slots at most three of ten jobs are active at a time, and all of them are completed."""
    place = House(Limits(jobs=3, seconds=100.0, left_seconds=30.0, memory_mb=1_000.0))
    jobs = [place.submit() for _ in range(10)]
    for job in jobs:
        assert sum(one.begun and one.running for one in jobs) <= 3
        place.end(job)
    assert [job.result() for job in jobs] == ["whole"] * 10


def test_a_job_that_ends_makes_room_without_anybody_looking(place):
    """The thread of the ending job starts the next one."""
    one, two = place.submit(), place.submit()
    place._ends[one].set()
    for _ in range(10_000):
        if two.begun:
            break
        threading.Event().wait(0.001)
    assert two.begun


def test_a_job_that_waits_can_be_cancelled(place):
    """A waiting job that is cancelled ends at once without a result, and the next one moves up."""
    _, two, three = (place.submit() for _ in range(3))
    two.cancel()
    assert not two.running
    assert two.result() is None
    place.after(1)
    assert three.progress.done == 1


def test_a_job_ends_some_time_after_its_owner_has_gone(place):
    """A job whose owner has left continues during the grace period, and then ends with its partial result."""
    there = [True]
    job = place.submit(lambda: there[0])
    place.after(50)
    there[0] = False
    place.after(29)
    assert not job.cancelled
    place.after(2)
    assert job.cancelled
    assert job.wait(10)
    assert job.result() == "partial"
    assert job.reason == "the run was ended because its page had been closed for 30.0 s"
    assert job.reason.written(catalog("de")) == "der Lauf wurde beendet: die Seite war geschlossen, seit 30.0 s"


def test_an_owner_who_comes_back_in_time_keeps_his_job(place):
    """Several short absences of the owner do not add up to the grace period."""
    there = [True]
    job = place.submit(lambda: there[0])
    for _ in range(3):
        there[0] = False
        place.after(20)
        there[0] = True
        place.after(1)
    assert not job.cancelled


def test_a_waiting_job_without_an_owner_leaves_the_queue(place):
    """A waiting job whose owner has left never begins."""
    one, two = place.submit(), place.submit(lambda: False)
    place.after(31)
    assert not two.running
    place.end(one)
    assert not two.begun


def test_a_job_ends_at_its_limit_of_time(place):
    """The limit counts from the job's start, not its submission; the message names the limit and how to change it."""
    one = place.submit()
    two = place.submit()
    place.after(99)
    place.end(one)
    place.after(99)
    assert not two.cancelled
    place.after(2)
    assert two.wait(10)
    assert two.result() == "partial"
    assert "after 1 min 40 s, the limit on this server; use fewer columns" in two.reason
    assert "EDGEWISE_SECONDS" in two.reason


def test_the_youngest_job_ends_where_the_process_holds_too_much():
    """Jobs end one at a time: the memory of one is freed before the next is checked."""
    place = House(Limits(jobs=2, seconds=1e9, left_seconds=30.0, memory_mb=1_000.0))
    old, young = place.submit(), place.submit()
    place.after(1)
    assert not young.cancelled
    place.held = 1_500.0
    place.after(1)
    assert (old.cancelled, young.cancelled) == (False, True)
    assert "held 1,500 MB, more than 1,000 MB" in young.reason
    place.after(REST_SECONDS - 1)
    assert not old.cancelled
    place.after(2)
    assert old.cancelled
    place.close()


def test_unknown_memory_ends_nothing(place):
    """No job ends on a system that does not report its memory."""
    place.held = 0.0
    job = place.submit()
    place.after(10)
    assert not job.cancelled


def test_limits_come_from_the_environment():
    """Each limit has its own variable."""
    given = {"JOBS": 3, "SECONDS": 60, "LEFT_SECONDS": 5, "MEMORY_MB": 512, "WORKERS": 2, "RUN_MB": 256}
    given |= {"ABANDONED": 7, "RUNS_EACH": 4}
    text = {f"EDGEWISE_{name}": str(value) for name, value in given.items()}
    assert limits(text) == Limits(3, 60.0, 5.0, 512.0, workers=2, run_mb=256.0, abandoned_seconds=7.0, each=4)
    assert limits(text | {"EDGEWISE_WORKERS": "0"}).workers == 0


def test_limits_left_out_fit_the_machine(monkeypatch):
    """The default is one job per core and a share of the memory; an empty variable counts as unset."""
    monkeypatch.setattr(limiting, "available_cores", lambda: 7)
    monkeypatch.setattr(limiting, "machine_mb", lambda: 1_000.0)
    expected = Limits(jobs=7, seconds=4 * 3600.0, left_seconds=30.0, memory_mb=800.0, workers=6, run_mb=800.0 / 7)
    assert limits({"EDGEWISE_JOBS": " "}) == expected
    monkeypatch.setattr(limiting, "available_cores", lambda: 1)
    assert limits({}).workers == 0


def test_a_scheduler_has_as_many_places_as_its_workers(monkeypatch):
    """A variable may set fewer slots; without Dask the server refuses to start."""
    named = {"EDGEWISE_SCHEDULER": "tcp://somewhere:8786"}
    assert (limits(named).scheduler, limits(named).workers) == ("tcp://somewhere:8786", math.inf)
    assert limits(named | {"EDGEWISE_WORKERS": "3"}).workers == 3
    monkeypatch.setattr(queue, "limits", lambda: limits(named))
    assert isinstance(queue.workers.__wrapped__(), Cluster)
    house = House(dataclasses.replace(GENEROUS, workers=math.inf))
    house.supervisor._reached = lambda: 2
    jobs = [house.submit(running=TaskHandle()) for _ in range(3)]
    assert [job.begun for job in jobs] == [True, True, False]
    house.close()
    monkeypatch.setattr(dask_client, "find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(ParameterError, match="a scheduler needs Dask; .*, or leave EDGEWISE_SCHEDULER out"):
        limits(named)
    monkeypatch.setattr(lifespan, "find_spec", lambda name: None)  # noqa: ARG005
    monkeypatch.setenv(*next(iter(named.items())))
    with pytest.raises(SystemExit, match="EDGEWISE_SCHEDULER needs Dask"):
        lifespan.check_scheduler()


@pytest.mark.parametrize("wrong", ["0", "-1", "many", "nan"])
def test_a_limit_that_is_no_positive_number_is_refused(wrong):
    """The error message names the environment variable of the invalid limit."""
    with pytest.raises(ParameterError, match=f"^EDGEWISE_JOBS must be a number above 0, got '{wrong}'"):
        limits({"EDGEWISE_JOBS": wrong})


def test_a_user_has_so_many_runs_at_work_and_others_pass_his_that_wait():
    """A user gets at most two of four slots; short jobs in the app's process do not count."""
    place = House(dataclasses.replace(GENEROUS, jobs=4, workers=4))
    own = [place.submit(running=TaskHandle(), user="one") for _ in range(3)]
    other = place.submit(running=TaskHandle(), user="other")
    assert [job.begun for job in (*own, other)] == [True, True, False, True]
    assert all(place.submit(user="one").begun for _ in range(3))
    place.end(own[0])
    assert own[2].begun
    place.close()


class Held(TaskHandle):
    """A worker with a fake memory size."""

    mb = 10.0

    def resident_mb(self) -> float:
        return self.mb


def test_workers_have_places_of_their_own():
    """A worker's run waits only for other workers' runs."""
    place = House(Limits(jobs=1, seconds=100.0, left_seconds=30.0, memory_mb=1_000.0, workers=1, run_mb=50.0))
    here, there, waits = place.submit(), place.submit(running=Held()), place.submit(running=Held())
    assert [job.begun for job in (here, there, waits)] == [True, True, False]
    assert waits.progress.done == 1
    assert place.supervisor.lanes() == {APP: (1, 0), WORKER: (1, 1)}
    place.end(there)
    assert waits.begun
    place.close()


def test_brief_work_does_not_wait_behind_long_runs(monkeypatch):
    """Brief work runs in the app's process while all workers are busy; long work waits for a worker."""
    place = House(dataclasses.replace(GENEROUS, workers=1))
    monkeypatch.setattr(ownership, "supervisor", lambda: place.supervisor)
    assert dispatch.remote_task(dispatch.SHORT / 2) is None
    assert dispatch.remote_task(dispatch.BRIEF / 2) is not None
    place.submit(running=TaskHandle())
    assert dispatch.remote_task(dispatch.BRIEF / 2) is None
    assert dispatch.remote_task(dispatch.BRIEF) is not None
    place.close()


def test_a_worker_ends_that_holds_too_much():
    """Only the worker above its own limit ends; the memory of the server's process is checked separately."""
    place = House(Limits(jobs=1, seconds=100.0, left_seconds=30.0, memory_mb=1_000.0, workers=2, run_mb=50.0))
    large, small = Held(), Held()
    one, other = place.submit(running=large), place.submit(running=small)
    large.mb, place.held = 60.0, 2_000.0
    place.after(1)
    assert (one.cancelled, other.cancelled) == (True, False)
    assert "its process held 60 MB, more than 50 MB" in one.reason
    assert "EDGEWISE_RUN_MB" in one.reason
    place.close()
