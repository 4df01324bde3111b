"""Tests of edges that rest on tests of sparse tables, and of the warning of a run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from learners import Dataset, PearsonX2, learn
from learners.data.quality.sparse_tables import pairs_without_support
from learners.families.catalogue import LEARNERS
from learners.independence.sparse_table_edges import edges_without_support
from learners.results.events import Action
from tests.tiers import family

COLUMNS, LEVELS = 9, 5
SETTINGS = {"bootstrap": {"n_resamples": 5}, "hpc_target": {}}
CATEGORICAL = [key for key, learner in LEARNERS.items() if "categorical" in learner.kinds]


def tree(seed: int, n: int) -> tuple[Dataset, np.ndarray]:
    """Return a table of a random tree whose tables of probabilities have no order, and its (p, p) bool skeleton."""
    rng = np.random.default_rng([930_001, seed])
    codes, adjacent = np.zeros((COLUMNS, n), int), np.zeros((COLUMNS, COLUMNS), bool)
    codes[0] = rng.integers(0, LEVELS, n)
    for child in range(1, COLUMNS):
        parent = int(rng.integers(0, child))
        odds = 1.6 * rng.normal(size=(LEVELS, LEVELS))
        codes[child] = (odds[codes[parent]] + rng.gumbel(size=(n, LEVELS))).argmax(axis=1)
        adjacent[parent, child] = adjacent[child, parent] = True
    return Dataset.from_codes(codes, [LEVELS] * COLUMNS, [f"v{k}" for k in range(COLUMNS)]), adjacent


def naive(result, data: Dataset, rows_per_cell: float) -> set[tuple[int, int]]:
    """Return the edges with a test of a sparse table that kept them and that X² rejects, event by event."""
    test, found = PearsonX2(data), set()
    for x, y in np.argwhere(np.triu(result.graph.skeleton)).tolist():
        for event in result.trace.of_pair(x, y):
            cells = np.prod([float(data.arity[k]) for k in (x, y, *event.cond)])
            if event.action == Action.KEEP and event.cond and event.n_tests and data.n < rows_per_cell * cells:
                found |= {(x, y)} if test.test(x, y, event.cond).p_value > 0.05 else set()
    return found


@pytest.mark.parametrize(
    ("key", "rows_per_cell"), [("pc", 1.0), ("fci", 1.0), ("ppc", 1.0), ("cimap", 1.0), ("pc_mi", 5.0)]
)
def test_the_edges_are_those_of_every_event(key, rows_per_cell):
    """An edge is named iff one of its tests, in a sparse table, finds nothing by X²; the run warns of as many."""
    n_named = 0
    for seed in range(3):
        data, _ = tree(seed, 300)
        result = learn(key, data)
        named = {(pair.column, pair.other) for pair in edges_without_support(result, data, result.params)}
        assert named == naive(result, data, rows_per_cell)
        said = [warning for warning in result.warnings if "may be due to chance" in warning]
        assert len(said) == bool(named)
        n_named += len(named)
    assert n_named


def test_pc_mi_doubts_nearly_all_of_its_false_edges():
    """With 300 rows of five levels PC-MI links nearly all pairs; at least nine false edges in ten are doubted."""
    counts = np.zeros((2, 2), int)
    for seed in range(5):
        data, truth = tree(seed, 300)
        result = learn("pc_mi", data)
        doubted = {(pair.column, pair.other) for pair in edges_without_support(result, data, result.params)}
        for x, y in np.argwhere(np.triu(result.graph.skeleton)).tolist():
            counts[int(truth[x, y]), int((x, y) in doubted)] += 1
    (silent_false, doubted_false), (sure_true, doubted_true) = counts.tolist()
    assert doubted_false > 9 * silent_false > -1
    assert sure_true > doubted_true


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize("key", CATEGORICAL)
def test_no_learner_links_independent_columns_of_many_levels_in_silence(key):
    """Of 8 independent columns with 60 levels and 3,000 rows, each edge is confirmed by X² or counted in a warning."""
    rng = np.random.default_rng(930_001)
    data = Dataset.from_codes(rng.integers(0, 60, (8, 3000)), [60] * 8, [f"v{k}" for k in range(8)])
    result = learn(key, data, **SETTINGS.get(key, {}))
    edges = np.argwhere(np.triu(result.graph.skeleton))
    doubted = {(pair.column, pair.other) for pair in pairs_without_support(data, edges)}
    doubted |= {(pair.column, pair.other) for pair in edges_without_support(result, data, result.params)}
    for x, y in {tuple(edge) for edge in edges.tolist()} - doubted:
        table = np.zeros((60, 60))
        np.add.at(table, tuple(data.codes[[x, y]].astype(int)), 1.0)
        assert chi2_contingency(table, correction=False).pvalue <= 0.05
    assert any("may be due to chance" in warning for warning in result.warnings) == bool(doubted)


@pytest.mark.parametrize("test", ["x2", "permutation"])
def test_tests_that_hold_in_sparse_tables_are_not_doubted(test):
    data, _ = tree(0, 300)
    result = learn("pc", data, test=test)
    assert not edges_without_support(result, data, result.params)


def test_many_rows_leave_no_doubt():
    data, _ = tree(1, 20_000)
    for key in ("pc", "pc_mi"):
        result = learn(key, data)
        assert not edges_without_support(result, data, result.params)


def test_pairs_tested_for_a_trend_are_not_judged():
    """A trend holds in sparse tables, where X² alone may find nothing."""
    data, _ = tree(2, 300)
    data = data.with_ordered_levels(data.names)
    result = learn("pc", data)
    assert not edges_without_support(result, data, result.params)


@pytest.mark.parametrize("key", ["pc", "pc_mi", "mmpc"])
def test_survey_weights_are_not_judged(key):
    """X² permutes whole rows, so a run with survey weights ends without this check."""
    data, _ = tree(3, 300)
    data = data.with_weights(np.full(300, 1.5))
    result = learn(key, data)
    assert not edges_without_support(result, data, result.params)
