"""Questions that a lecturer types during a class: choices, a text, a number, or a click in the graph.

Each may have a right answer or only ask for opinions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..lessons.lesson import Exercise
from ..lessons.typed_answers import ClickedNodes, TypedNumber, TypedText
from .class_error import ClassError

MAX_CHOICES = 8
MAX_QUESTION_LETTERS, MAX_CHOICE_LETTERS = 400, 120


def choice_question(text: str, choices: Sequence[str], answer: int | None = None) -> Exercise:
    """Return a question with choices.

    Parameters
    ----------
    text : str
    choices : sequence of str
        From two to eight.
    answer : int, optional
        Position of the right choice, if there is one.

    Raises
    ------
    ClassError
        If the question is empty, or the choices are too few, too many, too long, or twice the same.
    """
    labels = tuple(choice.strip()[:MAX_CHOICE_LETTERS] for choice in choices if choice.strip())
    if not 2 <= len(labels) <= MAX_CHOICES or len(set(labels)) < len(labels):
        raise ClassError("a question needs from 2 to {n} different choices; write one per line", n=MAX_CHOICES)
    if answer is not None and answer not in range(len(labels)):
        raise ClassError("the right choice has to be one of the choices; choose it again")
    return Exercise(_text(text), labels, -1 if answer is None else answer, "")


def entered_question(text: str, entry: TypedText | TypedNumber | ClickedNodes) -> Exercise:
    """Return a question whose answer is entered.

    Raises
    ------
    ClassError
        If the question is empty.
    """
    return Exercise(_text(text), (), -1, "", entry=entry)


def _text(text: str) -> str:
    line = " ".join(text.split())[:MAX_QUESTION_LETTERS]
    if not line:
        raise ClassError("a question needs a text; type it first")
    return line
