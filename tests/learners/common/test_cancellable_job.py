"""Tests of jobs, which run in a thread: progress, result, cancellation and errors."""

from __future__ import annotations

import re
import threading

import pytest

from learners.common import cancellable_job
from learners.common.cancellable_job import Job
from learners.common.errors import DataError
from learners.common.sentences import phrase
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from tests.polling import pause, wait_until


def test_result_is_what_the_work_returned():
    """`result` waits for the end of the job and can be called repeatedly."""
    job = Job(lambda _tick: 42)
    assert (job.result(), job.result()) == (42, 42)
    assert not job.running
    assert not job.cancelled


class Clock:
    """A clock that moves only when its time is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Return the current time in seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock that jobs read."""
    one = Clock()
    monkeypatch.setattr(cancellable_job, "time", one)
    return one


def test_work_runs_beside_its_caller():
    """The constructor returns immediately; `wait` returns True if the job ended in time."""
    go_on = threading.Event()
    job = Job(lambda _tick: go_on.wait(10))
    assert job.running
    assert not job.wait(0.01)
    go_on.set()
    assert job.wait(10)
    assert job.result() is True


def test_progress_is_the_last_tick(clock):
    """Progress repeats the last tick and is "starting" before the first one; the elapsed time stops at the end."""
    ticked, go_on = threading.Event(), threading.Event()

    def work(tick):
        ticked.wait(10)
        tick("level 1", 3, 8)
        go_on.set()

    job = Job(work)
    assert (job.progress.phase, job.progress.done, job.progress.total) == ("starting", 0, 0)
    ticked.set()
    assert go_on.wait(10)
    assert job.wait(10)
    assert (job.progress.phase, job.progress.done, job.progress.total) == ("level 1", 3, 8)
    seconds = job.progress.seconds
    clock.now += 1.0
    assert job.progress.seconds == seconds


def test_clock_runs_while_the_work_does(clock):
    """The elapsed time grows while the job runs."""
    go_on = threading.Event()
    job = Job(lambda _tick: go_on.wait(10))
    first = job.progress.seconds
    clock.now += 1.5
    assert job.progress.seconds == first + 1.5
    go_on.set()


def test_cancel_turns_the_tick_to_no():
    """The tick returns True before the cancellation and False afterwards; the return value is kept."""
    ticks = []

    def work(tick):
        while not ticks or ticks[-1]:
            ticks.append(tick("at it", len(ticks), 0))
            pause()
        return "partial"

    job = Job(work)
    wait_until(lambda: ticks)
    job.cancel()
    assert job.cancelled
    assert job.result() == "partial"
    assert ticks[0] is True
    assert ticks[-1] is False


def test_job_that_waits_can_be_cancelled_twice():
    job = Job(lambda _: "never", at_once=False)
    job.cancel(phrase("first"))
    job.cancel(phrase("second"))
    assert job.reason == "first"
    assert job.result() is None


@pytest.mark.parametrize("error", [DataError("mend it"), ZeroDivisionError("a bug")], ids=["user", "bug"])
def test_error_is_raised_where_the_result_is_asked_for(error):
    """An error in the worker thread is raised when the caller asks for the result."""

    def work(_tick):
        raise error

    job = Job(work)
    assert job.wait(10)
    for _ in range(2):
        with pytest.raises(type(error), match=str(error)):
            job.result()


def test_cancelled_learner_ends_soon_and_keeps_its_trace():
    """A run on 250 variables is cancelled while it tests; its partial result is consistent."""
    dataset = sample(random_gaussian_network(250, 600, seed=0), 300, seed=0)
    job = Job(lambda tick: learn("pc", dataset, tick=tick, alpha=0.5, max_cond_size=None))
    while job.running and not re.match("level [1-9]", job.progress.phase):  # no machine could finish the last level
        pause()
    job.cancel()
    assert job.wait(10.0), "Cancel must take effect, within a second where the machine is not busy"
    result = job.result()
    assert not result.complete
    assert len(result.trace.changes) > 0
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph


def test_jobs_do_not_share_anything():
    """Cancelling one job does not stop another."""
    go_on = threading.Event()
    one, two = (Job(lambda tick: go_on.wait(10) and tick("end", 1, 1)) for _ in range(2))
    one.cancel()
    go_on.set()
    assert (one.result(), two.result()) == (False, True)
