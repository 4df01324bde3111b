"""Stored values that are older than their learner are found, and the Experiments page names their methods."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmarks.papers import archive, freshness
from benchmarks.papers.archive import seconds_of_pieces, versions
from benchmarks.papers.catalogue import EXPERIMENTS
from benchmarks.papers.experiment import label
from benchmarks.papers.freshness import (
    MAX_SECONDS,
    SECONDS,
    changed_methods,
    checked_pieces,
    outdated,
)
from benchmarks.papers.running import do
from benchmarks.papers.store import ResultFile
from viz.experiments.published import experiments_of, papers

pytestmark = pytest.mark.compiled
QUICK = ("lmm_gamma", "brai_unique")  # their pieces take less than a second


def test_a_changed_value_is_found(tmp_path, monkeypatch):
    """Rows of the installed version are current; after a change of one value, those of its method are not."""
    monkeypatch.setattr(archive, "RESULTS", tmp_path)
    path, experiment = tmp_path / "lmm_gamma.csv", EXPERIMENTS["lmm_gamma"]
    piece = experiment.pieces("smoke")[0]
    ResultFile(path).add(label(piece), do(experiment, piece))
    assert changed_methods("lmm_gamma", [piece]) == []
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    at = rows.index[rows["method"] == "0.3"][0]
    rows.loc[at, "value"] = str(float(rows.loc[at, "value"]) + 0.01)
    rows.to_csv(path, index=False, lineterminator="\n")
    assert changed_methods("lmm_gamma", [piece]) == ["0.3"]


def test_the_check_runs_the_cheapest_piece_of_a_cell():
    """The pieces of a check take at most its time limit, and each cell has at most one piece."""
    for name in QUICK:
        pieces, cost = checked_pieces(name), seconds_of_pieces(name)
        assert pieces
        total = sum(cost[label(piece)] for piece in pieces)
        assert total <= SECONDS or (len(pieces) == 1 and total <= MAX_SECONDS)
        cells = [label({key: value for key, value in piece.items() if key != "seed"}) for piece in pieces]
        assert len(set(cells)) == len(cells)


def test_the_page_knows_each_version_and_each_outdated_method():
    """What is recorded as outdated is a method of its experiment; every stored experiment names its versions."""
    for paper in papers():
        for name, one in experiments_of(paper).items():
            assert list(one.versions) == versions(name)
            assert list(one.outdated) == outdated().get(name, [])
            if one.outdated:
                assert set(one.outdated) <= set(archive.stored_rows(name)["method"])


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.deep) for name in EXPERIMENTS]
)
def test_no_value_is_older_than_its_learner_unless_the_page_says_so(name):
    """Pieces computed again give the stored values, except for the methods recorded as outdated."""
    changed = changed_methods(name, checked_pieces(name))
    assert changed == outdated().get(name, []), f"run `python -m benchmarks fresh {name}`, then `pack`"


def test_experiments_that_are_too_dear_are_not_checked(monkeypatch):
    monkeypatch.setattr(freshness, "MAX_SECONDS", 0.0)
    assert checked_pieces("lmm_gamma", 0.0) == []
