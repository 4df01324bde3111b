"""Timelines: each step draws the graph of that step."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from learners.evaluation import metrics
from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.io.samples import load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from learners.results.events import Action
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, made, oriented
from viz import replay
from viz.graph_data import SHD
from viz.kinds import layout_graph, timeline

MARKS = {"undirected": (True, True), "forward": (True, False), "backward": (False, True), "conflict": (True, True)}


def picture(result, truth=None):
    """Return the timeline with nodes on a diagonal."""
    p = len(result.names)
    return timeline(result, np.linspace(0, 1, 2 * p).reshape(p, 2), truth=truth)


def drawn(data, step):
    """Return the graph that the spans draw at a step, and the pairs with conflicts."""
    p = len(data["nodes"])
    amat, conflicts = np.zeros((p, p), dtype=bool), set()
    for edge in data["edges"]:
        a, b = edge["a"], edge["b"]
        marks = [mark for begin, end, mark in edge["spans"] if begin <= step < end]
        assert len(marks) <= 1, "spans overlap"
        if marks:
            amat[a, b], amat[b, a] = MARKS[marks[0]]
            conflicts |= {(a, b)} if marks[0] == "conflict" else set()
    return PDAG(amat), conflicts


def check_replay(data, result):
    """Assert that every step draws the graph of the trace."""
    steps, last = data["steps"], data["steps"]["count"] - 1
    disputed = {tuple(sorted((e.i, e.j))) for e in result.trace if e.action == Action.CONFLICT}
    for step in range(steps["count"]):
        graph, conflicts = drawn(data, step)
        assert graph == result.trace.graph_at(step + steps["offset"])
        assert conflicts == (disputed if step == last else set())


@pytest.mark.parametrize("seed", SEEDS)
def test_spans_replay_the_trace(seed):
    """Cancelled runs and background knowledge are included; the last step is the result."""
    result, data = learnt(seed), picture(learnt(seed))
    check_replay(data, result)
    assert data["steps"]["count"] == len(result.trace.changes) + 1
    assert drawn(data, data["steps"]["count"] - 1)[0] == result.graph


@pytest.mark.parametrize("most", [3, 9])
@pytest.mark.parametrize("seed", SEEDS)
def test_dense_start_is_skipped(seed, most, monkeypatch):
    """The first sentence reports the skipped steps, and the remaining steps replay correctly."""
    monkeypatch.setattr(replay, "MAX_EDGES", most)
    result = learnt(seed)
    data = picture(result)
    steps = data["steps"]
    check_replay(data, result)
    enough = most >= result.graph.n_edges
    assert drawn(data, 0)[0].n_edges <= most or not enough
    assert steps["offset"] == 0 or steps["text"][0] == f"first {steps['offset']:,} removals not drawn"
    assert steps["count"] >= 1
    assert steps["count"] + steps["offset"] == len(result.trace.changes) + 1


def test_early_cancelled_run_draws_its_last_graph(monkeypatch):
    monkeypatch.setattr(replay, "MAX_EDGES", 1)
    result = made([judged(Action.REMOVE, 0, 1, -0.5)], complete=False)
    data = picture(result)
    assert (data["steps"]["count"], data["steps"]["choice"], data["steps"]["offset"]) == (1, 0, 1)
    assert drawn(data, 0)[0] == result.graph


def test_conflict_shows_in_the_last_step_only():
    """Earlier steps draw no conflict."""
    result = made([oriented(1, 2, Rule.R1, (0,)), oriented(0, 1, Rule.CONFLICT, (2,), Action.CONFLICT)])
    data = picture(result)
    check_replay(data, result)
    assert drawn(data, 1)[1] == {(0, 1)}
    assert drawn(data, 0)[1] == set()


def test_conflict_in_a_run_without_changes():
    result = made([oriented(0, 1, Rule.CONFLICT, (2,), Action.CONFLICT)])
    assert drawn(picture(result), 0)[1] == {(0, 1)}


@pytest.mark.parametrize("seed", SEEDS)
def test_spans_are_valid(seed):
    """Spans are ascending, not empty and inside the steps; each pair occurs once with a < b; ids are consecutive."""
    data = picture(learnt(seed))
    count = data["steps"]["count"]
    assert [edge["id"] for edge in data["edges"]] == list(range(len(data["edges"])))
    pairs = [(edge["a"], edge["b"]) for edge in data["edges"]]
    assert pairs == sorted(set(pairs))
    assert all(a < b for a, b in pairs)
    for edge in data["edges"]:
        assert all(0 <= begin < end <= count for begin, end, _ in edge["spans"])
        assert all(before[1] <= after[0] for before, after in pairwise(edge["spans"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_series_match_the_graph_of_each_step(seed):
    """Number of edges and SHD equal those computed from the graph itself."""
    result = learnt(seed)
    truth = learnt((seed + 2) % 12).graph if len(learnt((seed + 2) % 12).names) == len(result.names) else result.graph
    steps = picture(result, truth)["steps"]
    series = {one["label"]: one["values"] for one in steps["series"]}
    graphs = [result.trace.graph_at(s) for s in range(steps["count"])]
    assert series["edges"] == [graph.n_edges for graph in graphs]
    assert series[SHD] == [metrics.shd(graph, truth) for graph in graphs]


@pytest.mark.parametrize("seed", SEEDS)
def test_curve_of_p_belongs_to_the_removed_edge(seed):
    """The curve shows log10 p of the test that removed the edge, or None without a test."""
    result = learnt(seed)
    series = {one["label"]: one["values"] for one in picture(result)["steps"]["series"]}
    log_p = [result.trace[int(t)].log_p / np.log(10) for t in result.trace.changes]
    shown = series["log10 p of the removed edge"]
    assert shown[0] is None
    for value, expected in zip(shown[1:], log_p, strict=True):
        assert (value is None) == (not np.isfinite(expected))
        assert value is None or value == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_have_sentences_events_and_phases(seed):
    """Phases are in order and in range, and the choice is the last step."""
    result = learnt(seed)
    steps = picture(result)["steps"]
    assert len(steps["text"]) == steps["count"]
    assert steps["choice"] == steps["count"] - 1
    assert steps["events"] == sorted(set(steps["events"]))
    assert steps["events"][0] == 0
    assert steps["events"][-1] == steps["count"] - 1
    begins = [phase["from"] for phase in steps["phases"]]
    assert begins == sorted(set(begins))
    assert all(0 < begin < steps["count"] for begin in begins)
    for phase in steps["phases"]:
        change = result.trace[int(result.trace.changes[phase["from"] - 1])]
        assert str(change.phase) == phase["label"]
    oriented_at = [s for s, t in enumerate(result.trace.changes, 1) if result.trace.action[t] == Action.ORIENT]
    assert set(oriented_at) <= set(steps["events"])


@pytest.mark.parametrize("seed", SEEDS)
def test_data_is_json_of_plain_values(seed):
    """The data contain no NaN, infinity or numpy type."""
    json.dumps(picture(learnt(seed), learnt(seed).graph), allow_nan=False)


@pytest.mark.parametrize("seed", SEEDS)
def test_strength_is_a_share_of_the_strongest_edge(seed):
    """Shares are in [0, 1], None without a test and 1 for the strongest edge, and preserve the order."""
    result, data = learnt(seed), picture(learnt(seed))
    values = result.strengths.values
    drawn_strengths = {(e["a"], e["b"]): e["strength"] for e in data["edges"]}
    assert all(s is None or 0 <= s <= 1 for s in drawn_strengths.values())
    assert all((s is None) == bool(np.isnan(values[pair])) for pair, s in drawn_strengths.items())
    kept = [pair for pair in drawn_strengths if result.graph.skeleton[pair] and drawn_strengths[pair] is not None]
    ranked = sorted(kept, key=lambda pair: values[pair])
    assert [drawn_strengths[pair] for pair in ranked] == sorted((drawn_strengths[p] for p in kept), reverse=True)
    assert not ranked or drawn_strengths[ranked[0]] == pytest.approx(1.0)


def test_knowledge_is_marked_on_its_edges():
    """Exactly the required and forbidden pairs are marked."""
    result = made([oriented(0, 1, Rule.REQUIRED), oriented(1, 2, Rule.FORBIDDEN, action=Action.REMOVE)], p=3)
    signs = {(e["a"], e["b"]): (e["required"], e["forbidden"]) for e in picture(result)["edges"]}
    assert signs == {(0, 1): (True, False), (0, 2): (False, False), (1, 2): (False, True)}


def test_labels_are_the_unescaped_names():
    """Labels are not escaped, because the component sets them as text."""
    data = picture(made([], p=len(HOSTILE), names=HOSTILE))
    assert [node["label"] for node in data["nodes"]] == list(HOSTILE)


@pytest.mark.parametrize("seed", SEEDS)
def test_layout_graph_adds_the_last_removed_edges(seed):
    result = learnt(seed)
    graph = layout_graph(result)
    kept = result.graph.skeleton
    assert np.array_equal(graph.amat[kept], result.graph.amat[kept])
    removed = [e for e in result.trace if e.action == Action.REMOVE]
    late = {frozenset((e.i, e.j)) for e in removed[-max(2, len(result.names) // 5) :]}
    assert {frozenset(pair) for pair in np.argwhere(graph.skeleton & ~kept).tolist()} == late


@pytest.mark.deep
def test_large_run_stays_within_its_limit():
    """With 300 variables, the number of edges and the size of the data are limited."""
    result = learn("pc", sample(random_gaussian_network(300, 300, seed=0), 200, seed=0), max_cond_size=1)
    data = picture(result)
    assert drawn(data, 0)[0].n_edges <= replay.MAX_EDGES
    assert len(json.dumps(data)) < 4_000_000
    assert drawn(data, data["steps"]["count"] - 1)[0] == result.graph


def test_run_without_tests_has_no_curve_of_p():
    labels = [one["label"] for one in picture(made([]))["steps"]["series"]]
    assert labels == ["edges"]


def test_strength_on_hover_is_a_p_value():
    data = picture(made([judged(Action.KEEP, 0, 1, float(np.log(0.013)))]))
    assert data["edges"][0]["strength_text"] == "largest p 0.013"


def test_a_graph_denser_than_can_be_drawn_keeps_its_strongest_edges(monkeypatch):
    """The first sentence names the limit."""
    monkeypatch.setattr(replay, "MAX_DRAWN", 1)
    data = picture(made([judged(Action.KEEP, 0, 1, -9.0), judged(Action.KEEP, 0, 2, -90.0)], complete=False))
    assert len(data["edges"]) == 1
    assert "only the 1 strongest edges are drawn" in data["steps"]["text"][0]


def test_timeline_of_a_learner_that_starts_without_edges():
    """With MMPC, the spans match the rebuilt graphs, and the curve is labelled as p."""
    result = learn("mmpc", load_sample("child").dataset, alpha=0.2)
    data = picture(result)
    assert data["steps"]["text"][0] == "start: no edges"
    assert data["steps"]["text"][1].endswith(tuple("0123456789"))
    assert "log10 p of the changed edge" in {one["label"] for one in data["steps"]["series"]}
    graphs = [result.trace.graph_at(s).skeleton for s in range(data["steps"]["count"])]
    for edge in data["edges"]:
        drawn = [any(begin <= s < end for begin, end, _ in edge["spans"]) for s in range(len(graphs))]
        assert drawn == [bool(graph[edge["a"], edge["b"]]) for graph in graphs]
    assert data["steps"]["phases"][0]["label"] == "round 1"
