"""The form with which a lecturer types a question during a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from learners.teaching.classroom.class_error import ClassError
from learners.teaching.classroom.class_registry import OpenClass
from learners.teaching.classroom.own_questions import (
    MAX_CHOICES,
    MAX_QUESTION_LETTERS,
    choice_question,
    entered_question,
)
from learners.teaching.lessons.lesson import Exercise
from learners.teaching.lessons.typed_answers import ClickedNodes, TypedNumber, TypedText
from viz.text import escape_markdown
from viz.translation.sentences import Translator, translator

CHOICES, TEXT, NUMBER, CLICK = "Choices", "Text", "Number", "Click in the graph"
FIELDS = ("text", "choices", "right", "value", "tolerance", "nodes")


def offer(entry: OpenClass) -> None:
    """Show the form in a menu."""
    t = translator(entry.language)
    # A question that was asked gives the menu another key, which closes it.
    with st.popover(t("Write question"), icon=":material/edit:", key=f"own_question_menu_{len(entry.room.exercises)}"):
        _form(entry, t)


def _form(entry: OpenClass, t: Translator) -> None:
    slide = _bare(entry.slides[entry.room.at])
    names = _names(slide)
    kinds = [CHOICES, TEXT, NUMBER, *([CLICK] if names else [])]
    text = st.text_input(t("Question"), key="own_question_text", max_chars=MAX_QUESTION_LETTERS)
    kind = st.segmented_control(
        t("Answer type"), kinds, default=CHOICES, required=True, format_func=t, key="own_question_kind"
    )
    exercise = lambda: entered_question(text, TypedText())  # noqa: E731
    if kind == CHOICES:
        lines = st.text_area(
            t("Choices"), key="own_question_choices", height=120, help=t("One per line, at most {n}.", n=MAX_CHOICES)
        )
        labels = [line.strip() for line in lines.splitlines() if line.strip()]
        right = st.selectbox(
            t("Right answer"), range(len(labels)), None, format_func=labels.__getitem__, key="own_question_right",
            placeholder=t("none: a question of opinion"),
        )  # fmt: skip
        exercise = lambda: choice_question(text, labels, right)  # noqa: E731
    elif kind == NUMBER:
        value = st.number_input(
            t("Right answer"), value=None, key="own_question_value", placeholder=t("none: a question of opinion")
        )
        tolerance = st.number_input(t("Tolerance"), min_value=0.0, value=0.0, key="own_question_tolerance")
        exercise = lambda: entered_question(text, TypedNumber(value, tolerance))  # noqa: E731
    elif kind == CLICK:
        nodes = st.multiselect(
            t("Right answer"), range(len(names)), format_func=names.__getitem__, key="own_question_nodes",
            placeholder=t("none: a question of opinion"),
        )  # fmt: skip
        solution = frozenset(nodes) if nodes else None
        exercise = lambda: entered_question(text, ClickedNodes(tuple(names), solution))  # noqa: E731
    st.button(
        t("Ask this question"), key="own_question_ask", type="primary", on_click=lambda: _ask(entry, exercise, slide)
    )
    if problem := st.session_state.pop("own_question_problem", None):
        st.error(escape_markdown(t(problem.template, **problem.values)))


def _ask(entry: OpenClass, exercise: Any, slide: Mapping[str, Any]) -> None:
    try:
        made: Exercise = exercise()
        entry.ask_own(made, slide)
    except ClassError as error:
        st.session_state.own_question_problem = error
        return
    for name in FIELDS:
        st.session_state.pop(f"own_question_{name}", None)


def _bare(slide: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pictures and tables of a slide, without the answer of its question."""
    return {"pictures": slide["pictures"], "pair": None, "tables": slide.get("tables", ())}


def _names(slide: Mapping[str, Any]) -> list[str]:
    """Return the names of the nodes by their numbers, if phones show the graph."""
    pictures = list(slide["pictures"].values())
    nodes = pictures[0]["nodes"] if len(pictures) == 1 else []
    found = {node["id"]: node["label"] for node in nodes}
    return [found[k] for k in range(len(found))] if set(found) == set(range(len(found))) else []
