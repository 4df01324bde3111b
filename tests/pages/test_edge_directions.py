"""Tests of the DAGs of a class on the page: stepping, directing an edge by hand, undoing it."""

from __future__ import annotations

from learners.graphs.edge_reversal import direct_edge
from learners.graphs.equivalence_class import dags_of_class
from tests.pages.driving import AppTest, go, open_app, plain, press, sound


def run_of(at: AppTest):
    return at.session_state["runs"][at.session_state["current"]]


def texts(at: AppTest) -> str:
    return plain(" ".join(one.value for one in [*at.markdown, *at.caption]))


def test_an_edge_is_directed_and_taken_back() -> None:
    """The first open edge of asia is directed together with the implied edges; Undo restores the CPDAG."""
    at = go(open_app(sample="asia"), "inspect")
    graph, names = run_of(at).result.graph, run_of(at).result.names
    i, j = graph.undirected_edges()[0]
    at.session_state["pair"] = (names[i], names[j])
    sound(at.run())
    sound(press(at, f"class_turn_{i}_{j}"))
    expected = direct_edge(graph, i, j)
    assert at.session_state["tried"][1].moves == (expected,)
    assert f"By hand: {names[i]} → {names[j]}" in texts(at)
    sound(press(at, "class_undo"))
    assert at.session_state["tried"][1].moves == ()
    sound(press(at, "class_leave"))
    assert at.session_state["temporary_mode"] is None


def test_the_dags_are_walked_and_one_is_turned() -> None:
    """Reversing an open edge of the DAG on screen gives another DAG of the class."""
    at = go(open_app(sample="asia"), "inspect")
    run = run_of(at)
    graph, names = run.result.graph, run.result.names
    i, j = graph.undirected_edges()[0]
    at.session_state["pair"] = (names[i], names[j])
    sound(press(at.run(), "class_class"))
    dag = dags_of_class(graph)[0]
    a, b = (i, j) if dag.mark(i, j) == "forward" else (j, i)
    sound(press(at, f"class_turn_{b}_{a}"))
    after = at.session_state["tried"][1].moves[-1]
    assert after.edge == (b, a)
    assert after.graph in dags_of_class(graph)
    compelled = graph.directed_edges()[0]
    at.session_state["pair"] = tuple(names[k] for k in compelled)
    sound(at.run())
    assert "Every DAG of the class has " in texts(at)


def test_pinned_graphs_are_called_what_they_are() -> None:
    """A pinned DAG of the class is named by its number, a graph directed by hand by its edges."""
    at = go(open_app(sample="asia"), "inspect")
    run = run_of(at)
    i, j = run.result.graph.undirected_edges()[0]
    a, b = run.result.names[i], run.result.names[j]
    at.session_state["pair"] = (a, b)
    sound(press(at.run(), "class_class"))
    press(at, "inspect_pin")
    press(press(at, "class_leave"), f"class_turn_{i}_{j}")
    sound(press(at, "inspect_pin"))
    labels = [moment.label for moment in at.session_state["pins"]]
    assert labels == ["pin 1 of run 1, DAG 1 of its class", f"pin 2 of run 1, {a} → {b} directed by hand"]
    assert "Common edges" in [
        option.content for one in go(at, "compare").get("button_group") for option in one.proto.options
    ]
