"""Tests of the picture of a query and its table: intervals are those of the network, in the units of the table."""

from __future__ import annotations

import numpy as np
import pytest

from learners import PDAG, Dataset, fit, load_network, sample
from learners.data.plan.scales import Scale
from viz.query.picture import LIMITS, belief_table, picture, share_range

ASIA = load_network("asia")


def test_each_bar_has_the_interval_of_its_probability():
    network = fit(ASIA.dag, sample(ASIA, 300, seed=1))
    known = {"smoke": "yes"}
    now, intervals = network.posterior(known), network.intervals(known)
    drawn = picture(network, np.zeros((8, 2)), range(8), now, network.posterior(), None, {}, intervals=intervals)
    for node in drawn["nodes"]:
        low, high = intervals[node["name"]]
        expected = [] if node["name"] in known else [list(pair) for pair in zip(low, high, strict=True)]
        assert node["limits"] == expected
        assert node["sure"] == [share_range(*pair) for pair in expected]
    table = belief_table(network.names, network.states, {"now": now}, {}, intervals).set_index(["variable", "level"])
    for name, (low, high) in intervals.items():
        np.testing.assert_array_equal(table.loc[name, list(LIMITS)], np.column_stack([low, high]))


def test_a_picture_without_intervals_has_no_lines():
    drawn = picture(ASIA, np.zeros((8, 2)), range(8), ASIA.posterior(), ASIA.posterior(), None, {})
    assert all(node["limits"] == node["sure"] == [] for node in drawn["nodes"])
    assert LIMITS[0] not in belief_table(ASIA.names, ASIA.states, {"now": ASIA.posterior()}, {})


@pytest.mark.parametrize("by_ranks", [False, True])
def test_the_interval_of_a_mean_is_in_the_units_of_the_table(by_ranks):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(200, 2))
    network = fit(PDAG.empty(2), Dataset.from_values(values, ["x", "y"]))
    numbers = np.sort(rng.normal(50.0, 10.0, 200))
    scales = {"x": Scale(ranks=lambda: (numbers, np.sort(values[:, 0])))} if by_ranks else {}
    now, intervals = network.posterior(), network.intervals()
    table = belief_table(network.names, network.states, {"now": now}, scales, intervals)
    own = table[(table.variable == "x") & table[LIMITS[0]].notna()]
    assert len(own) == 1
    low, high = own[list(LIMITS)].to_numpy()[0]
    assert low <= own["now"].item() <= high
    assert (low > 40) == by_ranks
