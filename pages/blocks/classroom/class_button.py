"""The button that opens a class on the questions of a quiz or a lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.teaching.classroom.class_error import ClassError
from learners.teaching.lessons.lesson import Exercise
from pages.session import classrooms
from pages.session.state import LANGUAGE
from pages.session.words import t, written
from viz.text import escape_markdown
from viz.translation.sentences import translator

Slides = tuple[Sequence[Exercise], Sequence[Mapping[str, Any]], str]


def offer(slides: Callable[[], Slides], key: str, label_language: str = "en") -> None:
    """Show the button; `slides` returns the exercises with their pictures, and the title.

    The class has the language of the lessons, the button that of its page.
    """
    t = translator(label_language)
    if st.button(
        t("Ask a class"), key=f"{key}_class", icon=":material/groups:",
        help=t("Students join by QR code and answer on their phones. The tally appears beside the graph."),
    ):  # fmt: skip
        language = st.session_state.get(LANGUAGE) or "en"
        try:
            classrooms.begin(*slides(), language)
        except ClassError as error:
            st.error(escape_markdown(t(error.template, **error.values)))
            return
        except LearnersError as error:
            st.error(escape_markdown(written(str(error))))
            return
        st.switch_page("pages/classroom.py")


def banner(page: str) -> None:
    """Link to the open class on every other page."""
    entry = classrooms.mine()
    if entry is not None and page != "classroom":
        label = t("Class {code} is open", code=entry.code)
        st.sidebar.page_link("pages/classroom.py", label=label, icon=":material/groups:")
