"""Tests of the calibration benchmark: the stored curves follow from the stored counts and fit other networks."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from benchmarks import calibration
from learners.evaluation.calibrated_probabilities import CLAIMS, STORED, stored_curves

MAX_SURPLUS = 0.025  # mean stated probability of claims with P >= .9, minus the share of them that is right


@pytest.mark.deep
def test_the_stored_curves_are_remade_from_the_stored_counts():
    """`fit` writes the file that the library reads."""
    assert STORED.read_text(encoding="utf-8") == calibration.as_text(calibration.fitted(calibration.read_counts()))


@pytest.mark.deep
@pytest.mark.compiled
def test_the_stored_counts_are_remade_by_runs():
    """`collect` on the smallest network gives its stored lines."""
    stored = [row for row in calibration.read_counts() if (row["network"], row["n"]) == ("survey", 200)]
    assert stored == calibration.collected("fitted", "survey", 200)


def test_the_networks_of_the_fit_are_not_those_of_the_measurement():
    """No network and no seed is in both groups, and each group has all kinds of columns."""
    counts = calibration.read_counts()
    networks = {group: {row["network"] for row in counts if row["group"] == group} for group in calibration.GROUPS}
    assert not networks["fitted"] & networks["held out"]
    for group in calibration.GROUPS:
        assert {row["kind"] for row in counts if row["group"] == group} == {"categorical", "continuous", "mixed"}
    seeds = [range(first, first + max(calibration.SAMPLES.values())) for _, first in calibration.GROUPS.values()]
    assert not set(seeds[0]) & set(seeds[1])


def test_calibration_keeps_the_order_of_claims():
    """Every curve rises with the raw probability, at every n and for pairs of any number of levels."""
    grid = np.linspace(0.0, 1.0, 201)
    for _, curves in stored_curves().values():
        for claim in CLAIMS:
            for n, parameters in product((1, 100, 700, 10**7), (1, 30, 10**5)):
                found = curves[claim](grid, n, parameters)
                assert (np.diff(found) > 0.0).all()
                assert found.min() > 0.0
                assert found.max() < 1.0


def test_a_curve_is_the_one_that_counts_were_drawn_from():
    """Counts that follow a logistic function exactly give its coefficients."""
    rows = []
    for n in (100, 500, 2_000):
        for raw in (0.01, 0.1, 0.5, 0.9, 0.99):
            z = calibration.log_odds(np.array(raw), 1e-3)
            true = 1e6 / (1.0 + np.exp(-(-0.3 + 0.6 * z - 0.2 * np.log(n / 500))))
            rows.append({"raw": raw, "n": n, "pairs": 1e6, "true": float(true)})
    curve = calibration.fitted_curve(rows, 1e-3)
    assert (curve.intercept, curve.slope, curve.trend) == pytest.approx((-0.3, 0.6, -0.2), abs=1e-4)


def test_levels_change_low_probabilities_only():
    """Few rows per parameter raise probabilities below 1/2; the effect is the one that counts were drawn from."""
    rows = []
    for parameters in (1.0, 4.0, 60.0):
        for raw in (0.001, 0.1, 0.5, 0.9):
            z = float(calibration.log_odds(np.array(raw), 1e-3))
            logit = 0.2 + 0.6 * z + 0.4 * calibration.hidden_odds(z, 500, parameters)
            row = {"raw": raw, "n": 500, "pairs": 1e6, "true": 1e6 / (1.0 + np.exp(-logit)), "parameters": parameters}
            rows.append(row)
    true = calibration.CalibrationCurve(0.2, 0.6, 0.0, 1e-3, (500, 500), 0.4)
    high = [row for row in rows if row["raw"] >= 0.5]
    assert true(np.array([row["raw"] for row in high]), 500, [row["parameters"] for row in high]) == pytest.approx(
        [row["true"] / 1e6 for row in high]
    )
    assert true(0.01, 500, 60.0) > true(0.01, 500, 5.0) > true(0.01, 500, 1.0)
    found = calibration.fitted_curve(rows, 1e-3, levels=True)
    assert found.levels > 0.2
    by = calibration.BY_LEVELS
    stored = {
        (key, kind, claim): curves[claim] for (key, kind), (_, curves) in stored_curves().items() for claim in CLAIMS
    }
    assert [names for names, curve in stored.items() if curve.levels] == [by]


def test_claims_of_other_networks_hold():
    """On networks outside the fit, calibrated probabilities are closer to the observed shares than raw ones."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    lines = calibration.measured(calibration.read_counts(), stored)[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    few = [row for row in cells if row[2].startswith("≤") and row[0] == "categorical"]
    assert len(few) == 2 * len(CLAIMS)
    for row in few:
        raw_said, raw_right, said, right = (float(row[k]) for k in (4, 5, 7, 8))
        assert said - right < max(raw_said - raw_right, 0.0)
        assert said - right < MAX_SURPLUS


def test_the_best_increasing_function_pools_what_decreases():
    """Shares of .2 and .1 become their mean weighted by pairs, .125; equal probabilities share one value."""
    names = ("raw", "pairs", "true")
    rows = [dict(zip(names, row, strict=True)) for row in ((0.3, 4, 4), (0.1, 10, 2), (0.2, 20, 2), (0.2, 10, 1))]
    assert calibration.increasing(rows, np.ones(4)) == pytest.approx([1.0, 0.125, 0.125, 0.125])


def test_no_calibration_is_below_the_bound():
    """The bounds are at most the stored Brier scores, raw and calibrated; more functions give a lower bound."""
    counts, stored = calibration.read_counts(), json.loads(STORED.read_text(encoding="utf-8"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in calibration.bounded(counts)[2:]]
    measured = [[cell.strip() for cell in line.strip("|").split("|")] for line in calibration.measured(counts, stored)]
    calibrated = {(row[0], row[1]): float(row[-1]) for row in measured if row[2] == "≤ 500" and row[3] == "adjacent"}
    assert {(row[0], row[1]) for row in cells} == set(calibrated)
    for kind, learner, *scores in cells:
        raw, one, each = (float(score) for score in scores)
        assert each <= one <= raw
        assert one <= calibrated[kind, learner] + 0.0005  # which is rounded to three digits
