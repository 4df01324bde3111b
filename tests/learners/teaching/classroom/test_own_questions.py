"""Tests of questions typed in class, the timer, and a class that is stored and restored."""

from __future__ import annotations

import csv
import io

import pytest

from learners.store.packing import pack, unpack
from learners.teaching.classroom.class_error import ClassError
from learners.teaching.classroom.class_registry import ClassRegistry
from learners.teaching.classroom.classroom import Classroom, ClassStage
from learners.teaching.classroom.own_questions import choice_question, entered_question
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import LessonGraph, LessonQuestion
from learners.teaching.lessons.typed_answers import ClickedNodes, TypedNumber, TypedText
from pages.blocks.lessons import lesson_files

QUESTIONS = (
    (choice_question("Tea?", ["yes", " no ", ""], 1), 1, 0),
    (choice_question("Milk?", ["yes", "no"]), 1, None),
    (entered_question("Why?", TypedText()), " be\tcause <b> ", None),
    (entered_question("How many?", TypedNumber(3.5, 0.1)), "3,55", "4"),
    (entered_question("How old?", TypedNumber()), "7", None),
    (entered_question("Which?", ClickedNodes(("a", "b", "c"), frozenset({0, 2}))), "2,0", "1"),
)


@pytest.mark.parametrize(("asked", "given", "wrong"), QUESTIONS, ids=lambda one: getattr(one, "question", ""))
def test_an_own_question_takes_answers_and_grades_those_with_a_solution(asked, given, wrong):
    """Opinions are never right or wrong, and do not count in the score."""
    room = Classroom([QUESTIONS[0][0]])
    token = room.join()
    k = room.add(asked)
    room.ask(k)
    room.answer(token, k, given)
    room.reveal()
    view = room.view(token)
    assert view.is_right == asked.has_answer
    assert (view.right, view.revealed) == ((1, 1) if asked.has_answer else (0, 0))
    (row,) = csv.DictReader(io.StringIO(room.results(TEXTS["en"], title="=T", date="2026-11-28 20:00")))
    assert (row["class"], row["date"], row["asked"]) == ("'=T", "2026-11-28 20:00", asked.question)
    assert row["right"] == ("yes" if asked.has_answer else "")
    if wrong is not None:
        room.ask(k)
        room.answer(token, k, wrong)
        assert not room.view(token).is_right


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: choice_question("", ["a", "b"]), "needs a text"),
        (lambda: choice_question("Q", ["a"]), "from 2 to 8"),
        (lambda: choice_question("Q", ["a", "a "]), "different"),
        (lambda: choice_question("Q", ["a", "b"], 2), "one of the choices"),
        (lambda: entered_question(" \n", TypedText()), "needs a text"),
    ],
)
def test_an_own_question_needs_a_text_and_choices(make, words):
    """The error message says what is wrong with the question."""
    with pytest.raises(ClassError, match=words):
        make()


def test_a_question_takes_no_answers_after_its_time():
    """Late answers are refused by the clock of the class; the next question has its own limit, or none."""
    now = [100.0]
    room = Classroom([QUESTIONS[0][0]] * 2, clock=lambda: now[0])
    token = room.join()
    room.ask(0, 30)
    assert room.view(token).seconds_left == 30
    now[0] += 29.5
    room.answer(token, 0, 1)
    shown = room.card_version
    now[0] += 1
    assert room.seconds_left == 0
    assert room.card_version != shown  # phones show that the time is over
    with pytest.raises(ClassError, match="time for question 1 is over"):
        room.answer(token, 0, 0)
    room.ask(1)
    assert room.seconds_left is None
    room.answer(token, 1, 0)


def lesson_exercises():
    """Return the exercises on graphs of all lessons, in both languages."""
    found = []
    for language in ("en", "de"):
        blocks = [block for key in lesson_files.titles() for block in lesson_files.lesson(key, language).blocks]
        asked = [block for block in blocks if isinstance(block, LessonQuestion)]
        found += [exercise(block, language) for block in asked if isinstance(block.subject, LessonGraph)]
    return found


def test_a_stored_class_goes_on_where_it_was():
    """Questions of every kind, answers, score and stage are the same after packing; phones keep their tokens."""
    exercises = [*(asked for asked, _, _ in QUESTIONS), *lesson_exercises()]
    room = Classroom(exercises[:150])
    token = room.join("Ann")
    for k, (_, given, _) in enumerate(QUESTIONS):
        room.ask(k, 60)
        room.answer(token, k, given)
        room.reveal()
    for one in exercises[150:200]:
        room.add(one)
    again = Classroom.restored(unpack(pack(room.state())))
    assert again.results() == room.results()
    assert again.stage is ClassStage.REVEALED
    assert (again.view(token).right, again.view(token).revealed) == (3, 3)
    assert [one.right_text(TEXTS["en"]) for one in again.exercises] == [
        one.right_text(TEXTS["en"]) for one in room.exercises
    ]
    again.ask(1)
    again.answer(token, 1, 0)


def test_the_registry_puts_a_class_back_once():
    """The workspace of a restored class leads it again; another workspace does not."""
    registry = ClassRegistry(lambda _session: True, clock=lambda: 0.0)
    entry = registry.open(Classroom([QUESTIONS[0][0]]), ({},), "T", "me", "s1")
    entry.workspace = "w1"
    registry.forget(entry)
    assert registry.put_back(entry) is registry.put_back(entry)
    assert registry.adopt("w2", "you", "s2") is None
    assert registry.adopt("", "you", "s2") is None
    assert registry.adopt("w1", "me", "s3") is entry
    assert registry.of_owner("me", "s4") is entry


def test_the_next_question_is_the_first_that_was_not_asked():
    """An own question gets the number in which it is asked, keeps all answers, and leaves the others to be asked."""
    lesson = [choice_question(f"{k}?", ["yes", "no"], 0) for k in range(3)]
    registry = ClassRegistry(lambda _session: True, clock=lambda: 0.0)
    entry = registry.open(Classroom(lesson), tuple({"of": k} for k in range(3)), "T", "me", "s1")
    room, token = entry.room, entry.room.join()
    assert room.following == 0
    entry.ask(0)
    room.answer(token, 0, 1)
    entry.ask_own(QUESTIONS[2][0], {"of": "own"})
    assert room.at == 1
    again = Classroom.restored(unpack(pack(room.state())))
    assert (room.following, again.following) == (2, 2)
    assert [one.question for one in room.exercises] == ["0?", QUESTIONS[2][0].question, "1?", "2?"]
    assert [slide["of"] for slide in entry.slides] == [0, "own", 1, 2]
    assert (room.tally(0), room.n_answered(1)) == ((0, 1), 0)
    for k in (2, 3):
        room.ask(k)
    assert room.following is None
