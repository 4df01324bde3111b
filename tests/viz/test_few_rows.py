"""Tests with too few rows: all views report the same pairs."""

from __future__ import annotations

import numpy as np
import pytest

from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS, learn
from learners.results.events import Action
from learners.results.few_rows import few_row_events, few_row_pairs
from viz.kinds import timeline
from viz.tables import separated_rows
from viz.weak_evidence import TOO_FEW, few_rows_line, with_few_rows

LEVELS = (2, 3, 30, 30, 40)
FEW = {"bootstrap": {"n_resamples": 2}}
BY_TESTS = [key for key, one in LEARNERS.items() if "categorical" in one.kinds]


@pytest.fixture(scope="module")
def wide() -> Dataset:
    """Return 400 rows of independent columns with many levels."""
    rng = np.random.default_rng(7)
    return Dataset.from_codes(np.array([rng.integers(0, r, 400) for r in LEVELS]), LEVELS, [f"v{k}" for k in range(5)])


@pytest.mark.parametrize("key", BY_TESTS)
def test_all_views_report_the_same_pairs(key, wide):
    """Line, table, graph and sentences list the same pairs, and no sentence calls such a pair independent."""
    result = learn(key, wide, **FEW.get(key, {}))
    pairs = few_row_pairs(result)
    assert not any(result.graph.skeleton[pair] for pair in pairs)
    line = few_rows_line(result)
    assert (line is None) == (not pairs)
    assert not pairs or f"({len(pairs)} pair" in line
    table = separated_rows(result).table()
    assert pairs <= {
        (min(i, j), max(i, j)) for i, j in table.loc[table["rows"] == TOO_FEW, ["i", "j"]].to_numpy().tolist()
    }
    data = timeline(result, np.random.default_rng(0).random((5, 2)))
    drawn = {(e["a"], e["b"]) for e in with_few_rows(data, result)["edges"] if e.get("few_rows")}
    assert drawn == pairs
    for x, y in pairs:
        text = " ".join(explanation(result, (x, y), wide).sentences)
        assert "too few for this test" in text or "lack of rows" in text or "too few rows" in text


@pytest.mark.parametrize("key", ["pc", "mmpc", "rai", "gs", "si_hiton_pc", "mmhc", "phgs"])
def test_columns_with_many_levels_have_too_few_rows(key, wide):
    """Columns with 30 and 40 levels have more cells than the 400 rows; columns with 2 and 3 levels do not."""
    pairs = few_row_pairs(learn(key, wide))
    assert (3, 4) in pairs
    assert (0, 1) not in pairs


def test_enough_rows_are_enough():
    """With 5 000 rows and few levels, no marginal test has too few rows."""
    result = learn("pc", load_sample("asia").dataset, max_cond_size=0)
    assert (result.trace.action == Action.REMOVE).any()
    assert not few_row_events(result).any()


@pytest.mark.parametrize(("n", "few"), [(14, True), (16, False)])
def test_fisher_z_needs_more_rows_than_variables(n, few):
    """A test has too few rows if n - |Z| - 3 is below 13."""
    result = learn("pc", sample(random_gaussian_network(4, 1, seed=3), n, seed=3), max_cond_size=0)
    assert bool(few_row_pairs(result)) == few


def test_missing_values_reduce_the_rows_of_a_test():
    """Columns of 2 and 3 levels that share only 4 rows have too few rows; with all rows they have enough."""
    rng = np.random.default_rng(3)
    codes = np.array([rng.integers(0, r, 400) for r in (2, 3, 2)])
    names = ["a", "b", "c"]
    assert few_row_pairs(learn("pc", Dataset.from_codes(codes, (2, 3, 2), names))) == set()
    codes[0, :198], codes[1, 202:] = -1, -1
    result = learn("pc", Dataset.from_codes(codes, (2, 3, 2), names))
    assert few_row_pairs(result) == {(0, 1)}
