"""Sentences of explanations in lessons: without statistics, exponents and braces, which no lesson explains."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from learners.common.sentences import (
    ENGLISH,
    Capitalized,
    Catalog,
    Listed,
    Node,
    Nodes,
    Number,
    Phrase,
    Sentence,
    Unit,
    say,
)
from learners.explaining.explanation_record import Explanation
from learners.explaining.support import CLAIM

MIN_P = 1e-4  # smaller p-values are shown as p < 0.0001
OMITTED, TINY = "\ue000", "\ue001"  # private characters in place of values; no name of a lesson has them
STATISTICS = ("statistic", "value")  # fields that templates put into parentheses after the p-value


def explained_in_lesson(found: Explanation, catalog: Catalog = ENGLISH) -> tuple[str, ...]:
    """Write claim, evidence and caveats in the words of a lesson.

    Amounts of information are left out, because only lesson 13 explains them, and so is what an arrow claims about
    hidden common causes, which lesson 17 explains.
    """
    evidence = tuple(in_lesson(one) for one in found.evidence if "amount" not in one.values)
    caveats = tuple(in_lesson(one) for one in found.caveats if one.template != CLAIM)
    plain = replace(found, evidence=evidence, caveats=caveats)
    return tuple(_finished(text) for text in plain.written(catalog))


def step_in_lesson(text: Any) -> Any:
    """Write the sentence of a step in the words of a lesson."""
    return Phrase(_listed(text.sentence), text.names) if isinstance(text, Phrase) else text


def in_lesson(sentence: Sentence) -> Sentence:
    """Replace sets in braces, statistics and tiny p-values of a sentence; `_finished` removes the placeholders."""
    values = {
        name: OMITTED if name in STATISTICS and f"({{{name}}})" in sentence.template else _plain(value)
        for name, value in sentence.values.items()
    }
    return replace(sentence, values=values)


def _plain(value: Any) -> Any:
    if isinstance(value, Number):
        return TINY if value.unit is Unit.LOG_P and value.value < math.log(MIN_P) else value
    return _inside(value, in_lesson, _plain)


def _listed(sentence: Sentence) -> Sentence:
    """Replace sets in braces alone."""
    values = {name: _inside(value, _listed, lambda one: one) for name, value in sentence.values.items()}
    return replace(sentence, values=values)


def _inside(value: Any, of_sentence: Any, of_value: Any) -> Any:
    """Rewrite the sentences and sets inside a value."""
    if isinstance(value, Nodes) and value.braces:
        return Listed([Node(k) for k in value.members], last=" and ") if len(value.members) else say("nothing")
    if isinstance(value, Phrase):
        return Phrase(of_sentence(value.sentence), value.names)
    if isinstance(value, Sentence):
        return of_sentence(value)
    if isinstance(value, Listed):
        parts = [of_sentence(one) if isinstance(one, Sentence) else of_value(one) for one in value.parts]
        return replace(value, parts=parts)
    if isinstance(value, Capitalized):
        return replace(value, clause=_inside(value.clause, of_sentence, of_value))
    return value


def _finished(text: str) -> str:
    for part in (f" ({OMITTED})", " (dof 0)"):
        text = text.replace(part, "")
    return text.replace(f"= {TINY}", f"< {MIN_P:.4f}").replace(TINY, f"{MIN_P:.4f}")
