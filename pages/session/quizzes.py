"""State of the quiz on a run: its questions and the answers so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from learners.teaching.quiz.question import QuizQuestion
from learners.teaching.quiz.quiz import questions
from pages.session.state import Run

KEY = "quiz"
N_QUESTIONS = 8


@dataclass
class Quiz:
    """A quiz in progress.

    Attributes
    ----------
    run : int
        Number of the run.
    questions : tuple of Question
    given : list of int
        Choices so far.
    revealed : bool
        True if the last answer is revealed.
    """

    run: int
    questions: tuple[QuizQuestion, ...]
    given: list[int] = field(default_factory=list)
    revealed: bool = False

    @property
    def at(self) -> int:
        """Return the position of the question on screen; the number of questions once all are answered."""
        return len(self.given) - self.revealed

    @property
    def right(self) -> int:
        """Return the number of correct answers."""
        return sum(question.answer == k for question, k in zip(self.questions, self.given, strict=False))


def current(run: Run) -> Quiz | None:
    """Return the quiz on this run, or None."""
    quiz = st.session_state.get(KEY)
    return quiz if quiz is not None and quiz.run == run.number else None


def begin(run: Run) -> None:
    """Begin a quiz with new questions."""
    seed = st.session_state.get("quizzes", 0)
    st.session_state.quizzes = seed + 1
    st.session_state[KEY] = Quiz(run.number, questions(run.result, N_QUESTIONS, seed))


def show_or_leave(run: Run, asked: bool) -> None:
    """Show a quiz on this run if it is asked for, the current one if there is one; else leave it."""
    if not asked:
        leave()
    elif current(run) is None:
        begin(run)


def leave() -> None:
    """Leave the quiz."""
    st.session_state[KEY] = None
