"""Lessons of ten minutes each, with live pictures and self-checking exercises."""

import streamlit as st

from learners.common.errors import LearnersError
from learners.teaching.lessons.lesson import LessonQuestion
from pages.blocks import address, presenter
from pages.blocks.classroom import class_button
from pages.blocks.lessons import lesson_files, lesson_view, next_step, own_lessons, practice, slides
from pages.session.words import written
from viz.text import escape_markdown

PRACTICE = "practice"
language, words = lesson_view.language(), lesson_view.words()
bundled = lesson_files.titles(language)
titles = bundled | own_lessons.titles() | own_lessons.shared_title(st.session_state.get("lesson") or "")
keys = [*bundled, PRACTICE, *(key for key in titles if key not in bundled)]
address.check("lessons", "lesson", keys)
if st.session_state.get("lesson") not in keys:
    st.session_state.lesson = keys[0]
here = keys.index(st.session_state.lesson)
if presenter.mode() and keys[here] != PRACTICE:
    slides.present(keys[here])
    st.stop()


def go_to(key: str) -> None:
    """Open another lesson at its beginning."""
    st.session_state.lesson = key
    next_step.request_heading()


def practise(key: str) -> None:
    """Open the practice games at the one that belongs to a lesson."""
    practice.choose_game_of(key)
    go_to(PRACTICE)


def label_of(key: str) -> str:
    """Return the title of a lesson in the list, with its number if it is a bundled one."""
    if key == PRACTICE:
        return words["practice"]
    return titles[key] if own_lessons.is_own(key) else f"{keys.index(key) + 1}. {titles[key]}"


st.session_state.lesson_pick = st.session_state.lesson
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.selectbox(
        words["lesson"], keys, key="lesson_pick", format_func=label_of,
        on_change=lambda: go_to(st.session_state.lesson_pick), width=480,
    )  # fmt: skip
    own_lessons.offer(keys[here])
if keys[here] == PRACTICE:
    st.title(words["practice"], anchor=False)
    next_step.mark_heading()
    practice.show()
    address.write("lessons")
    st.stop()
is_read, quiz = True, None
with st.container(width=900):
    try:
        lesson = own_lessons.lesson_of(keys[here])
    except LearnersError as error:
        st.error(escape_markdown(written(str(error))), icon=":material/error:")
    else:
        st.title(own_lessons.heading(keys[here], lesson), anchor=False)
        next_step.mark_heading()
        translated = lesson.language == language or own_lessons.is_own(keys[here])
        time = words["time" if translated else "time in English"].format(minutes=lesson.minutes)
        st.caption(time, help=words["kept"])
        with st.container(horizontal=True, gap="small"):
            presenter.offer("lesson", lesson.language)
            if any(isinstance(block, LessonQuestion) for block in lesson.blocks):
                class_button.offer(lambda: lesson_view.for_class(lesson), "lesson", lesson.language)
            own_lessons.export(lesson)
        is_read, quiz = lesson_view.show(lesson), lesson_view.quiz_of(lesson)
    if here + 1 < len(keys) and not own_lessons.is_own(keys[here]):
        following = keys[here + 1]
        title = escape_markdown(titles.get(following, words["practice"]))
        with st.container(key=lesson_view.NEXT_STEP if is_read else None):
            st.button(
                words["next"].format(title=title), key="lesson_next", on_click=go_to, args=(following,),
                type="primary" if is_read else "tertiary", icon=":material/arrow_forward:",
            )  # fmt: skip
    if is_read and quiz:
        st.page_link("pages/inspect.py", label=words["use it"], icon=":material/quiz:", query_params=quiz)
    elif is_read:
        st.button(
            words["to practice"], key="lesson_practice", type="tertiary", icon=":material/shuffle:", on_click=practise,
            args=(keys[here],),
        )  # fmt: skip
address.write("lessons")
