"""Tests of the estimated duration of LMM, with a clock that counts conditioning sets."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import pytest

from learners import LEARNERS, learn, load_network, random_gaussian_network, random_mixed_network, sample
from learners.families.lmm import cost, resumable_run
from learners.kernels.lmm.state import N_TESTS

TABLES = ("child", "alarm", "hailfinder", "mixed 20", "mixed 40")


def table(name: str, n: int = 1_000):
    """Return rows of a network of categories, or of a random mixed one with 1.5 edges for each variable."""
    kind, _, p = name.partition(" ")
    network = random_mixed_network(int(p), 3 * int(p) // 2, seed=941_001) if p else load_network(kind)
    return sample(network, n, seed=941_001)


@pytest.fixture
def clock(monkeypatch):
    """Let each conditioning set take `clock.seconds`; return the clock, with the number of sets between two turns."""
    one = SimpleNamespace(seconds=0.0, now=0.0, turns=[])
    time = SimpleNamespace(perf_counter=lambda: one.now)

    work = resumable_run.advance

    def counted(evidence, rules, state, budget):
        before = int(state.counters[N_TESTS])
        has_more = work(evidence, rules, state, budget)
        one.turns.append(int(state.counters[N_TESTS]) - before)
        one.now += one.seconds * one.turns[-1]
        return has_more

    monkeypatch.setattr(resumable_run, "advance", counted)
    for module in (cost, resumable_run):
        monkeypatch.setattr(module, "time", time)
    return one


@cache
def sets_of(name: str) -> int:
    """Return the number of sets, other than the empty one, of a run on a table."""
    result = learn("lmm", table(name), orientation="none")
    return result.n_tests - len(result.names) * (len(result.names) - 1) // 2


def estimated(data, **settings) -> float:
    """Return the estimate without that of directions by score."""
    return cost.cost_of_lmm(data, **LEARNERS["lmm"].checked(data.kind, {"orientation": "none", **settings}))


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("seconds", [1e-6, 3e-5, 1e-4])
@pytest.mark.parametrize("name", TABLES)
def test_the_estimate_follows_the_number_of_sets(name, seconds, clock):
    """Whether the probe ends or not: a factor of three."""
    data = table(name)
    clock.seconds = seconds
    expected = seconds * sets_of(name)
    actual = estimated(data)
    assert expected / 3 <= actual <= 3 * expected


def test_a_probe_that_ends_counts_each_set(clock):
    clock.seconds = 1e-9
    assert estimated(table("child")) == pytest.approx(1e-9 * sets_of("child"))


def test_a_probe_ends_in_time(clock):
    clock.seconds = 1e-4
    estimated(table("hailfinder"))
    assert clock.now <= 3 * cost.PROBE_SECONDS


@pytest.mark.parametrize("seconds", [1e-5, 3e-4])
def test_turns_of_slow_tests_are_short(seconds, clock):
    """A listener is asked after about `TURN_SECONDS`, however slow a test is."""
    data, clock.seconds = table("hailfinder"), seconds
    clock.turns.clear()
    learn("lmm", data, orientation="none")
    slow = [n for n in clock.turns if seconds * n > 4 * resumable_run.TURN_SECONDS]
    assert len(slow) <= 0.05 * len(clock.turns)


def test_numbers_keep_their_formula():
    few, many = (sample(random_gaussian_network(p, p, seed=1), 50, seed=1) for p in (10, 20))
    assert 0.0 < estimated(few) < estimated(many)
    assert estimated(many, max_size=5) < estimated(many)


@pytest.mark.usefixtures("clock")
def test_directions_by_score_take_longer():
    data = table("child", 100)
    scored = cost.SCORED_SECONDS + data.p * cost.SCORED_SECONDS_PER_VARIABLE
    for orientation in ("boss", "ges"):
        assert estimated(data, orientation=orientation) == pytest.approx(estimated(data) + scored)
