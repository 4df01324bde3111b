"""The scrubbable graph: one component whose steps are drawn in the browser, with no round trip to Python.

The only file outside the pages that knows Streamlit: it registers the component and mounts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import streamlit as st

from ..graph_data import GraphViewData, NodeId, Rule, Stroke
from .bundle import bundle

__all__ = ["GraphViewData", "GraphViewState", "NodeId", "Stroke", "graph_view"]

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "edgewise_graph_view",
    css="\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.css"))),
    js=bundle(HERE / "graph_view.js"),
)


@dataclass(frozen=True)
class GraphViewState:
    """What the user sees and did.

    Attributes
    ----------
    step : int
    selected : pair of node ids, node id, or None
        A pair may or may not be an edge.
    positions : dict of node id to (x, y)
        Nodes put somewhere by hand, in layout units.
    pins : tuple of int
        Pinned steps, oldest first.
    threshold : float or None
        Where the user dragged the threshold's line.
    asked : pair or None
        What the user has just said of an edge (a, b): the name of a rule, and the two.
    reference : int or None
        The step that the others are compared with, where the steps are values of a parameter.
    strokes : tuple of Stroke
        What the user has just drawn, or clicked where a click asks something, oldest first.
    presented : str
        What a presenter has just asked for: "on" or "back" for a slide, "leave"; else empty.
    """

    step: int
    selected: tuple[NodeId, NodeId] | NodeId | None = None
    positions: dict[NodeId, tuple[float, float]] = field(default_factory=dict)
    pins: tuple[int, ...] = ()
    threshold: float | None = None
    asked: tuple[Rule, tuple[NodeId, NodeId]] | None = None
    reference: int | None = None
    strokes: tuple[Stroke, ...] = ()
    presented: str = ""


def graph_view(
    data: GraphViewData,
    *,
    key: str,
    height: int | None = None,
    selected: tuple[NodeId, NodeId] | NodeId | tuple[()] | None = None,
    step: int | None = None,
    places: Mapping[NodeId, tuple[float, float]] | None = None,
    visit: int = 0,
    on_change: Callable[[], None] | None = None,
    on_moved: Callable[[Mapping[NodeId, tuple[float, float]]], None] | None = None,
    on_seen: Callable[[GraphViewState], None] | None = None,
) -> GraphViewState:
    """Draw the graph with its scrubber.

    Parameters
    ----------
    data : GraphViewData
    key : str
        Keeps the picture, its zoom and what the user did across reruns.
    height : int, optional
        Of picture and scrubber in pixels; by default what the page leaves of the first screen.
    selected : pair of node ids, node id, empty tuple or None
        Followed when it differs from the last call and from what the user selected: pass what another widget chose,
        or nothing. An empty tuple clears.
    step : int, optional
        Followed in the same way. The first step shown is the algorithm's choice unless this says otherwise.
    places : mapping of node id to (x, y), optional
        Where nodes were put by hand; the others lie where `data` says.
    visit : int
        With another number than in the last call, `step` and `selected` are followed whatever was asked before.
    on_change : callable, optional
        Called before the rerun that an action of the user causes.
    on_moved : callable, optional
        Called with the positions of all nodes put by hand, if one was moved: keep them, and hand them back as `places`
        from now on. That is before the rerun, which may never come to its end, as when the user goes to another page.
    on_seen : callable, optional
        Called with what the user now sees (`selected` if that is new, and nothing of what was asked), before the rerun
        as well, which may show another view instead: on a busy machine a move and the click after it make one rerun.

    Returns
    -------
    GraphViewState
    """
    last = data["steps"]["count"] - 1
    told = _told(key, data.get("run", ""))
    wishes = _Wishes.of(key)
    wishes.enter(data.get("run", ""), visit)
    wishes.note("step", None if step is None else min(step, last), told)
    wishes.note("selected", list(selected) if isinstance(selected, tuple) else selected, told)
    moved, asked = wishes.hear("moves", told.get("moves", "")), told.get("asked") or {}
    asks, strokes = wishes.hear("asked", asked.get("id", "")), wishes.hear_strokes(told.get("strokes", []))
    presented = told.get("presented") or {}
    presents = wishes.hear("presented", presented.get("id", ""))
    positions = _positions(told) if moved else dict(places or {})
    if moved and on_moved:
        on_moved(positions)
    by_hand = {"at": [[node, [x, y]] for node, (x, y) in positions.items()], "heard": wishes.heard["moves"]}
    _component(
        key=key,
        data={
            "graph": data,
            "key": key,
            "session": wishes.session,
            "height": height,
            "request": wishes.latest,
            "places": by_hand,
            "drawn": wishes.drawn,
        },
        on_view_change=partial(_changed, key, data.get("run", ""), data["steps"], on_change, on_moved, on_seen),
    )
    seen = _seen(told, wishes, data["steps"])
    wishes.returned = {"step": seen.step, "selected": wishes.current("selected", told)}
    return replace(
        seen,
        positions=positions,
        asked=(asked["rule"], tuple(asked["pair"])) if asks else None,
        strokes=strokes,
        presented=presented["what"] if presents else "",
    )


def _seen(told: Mapping[str, Any], wishes: _Wishes, steps: Mapping[str, Any]) -> GraphViewState:
    """What is on screen, but for what was done and moved by hand."""
    last, choice = steps["count"] - 1, steps.get("choice")
    step, chosen = wishes.current("step", told), wishes.current("selected", told)
    shown = step if step is not None else last if choice is None else choice
    return GraphViewState(
        step=max(0, min(int(shown), last)),
        selected=(tuple(chosen) or None) if isinstance(chosen, list) else chosen,
        pins=tuple(told.get("pins", ())),
        threshold=told.get("threshold"),
        reference=told.get("reference"),
    )


@dataclass
class _Wishes:
    """What Python asked of the picture: each new wish gets a number, and the picture tells the last one it saw."""

    session: str = field(default_factory=lambda: uuid4().hex)
    last: dict = field(default_factory=dict)
    latest: dict = field(default_factory=dict)
    returned: dict = field(default_factory=dict)
    count: int = 0
    run: str = ""
    visit: int = 0
    heard: dict[str, str] = field(default_factory=dict)
    drawn: int = 0

    @classmethod
    def of(cls, key: str) -> _Wishes:
        """Those of the component `key`; forgotten when Streamlit forgot the component's own state."""
        name = f"_{key}_wishes"
        if key not in st.session_state or name not in st.session_state:
            st.session_state[name] = cls()
        return st.session_state[name]

    def enter(self, run: str, visit: int) -> None:
        """Forget the steps of another run, which mean nothing in this one; and all that was asked on another visit."""
        if visit != self.visit:
            self.visit = visit
            self.last.clear()
            self.returned.clear()
        if run != self.run:
            self.run = run
            for known in (self.last, self.latest, self.returned):
                known.pop("step", None)

    def hear(self, name: str, now: str) -> bool:
        """Whether what the user did last, each time with another mark, is news since the last call."""
        before, self.heard[name] = self.heard.get(name, ""), now
        return now not in ("", before)

    def hear_strokes(self, told: list[Stroke]) -> tuple[Stroke, ...]:
        """Those that are news since the last call."""
        fresh = tuple(stroke for stroke in told if stroke["id"] > self.drawn)
        self.drawn = max((stroke["id"] for stroke in fresh), default=self.drawn)
        return fresh

    def note(self, name: str, value: object, told: dict) -> None:
        """Number `value` as a new wish if it is one, and not just what the user did."""
        if value is None or value == self.last.get(name):
            return
        self.last[name] = value
        # A page that hands back what it got last time asks for nothing: the user may have moved on since.
        if value != self.returned.get(name) and value != self.current(name, told):
            self.count += 1
            self.latest = self.latest | {name: {"id": self.count, "value": value}}

    def current(self, name: str, told: dict) -> object:
        """The wish, until the picture tells something after having seen it."""
        wish = self.latest.get(name)
        return wish["value"] if wish and wish["id"] > told.get("seen", 0) else told.get(name)


def _told(key: str, run: str) -> dict:
    """What the picture last told; its step and pins mean nothing for another run."""
    told = dict(st.session_state.get(key) or {}).get("view") or {}
    return (
        told if told.get("run", "") == run else told | {"step": None, "pins": [], "threshold": None, "reference": None}
    )


def _positions(told: Mapping) -> dict[NodeId, tuple[float, float]]:
    return {node: (x, y) for node, x, y in told.get("positions", [])}


def _changed(
    key: str,
    run: str,
    steps: Mapping[str, Any],
    on_change: Callable[[], None] | None,
    on_moved: Callable[[Mapping[NodeId, tuple[float, float]]], None] | None,
    on_seen: Callable[[GraphViewState], None] | None,
) -> None:
    told, wishes = _told(key, run), _Wishes.of(key)
    if on_moved and told.get("moves", "") not in ("", wishes.heard.get("moves")):
        on_moved(_positions(told))
    if on_seen:
        seen, before = _seen(told, wishes, steps), wishes.returned.get("selected")
        on_seen(replace(seen, selected=None) if wishes.current("selected", told) == before else seen)
    if on_change:
        on_change()
