"""Evidence of several runs on one pair, side by side, and recalibrated probabilities."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learners import random_gaussian_network, sample
from learners.families.averaging.calibration import OwnCalibration
from learners.families.averaging.probable_edges import of_posterior
from learners.io.samples import load_sample
from learners.registry import learn
from viz.averaging.calibration import error_sentence, own_figure, recalibrated_table
from viz.averaging.evidence import evidence_figure, side_by_side
from viz.averaging.features import features_of, values_of
from viz.averaging.tables import LIMITS, feature_table
from viz.averaging.timeline import probable_timeline
from viz.averaging.words import EdgeMeasure, draws_of
from viz.kinds import kind_of

pytestmark = pytest.mark.compiled
ASIA = load_sample("asia").dataset
SETTINGS = {
    "bootstrap": {"base": "hc", "n_resamples": 5},
    "order_mcmc": {"steps": 2_000, "run_on": 0},
    "exact_posterior": {},
    "brai": {"roots": 2},
    "pc": {},
    "hc": {},
}


@cache
def runs():
    return [(key, learn(key, ASIA, **settings)) for key, settings in SETTINGS.items()]


@pytest.mark.parametrize("pair", [(0, 1), (5, 7), (2, 6)], ids=str)
def test_each_run_shows_its_own_number(pair):
    """Each run shows its probability, share or p, and the mark of its graph, in either order of the pair."""
    a, b = (ASIA.names[k] for k in pair)
    table = side_by_side(runs(), a, b).set_index("run")
    for key, result in runs():
        row = table.loc[key]
        assert (row["in its graph"] == "no edge") == (not result.graph.skeleton[pair])
        if result.posterior is None:
            assert np.isnan(row["value"])
            continue
        assert row["value"] == pytest.approx(result.posterior.adjacent[pair])
        assert row["95% from"] <= row["value"] + 1e-12
        assert row["value"] <= row["to at most"] + 1e-12
        assert row["forward"] + row["backward"] == pytest.approx(row["value"])
    assert table.loc["exact_posterior", "95% from"] == table.loc["exact_posterior", "value"]
    assert table.loc["bootstrap", "number"] == "share of resamples"
    assert table.loc["pc", "number"] == "largest p"
    assert table.loc["hc", "number"] == "no number"
    back = side_by_side(runs(), b, a).set_index("run")
    assert back.loc["brai", "forward"] == table.loc["brai", "backward"]


def test_the_picture_has_a_point_for_each_number():
    """The picture has a point for each number, and its text a part for each run."""
    table = side_by_side(runs(), *ASIA.names[:2])
    figure, alt = evidence_figure(table)
    assert sorted(figure.data[0].x) == sorted(table["value"].dropna())
    assert alt.count(";") == len(table) - 1
    assert "largest p" in alt


@pytest.mark.parametrize(("polish", "has_interval"), [("tabu", False), ("none", True)])
def test_probabilities_of_polished_classes_have_no_interval(polish, has_interval):
    """Edges, tables and the comparison of runs show an interval only where probabilities are means of draws."""
    data = sample(random_gaussian_network(6, 7, seed=5), 200, seed=5)
    result = learn("brai", data, roots=2, polish=polish)
    number, draws = kind_of(result).special_part(EdgeMeasure, result), draws_of(result.extra)
    drawn = probable_timeline(result, of_posterior(result.posterior), number, np.zeros((data.p, 2)))
    assert drawn["edges"]
    assert all(("95%" in edge["opacity_text"]) == has_interval for edge in drawn["edges"])
    feature = next(iter(features_of(result.posterior).values()))
    table = feature_table(feature, values_of(feature, result.posterior), data.names, None, draws)
    assert (set(LIMITS) <= set(table.columns)) == has_interval
    row = side_by_side([("brai", result)], *data.names[:2]).iloc[0]
    assert np.isfinite(row["95% from"]) == has_interval
    assert evidence_figure(side_by_side([("brai", result)], *data.names[:2]))[1]


@pytest.mark.parametrize("n_tables", [1, 2, 5])
def test_the_calibration_error_has_a_spread_if_there_are_two_tables(n_tables):
    found = OwnCalibration(np.tile([0.1, 0.9], n_tables * 5), np.tile([0.0, 1.0], n_tables * 5), n_tables)
    assert ("±" in error_sentence(found)) == ("recalibrated" in error_sentence(found)) == (n_tables > 1)


def test_recalibrated_probabilities_stand_beside_those_said():
    """Recalibrated probabilities keep their order and lie on the drawn line."""
    found = OwnCalibration(np.repeat([0.1, 0.6, 0.9], 50), np.repeat([0.0, 0.4, 1.0], 50), 5)
    probabilities = np.zeros((3, 3))
    probabilities[0, 1] = probabilities[1, 0] = 0.6
    probabilities[1, 2] = probabilities[2, 1] = 0.9
    table = recalibrated_table(probabilities, found, ("a", "b", "c"))
    assert table["P stated"].tolist() == [0.9, 0.6]
    np.testing.assert_allclose(table["P recalibrated"], [1.0, 0.4])
    figure, alt = own_figure(found)
    line = figure.data[-1]
    np.testing.assert_allclose(line.y, found.recalibrated(np.array(line.x)))
    assert "50 pairs stated" in alt
