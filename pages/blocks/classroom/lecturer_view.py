"""The lecturer's view of a class: joining, questions with the tally, answers and results."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from learners.common.sentences import Count
from learners.teaching.classroom.class_registry import OpenClass
from learners.teaching.classroom.classroom import ClassStage
from learners.teaching.lessons.answer_texts import TEXTS
from pages.blocks.classroom import own_question
from pages.session import classrooms
from pages.session.data_frame import show_table
from viz.classroom.lecturer_view import entered_tally_html, qr_svg, results_table, tally_html, turnout
from viz.classroom.student_graph import tables_html
from viz.glossary.terms import with_terms
from viz.graph_view import graph_view
from viz.text import escape_markdown
from viz.translation.sentences import Translator, translator

LOOK_SECONDS = 1.0
SECONDS = (None, 20, 30, 60, 90, 120, 300)  # choices of the time for each question
CSV = "text/csv"


def show(entry: OpenClass) -> None:
    """Show the current stage of the class."""
    stage = entry.room.stage
    if stage is ClassStage.LOBBY:
        _lobby(entry)
    elif stage is ClassStage.OVER:
        _results(entry)
    else:
        _question(entry)


def _lobby(entry: OpenClass) -> None:
    """Show how to join, in large type."""
    t = translator(entry.language)
    st.title(t("Join the class"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        with st.container(width=420, key="class_way_in"):
            _way_in(entry)
        with st.container(width="stretch"):
            asked = Count(len(entry.room.exercises), "question")
            st.caption(escape_markdown(t("{title}: {asked}", title=entry.title, asked=asked)))
            _joined(entry)
            with st.container(horizontal=True):
                st.button(
                    t("Start questions"), key="class_ask", type="primary", icon=":material/play_arrow:",
                    on_click=entry.ask, args=(0,),
                )  # fmt: skip
                own_question.offer(entry)
            _settings(entry)
            st.button(t("Delete class"), key="class_forget", type="tertiary", on_click=classrooms.forget, args=(entry,))
    _reach(t)


def _settings(entry: OpenClass) -> None:
    """Let the lecturer set the time for each question, and whether the class survives a restart of the server."""
    t = translator(entry.language)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        entry.seconds = st.selectbox(
            t("Time per question"), SECONDS, SECONDS.index(entry.seconds) if entry.seconds in SECONDS else 0,
            format_func=lambda n: t("no limit") if n is None else t("{n} seconds", n=n), key="class_seconds", width=180,
        )  # fmt: skip
        if classrooms.may_keep():
            wanted = st.toggle(
                t("Survive a restart"), entry.keeps, key=f"class_keep_{entry.code}",
                help=t("Stores the class with its answers in your workspace, until it ends or you delete it."),
            )  # fmt: skip
            if wanted != entry.keeps:
                classrooms.keep(entry, wanted=wanted)


def _way_in(entry: OpenClass) -> None:
    """Show QR code, address and code."""
    t, address = translator(entry.language), classrooms.address(entry.code)
    st.image(qr_svg(address), width=360, alt=t("QR code of {address}", address=address))
    st.html(f"<h2>{escape(address.partition('://')[2])}</h2>")  # HTML: escapes of Markdown would be copied too


def _reach(t: Translator) -> None:
    """Warn if other devices cannot open the address."""
    if classrooms.is_local():
        st.warning(
            t(
                "Other devices cannot reach this address, because the app serves this machine only. Start it "
                "with `--server.address 0.0.0.0 --server.allowedHosts NAME`. Then open it under that host "
                "name or IP address (docs/classes.md)."
            ),
            icon=":material/wifi_off:",
        )


@st.fragment(run_every=LOOK_SECONDS)
def _joined(entry: OpenClass) -> None:
    classrooms.mine()  # marks the page as open
    students = Count(entry.room.n_students, "student")
    st.markdown(f"# {translator(entry.language)('{students}', students=students)}")


def _question(entry: OpenClass) -> None:
    """Show the graph next to the question with its tally."""
    room, k, t = entry.room, entry.room.at, translator(entry.language)
    slide, revealed = entry.slides[k], room.stage is ClassStage.REVEALED
    place = st.container(horizontal=True, key="inspect_room")
    with place.container(key="inspect_picture"):
        _picture(slide, f"class_graph_{entry.code}_{k}", entry.language, revealed=revealed)
    with place.container(key="inspect_why"):
        st.caption(t("Question {k} of {n} · code **{code}**", k=k + 1, n=len(room.exercises), code=entry.code))
        st.subheader(escape_markdown(room.exercises[k].question), anchor=False)
        with st.container(horizontal=True):  # above the tally, so that the main button keeps its place
            _main_button(entry)
            own_question.offer(entry)
            with st.popover(t("Show code"), icon=":material/qr_code:"):
                _way_in(entry)
                _reach(t)
        if slide.get("tables"):
            st.html(f'<div class="probability-tables">{tables_html(slide["tables"])}</div>')
        if revealed:
            _revealed(entry)
        else:
            _counting(entry)


def _main_button(entry: OpenClass) -> None:
    """Show the button that leads to the answer, the next question or the results."""
    room, k, t = entry.room, entry.room.at, translator(entry.language)
    following = room.following
    if room.stage is not ClassStage.REVEALED:
        st.button(t("Show answer"), key=f"class_tell_{k}", type="primary", on_click=room.reveal)
    elif following is not None:
        st.button(t("Ask next question"), key=f"class_next_{k}", type="primary", on_click=entry.ask, args=(following,))
    else:
        st.button(t("Show results"), key="class_end", type="primary", on_click=room.end)


@st.fragment
def _picture(slide: Mapping[str, Any], key: str, language: str, *, revealed: bool) -> None:
    """Show the graph of a question; if it is a run with several values, the lecturer chooses one."""
    pictures, label = slide["pictures"], translator(language)("Shown")
    which = next(iter(pictures)) if len(pictures) == 1 else st.select_slider(label, list(pictures), key=f"{key}_at")
    chosen = slide["pair"] if revealed else None
    data = pictures[which] | {"run": f"{key} {which}"}
    if revealed and slide.get("answer"):
        data = slide["answer"] | {"run": f"{key} answer"}
    graph_view(data, key=key, selected=chosen, language=language)


@st.fragment(run_every=LOOK_SECONDS)
def _counting(entry: OpenClass) -> None:
    """Show the tally as answers arrive."""
    classrooms.mine()
    room, t = entry.room, translator(entry.language)
    left = room.seconds_left
    if left is not None:
        st.markdown(f"## {t('{n} s left', n=left) if left else t('Time is up.')}")
    st.caption(turnout((room.n_answered(room.at),), room.n_students, entry.language))
    entry.shows_tally = st.toggle(
        t("Show tally"), entry.shows_tally, key=f"class_tally_{room.at}",
        help=t("It stays hidden, so that nobody follows the majority."),
    )  # fmt: skip
    if entry.shows_tally:
        _tally(entry, revealed=False)


def _tally(entry: OpenClass, *, revealed: bool) -> None:
    """Show how many gave each answer, and mark the right one once it is revealed."""
    room, exercise = entry.room, entry.room.exercises[entry.room.at]
    if exercise.choices:
        right = exercise.answer if revealed and exercise.has_answer else None
        st.html(tally_html(exercise.choices, room.tally(), right, entry.language))
    elif entered := room.entered():
        st.html(entered_tally_html(exercise, entered, entry.language, revealed=revealed))


def _revealed(entry: OpenClass) -> None:
    """Show the answer with its reason."""
    room, k, t = entry.room, entry.room.at, translator(entry.language)
    exercise = room.exercises[k]
    _tally(entry, revealed=True)
    if not exercise.choices and exercise.has_answer:
        right = exercise.right_text(TEXTS[entry.language])
        st.markdown(f"**{escape_markdown(t('Correct answer: {answer}.', answer=right))}**")
    st.caption(turnout((room.n_answered(k),), room.n_students, entry.language))
    if exercise.why:
        st.markdown(with_terms(exercise.why, entry.language))
    if room.following is not None:
        st.button(t("End class"), key="class_end", type="tertiary", on_click=room.end)


def _results(entry: OpenClass) -> None:
    """Show the results of each question, to download."""
    t, students = translator(entry.language), Count(entry.room.n_students, "student")
    st.title(t("Results"), anchor=False)
    st.caption(escape_markdown(f"{t('{title}: {asked}', title=entry.title, asked=students)} · {entry.date}"))
    say = TEXTS[entry.language]
    show_table(results_table(entry.room, entry.language), hide_index=True, alt=t("Answers of the class"))
    st.download_button(
        t("Download answers"), lambda: entry.room.results(say, title=entry.title, date=entry.date),
        "edgewise_class.csv", CSV, key="class_csv", type="primary", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    st.caption(t("The answers are deleted with the class, or after some hours."))
    st.button(t("Delete class"), key="class_forget", on_click=classrooms.forget, args=(entry,))
