"""Tests of a class: answers, tally, results, access and expiry."""

from __future__ import annotations

import csv
import io
import threading

import pytest

from learners.common.errors import ParameterError
from learners.teaching.classroom.class_registry import (
    ABANDONED_SECONDS,
    CODE_LENGTH,
    LETTERS,
    MAX_MISSES,
    MAX_SECONDS,
    ClassRegistry,
    TooManyTries,
)
from learners.teaching.classroom.classroom import Classroom, ClassStage, nickname
from learners.teaching.lessons.lesson import Exercise

EXERCISES = (
    Exercise("Is b a collider?", ("yes", "no"), 0, "Both arrows meet there."),
    Exercise("=1+1?", ("1", "2", "@3"), 1, "By counting."),
)


def test_a_hundred_students_answer_at_once_and_each_counts_once():
    """If a hundred threads give and change answers, tally and CSV count the last answer of each student once."""
    room = Classroom(EXERCISES)
    tokens = [room.join(f"s{k}") for k in range(100)]
    room.ask(1)

    def answer(k: int) -> None:
        for choice in (2, 1, k % 3):
            room.answer(tokens[k], 1, choice)

    threads = [threading.Thread(target=answer, args=(k,)) for k in range(100)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert room.tally() == (34, 33, 33)
    room.reveal()
    with pytest.raises(ParameterError, match="takes no answers now"):
        room.answer(tokens[0], 1, 1)
    assert room.tally() == (34, 33, 33)
    rows = list(csv.DictReader(io.StringIO(room.results())))
    assert [row["right"] for row in rows].count("yes") == 33
    assert rows[2] == {
        "class": "", "date": "", "student": "3", "name": "s2", "question": "2", "asked": "'=1+1?", "answer": "'@3",
        "right answer": "2", "right": "no",
    }  # fmt: skip


def test_a_student_sees_only_what_is_reported():
    """A question counts for the score only after its reveal; a question that is asked again is open again."""
    room = Classroom(EXERCISES)
    token, other = room.join("  A\u202e\n<b>  " + 60 * "x"), room.join()
    assert room.view(token).name == "A <b> " + 34 * "x"
    assert room.view(other).name == ""
    assert room.view(token).stage is ClassStage.LOBBY
    before = room.version
    room.ask(0)
    assert room.version > before
    room.answer(token, 0, 0)
    assert (room.view(token).given, room.view(token).right, room.view(token).revealed) == (0, 0, 0)
    room.reveal()
    assert [(room.view(one).right, room.view(one).revealed) for one in (token, other)] == [(1, 1), (0, 1)]
    room.ask(0)
    room.answer(token, 0, 1)
    room.end()
    assert (room.view(token).right, room.view(token).revealed) == (0, 0)


def test_what_cannot_be_is_refused_in_a_sentence():
    room = Classroom(EXERCISES, most=1)
    token = room.join()
    room.ask(0)
    for wrong in (
        lambda: Classroom(()), lambda: room.join(), lambda: room.ask(2), lambda: room.answer("nobody", 0, 0),
        lambda: room.answer(token, 0, 2), lambda: room.answer(token, 0, -1), lambda: room.view("nobody"),
    ):  # fmt: skip
        with pytest.raises(ParameterError):
            wrong()
    room.end()
    with pytest.raises(ParameterError, match="has ended"):
        room.answer(token, 0, 0)
    with pytest.raises(ParameterError):
        room.join()


def test_answers_count_only_for_the_question_on_screen_while_it_is_open():
    """Answers before the first question, to another question, or after the reveal or the end are refused."""
    room = Classroom(EXERCISES)
    token = room.join()
    steps = (
        (lambda: None, None),
        (lambda: room.ask(0), 0),
        (room.reveal, None),
        (lambda: room.ask(1), 1),
        (room.end, None),
    )
    for step, open_ in steps:
        step()
        for k in (-1, 0, 1, 2, 5):
            before = room.results()
            if k == open_:
                room.answer(token, k, 0)
                continue
            with pytest.raises(ParameterError, match=f"question {k + 1}|has ended"):
                room.answer(token, k, 0)
            assert room.results() == before


@pytest.fixture
def classes():
    """Return a registry, its clock, and the sessions with an open page."""
    now, open_ = [0.0], {"s1", "s2"}
    return ClassRegistry(open_.__contains__, clock=lambda: now[0]), now, open_


def test_two_classes_never_see_one_another(classes):
    """A student of one class is unknown to the other class."""
    one, _, _ = classes
    a, b = (one.open(Classroom(EXERCISES), (), "", owner, session) for owner, session in (("o1", "s1"), ("o2", "s2")))
    assert a.code != b.code
    assert set(a.code) <= set(LETTERS)
    assert not b.room.knows(a.room.join())
    assert one.find(a.code.upper(), "x") is a


def test_wrong_codes_are_limited_and_right_ones_are_not(classes):
    """A student who tries many codes does not lock out others with the same network address."""
    one, now, _ = classes
    entry = one.open(Classroom(EXERCISES), (), "", "o1", "s1")
    assert len(LETTERS) ** CODE_LENGTH > 1e11  # too many codes to try during a class
    for _ in range(2 * MAX_MISSES):
        assert one.find(entry.code, "x") is entry
    for _ in range(MAX_MISSES):
        assert one.find("222222", "x") is None
    with pytest.raises(TooManyTries):
        one.find("222222", "x")
    assert one.find(entry.code, "x") is entry
    assert one.find("222222", "y") is None
    now[0] = 61.0
    assert one.find("222222", "x") is None


def test_a_class_belongs_to_its_owner_and_is_forgotten_in_time(classes):
    """A class survives a reload; it ends if its page is closed for long, if it expires, or if another class opens."""
    one, now, open_ = classes
    entry = one.open(Classroom(EXERCISES), (), "", "o1", "s1")
    assert one.of_owner("o1", "s3") is entry
    assert one.of_owner("", "s2") is None
    open_.add("s3")
    now[0] = ABANDONED_SECONDS + 1
    one.sweep()
    assert one.find(entry.code, "x") is entry
    one.of_owner("o1", "s2")
    open_.remove("s2")  # a second page was opened and is closed again
    now[0] *= 2
    one.sweep()
    assert one.find(entry.code, "x") is entry
    open_.clear()
    now[0] *= 2
    one.sweep()
    assert one.find(entry.code, "x") is None
    assert entry.room.stage is ClassStage.OVER
    open_.add("s4")
    first, second = (one.open(Classroom(EXERCISES), (), "", "", "s4") for _ in range(2))
    assert one.find(first.code, "x") is None
    now[0] += MAX_SECONDS + 1
    one.sweep()
    assert one.find(second.code, "x") is None


def test_a_nickname_is_one_short_line():
    assert nickname("a\x00\u200b\u2028b") == "a b"
    assert nickname(" ") == ""
