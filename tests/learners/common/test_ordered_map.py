"""Tests of ordered maps: parallel work with results in order, on threads or on the workers of a Dask scheduler."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from distributed import LocalCluster

from learners import LEARNERS, ParameterError, calibrate, learn, load_sample
from learners.common.dask_client import distribute_over
from learners.common.parallel import ordered_map
from learners.common.progress import silent
from tests.polling import pause


def in_reverse(threads):
    """Return a function of five items; in each group of as many items as threads, later items finish first."""
    done = [threading.Event() for _ in range(5)]

    def work(t, _goes_on):
        following = t + 1
        if following < len(done) and following % threads:  # another thread computes it already, or will do so next
            assert done[following].wait(60)
        done[t].set()
        return t * t

    return work


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_results_come_in_order(threads):
    """Results come in the order of the items, whatever the order in which they finish."""
    assert ordered_map(in_reverse(threads), 5, phase="work", tick=silent, threads=threads) == [0, 1, 4, 9, 16]
    assert ordered_map(in_reverse(threads), 0, phase="work", tick=silent, threads=threads) == []


def test_a_cancel_keeps_the_front_and_stops_the_rest():
    """A cancelled map keeps the first finished items; the tick is not called again after it returned False."""
    calls = []

    def two(_phase, done, total):
        calls.append((done, total))
        return done < 2

    unwound = []

    def until_reported(t, goes_on):
        try:
            while t > 1 and goes_on():
                pause()
        except BaseException:
            unwound.append(t)
            raise
        return t

    assert ordered_map(until_reported, 6, phase="work", tick=two, threads=3) == [0, 1]
    assert calls[-1] == (2, 6)
    assert [done for done, _ in calls].count(2) == 1
    assert unwound


def test_what_gave_up_ends_the_list_and_errors_come_through():
    """A None ends the list of results, and an error in an item is raised."""
    assert ordered_map(lambda t, _: None if t == 2 else t, 5, phase="work", tick=silent, threads=2) == [0, 1]
    with pytest.raises(ZeroDivisionError):
        ordered_map(lambda t, _: 1 // (t - 1), 3, phase="work", tick=silent, threads=2)


SPREAD = {"bootstrap": {"base": "hc", "n_resamples": 4}, "order_mcmc": {"steps": 2_000}, "brai": {"roots": 3}}


@pytest.mark.deep
@pytest.mark.compiled
def test_a_scheduler_gives_what_threads_give():
    """Resamples, chains, trees and simulated tables run on the workers of another process."""
    data = load_sample("asia").dataset.take(range(200))
    assert {key for key, one in LEARNERS.items() if one.spreads} == set(SPREAD)
    cluster = LocalCluster(1, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distribute_over(cluster.scheduler_address):
        there = {key: learn(key, data, **params) for key, params in SPREAD.items()}
        calibrated = calibrate(there["order_mcmc"], data, tables=2)
    here = {key: learn(key, data, **params) for key, params in SPREAD.items()}
    for key in SPREAD:
        assert there[key].graph == here[key].graph
        np.testing.assert_array_equal(there[key].strengths.values, here[key].strengths.values)
        assert there[key].n_scores == here[key].n_scores
    np.testing.assert_array_equal(calibrated.said, calibrate(here["order_mcmc"], data, tables=2).said)


def test_a_scheduler_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setattr("learners.common.dask_client.CONNECT_SECONDS", 0.2)
    with pytest.raises(ParameterError, match="no Dask scheduler answers"), distribute_over("tcp://127.0.0.1:1"):
        pass
