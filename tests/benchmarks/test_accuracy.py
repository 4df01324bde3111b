"""The accuracy table: its content, the run of a piece, and the library's copy of it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from benchmarks.papers import accuracy, measured
from benchmarks.papers.archive import stored_rows
from benchmarks.papers.experiment import label
from benchmarks.worker import find_solver
from learners import LEARNERS, cpdag, learn
from learners.choosing.benchmark_results import PATH, settings
from learners.evaluation.metrics import jaccard, shd


def test_the_table_is_as_large_as_it_says():
    """Each column type has its settings, one of them with missing cells.

    Of the settings without missing cells 60 are discrete, 12 linear and 12 mixed.
    """
    whole = [one for one in accuracy.CELLS if "missing" not in one]
    assert Counter(one["kind"] for one in whole) == {"discrete": 60, "linear": 12, "mixed": 12}
    assert len({one.get("network") for one in whole}) == 21
    assert Counter(one["kind"] for one in accuracy.CELLS if "missing" in one) == dict.fromkeys(accuracy.SIZES, 1)
    assert len({label(one) for one in accuracy.CELLS}) == len(accuracy.CELLS)
    assert {piece["seed"] for piece in accuracy.ACCURACY.pieces("paper")} == set(range(8_201, 8_206))


def test_every_program_has_its_adapter_and_its_cells():
    """Learners run on every table they accept, and peers on the tables that their authors support."""
    programs = {one.name for one in accuracy.PROGRAMS}
    assert programs >= set(LEARNERS) - set(accuracy.NOT_A_GRAPH)
    assert {piece["program"] for piece in accuracy.ACCURACY.pieces("desk")} == programs
    assert all(callable(find_solver(one.solver)) for one in accuracy.PROGRAMS)
    for piece in accuracy.ACCURACY.pieces("desk"):
        if piece["program"] in LEARNERS and piece["n"] == 500 and piece.get("network") == "asia":
            assert LEARNERS[piece["program"]].refusal(accuracy.drawn(piece)[1]) is None


@pytest.mark.parametrize(
    "cell",
    [
        {"kind": "discrete", "network": "asia", "n": 200},
        {"kind": "linear", "p": 6, "n": 100},
        {"kind": "mixed", "p": 6, "n": 100, "missing": "5%"},
    ],
    ids=lambda cell: cell["kind"],
)
def test_a_piece_holds_a_learner_against_its_network(cell, monkeypatch):
    """The figures equal those computed directly."""
    monkeypatch.setattr(accuracy, "_warmed", lambda *_: None)
    piece = {**cell, "program": "hc", "seed": 1}
    dag, data = accuracy.drawn(piece)
    graph = learn("hc", data).graph
    found = {one.metric: one.value for one in accuracy.ACCURACY.run(piece)}
    assert set(found) == set(accuracy.METRICS)
    assert (found["JI"], found["SHD"]) == (jaccard(graph, cpdag(dag)), shd(graph, cpdag(dag)))
    assert 0 < found["average precision"] <= 1
    assert math.isnan(found["Brier"])
    assert data.complete == ("missing" not in cell)


def test_a_run_that_does_not_end_has_no_figures(monkeypatch):
    """Only the elapsed seconds are recorded."""
    monkeypatch.setattr(accuracy, "_warmed", lambda *_: None)
    monkeypatch.setattr(accuracy, "LIMIT", 0.0)
    found = list(accuracy.ACCURACY.run({"kind": "discrete", "network": "asia", "n": 200, "program": "pc", "seed": 1}))
    assert all(math.isnan(one.value) for one in found)
    assert found[-1].seconds > 0


def test_mixed_columns_reach_other_programs_as_numbers_and_codes():
    """A continuous column has arity 0."""
    dag, data = accuracy.drawn({"kind": "mixed", "p": 6, "n": 50, "seed": 1})
    problem = accuracy.problem_of(data, dag)
    assert (problem.arity == 0).tolist() == [kind == "continuous" for kind in data.kinds]
    for j, kind in enumerate(data.kinds):
        own = data.values[:, data.place[j]] if kind == "continuous" else data.codes[data.place[j]]
        np.testing.assert_array_equal(problem.data[j], own)


@pytest.mark.deep
def test_what_recommend_knows_is_reported_by_the_stored_rows():
    """`python -m benchmarks measured` writes exactly the stored file, and all of its lines are read."""
    text = measured.measured(stored_rows("accuracy"))
    assert PATH.read_text() == text
    assert sum(len(one.values["graph"]) for one in settings()) == len(text.splitlines()) - 1
