"""The Python side of the graph component: what a page gets back, and whose word counts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from viz import graph_view as graph_view_package

TIMEOUT = 30  # seconds; the default of 3 is too short on a loaded machine


def page() -> None:
    import streamlit as st

    from viz.graph_view import graph_view

    nodes = [{"id": k, "label": f"v{k}", "x": k / 2, "y": 0.5} for k in range(3)]
    edges = [{"id": 0, "a": 0, "b": 1, "spans": [[0, 6, "undirected"]]}]
    data = {"nodes": nodes, "edges": edges, "steps": {"count": 10, "choice": 6}, "run": st.session_state.get("run", "")}
    asked = st.session_state.get("asked", {})
    st.session_state["result"] = graph_view(data, key="graph", **asked)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page, default_timeout=TIMEOUT).run()


def tell(app: AppTest, **values: object) -> AppTest:
    """Play a user: the picture tells its whole view."""
    view = {"run": "", "step": 6, "selected": None, "positions": [], "pins": [], "seen": 0} | values
    app.session_state["graph"] = {"view": view}
    return app.run()


def test_first_step_is_the_algorithms_choice(app: AppTest) -> None:
    """Before anyone touches it, the picture stands at the choice with nothing selected."""
    assert not app.exception
    result = app.session_state["result"]
    assert (result.step, result.selected, result.positions, result.pins) == (6, None, {}, ())


def test_what_the_user_did_comes_back(app: AppTest) -> None:
    """Step, selection, dragged positions and pins reach the page."""
    told = {"positions": [[1, 0.25, 0.75]], "moves": "1"}
    result = tell(app, step=2, selected=[0, 1], pins=[2, 5], **told).session_state["result"]
    assert result.step == 2
    assert result.selected == (0, 1)
    assert result.positions == {1: (0.25, 0.75)}
    assert result.pins == (2, 5)


def test_places_are_the_pages_until_the_user_moves_a_node(app: AppTest) -> None:
    """A move is told once; afterwards what the page hands over counts, also if it has put nodes back."""
    app.session_state["asked"] = {"places": {0: (0.1, 0.2)}}
    result = app.run().session_state["result"]
    assert result.positions == {0: (0.1, 0.2)}
    moved = {"positions": [[1, 0.25, 0.75]], "moves": "1"}
    result = tell(app, **moved).session_state["result"]
    assert result.positions == {1: (0.25, 0.75)}
    app.session_state["asked"] = {}
    result = app.run().session_state["result"]
    assert result.positions == {}


def test_a_move_is_told_before_the_rerun_and_once(monkeypatch) -> None:
    """The page that drew the picture may have been left by then."""
    kept: dict = {"graph": {"view": {"run": "", "positions": [[1, 0.25, 0.75]], "moves": "1"}}}
    monkeypatch.setattr(graph_view_package.st, "session_state", kept)
    told: list = []
    changed = partial(graph_view_package._changed, "graph", "", {"count": 4}, None)
    changed(told.append, None)
    assert told == [{1: (0.25, 0.75)}]
    graph_view_package._Requests.of("graph").is_new("moves", "1")
    changed(told.append, None)
    assert len(told) == 1


def test_what_is_seen_is_told_before_the_rerun(monkeypatch) -> None:
    """The rerun may be for a click after it, on another view; a selection that the page has is not told again."""
    view = {"run": "", "step": 2, "threshold": 0.25, "reference": 1, "selected": [0, 1]}
    monkeypatch.setattr(graph_view_package.st, "session_state", {"graph": {"view": view}})
    wishes, told = graph_view_package._Requests.of("graph"), []
    for before in (None, [0, 1]):
        wishes.returned = {"selected": before}
        graph_view_package._changed("graph", "", {"count": 4}, None, None, told.append)
    first, again = told
    assert (first.step, first.threshold, first.reference, first.selected) == (2, 0.25, 1, (0, 1))
    assert again == replace(first, selected=None)


def test_a_selected_node_is_not_a_pair(app: AppTest) -> None:
    """One node comes back as its id, also the node 0."""
    assert tell(app, selected=0).session_state["result"].selected == 0


def test_a_wish_of_the_page_counts_until_the_user_acts_on_it(app: AppTest) -> None:
    """A table's click beats the older click in the graph; the next click in the graph beats the table."""
    tell(app, selected=[0, 1], step=3)
    app.session_state["asked"] = {"selected": (1, 2)}
    assert app.run().session_state["result"].selected == (1, 2)
    assert app.run().session_state["result"].selected == (1, 2)
    assert tell(app, selected=[0, 2], step=3, seen=1).session_state["result"].selected == (0, 2)


def test_an_echo_is_no_wish(app: AppTest) -> None:
    """A page that hands back what it was told does not hold the user at an old step."""
    tell(app, step=3)
    app.session_state["asked"] = {"step": 3}
    app.run()
    assert tell(app, step=8).session_state["result"].step == 8


def test_the_same_wish_can_be_made_again(app: AppTest) -> None:
    """After an echo of the user's own choice, an earlier wish is a new one."""
    for asked, told in (((0, 1), None), ([0, 2], [0, 2]), ((0, 1), None)):
        app.session_state["asked"] = {"selected": tuple(asked)}
        app.run() if told is None else tell(app, selected=told, seen=1)
    assert app.session_state["result"].selected == (0, 1)


def test_an_empty_wish_clears_the_selection(app: AppTest) -> None:
    """``selected=()`` takes the selection away, None leaves it."""
    tell(app, selected=[0, 1])
    assert app.run().session_state["result"].selected == (0, 1)
    app.session_state["asked"] = {"selected": ()}
    assert app.run().session_state["result"].selected is None


def test_a_step_wished_for_in_one_run_can_be_wished_for_in_the_next(app: AppTest) -> None:
    """Steps of two runs are different steps, though they have the same number."""
    app.session_state["asked"] = {"step": 3}
    assert app.run().session_state["result"].step == 3
    app.session_state["run"] = "another"
    app.session_state["asked"] = {}
    assert app.run().session_state["result"].step == 6
    app.session_state["asked"] = {"step": 3}
    assert app.run().session_state["result"].step == 3


def test_another_run_starts_at_its_own_choice(app: AppTest) -> None:
    """Step and pins of one run mean nothing for the next; the selection stays."""
    tell(app, step=2, selected=[0, 1], pins=[2])
    app.session_state["run"] = "another"
    result = app.run().session_state["result"]
    assert (result.step, result.pins, result.selected) == (6, (), (0, 1))


@pytest.mark.parametrize(("told", "step"), [(99, 9), (-3, 0)], ids=["beyond", "before"])
def test_the_step_is_always_one_that_exists(app: AppTest, told: int, step: int) -> None:
    """A step left over from longer data is moved to the nearest one."""
    assert tell(app, step=told).session_state["result"].step == step
