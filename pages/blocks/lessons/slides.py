"""Slides of a lesson for an audience: each graph, run and exercise with the text before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from learners.common.errors import LearnersError
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.lesson import Lesson, LessonGraph, LessonNumbers, LessonQuestion, LessonRun, LessonText
from pages.blocks import address, presenter
from pages.blocks.lessons import lesson_view, moving_numbers, own_lessons
from pages.session.words import t
from viz.classroom.moving_numbers import strength_view
from viz.graph_view import graph_view
from viz.lesson_page.page import is_drawn_again
from viz.text import beginning_of

MAX_NEXT_LENGTH = 90  # maximum length in characters of the preview of the next slide


@dataclass(frozen=True)
class LessonSlide:
    """Text of a slide, the position of its block, and the text that closes the lesson, on the last slide."""

    text: str
    at: int
    closing: str = ""


def slides_of(lesson: Lesson) -> list[LessonSlide]:
    """Return the slides of a lesson. Text after the last picture is shown on the last slide, below the answer."""
    slides: list[LessonSlide] = []
    pending: list[str] = []
    for k, block in enumerate(lesson.blocks):
        if isinstance(block, LessonText):
            pending.append(block.text)
        elif not is_drawn_again(lesson, k):
            slides.append(LessonSlide("\n\n".join(pending), k))
            pending = []
    if pending and slides:
        slides[-1] = replace(slides[-1], closing="\n\n".join(pending))
    return slides


def present(key: str) -> None:
    """Show the current slide; leave the presenter view if the lesson has none or cannot be read."""
    try:
        lesson = own_lessons.lesson_of(key)
        slides = slides_of(lesson)
    except LearnersError:
        slides = []
    if not slides:
        presenter.leave()
        st.rerun()
    _show(lesson, slides)
    address.write("lessons")


def _show(lesson: Lesson, slides: list[LessonSlide]) -> None:
    """Show the picture of a slide next to its text."""
    at = min(presenter.slide(), len(slides) - 1)
    if (asked := st.query_params.get("slide", "")).isdecimal() and int(asked) > len(slides):  # beyond the last slide
        st.toast(
            t("There is no slide {k}; this is the last one, {n}.", k=asked[:10], n=len(slides)),
            icon=":material/link_off:",
        )
    st.session_state[presenter.SLIDE] = at
    slide, block = slides[at], lesson.blocks[slides[at].at]
    room = st.container(horizontal=True, key="presenting")
    with room.container(key="presenting_picture"):
        _picture(lesson, slides, at)
    if presenter.mode() == "notes":
        return
    with room.container(key="presenting_text"):
        if at == 0:
            st.title(own_lessons.heading(st.session_state.lesson, lesson), anchor=False)
        st.markdown(slide.text)
        if isinstance(block, LessonNumbers):
            positions = moving_numbers.sliders(block, _key(lesson, slide), lesson.language)
            moving_numbers.table(block, positions, lesson.language)
            moving_numbers.bars(block, positions, lesson.language)
        lesson_view.show_tables(block.subject if isinstance(block, LessonQuestion) else block)
        if isinstance(block, LessonQuestion):
            lesson_view.ask(block, lesson, slide.at, slide.closing)
        elif slide.closing:
            st.markdown(slide.closing)
        st.caption(f"{at + 1} / {len(slides)}")


def _picture(lesson: Lesson, slides: list[LessonSlide], at: int) -> None:
    """Show the graph or run of a slide; a step past the last one shows the next slide."""
    block, key = lesson.blocks[slides[at].at], _key(lesson, slides[at])
    following = lesson.blocks[slides[at + 1].at] if at + 1 < len(slides) else None
    if isinstance(block, LessonNumbers):
        positions = moving_numbers.positions_of(block, key)
        shown, run = strength_view(block, positions), f"{key} {positions}"
    else:
        subject: LessonGraph | LessonRun = block.subject if isinstance(block, LessonQuestion) else block
        k = lesson_view.pick_value(subject, key) if isinstance(subject, LessonRun) else 0
        shown, run = lesson_view.picture_of(lesson, subject, k), f"{key} {k}"
    data = presenter.for_hall(shown) | {
        "title": lesson.title, "run": run, "slide": {"next": _in_short(slides, at + 1, following)},
        "notes": _notes(lesson, slides[at]),
    }  # fmt: skip
    # A run whose removals are the subject begins at its first step, since a remote moves forwards.
    first = 0 if isinstance(block, LessonRun) and "removals" in block.shows else None
    presenter.hear(graph_view(data, key=key, step=first, language=lesson_view.language()).presented)


def _key(lesson: Lesson, slide: LessonSlide) -> str:
    return f"lesson_{lesson.key}_{slide.at}{presenter.suffix()}"


def _in_short(slides: list[LessonSlide], at: int, block: object) -> str:
    """Return the beginning of the next slide, for the notes."""
    if block is None:
        return ""
    return beginning_of(block.text if isinstance(block, LessonQuestion) else slides[at].text or "…", MAX_NEXT_LENGTH)


def _notes(lesson: Lesson, slide: LessonSlide) -> list[str]:
    """Return the speaker's notes: the answer of an exercise, or the text."""
    block = lesson.blocks[slide.at]
    closing = [slide.closing] if slide.closing else []
    if not isinstance(block, LessonQuestion):
        return [slide.text, *closing]
    solved = lesson_view.solved(lesson, slide.at)
    return [f"{solved.question} {solved.right_text(TEXTS[lesson.language])}.", solved.why, *closing]
