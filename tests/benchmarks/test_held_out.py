"""The experiment on fresh tables: cells and programs, the run of a piece, and the table of wins and losses."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from benchmarks.papers import held_out
from benchmarks.papers.experiment import label
from benchmarks.papers.wins import wins
from benchmarks.worker import find_solver
from learners import LEARNERS, cpdag, learn, recommend
from learners.evaluation.metrics import jaccard, shd, skeleton_confusion


def test_every_cell_has_five_samples_of_every_program():
    """Each table has five numbers of rows; programs run on the column types that they accept."""
    pieces = held_out.HELD_OUT.pieces("desk")
    assert {piece["seed"] for piece in pieces} == set(range(987_001, 987_006))
    assert len({label(one) for one in held_out.CELLS}) == len(held_out.TABLES) * len(held_out.SIZES)
    assert all(callable(find_solver(one.solver)) for one in held_out.PROGRAMS)
    assert set(held_out.OURS) - {held_out.RECOMMENDED} <= set(LEARNERS)
    for piece in pieces:
        assert piece["kind"] in held_out.KINDS_OF_PEER.get(piece["program"], held_out.ALL)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["discrete", "linear", "mixed"])
def test_a_piece_compares_the_recommended_learner_with_the_true_class(kind):
    """The figures equal those of `learn` with the learner that `recommend` names first."""
    piece = {"kind": kind, "p": 6, "n": 100, "program": held_out.RECOMMENDED, "seed": 3}
    dag, data = held_out.drawn(piece)
    graph, truth = learn(recommend(data, "graph").choices[0].key, data).graph, cpdag(dag)
    graph = cpdag(graph) if graph.is_dag else graph
    found = {one.metric: one.value for one in held_out.HELD_OUT.run(piece)}
    assert tuple(found) == held_out.METRICS
    assert (found["JI"], found["SHD"]) == (jaccard(graph, truth), shd(graph, truth))
    assert found["skeleton F1"] == pytest.approx(skeleton_confusion(graph, truth).f1)


def _rows(values: dict[str, list[float]]) -> pd.DataFrame:
    cell = held_out.CELLS[0]
    lines = [
        {"piece": label({**cell, "program": name, "seed": seed}), "method": name, "metric": "JI", "value": value}
        for name, line in values.items()
        for seed, value in enumerate(line)
    ]
    return pd.DataFrame(lines)


def test_a_win_is_the_mean_difference_from_the_best_peer():
    """The best peer is that of the highest mean, and a peer without an answer counts as 0."""
    values = {"recommended": [0.6, 0.8], "boss": [0.5, 0.5], "Tetrad BOSS": [0.5, 0.5], "pybnesian HC": [0.9, math.nan]}
    line = wins(_rows(values)).iloc[0]
    assert (line["peer"], line["peer_ji"]) == ("Tetrad BOSS", 0.5)
    assert line["recommended"] == pytest.approx(0.7)
    assert line["difference"] == pytest.approx(0.2)
    assert line["difference_error"] == pytest.approx(0.1)
