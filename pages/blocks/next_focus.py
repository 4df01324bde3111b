"""Keyboard focus after a click that opens or closes a part of a page, which removes the button that had the focus."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import streamlit as st

import viz
from viz.bundle import bundle

STATE = "next_focus"  # session key: name of the request and selector of the element
_component = st.components.v2.component(
    "edgewise_next_focus",
    js=bundle(Path(viz.__file__).parent / "next_focus.js"),
    isolate_styles=False,
)


def request(target: str) -> None:
    """Ask that the first element of a CSS selector gets the focus, once it is on the page."""
    st.session_state[STATE] = (uuid4().hex, target)


def place() -> None:
    """Give the focus to the element that was asked for last; later runs of the page change nothing."""
    if STATE in st.session_state:
        name, target = st.session_state[STATE]
        with st.container(key="next_focus"):
            _component(key="next_focus_mark", data={"request": name, "target": target})
