"""Tests of estimates of running times."""

from __future__ import annotations

import math

import pytest

from learners.independence.g2 import G2
from learners.search import cost
from tests.learners.test_registry import sample


@pytest.mark.parametrize("ticks", [0, 1])
def test_a_probe_that_ends_before_its_first_test_has_a_time_all_the_same(monkeypatch, ticks):
    def soon():
        left = [ticks]

        def tick(*_said: object) -> bool:
            left[0] -= 1
            return left[0] >= 0

        return tick

    monkeypatch.setattr(cost, "deadline_tick", soon)
    actual = cost.cost_of_tests(G2(sample("categorical", p=8, n=60)), max_cond_size=1)
    assert 0 < actual < math.inf
