"""The start of a step of a lesson, which gets view and focus when a click opens the step."""

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
    """Mark the start of a step if it was asked for; it stays until another step is, so that the focus is not lost."""
    asked, name = st.session_state.get(f"{key}_moved", (None, ""))
    if asked == step:
        label = t("Step {k} of {n}", k=step + 1, n=n_steps)
        _component(key=f"{key}_start", data={"request": name, "label": label})
