"""Where a class begins: with the questions of a quiz, or the exercises of a lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.lessons.lesson import Exercise
from pages.session import classrooms
from viz.text import escape_markdown

Slides = tuple[Sequence[Exercise], Sequence[Mapping[str, Any]], str]


def offer(slides: Callable[[], Slides], key: str) -> None:
    """A button that opens a class; `slides` makes its exercises, what is shown beside each, and its title."""
    if st.button(
        "Ask a class", key=f"{key}_class", icon=":material/groups:",
        help="Students join by a QR code and answer on their phones; the tally stands beside the graph.",
    ):  # fmt: skip
        try:
            classrooms.begin(*slides())
        except LearnersError as error:
            st.error(escape_markdown(str(error)))
            return
        st.switch_page("pages/classroom.py")


def banner(page: str) -> None:
    """The way back to a class that is open, on every other page."""
    entry = classrooms.mine()
    if entry is not None and page != "classroom":
        st.sidebar.page_link("pages/classroom.py", label=f"Class {entry.code} is open", icon=":material/groups:")
