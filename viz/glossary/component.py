"""What the script that marks terms is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .captions import FRAME
from .term_pictures import picture_of
from .terms import GLOSSARIES, LESSONS, forms, pattern


class Term(TypedDict):
    """One term: its sentence, its picture (an SVG, or empty), address and title of its lesson."""

    told: str
    picture: str
    address: str
    lesson: str


class GlossaryViewData(TypedDict):
    """All of a language: what finds words on screen, their terms, and the words around the list."""

    pattern: str
    forms: Mapping[str, str]
    terms: Mapping[str, Term]
    say: Mapping[str, str]


def glossary_view_data(language: str, titles: Mapping[str, str]) -> GlossaryViewData:
    """What there is to tell.

    Parameters
    ----------
    language : str
    titles : mapping of str to str
        Of the lessons, by their keys.
    """
    terms: dict[str, Term] = {
        term: {
            "told": told,
            "picture": picture_of(term),
            "address": f"lessons?lesson={LESSONS[term]}",
            "lesson": titles.get(LESSONS[term], LESSONS[term]),
        }
        for term, told in GLOSSARIES[language].items()
    }
    say = {name: FRAME[language][name] for name in ("words on this page", "to the lesson")}
    return {"pattern": pattern(language), "forms": forms(language), "terms": terms, "say": say}
