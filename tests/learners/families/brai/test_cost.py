"""Tests of the estimated duration of B-RAI."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from learners import G2, LEARNERS, load_network, sample
from learners.common.progress import Stopped
from learners.families.brai import cost, forest
from learners.families.brai.rai import rules_of
from learners.families.brai.recursion import Recursion
from learners.graphs.knowledge import BoundKnowledge

PROBES, TREES, S = 400, 40, 3


@pytest.fixture(scope="module")
def child():
    return sample(load_network("child"), 300, seed=5)


@pytest.fixture
def rules(child):
    return rules_of(G2(child, dof="plain"), "alpha", 1.0, 0.03, 0.01, "neighbours", "strict", None)


@pytest.mark.deep
def test_one_resample_of_each_call_measures_the_size_of_a_tree(monkeypatch, child, rules):
    """With a clock that counts tasks, the mean estimate is the mean number of tasks of whole trees."""
    ci_test, calls = G2(child, dof="plain"), []
    work = Recursion.refine_groups
    monkeypatch.setattr(
        Recursion, "refine_groups", lambda self, task, stop: calls.append(task) or work(self, task, stop)
    )
    for root in range(1, TREES + 1):
        settings = {"rules": rules, "knowledge": BoundKnowledge.none(child.p), "s": S, "seed": 3}
        forest.root_of(ci_test, root, tick=lambda *_: True, threads=1, **settings)
    tasks = len(calls) / TREES
    monkeypatch.setattr(cost, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    never = np.zeros(1, dtype=np.int8)
    probed = [cost.seconds_of_a_tree(ci_test, rules, S, root, never) for root in range(1, PROBES + 1)]
    assert np.mean(probed) == pytest.approx(tasks, rel=0.1)


def test_a_table_whose_probe_does_not_end_has_an_estimate(monkeypatch, child):
    """The tests of edges then give one."""

    def stopped(*_arguments, **_settings):
        raise Stopped

    monkeypatch.setattr(cost, "run_in_thread", stopped)
    monkeypatch.setattr(cost, "cost_of_tests", lambda *_arguments, **_settings: 2.0)
    brai = LEARNERS["brai"]
    params = brai.checked("categorical", {"roots": 4, "s": 2})
    assert brai.estimate(child, **params) == pytest.approx(cost.TIMES_TESTS * 4 * 7 * 2.0, rel=1e-2)


def test_the_work_done_until_the_time_is_over_bounds_the_estimate(monkeypatch, child):
    """The tests of edges alone would give far less."""

    def half_a_tree(*_arguments):
        return 5.0

    def stopped(work, **_settings):
        work(np.ones(1, dtype=np.int8), np.zeros(1, dtype=np.int64))
        raise Stopped

    monkeypatch.setattr(cost, "seconds_of_a_tree", half_a_tree)
    monkeypatch.setattr(cost, "run_in_thread", stopped)
    monkeypatch.setattr(cost, "cost_of_tests", lambda *_arguments, **_settings: 1e-9)
    monkeypatch.setattr(cost, "available_cores", lambda: 1)
    brai = LEARNERS["brai"]
    params = brai.checked("categorical", {"roots": 4})
    assert brai.estimate(child, **params) == pytest.approx(cost.TIMES_TREES * 4 * 5.0, rel=1e-2)


def test_a_first_route_may_take_longer_than_further_ones(monkeypatch, child):
    """On a busy machine the time for further routes is over before the first one ends; its duration still counts."""
    clock = itertools.count(step=0.2)

    def whole(work, *, phase, tick):
        stop = np.zeros(1, dtype=np.int8)
        while not stop[0]:
            if not tick(phase, 0, 1):
                stop[0] = 1
                work(stop, stop)
                raise Stopped
            work(stop, stop)

    monkeypatch.setattr(cost, "time", SimpleNamespace(perf_counter=clock.__next__))
    monkeypatch.setattr(cost, "PROBES", 1)
    monkeypatch.setattr(cost, "seconds_of_a_tree", lambda *_arguments: 3.0)
    monkeypatch.setattr(cost, "run_in_thread", whole)
    monkeypatch.setattr(cost, "available_cores", lambda: 1)
    brai = LEARNERS["brai"]
    params = brai.checked("categorical", {"roots": 4})
    assert brai.estimate(child, **params) == pytest.approx(cost.TIMES_TREES * 4 * 3.0, rel=1e-2)
