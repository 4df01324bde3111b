"""Tests of calibration on held-out rows."""

import numpy as np
import pytest

from learners import PDAG, Dataset, GaussianNetwork, fit, load_network, random_mixed_network, sample
from learners.data.resampling import held_out
from learners.effects.held_out import BINS, HELD_OUT_SHARE, held_out_calibration

CHAIN = GaussianNetwork(tuple("abc"), np.diag([0.8, 0.8], 1), np.ones(3), np.zeros(3))


@pytest.mark.parametrize("network", [load_network("asia"), CHAIN], ids=["levels", "numbers"])
def test_the_true_network_is_calibrated_and_predicts_better_than_no_edges(network):
    data = sample(network, 4_000, 1)
    found = held_out_calibration(network.dag, data)
    assert found.error < 0.02
    assert found.n.max() <= 800 * network.p * 2
    assert found.log_likelihood > held_out_calibration(PDAG.empty(network.p), data).log_likelihood


def test_numbers_that_are_not_normal_are_seen():
    """A column that mixes two spreads is poorly calibrated: narrow intervals hold more rows than predicted."""
    narrow, wide = (sample(GaussianNetwork(("a",), [[0.0]], [v], [0.0]), 2_000, 1).values for v in (1.0, 9.0))
    both = Dataset.from_values(np.vstack([narrow, wide]), ["a"])
    found = held_out_calibration(PDAG.empty(1), both)
    assert np.abs(found.came - found.said).max() > 0.05


def test_log_likelihood_omits_missing_cells():
    codes = np.array([[0, 1] * 500])
    found = held_out_calibration(PDAG.empty(1), Dataset.from_codes(codes, [2], ["coin"]), share=0.5)
    assert found.log_likelihood == pytest.approx(np.log(0.5), abs=0.01)
    values = sample(CHAIN, 500, 2).values.copy()
    values[::3, 1] = np.nan
    assert held_out_calibration(CHAIN.dag, Dataset.from_values(values, list("abc"))).error < 0.1


def test_categorical_and_continuous_columns_are_reported_together():
    """Mixed data give bins of levels and intervals of numbers; the log-likelihood is that of the fitted network."""
    network = random_mixed_network(6, 7, 3)
    data = sample(network, 3_000, 1)
    found = held_out_calibration(network.dag, data)
    assert found.error < 0.02
    n_levels = sum(map(bool, network.states))
    assert found.n[-1] == (6 - n_levels) * 600
    assert found.n[: -(BINS - 1)].sum() == 600 * sum(map(len, network.states))
    train, new = held_out(data, HELD_OUT_SHARE, 0)
    fitted, rows = fit(network.dag, train), new.to_frame().to_dict("records")
    assert found.log_likelihood == pytest.approx(np.mean([fitted.log_probability(row) for row in rows]))
