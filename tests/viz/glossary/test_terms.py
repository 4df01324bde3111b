"""Glossary terms in sentences: defined in a tooltip and linked to their lesson, in each language."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.viz.cases import HOSTILE
from viz.glossary.definitions_en import GLOSSARY
from viz.glossary.term_pictures import DRAWN, picture_of
from viz.glossary.terms import GLOSSARIES, LESSONS, pattern, term_of, with_terms
from viz.text import escape_markdown

FILES = Path(__file__).parents[3] / "lessons"


@pytest.mark.parametrize("language", GLOSSARIES)
def test_every_language_has_every_term(language):
    """Every definition fits into the title of a link."""
    glossary = GLOSSARIES[language]
    assert list(glossary) == list(GLOSSARY)
    assert not [one for one in glossary.values() if '"' in one or "\n" in one or not one.endswith((".", "?"))]


@pytest.mark.parametrize(("language", "folder"), [("en", FILES), ("de", FILES / "de")])
def test_the_lesson_of_a_term_contains_it(language, folder):
    """In each language, the lesson contains a form of the term that the page underlines."""
    assert list(LESSONS) == list(GLOSSARY)
    words = re.compile(pattern(language).replace(r"\p{L}\p{N}_", r"\w"))
    shown = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    terms = {key: {term_of(word, language) for word in words.findall(text)} for key, text in shown.items()}
    assert [term for term, key in LESSONS.items() if term not in terms[key]] == []


def test_plurals_and_capitalized_terms_are_found():
    """Plurals and capitalized terms are found; abbreviations are case-sensitive, so cd is not CD."""
    words = re.compile(pattern().replace(r"\p{L}\p{N}_", r"\w"))
    found = words.findall(
        "Colliders, false discoveries; equivalence classes of a cd, joint CPPD, DG-BIC, Significance levels."
    )
    assert found == ["Colliders", "false discoveries", "equivalence classes", "joint CPPD", "Significance levels"]
    assert term_of("Significance levels") == "alpha"


def test_pictures_are_of_terms_and_small():
    """Each SVG has its edges as alternative text and contains no style."""
    assert set(DRAWN) <= set(GLOSSARY)
    for term in DRAWN:
        drawn = ElementTree.fromstring(picture_of(term))
        assert drawn.get("aria-label").count(", ") == len(drawn.findall("*[@data-edge]")) - 1
        assert len(picture_of(term)) < 3000
    assert picture_of("alpha") == ""


def test_only_the_first_mention_is_linked():
    """A plural counts as a mention, a part of another word does not."""
    actual = with_terms("The sepsets and the sepset of a DAG; a DAGger.")
    assert actual.count("lesson=03-pc-by-hand") == 1
    assert actual.startswith(
        f'The [sepsets](lessons?lesson=03-pc-by-hand "{GLOSSARY["sepset"]}") and the sepset of a [DAG]'
    )
    assert actual.endswith("a DAGger\\.")
    assert GLOSSARIES["de"]["sepset"] in with_terms("A sepset.", "de")


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_stay_text(name):
    assert with_terms(f"{name} left") == escape_markdown(f"{name} left")
