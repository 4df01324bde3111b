"""Quiz on one run: questions of all topics that the run offers, in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import numpy as np

from ...common.checks import check_count
from ...common.validation import Seed, validated
from ...results.result import LearnResult
from . import result_questions, trace_questions
from .question import QuizQuestion, Topic

MAKERS: Mapping[Topic, Callable[[LearnResult, np.random.Generator], Iterator[QuizQuestion]]] = {
    Topic.LEAVES: trace_questions.removals,
    Topic.JOINS: trace_questions.additions,
    Topic.SEPARATED: trace_questions.separating_sets,
    Topic.COLLIDER: result_questions.colliders,
    Topic.DIRECTION: result_questions.directions,
    Topic.ENDS: result_questions.ends,
    Topic.RANK: result_questions.ranks,
    Topic.PROBABLE: result_questions.probabilities,
    Topic.SUPPORT: result_questions.supports,
}
MAX_CANDIDATES = 40  # maximum number of questions of a topic to choose from


@validated
def questions(result: LearnResult, n: int = 8, seed: Seed = 0) -> tuple[QuizQuestion, ...]:
    """Return questions about a run with their answers, made from its trace and its result.

    Topics take turns, and no question is repeated. Two questions whose answer is the usual one (`QuizQuestion.easy`)
    never follow one another. The same run and seed give the same questions.

    Parameters
    ----------
    result : LearnResult
        Result of any learner.
    n : int
        Maximum number of questions; a small run has fewer.
    seed : int

    Returns
    -------
    tuple of QuizQuestion

    Raises
    ------
    ParameterError
        If `n` or `seed` is not a nonnegative integer.
    """
    check_count("n", n)
    rng = np.random.default_rng(seed)
    left = {topic: list(islice(make(result, rng), MAX_CANDIDATES)) for topic, make in MAKERS.items()}
    chosen: list[QuizQuestion] = []
    while len(chosen) < n:
        after = _next(left, chosen)
        if after is None:
            break
        chosen.append(after)
        left[after.topic].remove(after)
    return tuple(chosen)


def _next(left: Mapping[Topic, list[QuizQuestion]], chosen: list[QuizQuestion]) -> QuizQuestion | None:
    """Return an allowed question of the topic that was asked least often, and longest ago."""
    topics = [one.topic for one in chosen]
    latest = {topic: k for k, topic in enumerate(topics)}
    for topic in sorted(left, key=lambda topic: (topics.count(topic), latest.get(topic, -1))):
        for one in left[topic]:
            if _may_follow(one, chosen):
                return one
    return None


def _may_follow(one: QuizQuestion, chosen: list[QuizQuestion]) -> bool:
    twice = any((one.topic, one.about, one.choices) == (other.topic, other.about, other.choices) for other in chosen)
    return not twice and not (chosen and one.easy and chosen[-1].easy)
