"""One lesson on the page: text, graphs, live runs, and exercises that check themselves."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from learners.common.errors import LearnersError
from learners.graphs.graph import PDAG
from learners.lessons.exercises import exercise
from learners.lessons.lesson import Exercise, Graph, Lesson, Question, Run, Text
from learners.lessons.running import data_of, result_of
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from pages.blocks.lessons import shelf
from pages.session.state import LANGUAGE
from viz.frame import FRAME
from viz.graph_view import graph_view
from viz.layout.positions import layout
from viz.lessons import lesson_view
from viz.steps import layout_graph
from viz.text import escape_markdown
from viz.timeline import timeline

GRAPH_HEIGHT, RUN_HEIGHT = 380, 560  # pixels


def words() -> Mapping[str, str]:
    """What stands around a lesson, in the language that was chosen on Learn more."""
    return FRAME[st.session_state.get(LANGUAGE) or "en"]


def show(lesson: Lesson) -> None:
    """All blocks, from the top down."""
    for k, block in enumerate(lesson.blocks):
        key = f"lesson_{lesson.key}_{k}"
        if isinstance(block, Text):
            st.markdown(block.text)
        elif isinstance(block, Graph):
            graph_view(lesson_view(block), key=key, height=GRAPH_HEIGHT)
        elif isinstance(block, Run):
            _run(block, lesson.key, k)
        else:
            _question(block, lesson.key, k)


@st.cache_resource(show_spinner=False, max_entries=100)
def _learnt(lesson_key: str, position: int, k: int) -> tuple[LearnResult, PDAG | None]:
    """A run of a lesson: public data, so sessions may share it."""
    run = shelf.lesson(lesson_key).blocks[position]
    return result_of(run, k), data_of(run, k)[1]


@st.cache_resource(show_spinner=False, max_entries=400)
def _solved(lesson_key: str, position: int) -> Exercise:
    return exercise(shelf.lesson(lesson_key).blocks[position])


@st.fragment
def _run(run: Run, lesson_key: str, position: int) -> None:
    """The run at the value on the slider, to drag through."""
    key, varied, k = f"lesson_{lesson_key}_{position}", run.varied, 0
    if varied:
        values = run.settings[varied]
        k = values.index(st.select_slider(varied, values, key=f"{key}_value"))
    with st.spinner(words()["learning"]):
        result, truth = _learnt(lesson_key, position, k)
        places = layout(layout_graph(_learnt(lesson_key, position, 0)[0]))
    data = timeline(result, places, truth=truth) | {"run": f"{key} {k}"}
    graph_view(data, key=f"{key}_graph", height=RUN_HEIGHT)
    told = ", ".join(f"{name} {value}" for name, value in run.at(k).items())
    st.caption(escape_markdown(f"{LEARNERS[run.learner].label}{f', {told}' if told else ''}"))


@st.fragment
def _question(question: Question, lesson_key: str, position: int) -> None:
    """A question; the answer is told as soon as one is chosen."""
    try:
        solved = _solved(lesson_key, position)
    except LearnersError as error:
        st.error(escape_markdown(f"{lesson_key}, line {question.line}: {error}"), icon=":material/error:")
        return
    with st.container(border=True):
        choice = st.radio(
            escape_markdown(solved.question), range(len(solved.choices)), index=None, horizontal=True,
            format_func=lambda k: escape_markdown(solved.choices[k]), key=f"lesson_{lesson_key}_{position}",
        )  # fmt: skip
        if choice == solved.answer:
            st.success(words()["right"].format(why=escape_markdown(solved.why)), icon=":material/check:")
        elif choice is not None:
            told = {"right": escape_markdown(solved.choices[solved.answer]), "why": escape_markdown(solved.why)}
            st.error(words()["wrong"].format(**told), icon=":material/close:")
