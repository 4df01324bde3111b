"""Tests of the presenter view: addresses open it, slides contain the whole lesson, and closing it restores the page."""

from __future__ import annotations

import pytest

from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import LessonNumbers, LessonQuestion, LessonRun, LessonText
from pages.blocks.lessons import lesson_files, slides
from tests.pages.driving import ROOT, go, markup, open_app, press, sound
from viz.lesson_page.page import is_drawn_again


def opened(page, **query):
    """Open the app by an address."""
    at = open_app()
    at.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        at.query_params[name] = [value]
    at = sound(at.run())
    at._page_hash = ""
    return at


def test_presenter_view_shows_only_the_graph_at_the_step_of_the_address():
    at = opened("inspect", present="1", step="3")
    assert not at.button
    assert at.session_state["step"] == 3
    assert [*at.query_params["present"]] == ["1"]
    at.session_state["present"] = ""
    at = sound(at.run())
    assert "present" not in at.query_params
    at = press(at, "inspect_present")
    assert at.session_state["present"] == "1"
    assert [*at.query_params["step"]] == ["3"]


@pytest.mark.parametrize("key", [path.stem for path in sorted((ROOT / "lessons").glob("*.md"))])
def test_slides_hold_all_of_a_lesson(key):
    """Each picture and each text appears once, in order; a question that shows the picture above it replaces it."""
    lesson = lesson_files.lesson(key)
    made = slides.slides_of(lesson)
    pictures = [k for k, block in enumerate(lesson.blocks) if not isinstance(block, LessonText)]
    assert [one.at for one in made] == [k for k in pictures if not is_drawn_again(lesson, k)]
    texts = [block.text for block in lesson.blocks if isinstance(block, LessonText)]
    assert " ".join(f"{one.text} {one.closing}" for one in made).split() == " ".join(texts).split()
    assert not any(one.closing for one in made[:-1])


def test_the_closing_text_comes_with_the_answer():
    """The last slide asks first; what follows the question in the lesson appears once it is answered."""
    ends = {key: lesson_files.lesson(key).blocks[-2] for key in lesson_files.titles()}
    key = next(key for key, end in ends.items() if isinstance(end, LessonQuestion) and exercise(end).choices)
    made = slides.slides_of(lesson_files.lesson(key))
    at = opened("lessons", present="1", lesson=key, slide=str(len(made)))
    assert made[-1].closing.strip()
    assert made[-1].closing.strip() not in markup(at)
    at = sound(at.radio[0].set_value(0).run())
    assert made[-1].closing.strip() in markup(at)


def test_a_lesson_has_an_address_for_each_slide_and_its_text_beside_the_picture():
    at = opened("lessons", present="1", lesson="01-d-separation", slide="2")
    lesson = lesson_files.lesson("01-d-separation")
    made = slides.slides_of(lesson)
    assert made[1].text.strip() in markup(at)
    assert made[0].text.strip() not in markup(at)
    assert [*at.query_params["slide"]] == ["2"]
    assert len(at.selectbox) == 0
    last = opened("lessons", present="1", lesson="01-d-separation", slide="999")
    assert last.session_state["slide"] == len(made) - 1
    assert "present" not in go(last, "start").query_params


def test_a_run_about_removals_begins_at_its_first_step(monkeypatch):
    """The remote then moves through the run; the question after it shows the result."""
    shown = []
    show = slides.graph_view
    monkeypatch.setattr(slides, "graph_view", lambda data, **named: shown.append(named["step"]) or show(data, **named))
    lesson = lesson_files.lesson("03-pc-by-hand")
    made = slides.slides_of(lesson)
    at = next(k for k, one in enumerate(made) if isinstance(lesson.blocks[one.at], LessonRun))
    for number in (at + 1, at + 2):
        opened("lessons", present="1", lesson="03-pc-by-hand", slide=str(number))
    assert shown == [0, None]


def test_numbers_follow_a_slider_on_their_slide():
    """The slider stands with the table beside the graph, and both follow it."""
    lesson = lesson_files.lesson("09-simpson")
    shown = slides.slides_of(lesson)
    at = sound(open_app("lessons"))
    at = sound(at.selectbox(key="lesson_pick").set_value("09-simpson").run())
    at = press(at, "lesson_present")
    at.session_state["slide"] = next(
        k for k, one in enumerate(shown) if isinstance(lesson.blocks[one.at], LessonNumbers)
    )
    at = sound(at.run())
    slider = next(one for one in at.select_slider if one.key.endswith("_strength_0"))
    at = sound(slider.set_value(0.8).run())
    assert any("**−41** points among all" in one for one in markup(at))
