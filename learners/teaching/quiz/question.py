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


ENDS = ("forward", "backward", "circle-forward", "circle-backward", "bidirected", "circles")  # edges of a PAG


class Topic(Enum):
    """Topic of a question, which determines the type of its choices."""

    LEAVES = "which edge leaves next"  # pairs i < j
    JOINS = "which edge joins next"  # pairs i < j
    SEPARATED = "which set separates a pair"  # sets of nodes, ascending; None: no set does
    COLLIDER = "collider or not"  # True, False; of a triple
    DIRECTION = "which way an edge points"  # arrows (i, j); None: either way
    RANK = "which pair is stronger"  # pairs i < j
    PROBABLE = "how probable an edge is"  # bands of probability
    ENDS = "what an edge of a PAG says"  # members of `learners.graphs.graph.Mark`, of the edge from i to j
    SUPPORT = "how sure a direction is"  # members of `results.directions.Support`


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
