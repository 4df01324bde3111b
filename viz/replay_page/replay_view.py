"""The widget of a replay for notebooks, by anywidget."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from learners.common.errors import ParameterError
from learners.common.other_programs import HEIGHT
from learners.common.wording import did_you_mean, shown_value

PACK = re.compile(r'<script type="text/plain" id="pack-page">([^<]*)</script>')


class ReplayView(anywidget.AnyWidget):
    """A replay in a notebook.

    Attributes
    ----------
    selected : tuple of str
        The selected pair, the selected variable, or nothing.
    slider : str
        Name of the slider that is shown, one of `sliders`.
    step : int
        Its position, from 0.
    sliders : dict of str to int
        The sliders, with their numbers of steps.
    height : int
        Height in pixels.

    Notes
    -----
    `selected`, `slider`, `step` and `height` can be set, and observed: ``view.observe(work, "selected")``.
    """

    _esm = (Path(__file__).parent / "widget.js").read_text(encoding="utf-8")
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(HEIGHT, min=100).tag(sync=True)
    state = traitlets.Dict().tag(sync=True)  # view, step and selected by position, as the page reports them
    selected = traitlets.Tuple()
    slider = traitlets.Unicode()
    step = traitlets.Int()

    def __init__(self, page: str) -> None:
        shown = page_of(page)
        self._names, self._first_steps = tuple(shown["names"]), [_first_step(view) for view in shown["views"]]
        self.sliders = {view["label"]: view["graph"]["steps"]["count"] for view in shown["views"]}
        first = shown["first"]
        state = {"view": first, "step": self._first_steps[first], "selected": []}
        super().__init__(page=page, state=state)

    def __repr__(self) -> str:
        return f"ReplayView(slider={self.slider!r}, step={self.step}, selected={self.selected!r})"

    @traitlets.observe("state")
    def _follow_page(self, change: dict[str, Any]) -> None:
        """Set the public traits to what the page shows."""
        state = change["new"]
        with self.hold_trait_notifications():
            self.slider = list(self.sliders)[state["view"]]
            self.step = state["step"]
            self.selected = tuple(self._names[k] for k in state["selected"])

    @traitlets.observe("selected", "slider", "step")
    def _tell_page(self, change: dict[str, Any]) -> None:
        """Send what Python has set."""
        view = list(self.sliders).index(self.slider)
        step = self.step if change["name"] != "slider" or view == self.state["view"] else self._first_steps[view]
        self.state = {"view": view, "step": step, "selected": [self._names.index(name) for name in self.selected]}

    @traitlets.validate("selected")
    def _check_selected(self, proposal: dict[str, Any]) -> tuple[str, ...]:
        selected = proposal["value"]
        for name in selected:
            if name not in self._names:
                raise ParameterError(f"selected: no variable {shown_value(name)}{did_you_mean(name, self._names)}")
        if len(selected) > 2 or len(set(selected)) < len(selected):
            raise ParameterError(f"selected must be at most two different variables, got {shown_value(selected)}")
        return selected

    @traitlets.validate("slider")
    def _check_slider(self, proposal: dict[str, Any]) -> str:
        if proposal["value"] not in self.sliders:
            known = ", ".join(map(repr, self.sliders))
            raise ParameterError(f"slider must be one of {known}, got {shown_value(proposal['value'])}")
        return proposal["value"]

    @traitlets.validate("step")
    def _check_step(self, proposal: dict[str, Any]) -> int:
        last = self.sliders[self.slider] - 1
        if not 0 <= proposal["value"] <= last:
            raise ParameterError(f"step must be between 0 and {last:,}, got {proposal['value']:,}")
        return proposal["value"]


def view_of(page: str) -> ReplayView:
    """Return the widget of a page that `replay_html` has made."""
    return ReplayView(page)


def page_of(page: str) -> dict[str, Any]:
    """Return the pack of a page that is opened first."""
    return json.loads(gzip.decompress(base64.b64decode(PACK.search(page)[1])))


def _first_step(view: dict[str, Any]) -> int:
    """Return the step that a slider shows at first, as graph_view.js chooses it."""
    steps = view["graph"]["steps"]
    choice = steps.get("choice")
    return steps["count"] - 1 if choice is None else choice
