"""Tests of the log-likelihood of held-out rows: levels, numbers and mixed data, with and without missing values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from learners import (
    PDAG,
    DataError,
    Dataset,
    load_sample,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.evaluation.categorical_likelihood import predictive_log_likelihood
from learners.evaluation.held_out_likelihood import held_out_log_likelihood

PAIR = PDAG.from_edges(2, directed=[(0, 1)])


def halves(data):
    """Return the training rows and the new rows."""
    n = data.n_rows // 2
    return data.take(range(n)), data.take(range(n, data.n_rows))


def problems():
    linear, mixed = random_gaussian_network(6, 7, 1), random_mixed_network(6, 8, 1, interactions=0.0)
    asia = load_sample("asia")
    yield pytest.param(asia.dataset.take(range(2_000)), asia.truth, id="levels")
    for name, network in (("numbers", linear), ("both", mixed)):
        data = sample(network, 2_000, seed=1)
        yield pytest.param(data, network.dag, id=name)
        yield pytest.param(with_missing_cells(data, 0.1, seed=1), network.dag, id=f"{name} with holes")


@pytest.mark.parametrize(("data", "true"), list(problems()))
def test_the_true_graph_predicts_best(data, true):
    """The true graph predicts better than no edges and than the true graph without one edge."""
    train, new = halves(data)
    best = held_out_log_likelihood(true, train, new)
    fewer = true.amat.copy()
    fewer[tuple(np.argwhere(fewer)[-1])] = False
    assert held_out_log_likelihood(PDAG(fewer), train, new) < best
    assert held_out_log_likelihood(PDAG.empty(true.p), train, new) < best


def test_levels_are_predicted_as_by_their_tables():
    """The score of categorical data is the predictive log-likelihood of Dirichlet tables per row."""
    asia = load_sample("asia")
    train, new = halves(asia.dataset.take(range(1_000)))
    expected = predictive_log_likelihood(asia.truth, train, new) / new.n
    assert held_out_log_likelihood(asia.truth, train, new) == pytest.approx(expected)


def test_numbers_are_predicted_as_by_least_squares():
    """The score of numbers is the normal density around a regression, in standard deviations.

    The ridge has the weight of one row.
    """
    network = random_gaussian_network(2, 1, 3)
    train, new = halves(sample(network, 20_000, seed=1))
    spread = train.values.std(axis=0)
    (x, y), (u, v) = (train.values / spread).T, (new.values / spread).T
    slope = np.cov(x, y)[0, 1] / x.var()
    noise = (y - y.mean() - slope * (x - x.mean())).std()
    expected = norm.logpdf(u, x.mean(), x.std()) + norm.logpdf(v, y.mean() + slope * (u - x.mean()), noise)
    found = held_out_log_likelihood(PDAG.from_edges(2, directed=[(0, 1)]), train, new)
    assert found == pytest.approx(expected.mean(), abs=1e-3)


def test_levels_given_a_number_are_predicted_as_by_logistic_regression():
    """Levels given a number are scored by logistic regression; a ridge on each slope keeps probabilities below 1."""
    x, levels = np.arange(-4.0, 4.0), (np.arange(8) >= 4).astype(int)
    data = Dataset.joined(
        ["x", "y"], Dataset.from_values(x[:, None], ["x"]), Dataset.from_codes(levels[None], [2], ["y"])
    )
    z = (x - x.mean()) / x.std()

    def loss(found: np.ndarray) -> float:  # the slopes are plus and minus half the difference, each with its penalty
        return np.logaddexp(0, (1 - 2 * levels) * (found[0] + found[1] * z)).sum() + found[1] ** 2 / 4

    fitted = minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}).x
    expected = -np.logaddexp(0, (1 - 2 * levels) * (fitted[0] + fitted[1] * z)).mean()
    given, alone = (held_out_log_likelihood(graph, data, data) for graph in (PAIR, PDAG.empty(2)))
    assert given - alone == pytest.approx(expected - np.log(0.5), abs=1e-4)


def test_weights_are_rows():
    """A row of weight two counts as two rows."""
    train, new = halves(load_sample("asia").dataset.take(range(400)))
    once, graph = held_out_log_likelihood(load_sample("asia").truth, train, new), load_sample("asia").truth
    twice = train.with_weights([2] * train.n_rows), new.with_weights([2] * new.n_rows)
    doubled = train.take([*range(train.n_rows)] * 2), new.take([*range(new.n_rows)] * 2)
    assert held_out_log_likelihood(graph, *twice) == pytest.approx(held_out_log_likelihood(graph, *doubled))
    assert held_out_log_likelihood(graph, *twice) != pytest.approx(once, abs=1e-9)


def test_other_columns_are_refused():
    """New rows with other columns are refused."""
    asia = load_sample("asia").dataset
    with pytest.raises(DataError, match="prepare them alike"):
        held_out_log_likelihood(PDAG.empty(8), asia, asia.select([1, 0, 2, 3, 4, 5, 6, 7]))
