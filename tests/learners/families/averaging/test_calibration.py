"""Tests of the calibration for one table: the fit, the simulated tables, and predicted against observed shares."""

from __future__ import annotations

import numpy as np
import pytest

from learners import DataError, ParameterError, calibrate, learn, load_network, sample
from learners.families.averaging.calibration import OwnCalibration, calibrated, isotonic
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG
from learners.networks.fitting import fit
from tests.learners.test_registry import sample as ordinary

ASIA = load_network("asia")


def test_isotonic_is_the_nearest_rising_line():
    """Values that fall are pooled to their mean, and the fit never increases the squared error."""
    x, y = isotonic(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.0, 1.0, 0.0, 1.0]))
    np.testing.assert_allclose(y, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0])
    np.testing.assert_allclose(x, [0.1, 0.1, 0.2, 0.3, 0.4, 0.4])
    rng = np.random.default_rng(0)
    predicted = rng.random(500)
    came = (rng.random(500) < predicted**2).astype(float)
    x, y = isotonic(predicted, came)
    assert (np.diff(y) >= 0.0).all()
    steps = np.interp(predicted, x, y)
    assert np.mean((steps - came) ** 2) <= np.mean((predicted - came) ** 2)


def test_what_is_too_sure_is_recalibrated():
    """Half of the pairs with probability 0.9 exist, so they are recalibrated to one half; NaN stays NaN."""
    found = OwnCalibration(np.repeat([0.05, 0.9], 100), np.r_[np.zeros(100), np.tile([0.0, 1.0], 50)], 2)
    np.testing.assert_allclose(found.recalibrated(np.array([0.05, 0.9, np.nan])), [0.0, 0.5, np.nan])
    never = OwnCalibration(np.array([0.0, 0.3, 0.7, 1.0]), np.array([0.0, 0.0, 0.0, 1.0]), 1)
    assert never.recalibrated(np.array([0.2, 0.7])).tolist() == [0.0, 0.0]
    assert found.error == pytest.approx(0.5 * 0.05 + 0.5 * 0.4)
    assert found.brier == pytest.approx(0.5 * 0.05**2 + 0.25 * (0.9**2 + 0.1**2))


def test_the_error_has_a_spread_and_recalibration_is_judged_by_other_tables():
    """Equal tables give no spread and no remaining error; each of three tables is recalibrated by the other two."""
    predicted = np.tile(np.repeat([0.05, 0.9], 20), 3)
    too_sure = np.r_[np.zeros(20), np.tile([0.0, 1.0], 10)]
    alike = OwnCalibration(predicted, np.tile(too_sure, 3), 3)
    assert alike.spread == pytest.approx(0.0)
    assert alike.recalibrated_error == pytest.approx(0.0)
    right = np.r_[np.zeros(20), np.ones(18), np.zeros(2)]
    mixed = OwnCalibration(predicted, np.r_[too_sure, too_sure, right], 3)
    assert mixed.spread == pytest.approx(np.std([0.225, 0.225, 0.025], ddof=1))
    # Pairs with probability 0.9 become 28 / 40 in the first two tables and 1 / 2 in the third.
    assert mixed.recalibrated_error == pytest.approx((40 * 0.2 + 20 * 0.4) / 120)
    alone = OwnCalibration(predicted[:40], too_sure, 1)
    assert np.isnan([alone.spread, alone.recalibrated_error]).all()


@pytest.mark.deep
@pytest.mark.compiled
def test_tables_are_drawn_from_what_was_learnt():
    """Tables are simulated from the fitted network of the run and learned with its settings."""
    data = sample(ASIA, 200, seed=1)
    result = learn("order_mcmc", data, steps=2_000, run_on=0)
    found = calibrate(result, data, tables=3, seed=5)
    dag = consistent_extension(result.graph).dag
    assert found.n_tables == 3
    assert found.came_true.reshape(3, -1).sum(axis=1).tolist() == [dag.n_edges] * 3
    again = [sample(fit(dag, data), 200, seed=5 + t) for t in range(3)]
    predicted = [
        learn("order_mcmc", one, steps=2_000, run_on=0, seed=t).posterior.adjacent for t, one in enumerate(again)
    ]
    above = np.triu_indices(8, 1)
    np.testing.assert_array_equal(found.said, np.concatenate([one[above] for one in predicted]))
    assert 0.0 <= found.brier <= 1.0


def test_threads_change_nothing_and_a_cancel_keeps_what_is_done():
    """Any number of threads gives the same tables in order, and a cancelled run keeps the finished ones."""
    data = sample(ASIA, 150, seed=2)

    def one(table, t, tick):
        return learn("bootstrap", table, base="hc", n_resamples=3, seed=t, tick=tick)

    alone, many = (calibrated(data, ASIA.dag, one, tables=4, threads=n) for n in (1, 4))
    np.testing.assert_array_equal(alone.said, many.said)
    cut = calibrated(data, ASIA.dag, one, tables=4, tick=lambda _phase, done, _total: done < 2)
    assert cut.n_tables == 2
    np.testing.assert_array_equal(cut.said, alone.said[: len(cut.said)])
    with pytest.raises(ParameterError, match="cancelled"):
        calibrated(data, ASIA.dag, one, tables=4, tick=lambda *_: False)


@pytest.mark.parametrize("counts", [False, True], ids=["rows", "counts"])
def test_simulated_tables_have_the_types_and_the_missing_cells_of_the_data(counts):
    """Numbers beside categories are simulated, and the cells that the data lack are deleted."""
    data = ordinary("mixed", n=60)
    data = data.with_weights(1 + np.arange(60) % 2) if counts else data
    tables = []

    def one(table, t, tick):
        tables.append(table)
        return learn("bootstrap", table, base="hc", n_resamples=2, seed=t, tick=tick)

    found = calibrated(data, PDAG.from_edges(7, directed=[(0, 1), (1, 2)]), one, tables=2, threads=1)
    assert found.came_true.sum() == 2 * 2
    for table in tables:
        assert table.kinds == data.kinds
        assert table.n == data.n
        for j in range(7):
            there = np.repeat(data.is_there(j), 1 if data.weights is None else data.weights)
            np.testing.assert_array_equal(table.is_there(j), there)


def test_what_cannot_be_simulated_is_refused():
    """Survey weights and learners without probabilities are refused."""
    data = sample(ASIA, 100, seed=0)
    surveyed = data.with_weights(np.linspace(0.5, 1.5, 100))
    with pytest.raises(DataError, match="count once and are independent.* without weights"):
        calibrate(learn("bootstrap", surveyed, base="hc", n_resamples=2), surveyed)
    with pytest.raises(ParameterError, match="gives no probabilities"):
        calibrate(learn("hc", data), data)
