"""Lessons of ten minutes each, with live pictures and self-checking exercises."""

import streamlit as st

from learners.teaching.lessons.lesson import LessonError, LessonQuestion
from pages.blocks import address, presenter
from pages.blocks.classroom import class_button
from pages.blocks.lessons import lesson_files, lesson_view, practice, slides
from viz.text import escape_markdown

PRACTICE = "practice"
language, words = lesson_view.language(), lesson_view.words()
titles = lesson_files.titles(language)
keys = [*titles, PRACTICE]
address.check("lessons", "lesson", keys)
if st.session_state.get("lesson") not in keys:
    st.session_state.lesson = keys[0]
here = keys.index(st.session_state.lesson)
if presenter.mode() and keys[here] != PRACTICE:
    slides.present(keys[here])
    st.stop()


def go_to(key: str) -> None:
    """Open another lesson."""
    st.session_state.lesson = key


st.session_state.lesson_pick = st.session_state.lesson
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.selectbox(
        words["lesson"], keys, key="lesson_pick",
        format_func=lambda key: words["practice"] if key == PRACTICE else f"{keys.index(key) + 1}. {titles[key]}",
        on_change=lambda: go_to(st.session_state.lesson_pick), width=480,
    )  # fmt: skip
if keys[here] == PRACTICE:
    st.title(words["practice"], anchor=False)
    practice.show()
    address.write("lessons")
    st.stop()
is_read = True
with st.container(width=900):
    try:
        lesson = lesson_files.lesson(keys[here], language)
    except LessonError as error:
        st.error(escape_markdown(str(error)), icon=":material/error:")
    else:
        st.title(lesson.title, anchor=False)
        time = words["time" if lesson.language == language else "time in English"].format(minutes=lesson.minutes)
        st.caption(time, help=words["not stored"])
        with st.container(horizontal=True, gap="small"):
            presenter.offer("lesson", lesson.language)
            if any(isinstance(block, LessonQuestion) for block in lesson.blocks):
                class_button.offer(lambda: lesson_view.for_class(lesson), "lesson", lesson.language)
        is_read = lesson_view.show(lesson)
    if here + 1 < len(keys):
        following = keys[here + 1]
        title = escape_markdown(titles.get(following, words["practice"]))
        st.button(
            words["next"].format(title=title), key="lesson_next", on_click=go_to, args=(following,),
            type="primary" if is_read else "tertiary", icon=":material/arrow_forward:",
        )  # fmt: skip
    st.page_link("pages/inspect.py", label=words["use it"], icon=":material/quiz:")
address.write("lessons")
