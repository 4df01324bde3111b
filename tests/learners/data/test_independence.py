"""Tests of dependent rows, which count as fewer independent rows."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    G2,
    LEARNERS,
    BDeu,
    Dataset,
    FisherZ,
    GaussianBIC,
    ParameterError,
    learn,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import Table

RANDOM = ("bootstrap", "brai")  # these learners resample rows, and resamples of the doubled table differ


def small(kind: str, n: int = 300) -> Dataset:
    """Return rows of 6 dependent columns."""
    if kind == "mixed":
        return sample(random_mixed_network(6, 9, 5, categorical=0.5), n, seed=5)
    numbers = sample(random_gaussian_network(6, 9, seed=5), n, seed=5)
    if kind == "continuous":
        return numbers
    levels = [np.searchsorted(np.quantile(x, [0.4, 0.7]), x) for x in numbers.values.T]
    return Dataset.from_codes(np.array(levels), [3] * 6, numbers.names)


def doubled(data: Dataset) -> Dataset:
    """Return the table with each row twice, where a row counts as half an independent row."""
    return data.take(np.repeat(np.arange(data.n_rows), 2)).with_independence(0.5)


def test_the_sample_size_is_that_of_independent_rows():
    data = small("mixed").with_independence(0.25)
    assert (data.n, data.n_rows) == (75, 300)
    assert data.shares.sum() == pytest.approx(75)
    assert data.select([1, 0]).n == data.take(range(300)).n == 75
    assert data.fingerprint != small("mixed").fingerprint
    with pytest.raises(ParameterError, match=r"share must be in \(0, 1\]"):
        data.with_independence(0.0)


def test_tests_and_scores_of_doubled_rows_are_those_of_the_rows():
    """Tests and scores of a table with each row twice, counted as half a row, equal those of the table."""
    levels, numbers = small("categorical"), small("continuous")
    for test in (G2, FisherZ):
        data = levels if test is G2 else numbers
        one, other = test(data).test(0, 3, (1,)), test(doubled(data)).test(0, 3, (1,))
        assert other.p_value == pytest.approx(one.p_value, rel=1e-6)
    for score, data in ((BDeu, levels), (GaussianBIC, numbers)):
        assert score(doubled(data)).local(2, (0, 1)) == pytest.approx(score(data).local(2, (0, 1)), rel=1e-7)


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for key, learner in LEARNERS.items()
        for kind in learner.kinds
        if learner.weighs_rows and key not in RANDOM
    ],
)
def test_every_learner_takes_dependent_rows(key, kind):
    data = small(kind)
    one, other = learn(key, data), learn(key, doubled(data))
    assert other.graph == one.graph


def series(n: int, columns: int) -> Table:
    """Return independent columns in which each row depends on the previous one."""
    rng = np.random.default_rng(4)
    values = rng.standard_normal((n, columns))
    for t in range(1, n):
        values[t] = 0.9 * values[t - 1] + np.sqrt(1 - 0.81) * values[t]
    return Table.from_dataset(Dataset.from_values(values, [f"x{j}" for j in range(columns)]))


def test_series_are_counted_as_fewer_rows_by_one_fix():
    """Independent series get false edges; after the fix, which counts their rows as fewer, they do not."""
    table = series(600, 8)
    plan = default_plan(table)
    (found,) = [one for one in check_health(table, plan) if one.code == "serial_dependence"]
    (fix,) = [one for one in found.fixes if "independent ones" in one.label]
    assert 30 < fix.plan.independence * table.n < 120
    assert not [one for one in check_health(table, fix.plan) if one.code == "serial_dependence"]
    before, after = (prepare(table, one).dataset for one in (plan, fix.plan))
    assert len(learn("pc", before, alpha=0.01).graph.edges()) > 5
    assert len(learn("pc", after, alpha=0.01).graph.edges()) <= 1
    assert Plan.from_dict(fix.plan.to_dict()) == fix.plan
