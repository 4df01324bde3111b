"""Places in a lesson that a click leads to: its heading, the start of a step, and the end of an answer."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import streamlit as st

from pages.session.words import t
from viz import lesson_page
from viz.bundle import bundle

HERE = Path(lesson_page.__file__).parent
_component = st.components.v2.component(
    "edgewise_next_step",
    css=(HERE / "next_step.css").read_text(encoding="utf-8"),
    js=bundle(HERE / "next_step.js"),
    isolate_styles=False,
)


def request(key: str, step: int) -> None:
    """Ask that a step of the lesson with this key, counted from 0, gets view and focus."""
    st.session_state[f"{key}_moved"] = (step, uuid4().hex)


def mark(key: str, step: int, n_steps: int) -> None:
    """Mark the start of the requested step; the mark stays until another request, so that the focus is not lost."""
    asked, name = st.session_state.get(f"{key}_moved", (None, ""))
    if asked == step:
        label = t("Step {k} of {n}", k=step + 1, n=n_steps)
        _component(key=f"{key}_start", data={"request": name, "label": label, "kind": "step"})


def request_heading() -> None:
    """Ask that the heading of the lesson gets view and focus."""
    st.session_state["lesson_heading"] = uuid4().hex


def mark_heading() -> None:
    """Move view and focus to the heading above if that was asked for."""
    if name := st.session_state.get("lesson_heading"):
        _component(key="lesson_heading_start", data={"request": name, "label": "", "kind": "heading"})


def mark_end(key: str, shown: object) -> None:
    """Bring the end of an answer into view; once for each value of `shown`."""
    before, name = st.session_state.get(f"{key}_revealed", (None, ""))
    if before != repr(shown):
        name = uuid4().hex
        st.session_state[f"{key}_revealed"] = (repr(shown), name)
    _component(key=f"{key}_end", data={"request": name, "label": "", "kind": "end"})
