"""Quiz question about a run, with its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ...graphs.graph import PDAG, Edge

MAX_REVIEW = 3
# Ranges of a probability; only the last includes its upper end.
BANDS = ((0.0, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.0))


# Marks of the edges of a PAG.
ENDS = ("forward", "backward", "circle-forward", "circle-backward", "bidirected", "circles")


class Topic(Enum):
    """Topic of a question, which determines the type of its choices."""

    LEAVES = "which edge leaves next"  # choices are pairs i < j
    JOINS = "which edge joins next"  # choices are pairs i < j
    # Choices are ascending sets of nodes, or None if no set separates the pair.
    SEPARATED = "which set separates a pair"
    COLLIDER = "collider or not"  # choices are True and False for a triple
    DIRECTION = "which way an edge points"  # choices are arrows (i, j), or None if both directions are possible
    RANK = "which pair is stronger"  # choices are pairs i < j
    PROBABLE = "how probable an edge is"  # choices are bands of probability
    ENDS = "what an edge of a PAG says"  # choices are members of `learners.graphs.graph.Mark` for the edge from i to j
    SUPPORT = "how sure a direction is"  # choices are members of `results.directions.Support`


@dataclass(frozen=True)
class QuizQuestion:
    """A question of a quiz.

    Attributes
    ----------
    topic : Topic
    about : tuple of int
        Nodes named in the question: a pair, or the triple i, k, j with k between; empty if the choices name all nodes.
    choices : tuple
        Choices of the kind that `topic` defines.
    answer : int
        Position of the correct choice.
    pair : (int, int)
        Pair whose explanation gives the reason.
    shown : PDAG
        Graph beside the question; it does not reveal the answer.
    step : int
        Number of changes of the trace before that graph; the last step if that graph is not in the trace.
    easy : bool
        True if the usual answer is correct: nothing, the empty set, no collider. Never twice in a row.
    """

    topic: Topic
    about: tuple[int, ...]
    choices: tuple[Any, ...]
    answer: int
    pair: Edge
    shown: PDAG
    step: int
    easy: bool = False


def questions_to_review(questions: Sequence[QuizQuestion], given: Sequence[int]) -> list[QuizQuestion]:
    """Return at most three wrongly answered questions, the first of each topic first."""
    wrong = [one for one, choice in zip(questions, given, strict=False) if choice != one.answer]
    by_topic: dict[Topic, QuizQuestion] = {}
    for one in wrong:
        by_topic.setdefault(one.topic, one)
    first = list(by_topic.values())
    return (first + [one for one in wrong if one not in first])[:MAX_REVIEW]
