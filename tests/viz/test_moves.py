"""Sentences about the moves of a search, and their replay."""

from __future__ import annotations

import math

import pytest

from learners import learn, load_sample
from learners.trace import Action
from tests.viz.cases import made
from viz.explain import sentence_of
from viz.layout import layout
from viz.timeline import layout_graph, timeline


@pytest.fixture(scope="module", params=["hc", "tabu"])
def result(request):
    """A search on a small sample."""
    return learn(request.param, load_sample("asia").dataset)


def test_each_move_is_a_sentence_with_its_gain(result):
    """The names, the kind of move, and by how much the score changed."""
    for event in result.trace:
        sentence = sentence_of(event, result.names)
        assert result.names[event.i] in sentence
        assert result.names[event.j] in sentence
        if event.phase == "moves":
            assert sentence.startswith(event.rule)
            assert f"score {event.statistic:+.4g}" in sentence


def test_the_timeline_of_a_search_starts_empty_and_counts_its_edges(result):
    """The curve is the score; the number of edges follows additions and deletions."""
    data = timeline(result, layout(layout_graph(result)))
    series = {one["label"]: one["values"] for one in data["steps"]["series"]}
    assert data["steps"]["text"][0] == "the start: no pair is joined"
    assert data["steps"]["series"][data["steps"]["curve"]]["label"] == "score"
    edges = [result.trace.graph_at(step).n_edges for step in range(data["steps"]["count"])]
    assert series["edges"] == edges
    assert len(series["score"]) == data["steps"]["count"]
    assert any(event.action == Action.UNORIENT for event in result.trace)


def test_a_greedy_start_is_replayed_move_by_move():
    """One sentence an arrow with the gain of its step, and a score that climbs step by step before the search."""
    found = learn("gsc", load_sample("asia").dataset, skeleton="mmpc", start="hgi")
    initial = [event for event in found.trace if event.phase == "initial graph"]
    names = found.names
    texts = [sentence_of(event, names) for event in initial]
    for event, text in zip(initial, texts, strict=True):
        parents = {names[event.i], *(names[k] for k in event.cond)}
        if event.rule == "collider":
            first, last = (names[event.cond[0]], names[event.i])
            assert text == f"add {first} → {names[event.j]} ← {last}, score {event.statistic:+.4g}"
        elif event.rule == "collider begun":
            assert text.endswith(f": first {names[event.i]} → {names[event.j]}")
            assert parents <= set(text.replace(",", "").replace(":", "").split())
        elif event.action == Action.ORIENT:
            assert text.startswith(f"add {names[event.i]} → {names[event.j]}, score {event.statistic:+.4g}: ")
        else:
            assert text.startswith(f"leave {names[event.i]} — {names[event.j]} out")
    data = timeline(found, layout(layout_graph(found)))
    assert data["steps"]["series"][0]["label"] == "score"
    scores = data["steps"]["series"][0]["values"]
    assert len(scores) == data["steps"]["count"]
    first = next(step for step, value in enumerate(scores) if value is not None)
    climb = scores[first : first + len(initial) + 1]
    assert climb == sorted(climb)
    assert climb[-1] == pytest.approx(climb[0] + sum(s.gain for s in found.extra.steps if s.op != "drop"), abs=0.01)
    assert data["steps"]["text"][first + 1 : first + 1 + len(initial)] == texts


def test_steps_of_a_start_that_add_nothing_say_why():
    """A direction that would cost, one that is barred, and an edge that no rule settles."""
    told = {
        ("no gain", -3.25): "leave a — b out: with a → b, score -3.25",
        ("no gain", -math.inf): "leave a — b out: a cycle or the limit on parents is in the way",
        ("unsettled", math.nan): "leave a — b out: no rule gives it a direction",
    }
    for (rule, gain), text in told.items():
        event = {"phase": "initial graph", "action": Action.REMOVE, "i": 0, "j": 1, "rule": rule, "statistic": gain}
        assert sentence_of(made([event]).trace[0], "abc") == text
