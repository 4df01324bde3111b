"""Tests of calibrated probabilities: the runs that have them, knowledge, copies, explanations and files."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from functools import cache

import numpy as np
import pytest

from learners import Dataset, Knowledge, calibrated_probabilities, learn, load_network, sample, with_missing_cells
from learners.evaluation.calibrated_probabilities import edge_columns, judged_pairs, raw_probabilities
from learners.explaining.explanation import explanation
from learners.io.edge_csv import to_edge_csv
from learners.io.interchange import to_json
from learners.results.result import metadata

ASIA = sample(load_network("asia"), 300, seed=1)
QUICK = {"steps": 2_000, "run_on": 0}


@cache
def chains(**params):
    return learn("order_mcmc", ASIA, **QUICK, **params)


def test_probabilities_are_less_extreme_and_coherent():
    """Calibration makes probabilities less extreme, keeps the order of the edges, and bounds arrows by their edges."""
    result = chains()
    found, raw = calibrated_probabilities(result), raw_probabilities(result)
    pairs = judged_pairs(result)
    assert (found.compelled[pairs] <= found.adjacent[pairs]).all()
    assert (found.compelled[pairs] <= found.directed[pairs] + 1e-12).all()
    np.testing.assert_allclose((found.directed + found.directed.T)[pairs], found.adjacent[pairs])
    np.testing.assert_array_equal(
        np.argsort(found.adjacent[pairs], kind="stable"), np.argsort(raw["adjacent"][pairs], kind="stable")
    )
    assert found.adjacent[pairs].max() < raw["adjacent"][pairs].max()


def test_background_knowledge_stays_certain():
    """A required edge has P = 1 with its arrow, a forbidden pair P = 0, and a tier leaves one direction."""
    known = Knowledge(
        required=(("smoke", "bronc"),), forbidden=(("asia", "xray"), ("xray", "asia"), ("dysp", "either"))
    )
    result = learn("order_mcmc", ASIA, knowledge=known, **QUICK)
    found, at = calibrated_probabilities(result), ASIA.index
    assert found.adjacent[at("smoke"), at("bronc")] == found.compelled[at("smoke"), at("bronc")] == 1.0
    assert found.directed[at("bronc"), at("smoke")] == 0.0
    assert found.adjacent[at("asia"), at("xray")] == found.adjacent[at("xray"), at("asia")] == 0.0
    one_way = at("either"), at("dysp")
    assert found.compelled[one_way] == found.directed[one_way] == found.adjacent[one_way]


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("order_mcmc", {**QUICK, "ess": 1.0}),
        ("order_mcmc", {**QUICK, "prior": "dags"}),
        ("order_mcmc", {**QUICK, "edge_penalty": 0.0}),
        ("bootstrap", {"n_resamples": 5}),
        ("bootstrap", {"base": "hc", "n_resamples": 50}),
        ("pc", {}),
    ],
    ids=str,
)
def test_other_settings_have_none(key, params):
    """Runs with settings for which no calibration was measured have no calibrated probabilities."""
    result = learn(key, ASIA, **params)
    assert calibrated_probabilities(result) is None
    assert edge_columns(result) == {}


@pytest.mark.deep
def test_missing_cells_and_cancelled_runs_have_none():
    """Runs on tables with missing cells, cancelled runs, and older runs without a column type have no probabilities."""
    assert calibrated_probabilities(learn("order_mcmc", with_missing_cells(ASIA, 0.1, seed=1), **QUICK)) is None
    assert calibrated_probabilities(dataclasses.replace(chains(), complete=False)) is None
    older = dataclasses.replace(chains().rows, kind="")  # earlier versions stored runs without this field
    assert calibrated_probabilities(dataclasses.replace(chains(), rows=older)) is None


def test_pairs_with_a_copied_column_are_not_judged():
    """Edges of a column and of its copy have no calibrated probability, since the data cannot distinguish the two."""
    codes = np.vstack([ASIA.codes, 1 - ASIA.codes[ASIA.index("smoke")]])
    table = Dataset.from_codes(codes, [*ASIA.arity, 2], [*ASIA.names, "copy"])
    result = learn("order_mcmc", table, **QUICK)
    found = calibrated_probabilities(result)
    for name in ("smoke", "copy"):
        assert np.isnan(found.adjacent[table.index(name)]).all()
    assert not np.isnan(found.adjacent[table.index("tub"), table.index("either")])


def test_a_relabeled_run_has_the_same_probabilities():
    """Reversed columns give the same calibrated probabilities."""
    turned = ASIA.reordered(list(range(ASIA.p))[::-1])
    other = calibrated_probabilities(learn("order_mcmc", turned, **QUICK))
    np.testing.assert_allclose(other.adjacent[::-1, ::-1], calibrated_probabilities(chains()).adjacent, rtol=1e-9)


def test_explanations_and_files_state_them():
    """The explanation of an edge, the CSV of edges and the JSON hold the calibrated numbers."""
    result = chains()
    found = calibrated_probabilities(result)
    i, j = next(pair for pair in result.graph.edges() if judged_pairs(result)[tuple(pair)])
    said = " ".join(explanation(result, (i, j)).sentences)
    assert "Calibrated on tables of other known networks: P(edge) = " in said
    text = to_edge_csv(
        result.graph, result.names, result.strengths, result.directions, result.information, edge_columns(result)
    )
    for row in csv.DictReader(io.StringIO(text)):
        a, b = result.names.index(row["from"]), result.names.index(row["to"])
        assert float(row["calibrated_edge"]) == pytest.approx(found.adjacent[a, b], nan_ok=True)
        assert float(row["calibrated_arrow"]) == pytest.approx(found.compelled[a, b], nan_ok=True)
    stored = json.loads(to_json(result.graph, result.names, metadata(result, edge_columns(result))))
    for edge in stored["strengths"]["edges"]:
        a, b = edge["pair"]
        if edge["calibrated_edge"] is not None:
            assert edge["calibrated_edge"] == pytest.approx(found.adjacent[a, b])
            assert edge["calibrated_arrow_backward"] == pytest.approx(found.compelled[b, a])
