"""Tests of the checks of linear relations that hold in all rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from learners import PDAG, Dataset, learn, random_gaussian_network, random_mixed_network, sample
from learners.evaluation.relations import MAX_COLUMNS, RelationsFound, check_relations


def chain(curve: Callable[[np.ndarray], np.ndarray], n: int = 500, seed: int = 0) -> Dataset:
    """Return columns of a -> b -> c, where b is a function `curve` of a with noise, and an independent column d."""
    rng = np.random.default_rng(seed)
    a, d = rng.standard_normal((2, n))
    b = curve(a) + 0.5 * rng.standard_normal(n)
    return Dataset.from_values(np.column_stack([a, b, b + rng.standard_normal(n), d]), ["a", "b", "c", "d"])


def relations(data: Dataset, learner: str, **parameters: float) -> RelationsFound:
    """Return the relations found by checking the graph of a learner."""
    return check_relations(data, learn(learner, data, **parameters).graph)


@pytest.mark.parametrize("curve", [np.square, lambda x: np.tanh(3 * x), np.abs], ids=["²", "tanh", "abs"])
@pytest.mark.parametrize("learner", ["pc", "boss"])
def test_nonlinear_relations_are_found(curve, learner):
    data = chain(curve, n=2_000)
    found = relations(data, learner)
    assert {one.kind for one in found.violations} == {"nonlinear"}
    assert {"a", "b"} in [{data.names[one.child], data.names[one.other]} for one in found.violations]
    (sentence,) = found.sentences(data.names)
    assert sentence.startswith("relations of 'a' and 'b'")
    assert "seem nonlinear" in sentence


@pytest.mark.deep
def test_linear_relations_are_not_reported():
    """Linear relations with normal or other symmetric noise give at most one false alarm in 20 tables."""
    alarms = 0
    for seed in range(10):
        normal = sample(random_gaussian_network(8, 12, seed=seed), 400, seed=seed)
        noise = np.random.default_rng(seed).laplace(size=(400, 3))
        other = Dataset.from_values(np.column_stack([noise, noise.sum(axis=1) + noise[:, 0]]), list("wxyz"))
        alarms += sum(bool(relations(one, "boss").violations) for one in (normal, other))
    assert alarms <= 1


def test_products_of_parents_are_found():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 600))
    data = Dataset.from_values(np.column_stack([a, b, a + b + a * b + rng.standard_normal(600)]), ["a", "b", "c"])
    (found,) = relations(data, "boss").violations
    assert (found.kind, data.names[found.child]) == ("nonlinear", "c")


def test_relations_that_change_along_the_rows_are_found():
    rng = np.random.default_rng(2)
    a = rng.standard_normal(800)
    b = np.where(np.arange(800) < 400, 1.0, -0.3) * a + rng.standard_normal(800)
    data = Dataset.from_values(np.column_stack([a, b]), ["a", "b"])
    found = relations(data, "boss")
    assert [one.kind for one in found.violations] == ["drifting"]
    mixed_rows = data.take(rng.permutation(800))
    assert "drifting" not in [one.kind for one in relations(mixed_rows, "boss").violations]


def test_sorted_rows_are_not_compared():
    data = chain(lambda x: x)
    data = data.take(np.argsort(data.values[:, 1]))
    found = relations(data, "boss")
    assert not found.violations
    assert found.skipped == ("changes along the rows were not checked, because the rows are sorted by 'b'",)


def test_mixed_columns_are_checked_and_rows_with_missing_numbers_left_out():
    mixed = sample(random_mixed_network(6, 8, 3, categorical=0.5), 600, seed=3)
    assert not relations(mixed, "boss").violations
    values = np.array(chain(np.square).values)
    values[::7, 3] = np.nan
    data = Dataset.from_values(values, ["a", "b", "c", "d"])
    assert relations(data, "boss").violations


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (chain(np.square, n=60), "only 60 rows have all cells of a relation"),
        (chain(np.square).with_independence(0.5), "depend on one another"),
        (sample(random_gaussian_network(MAX_COLUMNS + 1, 50, seed=1), 120, seed=1), "at most 100 columns"),
    ],
    ids=["few rows", "dependent rows", "many columns"],
)
def test_a_check_that_is_not_done_says_why(data, why):
    found = relations(data, "pc", alpha=0.001)
    assert not found.violations
    assert why in found.skipped[0]


def test_a_skeleton_is_not_said_to_contradict_itself():
    """A ring of four edges without directions stands for no DAG; the reason is that it has no directions."""
    data = chain(np.abs)
    ring = [(0, 1), (1, 2), (2, 3), (0, 3)]
    skipped = check_relations(data, PDAG.from_edges(data.p, undirected=ring)).skipped
    assert [str(one) for one in skipped] == ["linearity was not checked, because the graph has no directions"]
    cycle = PDAG.from_edges(data.p, directed=[(0, 1), (1, 2), (2, 0)])
    assert "no DAG fits the graph" in str(check_relations(data, cycle).skipped[0])


def test_categories_have_nothing_to_check():
    data = Dataset.from_codes(np.random.default_rng(0).integers(0, 2, (3, 200)), [2, 2, 2], ["a", "b", "c"])
    assert relations(data, "pc") == relations(data, "hc")
    assert not relations(data, "pc").sentences(data.names)
