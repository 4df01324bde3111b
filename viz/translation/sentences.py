"""Sentences that students read, in each language: a catalog maps English templates to their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from learners.explaining.record import ENGLISH, Catalog, Sentence

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
Translator = Callable[..., str]
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')  # a string in JavaScript


@cache
def catalog(language: str, name: str = "sentences") -> Catalog:
    """Return the catalog of a language from the file of that name; empty for English."""
    if language == "en":
        return ENGLISH
    return json.loads((Path(__file__).parent / f"{name}_{language}.json").read_text(encoding="utf-8"))


@cache
def translator(language: str) -> Translator:
    """Return ``t(template, **values)``, which writes an English template in the language."""

    def t(template: str, **values: object) -> str:
        return Sentence(template, values).text((), catalog(language))

    return t


@cache
def words_of_scripts(language: str, folder: Path) -> Catalog:
    """Return the translations of the texts in the JavaScript of a folder; none for English."""
    known = catalog(language)
    scripts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js")))
    return {text: known[text] for script in scripts for text in LITERAL.findall(script) if text in known}
