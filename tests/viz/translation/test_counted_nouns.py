"""Counted nouns stand in the nominative or accusative in German, because their plural has one form in the catalog.

`Count` writes "2 Läufe" wherever its field stands, so no template has the field of such a noun in the dative: "von
{runs}" would read "von 2 Läufe". Plurals that end in -n or -s have the same form in the dative.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.viz.translation.test_sentences import ROOT
from viz.translation.sentences import catalog

DATIVE = "aus|bei|mit|nach|seit|von|zu"  # prepositions that take the dative alone
AFTER_DATIVE = re.compile(rf"\b(?:{DATIVE}) {{(\w+)}}", re.IGNORECASE)
FOLDERS = ("learners", "viz", "pages")


def has_dative_form(noun: str) -> bool:
    """Return True for a German plural, or its adjective, whose dative differs from it."""
    return any(not word.endswith(("n", "s")) for word in noun.split())


def counts(node: ast.AST) -> Iterator[str]:
    """Yield the plurals of the counts in an expression."""
    for call in ast.walk(node):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        if call.func.id == "edges":
            yield "edges"
        elif call.func.id in ("Count", "counted"):
            given = [one.value for one in call.args[1:] if isinstance(one, ast.Constant)]
            yield from given[1:] or [f"{one}s" for one in given]


def texts_in(nodes: list[ast.expr]) -> set[str]:
    """Return the literals in expressions."""
    found = (part for node in nodes for part in ast.walk(node))
    return {one.value for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def wrong_datives(source: str, german: Mapping[str, str]) -> list[str]:
    """Return the templates of a module, in German, that put a counted noun into the dative without its form.

    A template that is not written in the call that fills it may have the counts of any call with such a field.
    """
    tree = ast.parse(source)
    assigned: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                assigned.setdefault(ast.unparse(target), set()).update(counts(node.value))
    filled: dict[str, dict[str, set[str]]] = {}  # plurals by field, for each template
    anywhere: dict[str, set[str]] = {}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        for given in (one for one in call.keywords if one.arg):
            plurals = {*counts(given.value), *assigned.get(ast.unparse(given.value), ())}
            anywhere.setdefault(given.arg, set()).update(plurals)
            for text in texts_in(call.args):
                filled.setdefault(text, {}).setdefault(given.arg, set()).update(plurals)
    return [
        german[text]
        for text in sorted(texts_in([tree]) & german.keys())
        for name in AFTER_DATIVE.findall(german[text])
        if any(has_dative_form(german.get(one, one)) for one in filled.get(text, anywhere).get(name, ()))
    ]


def modules() -> list[Path]:
    """Return the modules that count things in sentences."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in paths if re.search(r"\b(Count|counted|edges)\(", path.read_text(encoding="utf-8")))


@pytest.mark.gate_cases(29)
@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_counted_noun_lacks_its_dative(path):
    assert wrong_datives(path.read_text(encoding="utf-8"), catalog("de")) == []


def test_a_wrong_dative_is_found():
    source = 'runs = Count(n, "run")\ntext = t("{done} of {runs}", runs=runs)\nt("after {rows}", rows=Count(n, "row"))'
    german = {"{done} of {runs}": "{done} von {runs}", "after {rows}": "nach {rows}", "runs": "Läufe", "rows": "Zeilen"}
    assert wrong_datives(source, german) == ["{done} von {runs}"]
