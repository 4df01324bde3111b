"""Tests of the Experiments page: results of the papers and of Edgewise, reasons for differences, and a small run."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.papers.catalogue import EXPERIMENTS, PAPERS, experiments_of
from benchmarks.papers.experiment import Figure, label
from pages.blocks.experiments import published, rerun
from tests.pages.driving import markup, open_app, plain, press, sound
from viz.experiments.published import experiments_of as published_of
from viz.experiments.published import papers


def opened(paper: str = "lmm", name: str | None = None):
    at = open_app("experiments")
    at = at.selectbox(key="experiments_paper").set_value(paper).run()
    return sound(at if name is None else at.selectbox(key=f"experiments_of_{paper}").set_value(name).run())


def said(at) -> str:
    return " ".join(plain(text) for text in markup(at))


def test_every_experiment_belongs_to_a_paper():
    """The lists of the page contain every experiment."""
    assert [one.name for paper in PAPERS for one in experiments_of(paper)] != []
    assert {one.name for paper in PAPERS for one in experiments_of(paper)} == set(EXPERIMENTS)


@pytest.mark.deep
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_shown(name):
    """Each experiment shows its picture or a message that it has no results yet."""
    at = opened(name.split("_")[0], name)
    assert at.get("plotly_chart") or any("has no results" in one.value for one in at.info)


def test_an_installed_app_shows_results_and_offers_no_run(monkeypatch):
    """Without the folder `benchmarks` the page shows its pictures and no control that needs the folder."""
    monkeypatch.setattr(published, "BENCHMARKS", Path("nowhere"))
    monkeypatch.delitem(sys.modules, "pages.blocks.experiments.rerun")
    monkeypatch.setitem(sys.modules, "benchmarks", None)  # every import of `benchmarks` fails
    at = opened("lmm", "lmm_table1")
    assert at.get("plotly_chart")
    assert [one.key for one in at.button if one.key == "experiments_run"] == []
    assert "pages.blocks.experiments.rerun" not in sys.modules


@pytest.mark.deep
def test_values_name_their_version_and_outdated_methods():
    """The page names the version of the stored values, and the methods that have changed since."""
    outdated = [(paper, one) for paper in papers() for one in published_of(paper).values() if one.outdated]
    for paper, one in outdated[:1]:
        at = opened(paper, one.name)
        assert any(", ".join(one.outdated) in plain(note.value) for note in at.warning)
        assert f"Computed with Edgewise {', '.join(one.releases)}." in said(at)
    current = next(one for one in published_of("lmm").values() if one.versions and not one.outdated)
    assert not opened("lmm", current.name).warning


def test_printed_values_stand_beside_ours():
    """Table 1 of LMM has a picture, a verdict, and for each cell a line with both means."""
    at = opened("lmm", "lmm_table1")
    assert "within the spread" in said(at)
    line = at.dataframe[0].value.query("cell == 'p = 300, edges = 600' and method == 'LMM'").iloc[0]
    assert line["paper"] == 31
    assert line["paper's spread"] == 12
    assert line["ours"] == pytest.approx(31, abs=5)


@pytest.mark.deep
def test_a_difference_beyond_the_spread_has_its_sentence():
    """For the seconds of LMM, the sentence names machines and languages, and says which reasons are unknown."""
    at = opened("lmm", "lmm_table1")
    at = sound(at.selectbox(key="experiments_metric_lmm_table1").set_value("seconds").run())
    assert "on machines of 2013" in said(at)
    at = sound(at.selectbox(key="experiments_metric_lmm_table1").set_value("SHD").run())
    assert "Ours are means of two or three networks" in said(at)


@pytest.mark.deep
def test_titles_keep_their_capitals():
    """The title names the paper once, and abbreviations keep their capitals."""
    at = opened("lmm")
    assert at.selectbox(key="experiments_of_lmm").options == [
        "Figures 3 to 6: ROC and partial auROC of skeletons",
        "Table 1: SHD of skeletons and seconds, 10000 rows",
        "Figure 7: TPR of skeletons and seconds by the number of edges, few rows",
        "Figures 8, 9 and 14: TPR and SHD of CPDAGs of several sizes",
        "Figures 10, 11 and 15: TPR and SHD of CPDAGs of 100 and 500 nodes",
        "Figures 10, 11 and 15: TPR and SHD of CPDAGs of 2500 nodes",
        "Figures 12 and 16: TPR and SHD of CPDAGs as the rows grow",
        "Where to cut the ranking of LMM (no experiment of the paper)",
    ]


@pytest.mark.deep
def test_a_claim_is_judged_where_nothing_is_printed():
    """Figures without printed values show their claims, cell by cell."""
    at = opened("lmm", "lmm_skeletons")
    at = sound(at.selectbox(key="experiments_metric_lmm_skeletons").set_value("auROC 0.06").run())
    assert "There are no published values" in said(at)
    assert "**Of " in said(at)
    assert len(at.dataframe[-1].value) == 9 * 6


@pytest.mark.deep
def test_a_curve_is_drawn_as_one():
    """The points of a curve are not offered as metrics; the curve comes first, with its final value."""
    at = opened("lmm", "lmm_skeletons")
    options = at.selectbox(key="experiments_metric_lmm_skeletons").options
    assert options[0] == "ROC curve (TPR against FPR)"
    assert not any(option.startswith("TPR at") for option in options)
    assert "Each point is a mean over data sets" in said(at)
    assert {"at", "ours", "spread"} <= set(at.dataframe[0].value.columns)


@pytest.mark.deep
def test_smoke_runs_and_shows_its_figures():
    """A small network shows its figures after a run, with rows to download."""
    at = press(opened("lmm", "lmm_gamma"), "experiments_run")
    at = sound(finished(at))
    assert "10 numbers in" in said(at)
    assert at.dataframe[-1].value["metric"].unique().tolist() == ["SHD for each true edge"]
    assert {one.proto.label for one in at.get("download_button")} >= {"Download rows", "Download rows of this run"}


@pytest.mark.deep
def test_other_programs_are_reported_as_such(monkeypatch):
    """The page mentions no paper; a program that is not installed is named, and Edgewise runs without it."""
    monkeypatch.setattr("benchmarks.papers.programs.versions", lambda _: {})
    at = opened("peers", "peers_tabu")
    assert "with the same rows for all programs" in said(at)
    assert "the paper prints" not in said(at)
    assert "Not installed: pyagrum." in said(at)
    at = sound(finished(press(at, "experiments_run")))
    assert "24 numbers in" in said(at)
    shown = at.dataframe[-1].value
    assert set(shown["method"]) == {"edgewise", "edgewise by column", "edgewise by data"}
    assert list(shown.columns) == ["method", "metric", "value"]


def test_progress_counts_over_all_pieces_of_a_run(monkeypatch):
    """Each program is a piece, and the next piece continues the count of the previous one."""
    experiment = EXPERIMENTS["peers_tabu"]
    pieces = experiment.pieces("smoke")
    monkeypatch.setattr(rerun, "ready", lambda *_: pieces)
    monkeypatch.setattr("benchmarks.papers.running.version_of", lambda *_: "")
    calls = []
    run = replace(experiment, run=lambda _: [Figure("A", "score", 1.0), Figure("A", "other", 2.0)])
    out = rerun._carry_out(run, lambda _, done, __: calls.append(done) or True)
    assert calls == list(range(1, 2 * len(pieces) + 1))
    assert list(out) == [label(piece) for piece in pieces]


def finished(at):
    job = at.session_state["smoke_job"]
    assert job is None or job.wait(60)
    return at.run()


@pytest.fixture
def endless(monkeypatch) -> Iterator[threading.Event]:
    """Return a smoke run whose second figure waits."""
    go_on = threading.Event()

    def slowly(_piece):
        yield Figure("A", "score", 1.0)
        go_on.wait(30)
        yield Figure("B", "score", 2.0)

    real = rerun.do
    monkeypatch.setattr(rerun, "do", lambda one, piece, tick: real(replace(one, run=slowly), piece, tick))
    yield go_on
    go_on.set()


@pytest.mark.deep
def test_smoke_can_be_watched_and_cancelled(endless):
    """Progress is shown during the run; a cancelled run reports that and has no figures."""
    at = sound(press(opened("lmm", "lmm_gamma"), "experiments_run"))
    assert any("lmm_gamma: 1 of 10 numbers" in text for text in markup(at))
    at = sound(press(at, "experiments_cancel"))
    endless.set()
    at = sound(finished(at))
    assert [one.value for one in at.info] == ["Cancelled."]


@pytest.mark.deep
def test_tpr_and_shd_stand_side_by_side():
    """Both curves of the same graphs are shown, as in figure 13 of the paper on LMM, and the text describes them."""
    at = opened("lmm", "lmm_cpdags")
    at = sound(at.selectbox(key="experiments_metric_lmm_cpdags").set_value(published.BOTH).run())
    titles = [chart.proto.spec for chart in at.get("plotly_chart")]
    assert len(titles) == 2
    assert "TPR" in titles[0]
    assert "SHD" in titles[1]
    assert "1 − TPR" in said(at)
