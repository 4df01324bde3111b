"""Order MCMC and exact sums in the app: probabilities, agreement, calibration, and evidence of several runs."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

from pages.session.jobs import dispatch
from tests.pages.driving import click_row, finish_run, go, press, sound, unfold
from tests.pages.test_brai import learnt, part, run_of, words


@pytest.mark.deep
@pytest.mark.parametrize("key", ["order_mcmc", "exact_posterior"])
def test_probabilities_of_every_feature_can_be_shown(key):
    """Matrix and table show each feature; the graph on screen follows the minimum probability."""
    at = learnt(key)
    text = words(at)
    assert re.search(r"The number on an edge is its (posterior )?probability P", text)
    assert ("moves each" in text) == (key == "order_mcmc")
    for form in ("Matrix", "Table"):
        sound(at.segmented_control(key="inspect_feature_form").set_value(form).run())
        for feature in ("Edge", "Arrow", "Markov blanket", "Path"):
            sound(at.segmented_control(key=f"inspect_feature_{key}").set_value(feature).run())
    sound(at.segmented_control(key=f"inspect_feature_{key}").set_value("v-structure").run())
    run = run_of(at)
    shown = next(one.value for one in at.dataframe if {"i", "j", "P"} <= set(one.value.columns))
    at = sound(click_row(at, f"inspect_probable_v_{run.number}", 1))
    assert at.session_state["pair"] == tuple(run.result.names[int(shown[end].iloc[1])] for end in ("i", "j"))
    edges = run.data["probable"][1]
    assert edges.graph(edges.choice) == run.result.graph


@pytest.mark.deep
def test_evidence_of_several_runs_stands_side_by_side():
    """The comparison appears once a second run on the table has a score."""
    at = press(go(learnt("order_mcmc"), "learn"), "learn_choose_pc")
    at = sound(finish_run(press(go(at, "learn"), "learn_run"), 60))
    unfold(at).selectbox(key="why_x").set_value(0).run()
    at.selectbox(key="why_y").set_value(1).run()
    sound(at)
    assert any(one.label == "Evidence of 2 runs" for one in at.expander)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("key", "name", "settings"),
    [("bootstrap", "bootstrap", {"n_resamples": 2}), ("order_mcmc", "posterior", {"steps": 500, "run_on": 0})],
)
def test_a_run_is_calibrated_on_tables_like_its_own(files, key, name, settings):
    """One click shows predicted and observed frequencies, and recalibrates each probability."""
    at = part(learnt(key, **settings), name, "Calibration")
    at = press(at, "inspect_calibrate")
    if "calibration_job" in at.session_state:
        at.session_state["calibration_job"][1].wait(120)
        at.run()
    run = run_of(at)
    assert run.data["own_calibration"].n_tables == 20
    assert "On the dashed line probabilities are calibrated" in words(sound(at))
    (file,) = (data for (_, label), data in files.items() if label == "Download recalibrated P")
    rows = list(csv.DictReader(io.StringIO(file())))
    at_pair = {(row["x"], row["y"]): row["P stated"] for row in rows}
    found = run.result.posterior.adjacent
    pairs = [(i, j) for i, j in np.argwhere(np.triu(found, 1)).tolist()]
    assert at_pair == {(run.result.names[i], run.result.names[j]): repr(float(found[i, j])) for i, j in pairs}
    assert len(at.session_state["runs"]) == 2


@pytest.mark.deep
def test_priors_stand_side_by_side(monkeypatch):
    """One click repeats the run under the other two priors, and shows how much its probabilities depend on them.

    Short work starts no worker.
    """
    monkeypatch.delattr(dispatch, "workers")
    at = press(part(learnt("order_mcmc", steps=500, run_on=0), "posterior", "Prior"), "inspect_priors")
    if "priors_job" in at.session_state:
        at.session_state["priors_job"][1].wait(120)
        at.run()
    found = run_of(at).data["priors"]
    assert list(found.posteriors) == ["orders", "dags", "classes"]
    text = words(sound(at))
    shares = r"\S+ \(uniform over orders\), \S+ \(uniform over DAGs\) and \S+ \(uniform over equivalence classes\)\."
    assert re.search(shares, text)
