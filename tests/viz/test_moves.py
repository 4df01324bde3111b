"""Sentences about the moves of a search, and their replay."""

from __future__ import annotations

import pytest

from learners import cpdag, learn, load_sample
from learners.metrics import shd
from learners.trace import Action
from viz.callouts import callouts
from viz.explain import explain, sentence_of
from viz.layout import layout
from viz.moves import MOVES
from viz.search_steps import comparable, search_steps
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
            same = abs(event.statistic) < 1e-6  # what rounding makes of nothing
            assert ("score unchanged" if same else f"score {event.statistic:+.4g}") in sentence


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


def test_long_history_of_a_pair_is_told_in_short():
    """A tabu search turns an edge back and forth dozens of times: the first and the last move, and how many between."""
    result = learn("tabu", load_sample("asia").dataset)
    moves = {(i, j): 0 for j in range(8) for i in range(j)}
    for event in result.trace:
        if event.rule in ("add", "delete", "reverse"):
            moves[min(event.i, event.j), max(event.i, event.j)] += 1
    most = max(moves, key=moves.get)
    story = explain(result, *most).sentences
    assert moves[most] > 10
    assert any(f"{moves[most] - 2} more moves of this edge" in sentence for sentence in story)
    assert len(story) < 8
    assert not any(sentence.startswith("Back to the best: back") for sentence in story)


def test_hill_climbing_has_something_to_point_at():
    """Its first move with the gain, and where the score ended."""
    result = learn("hc", load_sample("asia").dataset)
    first = callouts(result)[0]
    assert f"{result.trace[0].statistic:+.4g}" in first
    assert "9 moves" in first
    assert "and found none better" not in first
    further = callouts(learn("tabu", load_sample("asia").dataset))[0]
    assert "and found none better" in further


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


def test_deletions_of_a_search_are_landmarks_too():
    """Next change stops at every move, not only where an edge gets a direction."""
    result = learn("tabu", load_sample("asia").dataset)
    data = timeline(result, layout(layout_graph(result)))
    steps = [s for s, t in enumerate(result.trace.changes.tolist(), 1) if result.trace[t].rule in ("add", "delete")]
    assert set(steps) <= set(data["steps"]["events"])
    assert any(result.trace[t].rule == "delete" for t in result.trace.changes.tolist())


@pytest.mark.parametrize("key", ["hc", "phgs"])
def test_distance_from_the_truth_is_that_of_equivalence_classes(key):
    """A DAG on the way is not blamed for directions that nobody can know; at the end the distance is the result's."""
    loaded = load_sample("child")
    result = learn(key, loaded.dataset)
    truth = cpdag(loaded.truth) if loaded.truth.is_dag else loaded.truth
    data = timeline(result, layout(layout_graph(result)), truth=truth)
    distance = next(one["values"] for one in data["steps"]["series"] if "SHD" in one["label"])
    steps = search_steps(result)
    assert len(steps) > 10
    for step in (steps[0], steps[5], steps[-1]):
        graph = result.trace.graph_at(step)
        assert distance[step] == (shd(cpdag(graph), truth) if graph.is_dag else None)
        assert comparable(result, step, graph) == (cpdag(graph) if graph.is_dag else graph)
    assert distance[-1] == shd(result.graph, truth)
    assert comparable(result, None, result.graph) is result.graph
    assert "so far" in data["directed"]


def test_other_runs_have_no_steps_of_a_search():
    """Their arrows are compelled from the moment they are drawn."""
    result = learn("pc", load_sample("child").dataset)
    assert len(search_steps(result)) == 0
    assert "directed" not in timeline(result, layout(layout_graph(result)))
