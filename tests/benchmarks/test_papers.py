"""The papers' experiments: pieces that survive a kill, and consistent tables."""

import math
import re
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import __main__ as start
from benchmarks.papers import __main__ as command_line
from benchmarks.papers import cimap, lmm_curves, phgs_arges, phgs_calls
from benchmarks.papers.beside import held
from benchmarks.papers.catalogue import EXPERIMENTS
from benchmarks.papers.experiment import NETWORKS_A_CELL, Claim, Experiment, Figure, MetricCurve, label
from benchmarks.papers.h2pc import POLISHES, compare, with_factors
from benchmarks.papers.lmm import GAMMA, TABLE1, at_best_threshold, simulated
from benchmarks.papers.running import Done, do
from benchmarks.papers.store import COLUMNS, HEADER, OLD_COLUMNS, OLD_HEADER, ResultFile, read_rows
from benchmarks.papers.summary import by_cell, margin, summary
from learners import PDAG, Dataset, DependencePosterior, DSeparation, cpdag, pc
from learners.common.progress import silent
from learners.families.cimap.presets import settings_of
from learners.families.lmm.lmm import lmm

PAIR = Done(
    (Figure("A", "score π", 0.5, 0.1, 12_345_678), Figure("B", "score", math.nan)), 2.0, 245.3, "1, patched", "Z80"
)
OLD_PIECE = "p=1 seed=0,A,score,0.5,0.1,v\np=1 seed=0,,finished,1,2,v\n"


def small(run=lambda piece: [Figure("A", "score", piece["seed"])]) -> Experiment:
    return Experiment("small", "a small one", ({"p": 1}, {"p": 2}), {"smoke": 1, "desk": 2, "paper": 3}, run)


def frame(*lines: tuple) -> pd.DataFrame:
    """Return rows of a store: piece, method, metric, value, seconds."""
    return pd.DataFrame([(*line, "v") for line in lines], columns=OLD_COLUMNS)


def test_what_was_added_is_read_back(tmp_path):
    """A new store on the same file has the piece, its figures, also missing ones, and their origin."""
    ResultFile(tmp_path / "one.csv").add("p=1 seed=0", PAIR)
    again = ResultFile(tmp_path / "one.csv")
    assert again.finished == {"p=1 seed=0"}
    rows = again.rows()
    assert rows["method"].tolist() == ["A", "B"]
    assert rows["value"].tolist()[0] == 0.5
    assert rows[["value", "seconds", "calls"]].isna().to_numpy().tolist() == [[False] * 3, [True] * 3]
    assert rows["calls"].tolist()[0] == 12_345_678
    assert rows[["version", "machine", "peak_mb"]].drop_duplicates().to_numpy().tolist() == [
        ["1, patched", "Z80", 245.3]
    ]


def test_a_piece_is_not_written_twice(tmp_path):
    """A second result of a finished piece changes nothing."""
    store = ResultFile(tmp_path / "one.csv")
    store.add("p=1 seed=0", PAIR)
    before = (tmp_path / "one.csv").read_bytes()
    store.add("p=1 seed=0", PAIR)
    assert (tmp_path / "one.csv").read_bytes() == before


@pytest.mark.deep
def test_a_file_cut_anywhere_keeps_whole_pieces_only(tmp_path):
    """An incomplete last piece is repeated, wherever the file is cut, and earlier pieces are kept."""
    path = tmp_path / "one.csv"
    store = ResultFile(path)
    store.add("p=1 seed=0", PAIR)
    whole = path.read_bytes()
    store.add("p=2 seed=1000", PAIR)
    for end in range(len(path.read_bytes())):
        cut = tmp_path / "cut.csv"
        cut.write_bytes(path.read_bytes()[:end])
        resumed = ResultFile(cut)
        assert resumed.finished == ({"p=1 seed=0"} if end >= len(whole) else set())
        assert cut.read_bytes() == (whole if end >= len(whole) else HEADER.encode())
        resumed.rows()


@pytest.mark.parametrize("torn", ["", "p=2 seed=1000,A,sc", "p=2 seed=1000,A,score,1,1,v\n"], ids=repr)
def test_an_older_file_is_read_as_it_is_and_added_to(tmp_path, torn):
    """Rows without machine, memory and calls stay valid; the next write adds these columns."""
    path = tmp_path / "one.csv"
    path.write_text(OLD_HEADER + OLD_PIECE + torn)
    rows = read_rows(path)
    assert path.read_text() == OLD_HEADER + OLD_PIECE + torn
    assert rows[["piece", "value", "seconds"]].to_numpy().tolist() == [["p=1 seed=0", 0.5, 0.1]]
    assert list(rows.columns) == list(COLUMNS)
    store = ResultFile(path)
    assert store.finished == {"p=1 seed=0"}
    store.add("p=2 seed=1000", PAIR)
    assert store.rows()["machine"].tolist()[-1] == "Z80"
    assert store.rows().iloc[0][list(OLD_COLUMNS)].tolist() == rows.iloc[0][list(OLD_COLUMNS)].tolist()
    assert ResultFile(path).finished == {"p=1 seed=0", "p=2 seed=1000"}


def test_a_disk_that_fills_up_leaves_no_torn_line(tmp_path, monkeypatch):
    """An incomplete write is undone, so that the next piece starts on its own line."""
    store = ResultFile(tmp_path / "one.csv")
    store.add("p=1 seed=0", PAIR)
    before = (tmp_path / "one.csv").read_bytes()

    def full(_):
        raise OSError("no space left on device")

    monkeypatch.setattr("benchmarks.papers.store.os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        store.add("p=2 seed=1000", PAIR)
    assert (tmp_path / "one.csv").read_bytes() == before
    assert store.finished == {"p=1 seed=0"}


def test_a_piece_records_time_memory_and_program():
    """The result has seconds, the peak memory of this piece alone, versions and machine."""
    done = do(small(), {"p": 1, "seed": 3})
    assert done.figures == (Figure("A", "score", 3),)
    assert done.seconds >= 0
    assert "numpy" in done.version
    assert "python" in done.version
    assert "cores" in done.machine
    if done.peak_mb is not None:
        hoarding = do(small(lambda _: [Figure("A", "score", float(len(b"x" * 300_000_000)))]), {"p": 1, "seed": 0})
        assert hoarding.peak_mb > done.peak_mb + 200
        assert do(small(), {"p": 1, "seed": 3}).peak_mb < hoarding.peak_mb - 200


def test_other_columns_are_refused(tmp_path):
    """A file of another format is not changed."""
    (tmp_path / "one.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"one\.csv must have the columns piece, method"):
        ResultFile(tmp_path / "one.csv")
    assert (tmp_path / "one.csv").read_text() == "a,b\n1,2\n"


def test_a_desk_may_have_fewer_cells_with_the_seeds_they_have_elsewhere():
    """Rows of scale desk are also rows of scale paper."""
    two = small()
    one = replace(two, at_desk=two.cells[1:])
    assert one.pieces("desk") == [piece for piece in two.pieces("desk") if piece["p"] == 2]
    assert one.pieces("paper") == two.pieces("paper")


def test_finished_pieces_are_not_done_again(tmp_path):
    """A crashed run resumes with the piece it was in; a larger scale extends a smaller one."""
    done = []

    def run(piece):
        yield Figure("A", "score", 1.0)
        if len(done) == 2:
            done.append("death")
            raise KeyboardInterrupt
        done.append(label(piece))

    store = ResultFile(tmp_path / "small.csv")
    command_line.carry_out(small(run), "smoke", store)
    with pytest.raises(KeyboardInterrupt):
        command_line.carry_out(small(run), "desk", store)
    command_line.carry_out(small(run), "desk", ResultFile(tmp_path / "small.csv"))
    assert done == ["p=1 seed=0", "p=2 seed=1000", "death", "p=1 seed=1", "p=2 seed=1001"]
    assert len(ResultFile(tmp_path / "small.csv").rows()) == 4


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_scales_nest_and_no_seed_comes_twice(experiment):
    """Each scale contains the pieces of the smaller one, except "smoke", which has a separate cell.

    Seeds are unique, or unique per program that learns from the same data, or equal for all cells.
    """
    smoke, desk, paper = ([label(piece) for piece in experiment.pieces(scale)] for scale in ("smoke", "desk", "paper"))
    assert set(desk) < set(paper)
    first = label(experiment.smoke or experiment.cells[0])
    left_out = sum(first in labels for labels in experiment.left_out.values())
    assert len(smoke) == max(1, len(experiment.programs) - left_out)
    assert (smoke[0] in desk) == (experiment.smoke is None)
    used = {
        label(piece): (piece["seed"], piece.get("program"), experiment.first_seed and label(piece))
        for scale in ("smoke", "paper")
        for piece in experiment.pieces(scale)
    }
    assert len(set(used.values())) == len({*smoke, *paper})
    assert max(experiment.networks.values()) <= NETWORKS_A_CELL


def test_a_margin_pairs_the_networks():
    """Differences are taken within networks that have both figures."""
    rows = by_cell(
        frame(
            *(("p=1 seed=0", method, "score", value, 0) for method, value in (("A", 0.5), ("B", 0.4))),
            *(("p=1 seed=1", method, "score", value, 0) for method, value in (("A", 0.9), ("B", 1.0))),
            *(("p=1 seed=2", method, "score", value, 0) for method, value in (("A", 0.9), ("B", 0.6))),
            *(("p=1 seed=3", method, "score", value, 0) for method, value in (("A", 0.9), ("B", math.nan))),
        )
    )
    mean, error, won, count = margin(Claim("score", "A", "B"), rows)
    assert (won, count) == (2, 3)
    assert mean == pytest.approx(0.1)
    assert error == pytest.approx(0.2 / math.sqrt(3))
    assert margin(Claim("score", "A", "C"), rows)[2:] == (0, 0)


def test_the_summary_puts_the_paper_beside_ours():
    """Each cell has mean and spread, the paper's figure, and the number of missing figures."""
    rows = frame(
        ("p=1 seed=0", "A", "score", 0.2, 0),
        ("p=1 seed=1", "A", "score", 0.4, 0),
        ("p=1 seed=0", "B", "score", 0.1, 0),
        ("p=1 seed=1", "B", "score", math.nan, 0),
    )
    declared = replace(small(), printed={("p=1", "A", "score"): "7 ± 2"}, claims=(Claim("score", "A", "B"),))
    lines = summary(declared, rows).splitlines()
    assert lines[2] == "| p=1 | 0.300 ± 0.141 (paper 7 ± 2) | 0.100 [1 of 2] |"
    assert lines[-1] == "| p=1 | +0.100 (1 of 1) |"


def test_small_figures_have_a_digit_more():
    """0.0015 is distinguishable from 0.002, and zero stays 0.000."""
    rows = frame(*(("p=1 seed=0", method, "seconds", value, 0) for method, value in (("A", 0.0015), ("B", 0.0))))
    assert summary(small(), rows).splitlines()[-1] == "| p=1 | 0.0015 | 0.000 |"


@pytest.mark.parametrize(
    ("metric", "x"),
    [("TPR at 0.5", 0.5), ("TPR at 1e-05", 1e-5), ("TPR at 1.0", 1.0), ("TPR", None), ("FPR at 1.0", None)],
    ids=["point", "exponent", "whole", "no place", "another"],
)
def test_a_metric_has_its_place_on_a_curve(metric, x):
    """The number after "at" in the name of a metric is its x value on the curve, and the curve gives the name back."""
    curve = MetricCurve("TPR", "FPR")
    assert curve.place(metric) == x if x is not None else math.isnan(curve.place(metric))
    assert x is None or curve.metric(x) == metric


def test_a_curve_is_a_table_of_its_own():
    """Rows are cells and methods, columns are points in order of x; other metrics keep their tables."""
    rows = frame(
        *(
            (f"p=1 seed={seed}", "A", f"TPR at {x}", value, 0)
            for seed in (0, 1)
            for x, value in ((2, 0.8), (0.5, 0.2 + 0.2 * seed), (10, math.nan if seed else 1.0))
        ),
        ("p=1 seed=0", "A", "score", 7, 0),
    )
    declared = replace(small(), curves=(MetricCurve("TPR", "edges"),))
    assert summary(declared, rows).split("\n\n") == [
        "| TPR against edges | 0.5 | 2 | 10 |\n| --- | --: | --: | --: |\n| p=1: A | 0.300 | 0.800 | 1 [1 of 2] |",
        "| score | A |\n| --- | --: |\n| p=1 | 7 |",
    ]


def test_a_claim_may_be_about_some_cells_only():
    """Cells outside the claim have no margin."""
    lines = [(f"p={p} seed={p}", method, "score", value, 0) for p in (1, 2) for method, value in (("A", 2), ("B", 1))]
    declared = replace(small(), claims=(Claim("score", "A", "B", where="p=2"),))
    assert summary(declared, frame(*lines)).splitlines()[-2:] == ["| p=1 |  |", "| p=2 | +1.000 (1 of 1) |"]
    assert held(declared, frame(*lines))["cell"].tolist() == ["p=2"]


def test_separate_tables_have_a_line_for_each_method():
    """Each value of a separate parameter has its own tables, transposed."""
    rows = frame(
        *(
            (f"p={p} n={n} seed={seed}", method, "score", p + n + shift, 0)
            for seed, (p, n) in enumerate(((1, 5), (1, 9), (2, 5)))
            for method, shift in (("A", 0.5), ("B", 0.0))
        )
    )
    declared = replace(small(), apart="p", printed={("p=1 n=9", "B", "score"): "8"}, claims=(Claim("score", "A", "B"),))
    assert summary(declared, rows).split("\n\n") == [
        "| score | p=1 n=5 | p=1 n=9 |\n| --- | --: | --: |\n| A | 6.5 | 10.5 |\n| B | 6 | 10 (paper 8) |",
        "| claimed > 0 | p=1 n=5 | p=1 n=9 |\n| --- | --: | --: |\n"
        "| A - B, score | +0.500 (1 of 1) | +0.500 (1 of 1) |",
        "| score | p=2 n=5 |\n| --- | --: |\n| A | 7.5 |\n| B | 7 |",
        "| claimed > 0 | p=2 n=5 |\n| --- | --: |\n| A - B, score | +0.500 (1 of 1) |",
    ]


def test_the_best_threshold_is_one_that_every_network_finished():
    """Table 1 uses the threshold with the lowest mean SHD among thresholds at which all networks finished."""
    rows = frame(
        ("p=1 seed=0", "PC 0.1", "SHD", 9, 1.0),
        ("p=1 seed=1", "PC 0.1", "SHD", 7, 2.0),
        ("p=1 seed=0", "PC 0.01", "SHD", 1, 3.0),
        ("p=1 seed=1", "PC 0.01", "SHD", math.nan, 4.0),
        ("p=1 seed=0", "PC 0.5", "SHD", 10, 5.0),
        ("p=1 seed=1", "PC 0.5", "SHD", 10, 6.0),
    )
    best = at_best_threshold(rows)
    assert set(best["method"]) == {"PC"}
    assert best.loc[best["metric"] == "SHD", "value"].tolist() == [9, 7]
    assert best.loc[best["metric"] == "seconds", "value"].tolist() == [1.0, 2.0]


def test_increase_factors_are_those_of_one_sample():
    """The factors of HPC over MMPC and of H2PC over MMHC are added piece by piece."""
    rows = frame(
        ("p=1 seed=0", "HPC", "recall", 0.6, 0),
        ("p=1 seed=0", "MMPC", "recall", 0.4, 0),
        ("p=1 seed=1", "HPC", "recall", 0.5, 0),
        ("p=1 seed=1", "MMPC", "recall", 0.0, 0),
        ("p=1 seed=0", "H2PC", "time", 3.0, 0),
        ("p=1 seed=0", "MMHC", "time", 2.0, 0),
    )
    found = with_factors(rows)
    assert len(found) == len(rows) + 3
    factors = found[found["metric"].str.endswith(", factor")].set_index(["piece", "method"])["value"]
    assert factors["p=1 seed=0", "HPC / MMPC"] == pytest.approx(1.5)
    assert math.isnan(factors["p=1 seed=1", "HPC / MMPC"])
    assert factors["p=1 seed=0", "H2PC / MMHC"] == 1.5


def test_h2pc_and_mmhc_are_held_against_the_network_and_new_rows():
    """Shares lie in [0, 1], the distance follows from them, and scores are lower on new rows."""
    piece = {"network": "survey", "n": 500, "seed": 3}
    found = {(one.method, one.metric): one.value for one in compare(piece, polishes=POLISHES)}
    unpolished = {(one.method, one.metric) for one in compare(piece, polishes={})}
    assert unpolished == {(method, metric) for method, metric in found if "polished" not in method}
    for finder, hybrid in (("HPC", "H2PC"), ("MMPC", "MMHC")):
        precision, recall = found[finder, "precision"], found[finder, "recall"]
        assert 0 <= found[finder, "false positive ratio"] <= 1
        assert found[finder, "distance"] == pytest.approx(math.hypot(1 - precision, 1 - recall))
        assert found[finder, "tests"] > 0
        for score in ("BDeu", "BIC"):
            assert found[hybrid, f"{score}, new rows"] < found[hybrid, score] < 0
        assert 0 <= found[hybrid, "SHD"] <= 15
        assert found[hybrid, "time"] > 0


def test_calls_are_summed_up_over_networks_and_levels():
    """Median and interval cover a learner's runs on one data set per network; other data sets stay separate."""
    rows = frame(
        *(
            (f"network={name} seed={1000 * k + seed}", f"MMPC {alpha}", phgs_calls.HC, 10 * seed + k + alpha, 0)
            for seed in (0, 1)
            for k, name in enumerate(("asia", "child"))
            for alpha in (0.1, 0.5)
        )
    )
    found = phgs_calls.over_networks(rows)
    medians = found[found["metric"] == "additional calls, %, median"]
    assert medians["piece"].tolist() == [f"{phgs_calls.HC} seed=0", f"{phgs_calls.HC} seed=1"]
    assert medians["value"].tolist() == pytest.approx([0.8, 10.8])
    assert set(found["method"]) == {"MMPC"}
    assert list(found.columns) == list(rows.columns)
    assert list(phgs_calls.over_networks(rows.iloc[:0]).columns) == list(rows.columns)


def test_what_is_printed_of_calls_has_one_of_ours_beside_it():
    """A run yields a value for each learner, step and share that the paper prints."""
    piece = phgs_calls.TABLE5.pieces("smoke")[0]
    figures = list(phgs_calls.table5({**piece, "tiles": 2}))
    rows = frame(*((label(piece), one.method, one.metric, one.value, 0) for one in figures))
    found = phgs_calls.over_networks(rows)
    assert {(cell, *key) for cell, *key in by_cell(found)[["cell", "method", "metric"]].to_numpy().tolist()} == set(
        phgs_calls.TABLE5.printed
    )
    values = {(one.method, one.metric): one.value for one in figures}
    steps = (phgs_calls.DETECT, phgs_calls.HGI, phgs_calls.HC)
    assert values["pPC 0.05", phgs_calls.TOTAL] == pytest.approx(sum(values["pPC 0.05", step] for step in steps))
    assert min(values.values()) >= 0


def test_parents_are_adjacent_in_the_moral_graph():
    """In 0 -> 2 <- 1 -> 3, nodes 0 and 1 have a common child, 2 and 3 only a common parent."""
    found = phgs_arges.moral(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (1, 3)]))
    assert np.argwhere(np.triu(found)).tolist() == [[0, 1], [0, 2], [1, 2], [1, 3]]


def test_arges_takes_the_better_of_skeleton_and_cig():
    """ARGES takes the better of the two at every number of rows; the gain by HGI is a percentage of it."""
    figures = phgs_arges.figure5({"network": "earthquake", "tiles": 2, "seed": 1})
    values = {(one.method, one.metric): one.value for one in figures}
    for n in phgs_arges.ROWS:
        index = {name: values[name, f"JI at {n}"] for name in ("ARGES", "ARGES-skeleton", "ARGES-CIG", "ARGES HGI")}
        assert index["ARGES"] == max(index["ARGES-skeleton"], index["ARGES-CIG"])
        gained = values["ARGES HGI", f"JI gained, % at {n}"]
        assert index["ARGES HGI"] == pytest.approx(index["ARGES"] * (1 + gained / 100))


@pytest.mark.parametrize("name", ["lmm_cpdags", "lmm_nodes", "lmm_time", "lmm_rows", "lmm_skeletons"])
def test_points_and_claims_of_lmm_are_there(name):
    """A small network yields every claimed method and metric, and points of every declared curve."""
    experiment = EXPERIMENTS[name]
    figures = list(experiment.run({"p": 12, "edges": 15, "n": 100, "seed": 0}))
    have = {(one.method, one.metric) for one in figures}
    for claim in experiment.claims:
        assert {(claim.better, claim.metric), (claim.worse, claim.metric)} <= have
    for curve in experiment.curves:
        assert sum(not math.isnan(curve.place(metric)) for _, metric in have) > 3
    assert {(method, metric) for _, method, metric in experiment.printed} <= have
    rates = [one.value for one in figures if one.metric.startswith("TPR") and not math.isnan(one.value)]
    assert 0 <= min(rates) <= max(rates) <= 1


def test_a_graph_of_the_ranking_is_that_of_a_run_down_to_its_size():
    """The CPDAG at a size equals that of an `lmm` run that keeps this number of edges, also in random order."""
    dag, data = simulated({"p": 12, "edges": 18, "seed": 3}, 100)
    truth = cpdag(dag)
    run = partial(lmm, DependencePosterior(data), max_size=2 * truth.n_edges, max_cond_size=4)
    for seed, orientation in ((None, "lmm_eo"), (5, "lmm_eo_random")):
        graphs, looked = lmm_curves.oriented(run(orientation="none"), truth, seed)
        assert looked > 0
        for size, graph in zip(lmm_curves.SIZES, graphs, strict=True):
            left = round(size * truth.n_edges)
            assert graph.n_edges == left
            assert (graph.amat == run(min_size=left, orientation=orientation, seed=seed or 0).graph.amat).all()


def test_what_is_printed_belongs_to_a_cell():
    """Each printed figure of table 1 has a counterpart."""
    assert {cell for cell, *_ in TABLE1.printed} == {label(cell) for cell in TABLE1.cells}
    assert len(TABLE1.printed) == 9 * 6


@pytest.mark.parametrize("experiment", [cimap.RIVALS, cimap.LARGE], ids=["table 4", "table 5"])
def test_what_is_printed_of_cimap_belongs_to_a_run(experiment):
    """Each printed figure belongs to a run; the expected counts allow for figures that the paper omits."""
    learners = cimap.rivals() if experiment is cimap.RIVALS else cimap.large()
    assert {cell for cell, *_ in experiment.printed} <= {label(cell) for cell in experiment.cells}
    assert {method for _, method, _ in experiment.printed} <= set(learners)
    of_table4 = 3 * 7 * 4 + 6 * 3 + 2
    of_table5 = 2 * (2 * (8 * 4 + 1) + 4)
    assert len(experiment.printed) == (of_table4 if experiment is cimap.RIVALS else of_table5)


@pytest.mark.parametrize(
    ("experiment", "learners"),
    [(cimap.NETWORKS, cimap.configurations), (cimap.RIVALS, cimap.rivals), (cimap.LARGE, cimap.large)],
    ids=["networks", "rivals", "large"],
)
def test_claims_of_cimap_are_about_what_is_run(experiment, learners):
    """Each claim names methods and metrics with figures."""
    assert {claim.better for claim in experiment.claims} | {claim.worse for claim in experiment.claims} <= set(
        learners()
    )
    assert {claim.metric for claim in experiment.claims} <= {"errors", "FP", "FN", "tests", "seconds"}


def test_configurations_of_cimap_are_what_they_are_called():
    """P, P TWF and so on are the presets of table 2, named after their options."""
    data = Dataset.from_codes(np.random.default_rng(0).integers(0, 2, (6, 60)), np.full(6, 2), list("abcdef"))
    learners = cimap.configurations()
    assert len(learners) == 2 * 2 * 4 + 4
    presets = {"P TWF": "P-1", "P iFDR FNR TWF": "P-2", "P peFDR FNR TWF": "P-3", "P iFDR TWF": "P-4", "MI2": "MI2"}
    for name, preset in presets.items():
        ours, theirs = (
            settings_of(**{option: result.params[option] for option in ("preset", "test", "twf", "fnr", "fdr", "cut")})
            for result in (learners[name](data, silent), cimap.configuration(preset=preset)(data, silent))
        )
        assert ours == theirs
    plain = learners["P"](data, silent).params
    assert (plain["twf"], plain["fnr"], plain["fdr"]) == ("off", "off", "none")


def test_a_run_cut_short_has_no_errors_to_count(monkeypatch):
    """FP, FN and tests of unfinished runs are NaN, and they have no time."""
    monkeypatch.setattr(cimap, "_warm_up", lambda: None)
    truth = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    data = Dataset.from_codes(np.zeros((4, 5), dtype=np.int64), np.full(4, 2), list("abcd"))
    learners = {
        "PC": lambda _data, tick: pc(DSeparation(truth), tick=tick),
        "none": lambda _data, tick: pc(DSeparation(PDAG.empty(4)), tick=tick),
        "slow": lambda _data, _tick: pc(DSeparation(truth), tick=lambda *_: False),
    }
    figures = list(cimap.held_against(truth, data, learners))
    assert {one.calls for one in figures if one.method == "none"} == {6}
    rows = cimap.with_errors(
        frame(*(("p=4 seed=0", one.method, one.metric, one.value, one.seconds) for one in figures))
    )
    values = rows.pivot(index="method", columns="metric", values="value")
    assert set(values.columns) == {"errors", "FP", "FN", "tests", "seconds"}
    assert values.loc["PC", ["errors", "FP", "FN"]].tolist() == [0, 0, 0]
    assert values.loc["none", ["errors", "FP", "FN"]].tolist() == [3, 0, 3]
    assert values.loc["none", "tests"] == 6
    assert values.loc["slow"].isna().all()


def test_errors_are_those_of_one_run():
    """FP and FN of a method on the same piece are summed, whatever the order of rows."""
    rows = frame(
        *(
            (f"p=1 seed={seed}", method, metric, 100 * seed + 10 * number + (metric == "FN"), 2.5)
            for seed in (0, 1)
            for number, method in enumerate("AB")
            for metric in ("FP", "FN", "tests")
        )
    )
    errors = cimap.with_errors(rows).query("metric == 'errors'")
    assert errors["method"].tolist() == ["A", "B", "A", "B"]
    assert errors["value"].tolist() == [1, 21, 201, 221]


@pytest.mark.compiled
@pytest.mark.deep
def test_smoke_runs_every_experiment(tmp_path, capsys):
    """The command runs a piece of each experiment and prints its tables; the second time nothing is left to do."""
    command_line.main(["--results", str(tmp_path)])
    first = capsys.readouterr().out
    assert {path.stem for path in tmp_path.iterdir()} == set(EXPERIMENTS)
    assert all(f"## {name}: " in first for name in EXPERIMENTS)
    command_line.main(["--results", str(tmp_path)])
    assert len(re.findall(r": 0 of [1-9]\d* pieces to do", capsys.readouterr().out)) == len(EXPERIMENTS)


def test_an_unknown_experiment_is_named(capsys):
    """A wrong name ends the command with a list of names."""
    with pytest.raises(SystemExit):
        command_line.main(["lmm_skeleton"])
    assert "lmm_skeletons" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["speed", "--repeat", "0"], "at least 1"), (["lmm_skeleton"], "lmm_skeletons")],
    ids=["speed", "experiments"],
)
def test_one_command_leads_to_experiments_and_to_speed(words, expected, capsys):
    """`speed` is accepted as the first word only; all other words name experiments."""
    with pytest.raises(SystemExit):
        start.main(words)
    assert expected in capsys.readouterr().err


@pytest.mark.compiled
@pytest.mark.deep
def test_a_killed_run_is_taken_up_again(tmp_path):
    """After a kill every piece in the file is complete and correct, and the next run continues."""
    path = tmp_path / "lmm_gamma.csv"
    command = [sys.executable, "-m", "benchmarks", "lmm_gamma", "--scale", "desk", "--results", str(tmp_path)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not path.exists() or path.read_text().count(",,finished,") < 5:
        assert time.monotonic() < end
        time.sleep(0.01)
    process.kill()
    process.wait()
    store = ResultFile(path)
    pieces = {label(piece): piece for piece in GAMMA.pieces("desk")}
    done = len(store.finished)
    assert 5 <= done < len(pieces)
    rows = store.rows()
    for name in store.finished:
        expected = [float(f"{one.value:.6g}") for one in do(GAMMA, pieces[name]).figures]
        assert rows.loc[rows["piece"] == name, "value"].tolist() == pytest.approx(expected)
    assert store.finished == set(list(pieces)[:done])
