"""Tests of EM moments: a reference implementation, complete tables, and their use by tests and scores."""

import numpy as np
import pytest

from learners import (
    DataError,
    Dataset,
    FisherZ,
    GaussianBIC,
    learn,
    random_gaussian_network,
    sample,
    with_missing_cells,
)
from learners.completion.completed import with_completion
from learners.completion.moments import complete_moments
from learners.data.embedding import embedded_columns
from learners.independence import DegenerateGaussian
from tests import naive_mixed


def naive_em(columns: np.ndarray, rounds: int = 2_000) -> np.ndarray:
    """Return the correlations of the normal distribution with the largest likelihood, by EM row by row."""
    n, q = columns.shape
    columns = (columns - np.nanmean(columns, axis=0)) / np.nanstd(columns, axis=0)
    mean, covariance = np.zeros(q), np.eye(q)
    for _ in range(rounds):
        filled, added = columns.copy(), np.zeros((q, q))
        for row in filled:
            m, o = np.flatnonzero(np.isnan(row)), np.flatnonzero(~np.isnan(row))
            slope = covariance[np.ix_(m, o)] @ np.linalg.inv(covariance[np.ix_(o, o)])
            row[m] = mean[m] + slope @ (row[o] - mean[o])
            added[np.ix_(m, m)] += covariance[np.ix_(m, m)] - slope @ covariance[np.ix_(o, m)]
        mean = filled.mean(axis=0)
        former, covariance = covariance, (np.cov(filled.T, bias=True) * n + added) / n
        if np.abs(former - covariance).max() < 1e-9:
            break
    spread = np.sqrt(np.diag(covariance))
    return covariance / np.outer(spread, spread)


def test_progress_of_em_does_not_speak_of_imputation():
    """EM fills no cell of the table, so its progress names what it estimates."""
    data = with_missing_cells(sample(random_gaussian_network(3, 2, seed=1), 50, seed=2), 0.1, "mcar", seed=3)
    phases = set()
    complete_moments(data, tick=lambda phase, *_: not phases.add(phase))
    assert phases == {"estimating correlations"}


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_moments_have_the_largest_likelihood(mixed, share):
    """The result equals a slow EM; the small ridge and the tolerance change a correlation by less than .01."""
    if mixed:
        data = naive_mixed.with_holes(naive_mixed.mixed_rows(5, 200, seed=4), share, seed=5)
    else:
        data = with_missing_cells(sample(random_gaussian_network(5, 6, seed=1), 200, seed=2), share, "mar", seed=3)
    columns, first = embedded_columns(data)
    found = complete_moments(data)
    assert np.array_equal(found.first, first)
    assert found.correlation == pytest.approx(naive_em(columns), abs=0.01)
    there = np.array([data.is_there(j) for j in range(data.p)])
    for a in range(data.p):
        for b in range(data.p):
            assert found.pair_rows[a, b] == (there[a] & there[b]).sum()


def test_moments_do_not_depend_on_units_and_shift():
    data = with_missing_cells(sample(random_gaussian_network(4, 4, seed=1), 100, seed=2), 0.2, "mcar", seed=3)
    other = Dataset.from_values(data.values * np.array([1e-150, 1.0, 1e150, 3.0]) + np.array([0, 1e6, 0, -7]), "abcd")
    one, two = complete_moments(data), complete_moments(other)
    assert one.correlation == pytest.approx(two.correlation, abs=1e-6)


def test_survey_weights_count():
    """A row with weight 2 counts as two rows."""
    data = with_missing_cells(sample(random_gaussian_network(4, 4, seed=1), 80, seed=2), 0.2, "mcar", seed=3)
    weights = np.random.default_rng(4).choice([1.0, 2.0], 80)
    twice = data.take(np.repeat(np.arange(80), weights.astype(int)))
    found, expected = complete_moments(data.with_weights(weights + 1e-12)), complete_moments(twice)
    assert found.correlation == pytest.approx(expected.correlation, abs=1e-6)


def test_a_completed_start_gives_the_same_moments_sooner():
    data = with_missing_cells(sample(random_gaussian_network(6, 8, seed=1), 300, seed=2), 0.2, "mar", seed=3)
    first = complete_moments(data)
    again = complete_moments(data, start=first)
    assert again.rounds < first.rounds
    assert again.correlation == pytest.approx(first.correlation, abs=2e-3)


def test_tests_and_scores_count_the_rows_of_a_pair():
    """With completed correlations, z uses the rows of the pair, and the edge penalty has the factor n / (n_xy - 4)."""
    data = with_missing_cells(sample(random_gaussian_network(4, 4, seed=1), 400, seed=2), 0.3, "mcar", seed=3)
    treated = with_completion(data)
    found = treated.completion.found
    z = np.arctanh(found.correlation[0, 1]) * np.sqrt(found.pair_rows[0, 1] - 3)
    assert FisherZ(treated).test(0, 1).statistic == pytest.approx(z, rel=1e-9)
    assert DegenerateGaussian(treated).test(0, 1).n == found.pair_rows[0, 1]
    assert FisherZ(treated).test(0, 1, [2]).n == found.pair_rows[np.ix_([0, 1, 2], [0, 1, 2])].min()
    score = GaussianBIC(treated)
    gain = -0.5 * found.n * np.log1p(-(found.correlation[0, 1] ** 2))
    price = 0.5 * np.log(found.n) * found.n / (found.pair_rows[0, 1] - 4)
    assert score.local(1, [0]) - score.local(1) == pytest.approx(gain - price, rel=1e-6)
    assert score.local(0, [1]) - score.local(0) == pytest.approx(gain - price, rel=1e-6)


@pytest.mark.compiled
@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", ["pc", "ges", "boss", "order_mcmc"])
def test_a_nearly_empty_column_gets_few_false_edges(key):
    """Three independent columns with 90 % missing cells get about one false edge per table, as with BIC on 50 rows."""
    false = 0
    for seed in range(3):
        data, rng = sample(random_gaussian_network(8, 8, seed), 500, seed=seed), np.random.default_rng(seed)
        empty = np.where(rng.random((500, 3)) < 0.9, np.nan, rng.normal(size=(500, 3)))
        names = [*data.names, "e1", "e2", "e3"]
        settings = {"alpha": 0.001} if key == "pc" else {"steps": 500, "run_on": 0} if key == "order_mcmc" else {}
        graph = learn(key, Dataset.from_values(np.hstack([data.values, empty]), names), **settings).graph
        false += int(graph.skeleton[8:].sum())
    assert false <= 4  # about 30 if all pairs had the same weight


def test_lmm_names_the_columns_with_too_few_common_rows():
    data = sample(random_gaussian_network(4, 3, seed=1), 200, seed=1)
    values = np.array(data.values)
    values[:197, 1], values[3:, 2] = np.nan, np.nan
    with pytest.raises(DataError, match="found 4 that 'X2' and 'X3' have in common; leave one of the two out"):
        learn("lmm", Dataset.from_values(values, data.names))


def test_columns_never_seen_together_get_no_edge():
    """Two columns that depend on a third and share no row get no edge."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=600)
    b, c = a + rng.normal(size=600), a + rng.normal(size=600)
    b[:300], c[300:] = np.nan, np.nan
    data = Dataset.from_values(np.column_stack([a, b, c]), "abc")
    for key in ("pc", "ges", "boss"):
        assert not learn(key, data).graph.skeleton[1, 2]


def test_complete_tables_are_unchanged():
    data = sample(random_gaussian_network(4, 4, seed=1), 50, seed=2)
    assert with_completion(data) is data
