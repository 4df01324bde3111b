"""Sliders of strengths beside a graph, with the two-way table and the bars that follow them."""

from __future__ import annotations

import streamlit as st

from learners.teaching.lessons.lesson import LessonNumbers
from pages.session.words import language
from viz.classroom.moving_numbers import bars_html, numbers_at, strength_view, table_markdown
from viz.graph_view import graph_view
from viz.text import escape_markdown
from viz.translation.captions import CAPTIONS

HEIGHT = 380  # pixels


@st.fragment
def show(block: LessonNumbers, key: str, lesson_language: str) -> None:
    """Show graph and numbers side by side.

    Parameters
    ----------
    block : LessonNumbers
    key : str
        Prefix of the keys of its widgets.
    lesson_language : str
        Language of the lesson.
    """
    positions = sliders(block, key, lesson_language)
    picture, words = st.columns(2, gap="medium")
    with words:
        table(block, positions, lesson_language)
    with picture:
        data = strength_view(block, positions) | {"run": f"{key} {positions}"}
        graph_view(data, key=f"{key}_graph", height=HEIGHT, language=language())
        bars(block, positions, lesson_language)


def sliders(block: LessonNumbers, key: str, lesson_language: str) -> list[int]:
    """Show a slider for each strength that moves; return their positions."""
    names, say = block.graph.names, CAPTIONS[lesson_language]
    positions = []
    for k, one in enumerate(block.moving):
        label = say["strength of"].format(a=names[one.pair[0]], b=names[one.pair[1]])
        value = st.select_slider(
            escape_markdown(label), one.values, one.values[one.begin], key=f"{key}_strength_{k}",
            format_func=lambda value: f"{value:+.2f}", persist_state="session",
        )  # fmt: skip
        positions.append(one.values.index(value))
    return positions


def positions_of(block: LessonNumbers, key: str) -> list[int]:
    """Return the positions of the sliders with a key, before they are shown in this run of the script."""
    values = [st.session_state.get(f"{key}_strength_{k}", one.values[one.begin]) for k, one in enumerate(block.moving)]
    return [one.values.index(value) for one, value in zip(block.moving, values, strict=True)]


def table(block: LessonNumbers, positions: list[int], lesson_language: str) -> None:
    """Show the two-way table and the differences."""
    found = numbers_at(block, positions, lesson_language, escape_markdown)
    st.markdown(table_markdown(found, escape_markdown))
    st.markdown(found["summary"])


def bars(block: LessonNumbers, positions: list[int], lesson_language: str) -> None:
    """Show the bars."""
    st.html(bars_html(numbers_at(block, positions, lesson_language)))
