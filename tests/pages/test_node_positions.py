"""Tests of node positions set by hand, which are kept by name for each table and layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from learners.graphs.graph import PDAG
from pages.session import node_positions
from tests.pages.driving import edit, go, learn_now, open_app, small_table, sound, upload
from viz.layout.positions import MAX_LAYERED_SIZE


def graph_key(at: AppTest, page: str) -> str:
    run = at.session_state["runs"][at.session_state["current"]]
    return f"{page}_graph_{run.dataset.fingerprint[:12]}_layered"


def drag(at: AppTest, page: str, positions: list, moves: str) -> AppTest:
    """Simulate the graph component, which reports the positions of all moved nodes."""
    run = at.session_state["runs"][at.session_state["current"]]
    view = {"run": str(run.number), "step": None, "selected": None, "pins": [], "seen": 0}
    at.session_state[graph_key(at, page)] = {"view": view | {"positions": positions, "moves": moves}}
    return at.run()


def kept(at: AppTest) -> dict:
    return at.session_state["by_hand"]


def test_a_place_is_kept_by_name_on_every_page_and_run():
    """A position set on Inspect holds on Start and in the next run, and a reset removes it."""
    at = sound(drag(go(open_app(sample="asia"), "inspect"), "inspect", [[2, 0.25, 0.75]], "1"))
    run = at.session_state["runs"][0]
    (title, arrangement), places = next(iter(kept(at).items()))
    assert (title, arrangement) == (run.source.title, "layered")
    assert places == {run.result.names[2]: (0.25, 0.75)}
    sound(go(at, "start"))
    sound(learn_now(at))
    assert next(iter(kept(at).values())) == places
    sound(drag(go(at, "inspect"), "inspect", [], "2"))
    assert next(iter(kept(at).values())) == {}


def test_another_table_keeps_places_of_its_own():
    """Names may recur in another table; the former table's positions are kept."""
    at = drag(go(open_app(sample="asia"), "inspect"), "inspect", [[2, 0.25, 0.75]], "1")
    before = dict(kept(at))
    sound(learn_now(upload(go(at, "data"), small_table())))
    sound(drag(go(at, "inspect"), "inspect", [[0, 0.5, 0.5]], "3"))
    assert {**kept(at), **before} == kept(at)
    assert kept(at)["mine.csv", "layered"] == {"a": (0.5, 0.5)}


@pytest.mark.parametrize(
    ("p", "names"),
    [
        (49, ["layered", "force", "circle"]),
        (50, ["layered", "hubs", "force", "circle"]),
        (900, ["layered", "hubs", "force", "circle"]),
        (901, ["hubs", "layered", "circle"]),
        (MAX_LAYERED_SIZE, ["hubs", "layered", "circle"]),
        (MAX_LAYERED_SIZE + 1, ["hubs", "circle"]),
        (5_000, ["hubs", "circle"]),
    ],
)
def test_large_graphs_are_arranged_by_hubs(p, names, large_run):
    """The usual arrangement comes first; large graphs have no forces, and layers only up to a limit."""
    run = large_run(PDAG.empty(p))
    assert list(node_positions.arrangements(run)) == names
    assert names[0] == node_positions.usual_kind(p)


def test_layers_of_large_graphs_are_a_choice_by_their_bends(large_run):
    """Layers of 1,041 variables are offered if few edges are long; a choice made for small graphs changes nothing."""
    chain = [(k, k + 1) for k in range(40)]  # 41 layers
    few = large_run(PDAG.from_edges(1041, directed=[*chain, *((0, k) for k in range(10, 20))]))
    many = large_run(PDAG.from_edges(1041, directed=[*chain, *((0, k) for k in range(10, 41))]))
    assert "layered" in node_positions.arrangements(few)
    assert "layered" not in node_positions.arrangements(many)
    node_positions.st.session_state["layout"] = "layered"
    assert node_positions.arrangement(few) == "hubs"
    node_positions.st.session_state["large_layout"] = "layered"
    assert node_positions.arrangement(few) == "layered"
    assert node_positions.arrangement(many) == "hubs"
    small = large_run(PDAG.empty(20))
    assert node_positions.arrangement(small) == "layered"


@pytest.fixture
def large_run(monkeypatch):
    """Return a function that makes a run with this graph."""
    monkeypatch.setattr(node_positions.background_knowledge, "knowledge", lambda _: None)
    monkeypatch.setattr(node_positions, "layout_graph", lambda result: result.graph)
    monkeypatch.setattr(node_positions.st, "session_state", {"layout": "force", "large_layout": "hubs"})

    def make(graph):
        result = SimpleNamespace(names=[f"v{k}" for k in range(graph.p)], graph=graph)
        return SimpleNamespace(result=result, knowledge=None, data={})

    return make


def test_variables_are_arranged_by_the_tiers_that_are_known():
    """The tier layout appears with the first tier, and gives each tier its own rows; without tiers it disappears."""
    at = go(open_app(sample="asia"), "inspect")
    assert "Tiers" not in arrangements(at)
    edit(go(at, "learn"), "learn_known_tiers", rows={0: {"tier": 1}, 1: {"tier": 2}, 2: {"tier": 1}})
    sound(go(at, "inspect"))
    assert "Tiers" in arrangements(at)
    sound(at.segmented_control(key="inspect_layout").set_value("tiers").run())
    run = at.session_state["runs"][0]
    name, places = next(
        (name, xy) for name, xy in at.session_state["places"][run.dataset.fingerprint].items() if "tiers" in name
    )
    assert name.startswith("tiers 1 2 1")
    heights = places[:, 1]
    assert max(heights[0], heights[2]) < heights[1] < min(heights[3:])
    edit(go(at, "learn"), "learn_known_tiers", rows={k: {"tier": None} for k in range(3)})
    sound(go(at, "inspect"))
    assert "Tiers" not in arrangements(at)
    assert at.segmented_control(key="inspect_layout").value == "layered"


def arrangements(at: AppTest) -> list[str]:
    return [option.content for option in at.segmented_control(key="inspect_layout").proto.options]
