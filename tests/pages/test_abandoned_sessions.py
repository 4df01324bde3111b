"""Tests that abandoned sessions are closed after a grace period, and their memory is freed once the server is idle."""

from __future__ import annotations

import gc
import weakref

import pytest

from learners.common.memory import release_memory
from learners.common.task_pool import TaskHandle
from pages.session.abandoned_sessions import KEPT_SECONDS, REST_SECONDS, Leavers
from pages.session.jobs import ownership
from pages.session.jobs.limits import Limits
from tests.pages.test_queue import House


class Hall:
    """Two visitors and a fake clock."""

    def __init__(self) -> None:
        self.now, self.here, self.closed, self.tidied = 0.0, {"a", "b"}, [], 0
        self.leavers = Leavers(self.here.__contains__, self.closed.append, self.tidy, clock=lambda: self.now)
        for session in ("a", "b"):
            self.leavers.enter(session)

    def tidy(self) -> None:
        self.tidied += 1

    def after(self, seconds: float, *, quiet: bool = True) -> None:
        """Check the sessions again after the given number of seconds."""
        self.now += seconds
        self.leavers.look(quiet=quiet)


@pytest.fixture
def hall():
    """Return two visitors who are present."""
    return Hall()


def test_a_session_that_left_is_let_go_once(hall):
    """An abandoned session is closed once, after the grace period; the session of a present visitor stays open."""
    hall.after(1_000)
    hall.here.remove("a")
    hall.after(KEPT_SECONDS - 1)
    assert hall.closed == []
    hall.after(2)
    hall.after(1_000)
    assert hall.closed == ["a"]


def test_a_visitor_who_comes_back_in_time_keeps_his_session(hall):
    """Several short absences of a visitor do not add up to the grace period."""
    for _ in range(3):
        hall.here.remove("a")
        hall.after(KEPT_SECONDS - 10)
        hall.here.add("a")
        hall.after(1)
    assert hall.closed == []


def test_memory_is_given_back_once_all_is_quiet(hall):
    """Memory is freed once, some seconds after a session was closed or a run ended, and never during a run."""
    hall.here.clear()
    hall.after(KEPT_SECONDS + 1)
    assert (hall.closed, hall.tidied) == (["a", "b"], 0)
    hall.after(REST_SECONDS + 1, quiet=False)
    assert hall.tidied == 0
    hall.after(1)
    hall.after(1_000)
    assert hall.tidied == 1
    hall.leavers.ended()
    hall.after(REST_SECONDS + 1)
    assert hall.tidied == 2


def test_memory_is_given_back_beside_a_run_in_a_worker(hall):
    """A run in a worker does not delay freeing memory; a run in this process delays it until the run has ended."""
    house = House(Limits(jobs=1, workers=1, seconds=1e9, left_seconds=1e9, memory_mb=1e9))
    house.submit(running=TaskHandle())
    assert ownership.look(house.supervisor, hall.leavers, 0) == 1
    hall.leavers.ended()
    hall.now += REST_SECONDS + 1
    assert ownership.look(house.supervisor, hall.leavers, 1) == 1
    assert hall.tidied == 1
    here = house.submit()
    hall.leavers.ended()
    hall.now += REST_SECONDS + 1
    assert ownership.look(house.supervisor, hall.leavers, 1) == 2
    assert hall.tidied == 1
    house.end(here)
    assert ownership.look(house.supervisor, hall.leavers, 2) == 1
    hall.now += REST_SECONDS + 1
    ownership.look(house.supervisor, hall.leavers, 1)
    assert hall.tidied == 2
    house.close()


def test_what_refers_to_itself_is_collected():
    """Reference cycles are collected, because sessions contain some."""
    gc.disable()
    try:
        loop = Hall()
        loop.itself = loop
        seen = weakref.ref(loop)
        del loop
        assert seen() is not None
        release_memory()
        assert seen() is None
    finally:
        gc.enable()
