"""Student page and lecturer view: no user text is markup, no solution is shown early, the tally is correct."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from learners.teaching.classroom.class_error import ClassError
from learners.teaching.classroom.classroom import Classroom, ClassStage
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.entered_answers import SliderPosition, StepOrder
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import Exercise
from learners.teaching.lessons.lesson_parser import read_lesson
from viz.classroom import student_page
from viz.classroom.lecturer_view import entered_tally_html, qr_svg, results_table, tally_html
from viz.classroom.lessons import PICTURED, answer_view, entry_view, lesson_view, probability_cells

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
    "svg",
    "g",
    "line",
    "path",
    "rect",
    "circle",
    "text",
    "select",
    "option",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
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


STORY = (
    "# A\nminutes: 10\n```graph\nb -> c : 2\na -> c\nc -> d\nP(b): x 0.1, y 0.9\nP(a): x 0.5, y 0.5\n"
    + "".join(f"P(c | a = {i}, b = {j}): x 0.2, y 0.8\n" for i in "xy" for j in "xy")
    + "P(d | c = x): x 0.3, y 0.7\nP(d | c = y): x 0.4, y 0.6\n```\n"
    "```question\nClick.\nseparating set: a, d\n```\n```question\nClick.\nleaves: 1\n```\n"
    "```question\nClick.\norient:\n```\n```question\nHow much?\neffect: b, c\n```\n"
)


def entries(language="en"):
    """Return exercises with entries and their slides, as a lesson has them."""
    graph, *questions = read_lesson(STORY, "x", language).blocks
    solved = [exercise(one, language) for one in questions]
    order = Exercise("In which order?", (), -1, "so", entry=StepOrder(("b — c", "a — d"), (1, 0), "So."))
    slider = Exercise("Where?", (), -1, "so", entry=SliderPosition("rows", (1, 2), (False, True), "an edge"))
    views = [entry_view(graph, one.entry, one.entry.nothing) if isinstance(one.entry, PICTURED) else lesson_view(graph)
             for one in solved]  # fmt: skip
    slides = [
        {"pictures": {"": view}, "answer": answer_view(graph, one), "tables": probability_cells(graph)}
        for view, one in zip(views, solved, strict=True)
    ]
    return [*solved, order, slider], [*slides, {}, {}]


def text_of(entry, given):
    """Return an answer as a phone sends it."""
    if entry.kind == "edges":
        return ",".join(f"{a}-{b}" for a, b in sorted(given))
    return str(given) if entry.kind in ("number", "slider") else ",".join(map(str, sorted(given)
               if entry.kind == "nodes" else given))  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
def test_entries_are_given_on_a_phone_in_the_graph_and_without_a_script(language):
    """The form has a field for each part of the graph that can be tapped; only the right answer counts."""
    exercises, slides = entries(language)
    room = Classroom(exercises)
    token, other = room.join(), room.join()
    for k, (one, slide) in enumerate(zip(exercises, slides, strict=True)):
        room.ask(k)
        page = student_page.student_card(room.view(token), language=language, slide=slide)
        assert Tags(page).tags <= KNOWN
        assert "style=" not in page
        tapped = re.findall(r'data-part="([^"]+)"', page)
        fields = re.findall(r'<input type="checkbox" name="part" value="([^"]+)"', page)
        turned = re.findall(r'<select name="part" data-edge="([^"]+)"', page)
        if one.entry.kind in ("nodes", "edges", "marks"):
            assert set(fields + turned) <= set(tapped)
            assert len(fields + turned) == len(one.entry.options)
            assert "90 %" in page  # the tables of the graph
        room.answer(token, k, text_of(one.entry, one.entry.solution))
        wrong = {"nodes": "", "edges": "", "number": "99,5", "order": "0,1", "slider": "0"}
        room.answer(other, k, wrong.get(one.entry.kind, ",".join(getattr(one.entry, "start", ()))))
        with pytest.raises(ClassError):
            room.answer(token, k, "7-9,x")
        saved = student_page.student_card(room.view(token), language=language, slide=slide)
        assert "checked" in saved or "selected" in saved or 'value="2' in saved, one.entry.kind
        tally = entered_tally_html(one, room.entered(), language)
        assert tally.count("✓") == 1
        room.reveal()
        assert room.n_right(k) == 1
        assert room.view(token).is_right
        assert not room.view(other).is_right
        revealed = student_page.student_card(room.view(other), language=language, slide=slide)
        assert Tags(revealed).tags <= KNOWN
        assert "data-part" not in revealed
    assert room.results(TEXTS[language]).count(",yes\n") == len(exercises)
    assert list(results_table(room, language).iloc[:, 1]) == [1] * len(exercises)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_phone_offers_no_answer_after_the_time(language):
    """After the time, a card has no field or button of any kind of question, and still names the saved answer."""
    now = [0.0]
    exercises, slides = entries(language)
    exercises, slides = [*exercises, ONE], [*slides, {}]
    room = Classroom(exercises, clock=lambda: now[0])
    token, other = room.join(), room.join()
    for k, (one, slide) in enumerate(zip(exercises, slides, strict=True)):
        room.ask(k, 20)
        given = 0 if one.choices else text_of(one.entry, one.entry.solution)
        room.answer(token, k, given)
        assert "<button" in student_page.student_card(room.view(other), language=language, slide=slide)
        now[0] += 20
        saved, empty = (
            student_page.student_card(room.view(who), language=language, slide=slide) for who in (token, other)
        )
        assert not {"form", "button", "input", "select"} & (Tags(saved).tags | Tags(empty).tags)
        assert "data-part" not in saved
        assert one.given_text(given, TEXTS[language]) in Tags(saved).text
        assert len(Tags(saved).text) > len(Tags(empty).text)


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
    assert "width:25.0%" in text  # shares of all answers, also where one is the most frequent
    assert "75 % (3)" in text
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
