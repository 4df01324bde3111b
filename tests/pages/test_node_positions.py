"""Tests of node positions set by hand, which are kept by name for each table and layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.session import node_positions
from tests.pages.driving import edit, go, learn_now, open_app, small_table, sound, upload


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
        (901, ["hubs", "circle"]),
        (5_000, ["hubs", "circle"]),
    ],
)
def test_large_graphs_are_arranged_by_hubs(p, names, monkeypatch):
    """The usual arrangement comes first; layers and forces are not offered for large graphs."""
    monkeypatch.setattr(node_positions.background_knowledge, "knowledge", lambda _: None)
    run = SimpleNamespace(result=SimpleNamespace(names=[f"v{k}" for k in range(p)]), knowledge=None)
    assert list(node_positions.arrangements(run)) == names
    assert names[0] == node_positions.usual_kind(p)


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
