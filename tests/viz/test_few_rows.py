"""Too few rows to tell: one rule, and every view says so of the same pairs."""

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
from viz.few_rows import TOO_FEW, few_rows_line, with_few_rows
from viz.tables import separated_rows
from viz.timeline import timeline

LEVELS = (2, 3, 30, 30, 40)
FEW = {"bootstrap": {"n_resamples": 2}}
BY_TESTS = [key for key, one in LEARNERS.items() if "categorical" in one.kinds]


@pytest.fixture(scope="module")
def wide() -> Dataset:
    """400 rows of columns with many levels, nothing linked to anything."""
    rng = np.random.default_rng(7)
    return Dataset.from_codes(np.array([rng.integers(0, r, 400) for r in LEVELS]), LEVELS, [f"v{k}" for k in range(5)])


@pytest.mark.parametrize("key", BY_TESTS)
def test_every_view_says_so(key, wide):
    """Line, table, picture, words: the same pairs, and of none that the run joined; no sentence calls them unlinked."""
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
        told = " ".join(explanation(result, (x, y), wide).sentences)
        assert "too few for this test" in told or "lack of rows" in told or "too few rows" in told
        assert "the test finds no link" not in told


@pytest.mark.parametrize("key", ["pc", "mmpc", "rai", "gs", "si_hiton_pc", "mmhc", "phgs"])
def test_wide_columns_cannot_be_told(key, wide):
    """Two columns of 30 and 40 levels have more cells than 400 rows; two of 2 and 3 have not."""
    pairs = few_row_pairs(learn(key, wide))
    assert (3, 4) in pairs
    assert (0, 1) not in pairs


def test_enough_rows_are_enough():
    """On 5 000 rows of a network with few levels no pair alone is doubted."""
    result = learn("pc", load_sample("asia").dataset, max_cond_size=0)
    assert (result.trace.action == Action.REMOVE).any()
    assert not few_row_events(result).any()


@pytest.mark.parametrize(("n", "few"), [(14, True), (16, False)])
def test_numbers_need_rows_beside_the_set(n, few):
    """Fisher's z with n - |Z| - 3 below 13."""
    result = learn("pc", sample(random_gaussian_network(4, 1, seed=3), n, seed=3), max_cond_size=0)
    assert bool(few_row_pairs(result)) == few


def test_where_cells_are_missing_each_test_has_its_own_rows():
    """Two columns of 2 and 3 levels that share 4 rows of 400: six cells are more; with all rows they can be told."""
    rng = np.random.default_rng(3)
    codes = np.array([rng.integers(0, r, 400) for r in (2, 3, 2)])
    names = ["a", "b", "c"]
    assert few_row_pairs(learn("pc", Dataset.from_codes(codes, (2, 3, 2), names))) == set()
    codes[0, :198], codes[1, 202:] = -1, -1
    result = learn("pc", Dataset.from_codes(codes, (2, 3, 2), names))
    assert few_row_pairs(result) == {(0, 1)}
