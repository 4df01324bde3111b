"""Lessons: ten minutes each, with live pictures and exercises that check themselves."""

import streamlit as st

from learners.lessons.lesson import LessonError
from pages.blocks import address
from pages.blocks.lessons import shelf, showing
from pages.session import state
from viz.text import escape_markdown

state.enter_through_app()
titles, words = shelf.titles(), showing.words()
keys = list(titles)
if st.session_state.get("lesson") not in keys:
    st.session_state.lesson = keys[0]


def go_to(key: str) -> None:
    """Open another lesson."""
    st.session_state.lesson = key


st.session_state.lesson_pick = st.session_state.lesson
st.selectbox(
    words["lesson"], keys, format_func=lambda key: f"{keys.index(key) + 1}. {titles[key]}", key="lesson_pick",
    on_change=lambda: go_to(st.session_state.lesson_pick), width=480,
)  # fmt: skip
here = keys.index(st.session_state.lesson)
with st.container(width=900):
    try:
        lesson = shelf.lesson(keys[here])
    except LessonError as error:
        st.error(escape_markdown(str(error)), icon=":material/error:")
    else:
        st.title(lesson.title, anchor=False)
        st.caption(words["time"].format(minutes=lesson.minutes))
        showing.show(lesson)
    if here + 1 < len(keys):
        following = keys[here + 1]
        st.button(
            words["next"].format(title=escape_markdown(titles[following])), key="lesson_next", type="primary",
            on_click=go_to, args=(following,), icon=":material/arrow_forward:",
        )  # fmt: skip
address.write("lessons")
