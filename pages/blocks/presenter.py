"""Presenter view: ``?present=1`` shows one graph to an audience, ``?present=notes`` opens the speaker's notes."""

from __future__ import annotations

import streamlit as st

from viz.graph_view import GraphViewData
from viz.translation.sentences import translator

MODES = ("", "1", "notes")
PAGES = ("inspect", "lessons")
KEY, SLIDE, NUMBER = "present", "slide", "presentation"


def mode() -> str:
    """Return the mode in the address: empty, "1" for the audience, or "notes"."""
    return st.session_state.get(KEY, "") if st.session_state.page in PAGES else ""


def begin() -> None:
    """Enter the presenter view, which begins at the first slide and without answers."""
    st.session_state[KEY], st.session_state[SLIDE] = "1", 0
    st.session_state[NUMBER] = st.session_state.get(NUMBER, 0) + 1


def suffix() -> str:
    """Return a suffix of widget keys: empty on the page, else one that no other presentation has."""
    return f"_{mode()}_{st.session_state.get(NUMBER, 0)}" if mode() else ""


def leave() -> None:
    """Leave the presenter view."""
    st.session_state[KEY] = ""


def offer(page: str, language: str) -> None:
    """Show the button that enters the presenter view."""
    t = translator(language)
    if st.button(
        t("Present run" if page == "inspect" else "Present lesson"),
        key=f"{page}_present",
        icon=":material/present_to_all:",
        help=t("Large type for an audience; a remote control moves through the steps. Notes open in a second "
"window."),
    ):  # fmt: skip
        begin()
        st.rerun()


def for_hall(data: GraphViewData) -> GraphViewData:
    """Return the picture adapted to the presenter view, if that is open."""
    return data | {"present": mode(), "allow_pins": False} if mode() else data


def hear(asked: str) -> None:
    """Carry out a key command of the presenter: turn a slide or leave."""
    if asked:
        if asked == "leave":
            leave()
        else:
            st.session_state[SLIDE] = max(0, slide() + (1 if asked == "on" else -1))
        st.rerun()


def slide() -> int:
    """Return the position of the slide on screen."""
    return st.session_state.get(SLIDE, 0)
