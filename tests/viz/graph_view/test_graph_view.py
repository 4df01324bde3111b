"""The Python wrapper of the graph component: reported state, and precedence of page requests and user actions."""

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


def report(app: AppTest, **values: object) -> AppTest:
    """Simulate a report of the browser."""
    view = {"run": "", "step": 6, "selected": None, "positions": [], "pins": [], "seen": 0} | values
    app.session_state["graph"] = {"view": view}
    return app.run()


def test_initial_step_is_the_result(app: AppTest) -> None:
    assert not app.exception
    result = app.session_state["result"]
    assert (result.step, result.selected, result.positions, result.pins) == (6, None, {}, ())


def test_user_state_reaches_the_page(app: AppTest) -> None:
    reported = {"positions": [[1, 0.25, 0.75]], "moves": "1"}
    result = report(app, step=2, selected=[0, 1], pins=[2, 5], **reported).session_state["result"]
    assert result.step == 2
    assert result.selected == (0, 1)
    assert result.positions == {1: (0.25, 0.75)}
    assert result.pins == (2, 5)


def test_positions_of_the_page_count_until_a_node_is_moved(app: AppTest) -> None:
    """A move is reported once; afterwards the positions of the page count, also after a reset."""
    app.session_state["asked"] = {"places": {0: (0.1, 0.2)}}
    result = app.run().session_state["result"]
    assert result.positions == {0: (0.1, 0.2)}
    moved = {"positions": [[1, 0.25, 0.75]], "moves": "1"}
    result = report(app, **moved).session_state["result"]
    assert result.positions == {1: (0.25, 0.75)}
    app.session_state["asked"] = {}
    result = app.run().session_state["result"]
    assert result.positions == {}


def test_a_move_is_reported_once_before_the_rerun(monkeypatch) -> None:
    """A move is reported once, before the rerun, since the user may have left the page by then."""
    kept: dict = {"graph": {"view": {"run": "", "positions": [[1, 0.25, 0.75]], "moves": "1"}}}
    monkeypatch.setattr(graph_view_package.st, "session_state", kept)
    reported: list = []
    changed = partial(graph_view_package._changed, "graph", "", {"count": 4}, None)
    changed(reported.append, None)
    assert reported == [{1: (0.25, 0.75)}]
    graph_view_package._Requests.of("graph").is_new("moves", "1")
    changed(reported.append, None)
    assert len(reported) == 1


def test_visible_state_is_reported_before_the_rerun(monkeypatch) -> None:
    """The state is reported before the rerun, which may show another view; a selection known to the page is omitted."""
    view = {"run": "", "step": 2, "threshold": 0.25, "reference": 1, "selected": [0, 1]}
    monkeypatch.setattr(graph_view_package.st, "session_state", {"graph": {"view": view}})
    requests, reported = graph_view_package._Requests.of("graph"), []
    for before in (None, [0, 1]):
        requests.returned = {"selected": before}
        graph_view_package._changed("graph", "", {"count": 4}, None, None, reported.append)
    first, again = reported
    assert (first.step, first.threshold, first.reference, first.selected) == (2, 0.25, 1, (0, 1))
    assert again == replace(first, selected=None)


def test_a_selected_node_is_not_a_pair(app: AppTest) -> None:
    """A single node is returned as its id, including 0."""
    assert report(app, selected=0).session_state["result"].selected == 0


def test_a_request_of_the_page_counts_until_the_user_acts(app: AppTest) -> None:
    """A click in a table overrides an older click in the graph; the next click in the graph overrides the table."""
    report(app, selected=[0, 1], step=3)
    app.session_state["asked"] = {"selected": (1, 2)}
    assert app.run().session_state["result"].selected == (1, 2)
    assert app.run().session_state["result"].selected == (1, 2)
    assert report(app, selected=[0, 2], step=3, seen=1).session_state["result"].selected == (0, 2)


def test_an_echo_is_not_a_request(app: AppTest) -> None:
    """A page that passes back the reported step does not reset a later one."""
    report(app, step=3)
    app.session_state["asked"] = {"step": 3}
    app.run()
    assert report(app, step=8).session_state["result"].step == 8


def test_a_request_can_be_repeated(app: AppTest) -> None:
    """A request that equals an earlier one is applied if the user chose something else in between."""
    for asked, reported in (((0, 1), None), ([0, 2], [0, 2]), ((0, 1), None)):
        app.session_state["asked"] = {"selected": tuple(asked)}
        app.run() if reported is None else report(app, selected=reported, seen=1)
    assert app.session_state["result"].selected == (0, 1)


def test_an_empty_request_clears_the_selection(app: AppTest) -> None:
    """``selected=()`` clears the selection, None keeps it."""
    report(app, selected=[0, 1])
    assert app.run().session_state["result"].selected == (0, 1)
    app.session_state["asked"] = {"selected": ()}
    assert app.run().session_state["result"].selected is None


def test_the_same_step_can_be_requested_in_the_next_run(app: AppTest) -> None:
    app.session_state["asked"] = {"step": 3}
    assert app.run().session_state["result"].step == 3
    app.session_state["run"] = "another"
    app.session_state["asked"] = {}
    assert app.run().session_state["result"].step == 6
    app.session_state["asked"] = {"step": 3}
    assert app.run().session_state["result"].step == 3


def test_another_run_starts_at_its_result(app: AppTest) -> None:
    """Step and pins are reset, the selection stays."""
    report(app, step=2, selected=[0, 1], pins=[2])
    app.session_state["run"] = "another"
    result = app.run().session_state["result"]
    assert (result.step, result.pins, result.selected) == (6, (), (0, 1))


@pytest.mark.parametrize(("reported", "step"), [(99, 9), (-3, 0)], ids=["beyond", "before"])
def test_a_step_out_of_range_is_clipped(app: AppTest, reported: int, step: int) -> None:
    assert report(app, step=reported).session_state["result"].step == step
