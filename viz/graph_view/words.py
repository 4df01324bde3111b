"""Texts of the graph component in the languages of the catalogs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..translation.sentences import catalog

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Return the translations of the texts in the component's scripts; none for English."""
    known = catalog(language)
    scripts = (path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.js")))
    return {text: known[text] for script in scripts for text in LITERAL.findall(script) if text in known}
