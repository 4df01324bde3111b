"""A learner that is not compiled yet: its message, its automatic start after compilation, and cancellation."""

from __future__ import annotations

import subprocess
import sys

import pytest

from learners.workers import warm_up
from tests.pages.driving import finish_run, go, learn_now, open_app, press, small_table, sound, title, upload


@pytest.fixture
def compiling(monkeypatch):
    """Simulate uncompiled learners that take the given seconds, and record the requests and the processes."""
    asked, processes = [], []

    def begin(seconds: float):
        def apart(piece):
            asked.append(piece)
            code = f"import time; time.sleep({seconds})"
            processes.append(subprocess.Popen([sys.executable, "-S", "-c", code]))
            return processes[-1]

        monkeypatch.setattr(warm_up, "ready", lambda piece: False)  # noqa: ARG005
        monkeypatch.setattr(warm_up, "warm_up_in_process", apart)
        return asked, processes

    return begin


def small():
    """Open the Learn page with a small table."""
    return go(upload(open_app("data"), small_table()), "learn")


def test_it_says_so_and_the_run_starts_by_itself(compiling):
    """A progress bar shows the remaining seconds, and then the result appears as usual."""
    asked, _ = compiling(2.0)
    at = press(small(), "learn_run")
    text = at.get("progress")[0].proto.text
    assert "Preparing PC-stable (once on this server)" in text
    finish_run(at)
    assert sound(at).session_state["runs"][-1].result.complete
    assert asked == [("pc", "categorical")]


def test_cancel_ends_the_wait_and_the_compiler(compiling):
    """Cancelling keeps no run and shows no error, and the next run can start."""
    _, processes = compiling(600.0)
    at = press(small(), "learn_run")
    runs = len(at.session_state["runs"])
    press(at, "learn_cancel")
    finish_run(at)  # the compiling process would take ten minutes
    assert processes[0].returncode is not None
    assert title(sound(at)) == "Learn a graph"
    assert len(at.session_state["runs"]) == runs
    assert not at.button(key="learn_run").disabled


def test_where_nothing_can_be_kept_the_run_compiles_for_itself(compiling, monkeypatch):
    """If the cache is read-only, compilation in another process would be lost, so no run waits for it."""
    asked, _ = compiling(600.0)
    monkeypatch.setattr(warm_up.store, "is_writable", lambda: False)
    at = learn_now(small())
    assert sound(at).session_state["runs"][-1].result.complete
    assert asked == []
