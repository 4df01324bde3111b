"""The presenter view: ``?present=1`` shows one graph to a hall, ``?present=notes`` is the speaker's second window."""

from __future__ import annotations

import streamlit as st

from viz.graph_view import GraphViewData

MODES = ("", "1", "notes")
PAGES = ("inspect", "lessons")
KEY, SLIDE = "present", "slide"


def mode() -> str:
    """What the address says: nothing, for a hall, or the notes."""
    return st.session_state.get(KEY, "") if st.session_state.page in PAGES else ""


def begin() -> None:
    """Show the hall what is on screen."""
    st.session_state[KEY], st.session_state[SLIDE] = "1", 0


def leave() -> None:
    """Back to the page."""
    st.session_state[KEY] = ""


def offer(page: str) -> None:
    """The button that begins it."""
    if st.button(
        "Present", key=f"{page}_present", icon=":material/present_to_all:",
        help="Large type, the graph first; a remote's keys walk the steps. Notes open in a second window.",
    ):  # fmt: skip
        begin()
        st.rerun()


def for_hall(data: GraphViewData) -> GraphViewData:
    """The same picture as the presenter view shows it."""
    return data | {"present": mode(), "allow_pins": False} if mode() else data


def hear(asked: str) -> None:
    """Do what a presenter asked for by a key: turn a slide, or leave."""
    if asked:
        if asked == "leave":
            leave()
        else:
            st.session_state[SLIDE] = max(0, slide() + (1 if asked == "on" else -1))
        st.rerun()


def slide() -> int:
    """Position of the slide on screen, where there are slides."""
    return st.session_state.get(SLIDE, 0)
