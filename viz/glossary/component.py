"""Data of the glossary component."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from ..translation.captions import CAPTIONS
from .term_pictures import picture_of
from .terms import GLOSSARIES, LESSONS, forms, in_lessons, pattern


class Term(TypedDict):
    """A term with its definition, its picture (SVG or ""), and address and title of its lesson."""

    definition: str
    picture: str
    address: str
    lesson: str


class GlossaryViewData(TypedDict):
    """The glossary of a language: the pattern that finds terms on screen, the terms, and the captions of the list."""

    pattern: str
    forms: Mapping[str, str]
    terms: Mapping[str, Term]
    say: Mapping[str, str]


def glossary_view_data(language: str, titles: Mapping[str, str], lesson: str = "") -> GlossaryViewData:
    """Return the glossary of a language.

    Parameters
    ----------
    language : str
    titles : mapping of str to str
        Titles of the lessons, by key.
    lesson : str
        Key of the open lesson, to which no link leads; in a lesson, definitions lack other meanings of a word.
    """
    terms: dict[str, Term] = {
        term: {
            "definition": in_lessons(definition) if lesson else definition,
            "picture": picture_of(term),
            "address": "" if LESSONS[term] == lesson else f"lessons?lesson={LESSONS[term]}",
            "lesson": titles.get(LESSONS[term], LESSONS[term]),
        }
        for term, definition in GLOSSARIES[language].items()
    }
    say = {name: CAPTIONS[language][name] for name in ("glossary", "to the lesson")}
    return {"pattern": pattern(language), "forms": forms(language), "terms": terms, "say": say}
