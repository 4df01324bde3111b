"""Tests that the estimate of a skeleton search follows the degrees that its levels leave."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from learners import Dataset, FisherZ
from learners.common.parallel import in_one_thread, run_chunks
from learners.common.progress import silent
from learners.families.constraint_based.pc import pc
from learners.search import cost, skeleton_cost
from learners.search.skeleton_cost import SECONDS_PER_PAIR, cost_of_levels

SECONDS = 1e-6  # of each test, by the clock of these tests


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the cost of each test by `SECONDS`, and the number of cores by one."""

    def timed(ci_test, alpha, searches):
        results = ci_test.separate(searches, alpha)
        return SECONDS * int(results.n_tests.sum()), results

    monkeypatch.setattr(skeleton_cost, "_timed", timed)
    monkeypatch.setattr(skeleton_cost, "available_cores", lambda: 1)


def hub(p: int, n: int, kind: str, seed: int) -> Dataset:
    """Draw a table whose last column is the effect or the cause of all others, or belongs to a chain."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n, p + 1))
    if kind == "effect":
        values[:, -1] += 2 * values[:, :-1].sum(axis=1) / np.sqrt(p)
    elif kind == "cause":
        values[:, :-1] += 0.5 * values[:, -1:]
    else:
        for k in range(1, p + 1):
            values[:, k] += 0.7 * values[:, k - 1]
    return Dataset.from_values(values, [f"v{k}" for k in range(p + 1)])


@pytest.mark.parametrize("kind", ["effect", "cause", "chain"])
@pytest.mark.parametrize(("p", "size"), [(16, None), (60, 3), (120, 2)])
@pytest.mark.usefixtures("clock")
def test_the_estimate_follows_the_number_of_tests(kind, p, size):
    data = hub(p, 1_000, kind, seed=910_011)
    expected = SECONDS * pc(FisherZ(data), alpha=0.05, max_cond_size=size).n_tests
    pairs = SECONDS_PER_PAIR * data.p * (data.p - 1) / 2
    actual = cost_of_levels(FisherZ(data), alpha=0.05, max_cond_size=size) - pairs
    assert expected / 3 <= actual <= 3 * expected


@pytest.mark.usefixtures("clock")
def test_a_random_part_of_many_variables_stands_for_all(monkeypatch):
    data = hub(120, 500, "chain", seed=910_012)
    whole = cost_of_levels(FisherZ(data), alpha=0.05, max_cond_size=1)
    monkeypatch.setattr(skeleton_cost, "MAX_NODES", 60)
    part = cost_of_levels(FisherZ(data), alpha=0.05, max_cond_size=1)
    assert whole / 3 <= part <= 3 * whole


def test_slow_tests_fall_back_to_a_typical_number(monkeypatch):
    data = hub(20, 100, "chain", seed=910_013)
    tested = []
    monkeypatch.setattr(skeleton_cost, "_timed", lambda *_: tested.append(1) or (1.0, None))
    assert cost_of_levels(FisherZ(data), alpha=0.05, max_cond_size=1) is None
    assert len(tested) == 2
    monkeypatch.setattr(cost, "cost_of_tests", lambda *_args, **_settings: 5.0)
    assert cost.cost_of_skeleton(FisherZ(data), alpha=0.05, max_cond_size=1) == 5.0


@pytest.mark.parametrize("p", [2, 3, 4])
def test_small_tables_have_an_estimate(p):
    assert cost_of_levels(FisherZ(hub(p - 1, 50, "chain", seed=1)), alpha=0.05, max_cond_size=3) > 0


def test_one_thread_does_all_chunks():
    threads = set()

    def kernel(begin, end, _stop, done):
        threads.add(threading.get_ident())
        done[0] += end - begin

    with in_one_thread():
        run_chunks(kernel, 1_000, phase="", tick=silent, threads=4)
    assert len(threads) == 1
