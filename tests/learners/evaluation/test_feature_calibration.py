"""Tests of calibration and ROC of probabilities against direct counts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners.evaluation.feature_calibration import area_under, calibration, feature_roc, pairs_of


def test_area_is_the_chance_to_rank_a_true_feature_higher():
    """The area equals the Mann-Whitney statistic, in which ties count half."""
    rng = np.random.default_rng(3)
    probability, truth = np.round(rng.random(60), 1), (rng.random(60) < 0.3).astype(float)
    true, false = probability[truth == 1], probability[truth == 0]
    wins = (true[:, None] > false).sum() + 0.5 * (true[:, None] == false).sum()
    curve, cuts = feature_roc(probability, truth)
    assert area_under(curve) == pytest.approx(wins / (len(true) * len(false)))
    for cut, fpr, tpr in zip(cuts, curve.fpr, curve.tpr, strict=True):
        assert tpr == pytest.approx((true >= cut).mean())
        assert fpr == pytest.approx((false >= cut).mean())


def test_open_directions_count_by_their_share():
    """Features that are half true and half false give the area of chance, one half."""
    curve, _ = feature_roc(np.array([0.9, 0.2, 0.5]), np.full(3, 0.5))
    assert area_under(curve) == pytest.approx(0.5)
    nothing, _ = feature_roc(np.array([0.9, 0.2]), np.zeros(2))
    assert math.isnan(area_under(nothing))


def test_bins_hold_every_feature_once():
    """Every feature is in one bin: 0 in the first, 1 in the last."""
    rng = np.random.default_rng(4)
    probability = np.concatenate([[0.0, 1.0, 0.1], rng.random(200)])
    truth = (rng.random(203) < probability).astype(float)
    found = calibration(probability, truth, 5)
    assert found.n.sum() == 203
    for b in range(5):
        own = (probability >= found.edges[b]) & ((probability < found.edges[b + 1]) | (b == 4))
        assert found.n[b] == own.sum()
        assert found.said[b] == pytest.approx(probability[own].mean())
        assert found.came_true[b] == pytest.approx(truth[own].mean())
    assert math.isnan(calibration(np.zeros(2), np.zeros(2), 4).said[2])


def test_pairs_come_once_or_both_ways():
    """Symmetric matrices give each pair once, other matrices give both directions; the diagonal is left out."""
    values = np.arange(9.0).reshape(3, 3)
    assert pairs_of(values, symmetric=True).tolist() == [1.0, 2.0, 5.0]
    assert sorted(pairs_of(values, symmetric=False).tolist()) == [1.0, 2.0, 3.0, 5.0, 6.0, 7.0]
