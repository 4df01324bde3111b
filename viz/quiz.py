"""Questions of a quiz: their words, their answers, and the graph that they show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.explaining.explanation import explanation
from learners.lessons.lesson import Exercise
from learners.quiz.question import QuizQuestion, Topic
from learners.results.directions import Support
from learners.results.result import LearnResult, ranks_pairs

from .graph_data import EdgeData, GraphViewData
from .text import ARROWS, format_set, shorten

MAX_DRAWN = 800  # maximum number of drawn edges; in a denser graph only the choices are drawn
OF_PAIRS = (Topic.LEAVES, Topic.JOINS, Topic.RANK)
SUPPORTS = {
    Support.CLEAR: "strongly: odds of more than 20 to 1",
    Support.WEAK: "weakly",
    Support.CONTESTED: "not: the evidence conflicts",
}


def question_sentence(question: QuizQuestion, result: LearnResult) -> str:
    """Return the question."""
    named = [shorten(result.names[node]) for node in question.about]
    stronger = "ranks higher" if ranks_pairs(result) else f"is the strongest ({result.strengths.label})"
    return {
        Topic.LEAVES: "Which of these edges is removed next?",
        Topic.JOINS: "Between which of these pairs is an edge added next?",
        Topic.SEPARATED: "Is {} separated from {} in this run, and by which set?",
        Topic.COLLIDER: "{0} and {2} are not adjacent, and both are adjacent to {1}. Is {1} a collider in the result?",
        Topic.DIRECTION: "Given these v-structures, which direction do Meek's rules give {} — {}?",
        Topic.RANK: "Which of these pairs {stronger}?",
        Topic.PROBABLE: "How probable is an edge between {} and {}?",
        Topic.SUPPORT: "The result has {} → {}. How well is this direction supported?",
    }[question.topic].format(*named, stronger=stronger)


def choice_label(question: QuizQuestion, k: int, names: Sequence[str]) -> str:
    """Return the text of a choice."""
    choice = question.choices[k]
    if question.topic in OF_PAIRS:
        return _pair(choice, "—", names)
    if question.topic is Topic.SEPARATED:
        return "no, no set separates them" if choice is None else f"yes, given {format_set(choice, names)}"
    if question.topic is Topic.COLLIDER:
        return "yes, both arrows point at it" if choice else "no"
    if question.topic is Topic.DIRECTION:
        return "none: both directions fit" if choice is None else _pair(choice, "→", names)
    if question.topic is Topic.PROBABLE:
        return f"{choice[0]:.0%} to {choice[1]:.0%}"
    return SUPPORTS[choice]


def _pair(pair: Sequence[int], arrow: str, names: Sequence[str]) -> str:
    return f"{shorten(names[pair[0]])} {arrow} {shorten(names[pair[1]])}"


def choice_at(question: QuizQuestion, selected: object) -> int | None:
    """Return the choice meant by a click on a pair or a variable, or None."""
    for k, choice in enumerate(question.choices):
        if isinstance(selected, tuple):
            if question.topic in OF_PAIRS and set(choice) == set(selected):
                return k
        elif selected is not None and selected == _node_of(question, choice):
            return k
    return None


def _node_of(question: QuizQuestion, choice: object) -> int | None:
    """Return the variable that represents a choice."""
    if question.topic is Topic.SEPARATED:
        return choice[0] if choice and len(choice) == 1 else None
    if question.topic is Topic.DIRECTION:
        return None if choice is None else choice[1]
    return question.about[1] if question.topic is Topic.COLLIDER and choice else None


def how_to_click(question: QuizQuestion) -> str:
    """Return the instruction for answers by a click on the graph."""
    if question.topic in OF_PAIRS:
        return "Choose below, or click the line in the graph."
    return {
        Topic.SEPARATED: "Choose below, or click the variable that separates them.",
        Topic.COLLIDER: "Choose below, or click the collider.",
        Topic.DIRECTION: "Choose below, or click the variable that the arrow points at.",
    }.get(question.topic, "Choose below.")


def reveal(question: QuizQuestion, result: LearnResult) -> list[str]:
    """Explain the answer as the explanation panel does; for a triple, explain both of its sides."""
    pairs = [question.pair]
    if question.topic is Topic.COLLIDER:
        pairs.append((question.about[2], question.about[1]))
    return [sentence for pair in pairs for sentence in explanation(result, pair).written()]


def as_exercise(question: QuizQuestion, result: LearnResult) -> Exercise:
    """Return the question with choices and reason as text, for a class."""
    labels = tuple(choice_label(question, k, result.names) for k in range(len(question.choices)))
    return Exercise(question_sentence(question, result), labels, question.answer, " ".join(reveal(question, result)))


def quiz_view(question: QuizQuestion, names: Sequence[str], positions: np.ndarray) -> GraphViewData:
    """Return the graph of a question with the choices marked.

    Parameters
    ----------
    question : Question
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    asked = set(question.choices) if question.topic in OF_PAIRS else set()
    few = question.shown.n_edges <= MAX_DRAWN
    drawn = {(min(edge), max(edge)) for edge in question.shown.edges()} if few else {question.pair}
    return {
        "nodes": [
            {"id": k, "label": name, "x": float(x), "y": float(y)}
            for k, (name, (x, y)) in enumerate(zip(names, positions.tolist(), strict=True))
        ],
        "edges": [
            _edge(k, pair, question.shown.mark(*pair), pair in asked) for k, pair in enumerate(sorted(drawn | asked))
        ],
        "steps": {"count": 1, "text": [""]},
        "allow_pins": False,
        "file_name": "edgewise_quiz",
    }


def _edge(k: int, pair: tuple[int, int], mark: str, asked: bool) -> EdgeData:
    edge: EdgeData = {"id": k, "a": pair[0], "b": pair[1], "spans": [[0, 1, "undirected" if mark == "none" else mark]]}
    return edge | ({"turns": [[0, 1, "asked"]]} if asked else {})


def score_sentence(right: int, asked: int) -> str:
    """Return a sentence with the score so far."""
    return f"{right} of {asked} right"


def again_label(question: QuizQuestion, names: Sequence[str]) -> str:
    """Return the label of a question to review."""
    return f"{_pair(question.pair, ARROWS['undirected'], names)}: {question.topic.value}"
