"""Tests of the server's log and metrics: JSON lines and numbers, without anybody's data."""

from __future__ import annotations

import io
import json

import pytest

from learners import learn
from learners.common.errors import DataError
from learners.common.task_pool import WorkerLost
from pages import metrics
from pages.session.jobs import log as recording
from pages.session.jobs import ownership
from pages.session.jobs.log import APP, RunLog
from tests.learners.test_registry import sample


def raising(error: Exception):
    def work():
        raise error

    return work


def test_each_run_is_a_line_that_names_no_column(monkeypatch):
    """The line has the outcome, size and seconds of a run; Prometheus gets their sums."""
    out = io.StringIO()
    one, data = RunLog(out), sample("categorical", p=4, n=60)
    monkeypatch.setattr(recording, "record", lambda: one)
    works = (
        (lambda: learn("pc", data), "complete"),
        (lambda: learn("pc", data, tick=lambda *_: False), "cancelled"),
        (raising(DataError("column 'secret'")), "refused"),
        (raising(WorkerLost("gone")), "lost"),
        (raising(ZeroDivisionError("secret")), "failed"),
    )
    for work, end in works:
        if end in ("complete", "cancelled"):
            one.run("pc", data, APP, work)
        else:
            with pytest.raises((DataError, WorkerLost, ZeroDivisionError)):
                one.run("pc", data, APP, work)
        shown = json.loads(out.getvalue().splitlines()[-1])
        assert shown.pop("time").endswith("+00:00")
        assert shown.pop("seconds") >= 0
        expected = {"learner": "pc", "kind": "categorical", "rows": 60, "columns": 4, "where": "app", "end": end}
        assert shown == {"event": "run", **expected}
    actual = list(metrics.lines())
    for _, end in works:
        assert f'edgewise_runs_total{{learner="pc",end="{end}"}} 1' in actual


def test_the_numbers_are_of_this_moment(house):
    """Queue and memory are current, and each metric declares its type before its first row."""
    end = []
    house.submit(lambda tick: [None for _ in iter(lambda: tick("", 0, 0) and not end, False)])
    actual = list(metrics.lines())
    assert 'edgewise_runs_at_work{where="app"} 1' in actual
    assert 'edgewise_runs_waiting{where="worker"} 0' in actual
    end.append(True)
    held = next(line for line in actual if line.startswith('edgewise_memory_bytes{where="app"}'))
    assert float(held.split()[-1]) > 1e7
    known = [line.split()[2] for line in actual if line.startswith("# TYPE")]
    assert all(line.startswith("#") or line.split("{")[0].split()[0] in known for line in actual)
    assert ownership.leavers().n >= 0


def test_a_log_that_nobody_takes_any_more_costs_no_result():
    out = io.StringIO()
    out.close()
    one, data = RunLog(out), sample("categorical", p=4, n=60)
    assert one.run("pc", data, APP, lambda: learn("pc", data)).complete
    assert one.ends["pc", "complete"] == 1


def test_nothing_is_written_where_the_log_is_off(monkeypatch, capsys):
    monkeypatch.setenv("EDGEWISE_LOG", "off")
    data = sample("categorical", p=4, n=60)
    recording.record.__wrapped__().run("pc", data, APP, lambda: learn("pc", data))
    assert capsys.readouterr().err == ""
