"""Questions of a quiz: their words, their answers, and the graph that they show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.common.sentences import ENGLISH, Catalog, Nodes, Sentence, percent, phrase, say
from learners.common.wording import format_number
from learners.explaining.explanation import explanation
from learners.results.directions import Support
from learners.results.result import LearnResult, ranking_of
from learners.teaching.lessons.lesson import Exercise
from learners.teaching.quiz.question import QuizQuestion, Topic

from .graph_data import EdgeData, GraphViewData, nodes
from .text import ARROWS, shorten

MAX_DRAWN = 800  # maximum number of drawn edges; in a denser graph only the choices are drawn
OF_PAIRS = (Topic.LEAVES, Topic.JOINS, Topic.RANK)
QUESTIONS = {
    Topic.LEAVES: "Which of these edges is removed next?",
    Topic.JOINS: "Between which of these pairs is an edge added next?",
    Topic.SEPARATED: "Is {a} separated from {b} in this run, and by which set?",
    Topic.COLLIDER: "{a} and {c} are not adjacent, and both are adjacent to {b}. Is {b} a collider in the result?",
    Topic.DIRECTION: "Given these v-structures, which direction do Meek's rules give {a} — {b}?",
    Topic.ENDS: "What does the edge between {a} and {b} say?",
    Topic.RANK: "Each of these pairs has a largest p among its tests. Of which pair is it the smallest?",
    Topic.PROBABLE: "How probable is an edge between {a} and {b}?",
    Topic.SUPPORT: "The result has {a} → {b}. How well is this direction supported?",
}
TOPICS = {  # labels of the questions to review
    Topic.LEAVES: "next removed edge",
    Topic.JOINS: "next added edge",
    Topic.SEPARATED: "separating set",
    Topic.COLLIDER: "collider or not",
    Topic.DIRECTION: "direction by Meek's rules",
    Topic.ENDS: "ends of an edge",
    Topic.RANK: "stronger pair",
    Topic.PROBABLE: "probability of the edge",
    Topic.SUPPORT: "support of the direction",
}
STRONGEST = "Which of these pairs is the strongest ({measure})?"
LARGEST_P = "ln of the largest p"  # the ranking value of learners that rank by their tests
RANKED = "ln of the largest p of each pair: {listed}."
WHICH_SET = "Which set separated {a} and {b} in this run?"
SEPARATED = "{a} and {c} were separated given {set}; both are adjacent to {b}. Is {b} a collider in the result?"
SUPPORTS = {
    Support.CLEAR: "strongly: odds of more than 20 to 1",
    Support.WEAK: "weakly",
    Support.CONTESTED: "not at all: strong evidence contradicts it",
}

ENDS = {
    "forward": "{a} causes {b}",
    "backward": "{b} causes {a}",
    "circle-forward": "{b} does not cause {a}; whether {a} causes {b} is open",
    "circle-backward": "{a} does not cause {b}; whether {b} causes {a} is open",
    "bidirected": "neither causes the other: a hidden variable causes both",
    "circles": "both ends are open",
}


def question_sentence(question: QuizQuestion, result: LearnResult, catalog: Catalog = ENGLISH) -> str:
    """Return the question in the language of a catalog."""
    named = dict(zip("abc", [shorten(result.names[node]) for node in question.about], strict=False))
    template = QUESTIONS[question.topic]
    if question.topic is Topic.RANK and (measure := _measured(result)[0]) != LARGEST_P:
        template, named = STRONGEST, {"measure": measure}
    if question.topic is Topic.SEPARATED and None not in question.choices:
        template = WHICH_SET
    if question.topic is Topic.COLLIDER and (members := result.sepsets.between(*question.about[::2])) is not None:
        template, named = SEPARATED, named | {"set": Nodes(members) if members else phrase("nothing")}
    return say(template, **named).text(result.names, catalog)


def _measured(result: LearnResult) -> tuple[str, dict[tuple[int, int], float]]:
    """Return the name of the number by which a question ranks pairs, and the number of each pair."""
    ranking = ranking_of(result)
    if ranking is None:
        edges = [(min(edge), max(edge)) for edge in result.graph.edges()]
        return result.strengths.label, {edge: float(result.strengths.values[edge]) for edge in edges}
    measure, values = next(iter(ranking.values.items()))
    pairs = map(tuple, ranking.pairs.tolist())
    return measure, dict(zip(pairs, values.tolist(), strict=True))


def choice_label(question: QuizQuestion, k: int, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
    """Return the text of a choice in the language of a catalog."""
    return _choice(question, k, names).text(names, catalog)


def _choice(question: QuizQuestion, k: int, names: Sequence[str]) -> Sentence:
    choice = question.choices[k]
    if question.topic in OF_PAIRS:
        return say("{pair}", pair=_pair(choice, "—", names))
    if question.topic is Topic.SEPARATED:
        if choice is None:
            return say("no, no set separates them")
        given = Nodes(choice) if choice else phrase("nothing")
        return say("{set}" if None not in question.choices else "yes, given {set}", set=given)
    if question.topic is Topic.COLLIDER:
        return say("yes, both arrows point at it") if choice else say("no")
    if question.topic is Topic.DIRECTION:
        return say("none: both directions fit") if choice is None else say("{pair}", pair=_pair(choice, "→", names))
    if question.topic is Topic.ENDS:
        a, b = (shorten(names[node]) for node in question.about)
        return say(ENDS[choice], a=a, b=b)
    if question.topic is Topic.PROBABLE:
        return say("{low} to {high}", low=percent(choice[0]), high=percent(choice[1]))
    return say(SUPPORTS[choice])


def _pair(pair: Sequence[int], arrow: str, names: Sequence[str]) -> str:
    return f"{shorten(names[pair[0]])} {arrow} {shorten(names[pair[1]])}"


def choice_at(question: QuizQuestion, selected: object) -> int | None:
    """Return the choice that a click on a pair or a variable selects, or None."""
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


def how_to_click(question: QuizQuestion, catalog: Catalog = ENGLISH) -> str:
    """Return the instruction for answers by a click on the graph, in the language of a catalog."""
    if question.topic in OF_PAIRS:
        words = "Choose below, or click the line in the graph."
    else:
        words = {
            Topic.SEPARATED: "Choose below. If a single variable separates them, you can click it instead.",
            Topic.COLLIDER: "Choose below, or click the collider.",
            Topic.DIRECTION: "Choose below, or click the variable that the arrow points at.",
        }.get(question.topic, "Choose below.")
    return say(words).text((), catalog)


def reveal(question: QuizQuestion, result: LearnResult, catalog: Catalog = ENGLISH) -> list[str]:
    """Explain the answer as the explanation panel does; for a triple, explain both of its sides.

    Of pairs that are ranked, give the numbers of all first.
    """
    pairs = [question.pair]
    if question.topic is Topic.RANK:
        measure, values = _measured(result)
        listed = "; ".join(
            f"{_pair(pair, '—', result.names)}: {format_number(values[min(pair), max(pair)])}"
            for pair in question.choices
        )
        numbers = (
            say(RANKED, listed=listed)
            if measure == LARGEST_P
            else say("{measure}: {listed}.", measure=measure, listed=listed)
        )
        ranked = [numbers.text(result.names, catalog)]
    else:
        ranked = []
    if question.topic is Topic.COLLIDER:
        pairs.append((question.about[2], question.about[1]))
    return ranked + [sentence for pair in pairs for sentence in explanation(result, pair).written(catalog)]


def as_exercise(question: QuizQuestion, result: LearnResult, catalog: Catalog = ENGLISH) -> Exercise:
    """Return the question with choices and reason as text in the language of a catalog, for a class."""
    labels = tuple(choice_label(question, k, result.names, catalog) for k in range(len(question.choices)))
    why = " ".join(reveal(question, result, catalog))
    return Exercise(question_sentence(question, result, catalog), labels, question.answer, why)


def quiz_view(question: QuizQuestion, names: Sequence[str], positions: np.ndarray) -> GraphViewData:
    """Return the graph of a question with the choices marked.

    Parameters
    ----------
    question : QuizQuestion
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    asked = set(question.choices) if question.topic in OF_PAIRS else set()
    few = question.shown.n_edges <= MAX_DRAWN
    drawn = {(min(edge), max(edge)) for edge in question.shown.edges()} if few else {question.pair}
    return {
        "nodes": nodes(names, positions),
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


def score_sentence(right: int, asked: int, catalog: Catalog = ENGLISH) -> str:
    """Return a sentence with the score so far, in the language of a catalog."""
    return say("{right} of {n} right", right=right, n=asked).text((), catalog)


def again_label(question: QuizQuestion, names: Sequence[str], catalog: Catalog = ENGLISH) -> str:
    """Return the label of a question to review, in the language of a catalog."""
    topic = say(TOPICS[question.topic]).text((), catalog)
    return f"{_pair(question.pair, ARROWS['undirected'], names)}: {topic}"
