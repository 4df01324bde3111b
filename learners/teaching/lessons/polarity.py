"""Polarity of yes/no questions: the check names the property that a "yes" confirms, and the question has to say it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .lesson import LessonError

# The property that a check asks about, as words of a question in each language.
WORDS: Mapping[str, Mapping[str, str]] = {
    "independent": {"en": r"independent|separate\b|removed", "de": r"unabhängig|trennt|entfernt"},
    "dependent": {"en": r"dependent", "de": r"abhängig"},
    "adjacent": {"en": r"adjacent", "de": r"benachbart"},
    "collider": {"en": r"collider", "de": r"Kollider"},
    "equivalent": {"en": r"equivalent", "de": r"äquivalent"},
    "causes": {"en": r"causes?\b", "de": r"verursacht|Ursache"},
    "adjusts": {"en": r"adjustment set|suffice|condition on", "de": r"Adjustierungsmenge|genügt|bedingen"},
}
NEGATIONS = {"en": r"not|\w+n't|no|never|without|neither|fail", "de": r"nicht|kein\w*|nie|ohne|weder"}


def check_polarity(text: str, check: str, language: str) -> None:
    """Raise an error if the last sentence of a yes/no question lacks the property of its check, or negates it.

    Parameters
    ----------
    text : str
        The whole question.
    check : str
        Key of `learners.teaching.lessons.exercises.CHECKS`; other types of questions have no polarity.
    language : str
    """
    words = WORDS.get(check, {}).get(language)
    if words is None:
        return
    asked = re.split(r"(?<=[.!?])\s+", text.strip())[-1]
    if not asked.endswith("?"):
        raise LessonError(f'a question ends with a question mark, got "{asked[-80:]}"')
    if not re.search(rf"\b(?:{words})", asked, re.IGNORECASE):
        raise LessonError(f'"{check}" answers whether something is {check}; the question has to ask that in this word')
    if found := re.search(rf"\b(?:{NEGATIONS[language]})\b", asked, re.IGNORECASE):
        raise LessonError(f'a negated question has no clear answer; rewrite it without "{found.group()}"')
