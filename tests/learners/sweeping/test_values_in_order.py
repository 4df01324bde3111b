"""Tests that the values of a sweep ascend, and that "automatic" is placed at its number."""

import math

import pytest

from learners import LEARNERS, load_sample
from learners.sweeping.runs import default_values

DATASET = load_sample("asia").dataset


@pytest.mark.parametrize(
    ("key", "amount"),
    [("ges", 0.5 * math.log(DATASET.n) + math.log(DATASET.p)), ("order_mcmc", math.log(DATASET.p))],
)
def test_automatic_stands_among_the_numbers(key, amount):
    values = default_values(LEARNERS[key], DATASET, "edge_penalty", {})
    at = values.index(None)
    assert max(values[:at]) <= amount < min(values[at + 1 :])
    numbers = [value for value in values if value is not None]
    assert numbers == sorted(numbers)


def test_no_limit_comes_last():
    values = default_values(LEARNERS["ges"], DATASET, "max_parents", {})
    assert values[-1] is None
    assert list(values[:-1]) == sorted(values[:-1])
