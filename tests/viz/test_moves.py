"""Sentences about the moves of a search, and their replay."""

from __future__ import annotations

import pytest

from learners import learn, load_sample
from learners.trace import Action
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
