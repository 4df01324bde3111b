"""Student page and lecturer view: no user text is markup, no solution is shown early, the tally is correct."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from learners.teaching.classroom.classroom import Classroom, ClassStage
from learners.teaching.lessons.lesson import Exercise
from viz.classroom import student_page
from viz.classroom.lecturer_view import qr_svg, results_table, tally_html

EVIL = "<img src=x onerror=alert(1)>\"'&"
ONE = Exercise(f"q{EVIL}", (f"a{EVIL}", f"b{EVIL}"), 1, f"why{EVIL}")
KNOWN = {
    "html",
    "head",
    "meta",
    "title",
    "link",
    "script",
    "body",
    "main",
    "h1",
    "p",
    "form",
    "input",
    "label",
    "button",
}


class Tags(HTMLParser):
    """Collect the tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.handlers, self.text = set(), [], ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("stage", ClassStage, ids=lambda one: one.name)
def test_text_is_escaped_and_the_reason_is_shown_last(stage):
    room = Classroom([ONE])
    token = room.join(EVIL[:30])
    if stage is not ClassStage.LOBBY:
        room.ask(0)
        room.answer(token, 0, 0)
    if stage is ClassStage.REVEALED:
        room.reveal()
    if stage is ClassStage.OVER:
        room.end()
    read = Tags(student_page.page(student_page.student_card(room.view(token)), title=EVIL, live=EVIL))
    assert read.tags <= KNOWN
    assert read.handlers == []
    assert (ONE.why in read.text) == (stage is ClassStage.REVEALED)
    assert Tags(student_page.page(student_page.join_card(EVIL) + student_page.code_card(EVIL))).tags <= KNOWN


@pytest.mark.parametrize("stage", ClassStage, ids=lambda one: one.name)
def test_a_german_class_has_german_phones(stage):
    """No stage of a class in German shows an English sentence."""
    room = Classroom([ONE])
    token = room.join("")
    if stage is not ClassStage.LOBBY:
        room.ask(0)
    if stage is ClassStage.REVEALED:
        room.reveal()
    if stage is ClassStage.OVER:
        room.end()
    cards = [student_page.student_card(room.view(token), language="de"), student_page.join_card("K", "de")]
    page = student_page.page("".join([*cards, student_page.code_card("", "de")]), live="x", language="de")
    assert '<html lang="de">' in page
    assert "Nicht gesendet" in page
    assert not re.search(r"\b(the|your|join|question|correct|answer)\b", Tags(page).text.lower())


def test_tally_counts_answers_and_marks_the_correct_one_without_colour():
    text = tally_html(ONE.choices, (3, 1), 1)
    assert "✓" in text
    assert "✓" not in tally_html(ONE.choices, (3, 1))
    assert "<img" not in text
    assert "width:33.3%" in text
    room = Classroom([ONE])
    tokens = [room.join() for _ in range(3)]
    room.ask(0)
    for token in tokens[:2]:
        room.answer(token, 0, 1)
    assert results_table(room)[["correct", "answers"]].values.tolist() == [[2, 2]]


def test_qr_code_depends_on_the_address_and_is_light():
    svg = qr_svg("http://192.168.1.20:8501/join/abc234")
    assert svg.startswith("<svg")
    assert svg != qr_svg("http://192.168.1.20:8501/join/abc235")
    assert "#fff" in svg
