"""The graph component with its step slider; steps are drawn in the browser, without a round trip to Python.

This is the only module outside the pages that imports Streamlit: it registers the component and mounts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import streamlit as st

from ..bundle import bundle
from ..graph_data import GraphViewData, NodeId, Rule, Stroke
from ..text import in_language
from ..translation.sentences import catalog, words_of_scripts

__all__ = ["GraphViewData", "GraphViewState", "NodeId", "Stroke", "graph_view"]

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "edgewise_graph_view",
    css="\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.css"))),
    js=bundle(HERE / "graph_view.js"),
)


@dataclass(frozen=True)
class GraphViewState:
    """State of the graph component: the step on screen and the user's actions.

    Attributes
    ----------
    step : int
    selected : pair of node ids, node id, or None
        A pair need not be adjacent.
    positions : dict of node id to (x, y)
        Nodes moved by hand, in layout units.
    pins : tuple of int
        Pinned steps, oldest first.
    threshold : float or None
        Value to which the user dragged the threshold line.
    asked : pair or None
        Rule that the user has just stated for an edge (a, b): its name and the pair.
    reference : int or None
        Step that the others are compared with, where the steps are values of a parameter.
    strokes : tuple of Stroke
        New drawing actions, or clicks in question mode, oldest first.
    presented : str
        New request of the presenter: "on" or "back" for a slide, "leave"; otherwise "".
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
    language: str = "en",
    on_change: Callable[[], None] | None = None,
    on_moved: Callable[[Mapping[NodeId, tuple[float, float]]], None] | None = None,
    on_seen: Callable[[GraphViewState], None] | None = None,
) -> GraphViewState:
    """Draw the graph with its step slider.

    Parameters
    ----------
    data : GraphViewData
    key : str
        Identifies the component; the browser keeps zoom and user state across reruns.
    height : int, optional
        Height of graph and slider in pixels. Default: the rest of the first screen.
    selected : pair of node ids, node id, empty tuple or None
        Selection requested by the page. It is followed if it differs from the last call and from the user's selection;
        an empty tuple clears the selection.
    step : int, optional
        Step requested by the page, followed in the same way. The first step shown is the result unless this is given.
    places : mapping of node id to (x, y), optional
        Positions of nodes moved by hand; the other nodes have the positions of `data`.
    visit : int
        If it changes, `step` and `selected` are followed regardless of previous requests.
    language : str
        Language of all texts: "en" or "de".
    on_change : callable, optional
        Called before the rerun that a user action causes.
    on_moved : callable, optional
        Called with the positions of all nodes moved by hand, after a move. Store them and pass them as `places` from
        then on. The call comes before the rerun, which may never finish if the user leaves the page.
    on_seen : callable, optional
        Called with the state on screen before the rerun; `selected` is set only if it is new. The rerun may show
        another view: on a busy machine, a move and the following click cause one rerun.

    Returns
    -------
    GraphViewState
    """
    last = data["steps"]["count"] - 1
    reported = _reported(key, data.get("run", ""))
    requests = _Requests.of(key)
    requests.enter(data.get("run", ""), visit)
    requests.add("step", None if step is None else min(step, last), reported)
    requests.add("selected", list(selected) if isinstance(selected, tuple) else selected, reported)
    moved, asked = requests.is_new("moves", reported.get("moves", "")), reported.get("asked") or {}
    asks, strokes = requests.is_new("asked", asked.get("id", "")), requests.new_strokes(reported.get("strokes", []))
    presented = reported.get("presented") or {}
    presents = requests.is_new("presented", presented.get("id", ""))
    positions = _positions(reported) if moved else dict(places or {})
    if moved and on_moved:
        on_moved(positions)
    by_hand = {"at": [[node, [x, y]] for node, (x, y) in positions.items()], "heard": requests.seen["moves"]}
    _component(
        key=key,
        data={
            "graph": in_language(data, catalog(language)),
            "key": key,
            "session": requests.session,
            "height": height,
            "request": requests.latest,
            "places": by_hand,
            "drawn": requests.drawn,
            "language": language,
            "words": words_of_scripts(language, HERE),
        },
        on_view_change=partial(_changed, key, data.get("run", ""), data["steps"], on_change, on_moved, on_seen),
    )
    state = _state(reported, requests, data["steps"])
    requests.returned = {"step": state.step, "selected": requests.current("selected", reported)}
    return replace(
        state,
        positions=positions,
        asked=(asked["rule"], tuple(asked["pair"])) if asks else None,
        strokes=strokes,
        presented=presented["what"] if presents else "",
    )


def _state(reported: Mapping[str, Any], requests: _Requests, steps: Mapping[str, Any]) -> GraphViewState:
    """Return the state on screen, without one-time actions and positions."""
    last, choice = steps["count"] - 1, steps.get("begin", steps.get("choice"))
    step, chosen = requests.current("step", reported), requests.current("selected", reported)
    shown = step if step is not None else last if choice is None else choice
    return GraphViewState(
        step=max(0, min(int(shown), last)),
        selected=(tuple(chosen) or None) if isinstance(chosen, list) else chosen,
        pins=tuple(reported.get("pins", ())),
        threshold=reported.get("threshold"),
        reference=reported.get("reference"),
    )


@dataclass
class _Requests:
    """Numbered requests of the page to the component; the browser reports the last number that it has seen."""

    session: str = field(default_factory=lambda: uuid4().hex)
    last: dict = field(default_factory=dict)
    latest: dict = field(default_factory=dict)
    returned: dict = field(default_factory=dict)
    count: int = 0
    run: str = ""
    visit: int = 0
    seen: dict[str, str] = field(default_factory=dict)
    drawn: int = 0

    @classmethod
    def of(cls, key: str) -> _Requests:
        """Return the requests of a component; they are reset when Streamlit drops the state of the component."""
        name = f"_{key}_requests"
        if key not in st.session_state or name not in st.session_state:
            st.session_state[name] = cls()
        return st.session_state[name]

    def enter(self, run: str, visit: int) -> None:
        """Drop requests for steps when the run changes, and all requests on a new visit."""
        if visit != self.visit:
            self.visit = visit
            self.last.clear()
            self.returned.clear()
        if run != self.run:
            self.run = run
            for known in (self.last, self.latest, self.returned):
                known.pop("step", None)

    def is_new(self, name: str, mark: str) -> bool:
        """Return True if the mark of a user action has changed since the last call."""
        before, self.seen[name] = self.seen.get(name, ""), mark
        return mark not in ("", before)

    def new_strokes(self, strokes: list[Stroke]) -> tuple[Stroke, ...]:
        """Return the strokes that are new since the last call."""
        fresh = tuple(stroke for stroke in strokes if stroke["id"] > self.drawn)
        self.drawn = max((stroke["id"] for stroke in fresh), default=self.drawn)
        return fresh

    def add(self, name: str, value: object, reported: dict) -> None:
        """Mark a value as a new request, unless it only repeats the user's own action."""
        if value is None:
            self.last.pop(name, None)
        if value is None or value == self.last.get(name):
            return
        self.last[name] = value
        # A page that passes back the returned value requests nothing: the user may have changed it since.
        if value != self.returned.get(name) and value != self.current(name, reported):
            self.count += 1
            self.latest = self.latest | {name: {"id": self.count, "value": value}}

    def current(self, name: str, reported: dict) -> object:
        """Return the requested value until the browser has seen the request, then the reported one."""
        request = self.latest.get(name)
        return request["value"] if request and request["id"] > reported.get("seen", 0) else reported.get(name)


def _reported(key: str, run: str) -> dict:
    """Return the last state reported by the browser; step, pins and thresholds of another run are dropped."""
    state = dict(st.session_state.get(key) or {}).get("view") or {}
    if state.get("run", "") == run:
        return state
    return state | {"step": None, "pins": [], "threshold": None, "reference": None}


def _positions(reported: Mapping) -> dict[NodeId, tuple[float, float]]:
    return {node: (x, y) for node, x, y in reported.get("positions", [])}


def _changed(
    key: str,
    run: str,
    steps: Mapping[str, Any],
    on_change: Callable[[], None] | None,
    on_moved: Callable[[Mapping[NodeId, tuple[float, float]]], None] | None,
    on_seen: Callable[[GraphViewState], None] | None,
) -> None:
    reported, requests = _reported(key, run), _Requests.of(key)
    if on_moved and reported.get("moves", "") not in ("", requests.seen.get("moves")):
        on_moved(_positions(reported))
    if on_seen:
        state, before = _state(reported, requests, steps), requests.returned.get("selected")
        on_seen(replace(state, selected=None) if requests.current("selected", reported) == before else state)
    if on_change:
        on_change()
