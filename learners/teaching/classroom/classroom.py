"""Classroom: exercises for many students at once. It is thread-safe, and `state` is all that it consists of."""

from __future__ import annotations

import csv
import io
import math
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ...common.checks import check_count
from ...common.errors import ParameterError
from ..lessons.answer_texts import TEXTS, Texts
from ..lessons.lesson import Exercise
from .class_error import ClassError

MAX_STUDENTS = 200
MAX_ENTRY_LETTERS = 400  # maximum number of letters of an entered answer
MAX_NAME_LETTERS = 40  # maximum number of letters of a nickname
MAX_QUESTIONS = 200  # maximum number of questions of a class, with those added during it
HEADER = ("class", "date", "student", "name", "question", "asked", "answer", "right answer", "right")
FORMULA = ("=", "+", "-", "@")  # first characters of a cell that a spreadsheet evaluates


class ClassStage(Enum):
    """Progress of a class."""

    LOBBY = "waiting for the first question"
    ASKING = "a question takes answers"
    REVEALED = "its answer is shown"
    OVER = "the class has ended"


@dataclass(frozen=True)
class StudentView:
    """View of a class for one student.

    Attributes
    ----------
    name : str
        Nickname; may be empty.
    stage : ClassStage
    at, n : int
        Position of the question, and the number of questions.
    exercise : Exercise
        The question. While it accepts answers, the page must hide `answer` and `why`.
    given : int, str or None
        Answer of this student: the position of a choice, or the text of an entry.
    right, revealed : int
        Number of correct answers of the student among the revealed questions, and number of revealed questions.
    is_right : bool
        True if the answer of this student is correct.
    seconds_left : int or None
        Seconds until the question takes no more answers; None without a timer.
    """

    name: str
    stage: ClassStage
    at: int
    n: int
    exercise: Exercise
    given: int | str | None
    right: int
    revealed: int
    is_right: bool = False
    seconds_left: int | None = None


@dataclass
class _Student:
    name: str
    answers: dict[int, int | str] = field(default_factory=dict)


class Classroom:
    """A class: its exercises, its students with their answers, and its stage.

    Parameters
    ----------
    exercises : sequence of Exercise
        At least one exercise.
    most : int
        Maximum number of students.
    clock : callable
        Returns the time in seconds since 1970.

    Attributes
    ----------
    version : int
        Counter of the changes that students see.
    changes : int
        Counter of all changes.

    Raises
    ------
    ParameterError
        If there is no exercise, or `most` is not a positive integer.
    """

    def __init__(
        self, exercises: Sequence[Exercise], most: int = MAX_STUDENTS, *, clock: Callable[[], float] = time.time
    ) -> None:
        if not exercises:
            raise ClassError("a class needs at least one question, got none; choose a run or a lesson that has one")
        check_count("most", most, low=1)
        self.exercises = tuple(exercises)
        self.version = self.changes = 0
        self._clock, self._until = clock, math.inf
        self._most, self._at, self._stage = most, 0, ClassStage.LOBBY
        self._students: dict[str, _Student] = {}
        self._revealed: set[int] = set()
        self._asked: set[int] = set()
        self._lock = threading.RLock()

    @property
    def at(self) -> int:
        """Position of the question on screen."""
        return self._at

    @property
    def stage(self) -> ClassStage:
        """Stage of the class."""
        return self._stage

    @property
    def n_students(self) -> int:
        """Number of students in the class."""
        return len(self._students)

    def join(self, name: str = "") -> str:
        """Add a student to the class.

        Parameters
        ----------
        name : str
            Optional nickname, shortened to one line of 40 characters; see `nickname`.

        Returns
        -------
        str
            Secret token that identifies the student: 128 random bits.

        Raises
        ------
        ParameterError
            If the class is full or has ended.
        """
        with self._lock:
            if self._stage is ClassStage.OVER:
                raise ClassError("the class has ended; ask for another code")
            if len(self._students) >= self._most:
                raise ClassError("a class holds at most {n} students, and this one is full", n=self._most)
            token = secrets.token_urlsafe(16)
            self._students[token] = _Student(nickname(name))
            self.changes += 1
            return token

    def knows(self, token: str) -> bool:
        """Return True if the token identifies a student of the class."""
        return token in self._students

    def add(self, exercise: Exercise) -> int:
        """Add a question after those that were asked, and return its position.

        Raises
        ------
        ParameterError
            If the class has too many questions.
        """
        with self._lock:
            if len(self.exercises) >= MAX_QUESTIONS:
                raise ClassError("a class holds at most {n} questions; open another one", n=MAX_QUESTIONS)
            at = max(self._asked, default=-1) + 1
            self.exercises = (*self.exercises[:at], exercise, *self.exercises[at:])
            self.version += 1
            self.changes += 1
            return at

    def ask(self, k: int, seconds: float | None = None) -> None:
        """Ask the question at position `k`. A revealed question accepts answers again and keeps the earlier ones.

        Parameters
        ----------
        k : int
        seconds : float, optional
            Time after which it takes no more answers.

        Raises
        ------
        ParameterError
            If the question does not exist, or the class has ended.
        """
        with self._lock:
            if k not in range(len(self.exercises)) or self._stage is ClassStage.OVER:
                raise ParameterError(f"question {k + 1} has to be one of {len(self.exercises)} of an open class")
            self._revealed.discard(k)
            self._asked.add(k)
            self._until = math.inf if seconds is None else self._clock() + seconds
            self._move(k, ClassStage.ASKING)

    @property
    def following(self) -> int | None:
        """Position of the first question that was not asked yet; None after the last one."""
        return next((k for k in range(len(self.exercises)) if k not in self._asked), None)

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds until the question takes no more answers; None without a timer."""
        return None if math.isinf(self._until) else max(0, math.ceil(self._until - self._clock()))

    @property
    def card_version(self) -> str:
        """Version of what phones show: it changes with the question, its stage, and the end of its time."""
        return f"{self.version}{'-over' if self._stage is ClassStage.ASKING and self.seconds_left == 0 else ''}"

    def reveal(self) -> None:
        """Reveal the answer of the current question, which then accepts no more answers."""
        with self._lock:
            if self._stage is ClassStage.ASKING:
                self._revealed.add(self._at)
                self._move(self._at, ClassStage.REVEALED)

    def end(self) -> None:
        """End the class: it accepts no more answers, and students see their results."""
        with self._lock:
            self._move(self._at, ClassStage.OVER)

    def _move(self, at: int, stage: ClassStage) -> None:
        self._at, self._stage = at, stage
        self.version += 1
        self.changes += 1

    def answer(self, token: str, k: int, choice: int | str) -> None:
        """Record a student's answer to the question at position `k`; it replaces an earlier one.

        An answer is the position of a choice, or for a question without choices the text that its entry parses.

        Raises
        ------
        ParameterError
            If the token, the question or the choice is unknown, or the question does not accept answers now.
        """
        with self._lock:
            student = self._known(token)
            if k not in range(len(self.exercises)):
                raise ClassError("there is no question {number}; answer the question on screen", number=k + 1)
            if self._stage is ClassStage.OVER:
                raise ClassError("the class has ended and takes no more answers; ask your lecturer for the results")
            if self._stage is not ClassStage.ASKING or k != self._at:
                if self._stage is ClassStage.ASKING:
                    raise ClassError(
                        "question {number} takes no answers now; answer the question on screen", number=k + 1
                    )
                raise ClassError("question {number} takes no answers now; wait for the next question", number=k + 1)
            if self.seconds_left == 0:
                raise ClassError("the time for question {number} is over; wait for the next question", number=k + 1)
            student.answers[k] = self._checked(k, choice)
            self.changes += 1

    def _checked(self, k: int, choice: int | str) -> int | str:
        """Return an answer that the question can have."""
        one, n = self.exercises[k], len(self.exercises[k].choices)
        if n and choice not in range(n):
            raise ClassError("question {number} has {n} choices; choose one of them", number=k + 1, n=n)
        if not n:
            try:
                one.entry.parse(str(choice)[:MAX_ENTRY_LETTERS])
            except ValueError:
                raise ClassError(
                    "this answer is incomplete for question {number}; answer it again", number=k + 1
                ) from None
            return str(choice)[:MAX_ENTRY_LETTERS]
        return choice

    def _known(self, token: str) -> _Student:
        if token not in self._students:
            raise ClassError("only members of the class can answer; join the class first")
        return self._students[token]

    def tally(self, k: int | None = None) -> tuple[int, ...]:
        """Return the number of students per choice of the question at position `k`, by default the current one."""
        k = self._at if k is None else k
        given = self._given(k)
        return tuple(given.count(choice) for choice in range(len(self.exercises[k].choices)))

    def entered(self) -> tuple[str, ...]:
        """Return the entered answers to the current question, as their texts."""
        return tuple(one for one in self._given(self._at) if isinstance(one, str))

    def n_right(self, k: int) -> int:
        """Return the number of right answers to the question at position `k`."""
        return sum(self._is_right(k, given) for given in self._given(k))

    def n_answered(self, k: int) -> int:
        """Return the number of students who answered the question at position `k`."""
        return len(self._given(k))

    def _given(self, k: int) -> list[int | str]:
        with self._lock:
            given = [student.answers.get(k) for student in self._students.values()]
        return [one for one in given if one is not None]

    def _is_right(self, k: int, given: int | str | None) -> bool:
        one = self.exercises[k]
        if given is None or one.choices:
            return given is not None and given == one.answer
        return one.entry.is_right(one.entry.parse(given))

    def view(self, token: str) -> StudentView:
        """Return the view of a student.

        Raises
        ------
        ParameterError
            If the token is unknown.
        """
        with self._lock:
            student = self._known(token)
            graded = [k for k in self._revealed if self.exercises[k].has_answer]
            right = sum(self._is_right(k, student.answers.get(k)) for k in graded)
            return StudentView(
                student.name, self._stage, self._at, len(self.exercises), self.exercises[self._at],
                student.answers.get(self._at), right, len(graded),
                self._is_right(self._at, student.answers.get(self._at)), self.seconds_left,
            )  # fmt: skip

    def results(self, say: Texts = TEXTS["en"], *, title: str = "", date: str = "") -> str:
        """Return all answers as CSV, with students numbered by their order of entry, and entries in words.

        Parameters
        ----------
        say : Texts
            Texts of the language of the answers.
        title, date : str
            Title and date of the class, which each row repeats.
        """
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerow(HEADER)
        with self._lock:
            for number, student in enumerate(self._students.values(), start=1):
                for k, choice in sorted(student.answers.items()):
                    one = self.exercises[k]
                    row = (student.name, k + 1, one.question, one.given_text(choice, say), one.right_text(say))
                    right = "" if not one.has_answer else "yes" if self._is_right(k, choice) else "no"
                    write.writerow([_as_text(title), date, number, *map(_as_text, row), right])
        return out.getvalue()

    def state(self) -> dict[str, Any]:
        """Return all that the class consists of, as data."""
        with self._lock:
            students = [(token, one.name, dict(one.answers)) for token, one in self._students.items()]
            return {
                "exercises": self.exercises, "version": self.version, "most": self._most, "at": self._at,
                "stage": self._stage, "students": students, "revealed": sorted(self._revealed),
                "asked": sorted(self._asked), "until": None if math.isinf(self._until) else self._until,
            }  # fmt: skip

    @classmethod
    def restored(cls, state: Mapping[str, Any], *, clock: Callable[[], float] = time.time) -> Classroom:
        """Return the class of an earlier `state`."""
        room = cls(state["exercises"], state["most"], clock=clock)
        room.version = state["version"] + 1
        room._at, room._stage = state["at"], ClassStage(state["stage"])
        room._students = {token: _Student(name, dict(answers)) for token, name, answers in state["students"]}
        room._revealed, room._asked = set(state["revealed"]), set(state["asked"])
        room._until = math.inf if state["until"] is None else state["until"]
        return room


def nickname(text: str) -> str:
    """Return one line of at most 40 letters, without invisible characters and changes of the writing direction."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:MAX_NAME_LETTERS].rstrip()


def _as_text(cell: object) -> object:
    """Escape a cell that a spreadsheet would evaluate as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
