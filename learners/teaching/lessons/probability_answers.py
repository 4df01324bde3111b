"""Answers of exercises on probabilities, with the values that frequent mistakes lead to."""

from __future__ import annotations

from collections.abc import Sequence

from learners.common.wording import format_number

from ...effects.interventions import intervene
from ...networks.network import DiscreteNetwork
from .answer_texts import Texts
from .entered_answers import EnteredNumber
from .lesson import LessonError, LessonGraph
from .probability_syntax import ProbabilityQuestion, Values, probability, read_probability

Slip = tuple[float, str]  # the value of a mistake, and a sentence that names the mistake


def probability_answer(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Compute a probability: ``probability: disease = yes | test = positive``, or given ``do(drug = yes)``.

    Returns
    -------
    tuple
        The fields of an `Exercise` after its question.

    Raises
    ------
    LessonError
        If the graph has no probabilities, or the question names no value of it, or a case that never occurs.
    """
    if graph.tables is None:
        raise LessonError("the graph above has no probabilities; add lines such as P(a): yes 0.1, no 0.9")
    asked = read_probability(about, graph.tables)
    network = intervene(graph.tables, asked.done) if asked.done else graph.tables
    condition = probability(network, asked.seen)
    if condition == 0:
        raise LessonError(f"{values_text(asked.seen)} never occurs")
    joint = probability(network, {**asked.seen, **asked.event})
    value, event, given = joint / condition, values_text(asked.event), _given(asked)
    why = say["set" if asked.done else "share" if asked.seen else "summed"].format(
        chance=f"P({event}{f' | {given}' if given else ''})", event=event, given=given, done=values_text(asked.done),
        value=percent(value), joint=percent(joint), condition=percent(condition),
    )  # fmt: skip
    slips = _slips(graph.tables, asked, value, say)
    choices, answer = _choices(value, slips)
    wrong = tuple((100 * p, text) for p, text in slips if percent(p) != percent(value))
    return choices, answer, why, (), False, (), EnteredNumber(100 * value, wrong, why=why)


def _slips(network: DiscreteNetwork, asked: ProbabilityQuestion, value: float, say: Texts) -> list[Slip]:
    """Return the values of frequent mistakes: swapped condition, joint, no condition, seeing in place of setting."""
    event, given, seen = values_text(asked.event), _given(asked), {**asked.done, **asked.seen}
    if not seen:
        return [(1 - value, say["complement"].format(event=event))]
    joint, marginal = probability(network, {**seen, **asked.event}), probability(network, asked.event)
    slips = [(marginal, say["no condition"].format(event=event))]
    if asked.done:
        return [*slips, (joint / probability(network, seen), say["seen, not set"].format(given=values_text(seen)))]
    return [
        *slips,
        (joint / marginal, say["swapped"].format(event=event, given=given)),
        (joint, say["joint"].format(event=event, given=given)),
    ]


def _choices(value: float, slips: Sequence[Slip]) -> tuple[tuple[str, ...], int]:
    """Return the answer and the values of mistakes in ascending order, and the position of the answer."""
    offered = sorted((value, 1 - value, *(slip for slip, _ in slips)))
    choices = tuple(dict.fromkeys(percent(p) for p in offered))
    return choices, choices.index(percent(value))


def _given(asked: ProbabilityQuestion) -> str:
    parts = [f"do({values_text(asked.done)})"] if asked.done else []
    return ", ".join([*parts, *([values_text(asked.seen)] if asked.seen else [])])


def values_text(values: Values) -> str:
    """Return values as text, such as "disease = yes, sex = male"."""
    return ", ".join(f"{name} = {level}" for name, level in values.items())


def percent(p: float) -> str:
    """Return a probability in percent, with three significant digits."""
    return f"{format_number(100 * p)} %"
