"""A short run of the fuzzer, and a test that it detects failures."""

from __future__ import annotations

import time

import numpy as np
import pytest

from learners import Knowledge
from tests.fuzz import doors, running, worker
from tests.fuzz.watching import Watch

SHORT = {
    "table": 60,
    "value": 30,
    "knowledge": 30,
    "constructor": 100,
    "option": 50,
    "file": 100,
    "recipe": 60,
    "screen": 3,
}


@pytest.mark.deep
@pytest.mark.compiled
def test_nothing_gives_way():
    """No case raises an unexpected exception, hangs, uses a gigabyte of memory, or shows a traceback."""
    tally = running.run([(door, number) for door, n in SHORT.items() for number in range(n)])
    assert tally.cases == SHORT
    assert tally.clean, "\n".join(tally.lines())
    assert 0 < tally.refused["table"] < SHORT["table"]


def gives_way(how) -> running.Tally:
    """Return the fuzzer's tally of one case."""
    tally = running.Tally()
    tally.add({"door": "table", "number": 0, **worker.tried(how, np.random.default_rng(0), Watch())})
    return tally


@pytest.mark.deep
def test_what_gives_way_is_found(monkeypatch):
    """Unexpected exceptions, long intervals without a tick, and excess memory are detected."""
    monkeypatch.setattr(running, "HANG", 0.05)
    monkeypatch.setattr(running, "LARGE", 50.0)

    def busy(_rng, watch):
        watch.ticking(1.0)("", 0, 0)
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass

    assert [one["outcome"] for one in gives_way(lambda *_: 1 / 0).foreign] == ["ZeroDivisionError"]
    assert gives_way(busy).hangs
    assert gives_way(lambda *_: np.ones(20_000_000).sum()).large
    assert gives_way(lambda *_: Knowledge(required="ab")).clean
    assert gives_way(lambda *_: None).clean


def test_a_case_is_the_same_each_time():
    """Entry, number and seed determine a case."""
    first, again = (doors.odd_table(np.random.default_rng([0, 5])) for _ in range(2))
    assert first == again
