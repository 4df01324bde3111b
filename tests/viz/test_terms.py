"""Terms of the field in sentences: explained on hover, linked to their lesson, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.viz.cases import HOSTILE
from viz.frame import FRAME
from viz.glossary import GLOSSARY
from viz.terms import GLOSSARIES, LESSONS, with_terms
from viz.text import escape_markdown

FILES = Path(__file__).parents[2] / "lessons"


@pytest.mark.parametrize("language", GLOSSARIES)
def test_every_language_has_every_term(language):
    """In one sentence that fits the title of a link."""
    glossary = GLOSSARIES[language]
    assert list(glossary) == list(GLOSSARY)
    assert FRAME[language].keys() == FRAME["en"].keys()
    assert not [one for one in glossary.values() if '"' in one or "\n" in one or not one.endswith((".", "?"))]


def test_a_term_leads_to_a_lesson_that_is_there():
    """Each file of the table exists, and each term of it is explained."""
    assert set(LESSONS) <= set(GLOSSARY)
    assert {f"{key}.md" for key in LESSONS.values()} <= {path.name for path in FILES.iterdir()}


def test_the_first_mention_is_explained():
    """Once a sentence, also in the plural, and never within another word."""
    said = with_terms("The sepsets and the sepset of a DAG; a DAGger.")
    assert said.count("lesson=03-pc-by-hand") == 1
    assert said.startswith(
        f'The [sepsets](lessons?lesson=03-pc-by-hand "{GLOSSARY["sepset"]}") and the sepset of a [DAG]'
    )
    assert said.endswith("a DAGger\\.")
    assert GLOSSARIES["de"]["sepset"] in with_terms("A sepset.", "de")


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_stay_text(name):
    """Whatever a variable is called, the rest of the sentence is as escaped."""
    assert with_terms(f"{name} left") == escape_markdown(f"{name} left")
