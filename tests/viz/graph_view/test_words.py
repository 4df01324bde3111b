"""Buttons and legend of the graph component have a German version."""

from __future__ import annotations

import ast
import re

import pytest

from viz.graph_view import HERE
from viz.translation.sentences import catalog, words_of_scripts

SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in HERE.glob("*.js")}
TEXT = r'"((?:[^"\\\n]|\\.)+)"'
# Texts of buttons and pens, other texts that are translated, and texts with names.
SHOWN = re.compile(rf"\bbutton\({TEXT}, {TEXT}|\bpen\({TEXT}, \"\w+\", {TEXT}|\b(?:inWords|menuText)\({TEXT}")
CONSTANTS = re.compile(
    r"^(?:export )?const (?:WORDS|POINTS|TURNS|DIFFERENCES|RANGES|ROLES|DONE|KEYS) = (?:\{(.*?)\}|(\".*?\"));",
    re.M | re.S,
)
# Texts with values.
FIELDS = re.compile(r'"([^"\n`$]*\{\w+\}[^"\n`$]*)"')
SYMBOLS = {"+", "SHD {n}"}


def shown_texts() -> set[str]:
    """Return the texts that the component looks up."""
    found = {text for script in SCRIPTS.values() for one in SHOWN.findall(script) for text in one if text}
    for script in SCRIPTS.values():
        found |= set(FIELDS.findall(script))
        for constant in map("".join, CONSTANTS.findall(script)):
            pieces = re.findall(r'"([^"\n]*)"(:?)', constant)
            found |= {text for text, colon in pieces if not colon and re.search("[a-z]{4}| [a-z]", text)}
    return found - SYMBOLS


def test_every_button_and_every_line_of_the_legend_is_german():
    texts = shown_texts()
    assert {"Zoom in", "Legend", "possible answer", "Forbid {name}", "Delete", "Within 2 steps"} <= texts
    assert sorted(text for text in texts if len(text) > 1 and text not in words_of_scripts("de", HERE)) == []


def test_lines_of_the_legend_are_translated():
    """No line of the legend is a text that skips the translation."""
    rows = SCRIPTS["legend.js"].split("const rows")[1].split("].filter")[0]
    assert re.findall(r', "[^"]*"\],? *$', rows, re.M) == []


def test_every_graph_of_the_pages_has_the_language_of_its_page():
    callers = [
        (path.name, {keyword.arg for keyword in call.keywords})
        for path in sorted((HERE.parents[1] / "pages").rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "graph_view"
    ]
    assert len(callers) > 8
    assert [name for name, given in callers if "language" not in given] == []


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("language", ["en", "de"])
def test_translations_come_from_the_catalog(language):
    words = words_of_scripts(language, HERE)
    assert words == {text: catalog(language)[text] for text in words}
    assert bool(words) == (language != "en")
