"""Views of a score path: its graphs one by one, and the rank of a pair."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from learners import cpdag, learn, load_sample
from learners.common.wording import format_statistic
from learners.evaluation.metrics import shd
from learners.explaining.explanation import explanation
from learners.families.score_based.explaining import rank_clause
from learners.graphs.graph import PDAG
from viz.graph_data import SHD
from viz.kinds import callouts
from viz.score_based.penalties import penalty_timeline

LOADED = load_sample("gauss30")
HOSTILE = tuple(f"<b>{k}</b>](x)" for k in range(30))


@pytest.fixture(scope="module")
def result():
    return learn("score_path", LOADED.dataset)


def drawn(data, step) -> PDAG:
    """Return the graph that the spans draw at a step."""
    amat = np.zeros((30, 30), dtype=bool)
    for edge in data["edges"]:
        for begin, end, mark in edge["spans"]:
            if begin <= step < end:
                amat[edge["a"], edge["b"]] = mark in ("forward", "undirected")
                amat[edge["b"], edge["a"]] = mark in ("backward", "undirected")
    return PDAG(amat)


def test_each_step_draws_the_graph_of_its_penalty(result):
    """Each step shows its edges, its distance from the truth and a text; the choice is the result."""
    path, truth = result.extra, cpdag(LOADED.truth) if LOADED.truth.is_dag else LOADED.truth
    data = penalty_timeline(result, np.zeros((30, 2)), truth=truth)
    steps = data["steps"]
    series = {one["label"]: one["values"] for one in steps["series"]}
    assert steps["count"] == len(path.graphs) == len(steps["text"])
    for step, graph in enumerate(path.graphs):
        assert drawn(data, step) == graph
        assert series["edges"][step] == graph.n_edges
        assert series[SHD][step] == shd(graph, truth)
        assert f"{path.penalties[step]:.3g} × BIC" in steps["text"][step]
    assert path.graphs[steps["choice"]] == result.graph
    strengths = {edge["strength"] for edge in data["edges"]}
    assert min(strengths) >= 0.1
    assert max(strengths) == pytest.approx(1.0)
    json.dumps(data)


def test_pairs_are_reported_their_rank(result):
    """*Explain* and the picture show the rank of a pair; pairs that are never adjacent have no rank."""
    path = result.extra
    for rank in (0, len(path.pairs) - 1):
        i, j = path.pairs[rank].tolist()
        words = f"rank {rank + 1} of {len(path.pairs)}, present up to {format_statistic(path.survives[i, j])} × BIC"
        assert rank_clause(result, i, j).text(()) == rank_clause(result, j, i).text(()) == words
        assert explanation(result, (i, j)).sentences[0] == f"R{words[1:]}."
    i, j = np.argwhere(np.triu(np.isnan(path.survives), 1))[0].tolist()
    assert rank_clause(result, i, j) is None
    assert explanation(result, (i, j)).sentences[0] == "No penalty that was tried adds this edge, so it has no rank."
    assert "best supported edge" in callouts(result)[0]


def test_names_are_no_markup(result):
    """Names are returned unchanged; the code that displays them has to escape them."""
    data = penalty_timeline(dataclasses.replace(result, names=HOSTILE), np.zeros((30, 2)))
    assert [node["label"] for node in data["nodes"]] == list(HOSTILE)
