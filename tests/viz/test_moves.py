"""Sentences about the moves of a search, and their replay."""

from __future__ import annotations

import pytest

from learners import learn, load_sample
from learners.trace import Action
from viz.explain import explain, sentence_of
from viz.layout import layout
from viz.moves import MOVES
from viz.timeline import layout_graph, timeline


@pytest.fixture(scope="module", params=["hc", "tabu", "ges"])
def result(request):
    """A search on a small sample."""
    return learn(request.param, load_sample("asia").dataset)


def test_each_move_is_a_sentence_with_its_gain(result):
    """The names, the kind of move, and by how much the score changed."""
    for event in result.trace:
        sentence = sentence_of(event, result.names)
        assert result.names[event.i] in sentence
        assert result.names[event.j] in sentence
        if event.rule in MOVES and event.phase != "back to the best":
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
    assert any(event.action in (Action.ADD, Action.UNORIENT) for event in result.trace)


def test_insertions_name_what_becomes_a_parent_too():
    """And the marks that the new class turns are told as such."""
    result = learn("ges", load_sample("insurance").dataset)
    beside = [event for event in result.trace if event.rule == "insert" and event.cond]
    assert beside
    for event in beside:
        assert "next to {" in sentence_of(event, result.names)
    turned = next(event for event in result.trace if event.rule == "compelled")
    assert sentence_of(turned, result.names).startswith(f"{result.names[turned.i]} → {result.names[turned.j]}: all")


def test_pairs_that_a_class_search_leaves_apart_are_explained():
    """Never inserted, or inserted and deleted again."""
    never = learn("ges", load_sample("asia").dataset)
    x, y = next((i, j) for i in range(8) for j in range(i) if not never.graph.skeleton[i, j])
    sentences = explain(never, x, y).sentences
    assert sentences[0] == "No move joined them."
    assert sentences[1].startswith("When the insertions ended, adding it to any graph of the class")
    again = learn("ges", load_sample("alarm").dataset)
    gone = next(event for event in again.trace if event.rule == "delete" and not again.graph.skeleton[event.i, event.j])
    sentences = explain(again, gone.i, gone.j).sentences
    assert sentences[0] == "The search tried the edge and took it out again."
    assert sentences[-1].startswith("Backward: delete")


@pytest.mark.parametrize("restriction", ["skeleton", "cig"])
def test_restricted_search_says_what_the_tests_allowed(restriction):
    """First the p-value that counts, then the moves; both for pairs inside and outside."""
    data = load_sample("gauss30").dataset
    result = learn("arges", data, restriction=restriction, start="empty", alpha=0.05)
    pairs = result.extra.restriction.skeleton
    lead = {"cig": "Given all other columns", "skeleton": "Of their tests the largest p is"}[restriction]
    triple = {"cig": "a v-structure", "skeleton": "an unshielded triple"}[restriction]
    for inside in (True, False):
        x, y = next((i, j) for i in range(data.p) for j in range(i) if pairs[i, j] == inside)
        sentences = explain(result, x, y).sentences
        assert sentences[0].startswith(lead)
        end = "free to join them." if inside else f"allowed to join them only while that shields {triple}."
        assert sentences[0].endswith(end)
    for event in result.trace:
        assert sentence_of(event, result.names)
