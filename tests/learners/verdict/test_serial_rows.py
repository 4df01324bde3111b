"""Tests of the check that neighbouring rows are not alike."""

from __future__ import annotations

import numpy as np
import pytest

from learners import Dataset, check_assumptions, default_plan, learn, prepare, read_table, trust
from learners.verdict.remedies import remedies
from learners.verdict.serial_rows import serial_rows, serial_z


def levels(columns: list[np.ndarray] | np.ndarray) -> Dataset:
    """Return a table of columns of codes."""
    columns = np.array(columns)
    return Dataset.from_codes(columns, [int(one.max()) + 1 for one in columns], [f"v{j}" for j in range(len(columns))])


def chain(rng: np.random.Generator, n: int, n_levels: int, stay: float) -> np.ndarray:
    """Return levels: each row repeats the level before it with probability `stay`, else it is drawn from all levels."""
    drawn = rng.choice(n_levels, n, p=rng.dirichlet(np.full(n_levels, 2.0)))
    repeated = rng.random(n) < stay
    repeated[0] = False
    return drawn[np.maximum.accumulate(np.where(repeated, 0, np.arange(n)))]


def moving_average(rng: np.random.Generator, n: int, n_levels: int, width: int) -> np.ndarray:
    """Return the mean of `width` successive numbers, cut into equally frequent levels."""
    values = np.convolve(rng.standard_normal(n + width), np.ones(width), "valid")[:n]
    return np.searchsorted(np.quantile(values, np.arange(1, n_levels) / n_levels), values)


def test_independent_levels_have_a_standard_normal_z():
    """Over shuffles of a column, z has mean 0 and standard deviation 1: the moments of the runs are right."""
    rng = np.random.default_rng(0)
    column = rng.choice(4, 310, p=[0.5, 0.3, 0.15, 0.05])
    z = [serial_z(levels([rng.permutation(column)]))[0] for _ in range(1_000)]
    assert abs(np.mean(z)) < 0.1
    assert abs(np.std(z) - 1.0) < 0.07


@pytest.mark.parametrize(("p", "n"), [(10, 300), (20, 2_000), (50, 300)])
def test_shuffled_tables_raise_no_alarm(p, n):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        columns = [rng.choice(k, n, p=rng.dirichlet(np.full(k, 0.5))) for k in rng.integers(2, 8, p)]
        assert serial_rows(levels([column for column in columns if column.max() > 0])) is None


@pytest.mark.parametrize("kind", [(chain, 0.3), (chain, 0.9), (chain, 0.99), (moving_average, 3), (moving_average, 50)])
@pytest.mark.parametrize("n", [300, 2_000])
def test_slow_levels_are_found(kind, n):
    make, slowness = kind
    for seed in range(5):
        rng = np.random.default_rng(seed)
        data = levels([make(rng, n, int(k), slowness) for k in rng.integers(2, 5, 10)])
        found = serial_rows(data)
        assert found is not None
        assert 0 < found.independent < n
        assert serial_rows(data.take(rng.permutation(n))) is None


def test_independent_rows_are_those_of_theory():
    """Two chains that stay with probability s: n (1 - s²) / (1 + s²) independent rows (Bartlett 1935)."""
    rng = np.random.default_rng(1)
    found = serial_rows(levels([chain(rng, 8_000, 3, 0.6) for _ in range(2)]))
    assert found.independent == pytest.approx(8_000 * 0.64 / 1.36, rel=0.1)
    assert found.n_rows == 8_000


def test_sorted_tables_raise_no_alarm():
    """Rows sorted by one column, or by several within one another, in any order of the columns, are not dependent."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        p, n = int(rng.integers(3, 9)), int(rng.choice([300, 2_000]))
        columns = np.array([rng.choice(k, n, p=rng.dirichlet(np.full(k, 2.0))) for k in rng.integers(2, 6, p)])
        by = columns[: rng.integers(1, p + 1)]
        assert serial_rows(levels(columns[:, np.lexsort(by[::-1])][rng.permutation(p)])) is None


def test_one_slow_column_may_be_the_batch():
    """One categorical column that changes slowly affects no association of two columns, and raises no alarm."""
    rng = np.random.default_rng(2)
    others = [rng.integers(0, 3, 600) for _ in range(4)]
    slow = [chain(rng, 600, 3, 0.9) for _ in range(2)]
    assert serial_rows(levels([slow[0], *others])) is None
    assert serial_rows(levels([*slow, *others])).columns in {(0, 1), (1, 0)}


def test_missing_cells_and_counted_rows():
    rng = np.random.default_rng(3)
    columns = np.array([chain(rng, 800, 3, 0.7) for _ in range(4)])
    columns[rng.random(columns.shape) < 0.1] = -1
    gaps = Dataset.from_codes(columns, [3] * 4, list("abcd"))
    assert serial_rows(gaps) is not None
    counted = levels(np.abs(columns)).with_weights(np.full(800, 2))
    assert serial_rows(counted) is None


def test_missing_cells_that_follow_one_another_are_no_slow_level():
    """Independent levels stay so if they are missing in runs of rows."""
    rng = np.random.default_rng(5)
    columns = rng.integers(0, 3, (4, 800))
    for column in columns:
        column[np.repeat(rng.random(80) < 0.4, 10)] = -1
    assert serial_rows(Dataset.from_codes(columns, [3] * 4, list("abcd"))) is None


def test_nothing_is_claimed_on_slow_levels_and_a_fix_is_offered():
    rng = np.random.default_rng(4)
    data = levels([chain(rng, 1_500, 3, 0.6) for _ in range(5)])
    table = read_table(data.to_frame().astype(str).to_csv(index=False).encode())
    plan = default_plan(table)
    data = prepare(table, plan.change(*[c.name for c in plan.columns], kind="categorical")).dataset
    found = check_assumptions(data)
    assert not found.holds
    assert "neighbouring rows are alike in" in found.sentences(data.names)[0]
    assert "1,500 rows are worth about" in found.sentences(data.names)[0]
    assert "neighbouring rows are alike" in found.hidden_unchecked
    assert "neighbouring rows are alike in" in trust(learn("boss", data), data).silent
    (fix,) = remedies(found, data.names, plan)
    assert fix.plan.independence == pytest.approx(found.serial.independent / 1_500)
    counted = prepare(table, fix.plan).dataset
    assert check_assumptions(counted).serial is None
