"""Sentences are short: on screen at most 14 words on average, no clause of more than 20, no help of three sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean

import pytest

from tests.test_architecture import ROOT, of_every, sources, tree
from tests.test_sentences import shown_texts
from tests.test_sentences import texts as plain_texts
from viz.translation.sentences import catalog, messages

WORD = re.compile(r"{\w+}|\d[\d.,]*|[^\W\d_][\w'’-]*")  # a value in braces or digits counts as one word
NO_PROSE = re.compile(r"</?\w|-src ")  # markup and security policies
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|al|vs)\.")
MAX_MEAN, MAX_CLAUSE, MIN_WORDS = 14, 20, 4
DOCUMENTS = [  # docs/api.md consists of docstrings
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(path for path in ROOT.glob("docs/**/*.md") if path.name != "api.md"),
    *sorted(ROOT.glob("lessons/*.md")),
]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text without the addresses of its links."""
    plain = ABBREVIATIONS.sub(r"\1", re.sub(r"\]\([^)]*\)", "]", text))
    yield from re.split(r"(?<=[.?!])\s+|\n\s*\n|\n(?=[-|#*])", plain)


def n_words(text: str) -> int:
    return len(WORD.findall(text))


def clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text: errors state the fault, then the fix."""
    for one in sentences(text):
        yield from re.split(r"[;:]\s+", one)


def prose(markdown: str) -> str:
    """Return the paragraphs and lists of a Markdown text, each on one line; a code span counts as one word."""
    found = re.sub(r"^(```|~~~).*?^\1`*[ ]*$", "\n", markdown, flags=re.S | re.M)
    found = re.sub(r"^(?:    .*|\|.*|#.*|minutes: \d+)$", "\n", found, flags=re.M)
    found = re.sub(r"(`+).+?\1|<[^>\n]*>", "x", found, flags=re.S)
    found = re.sub(r"(?<=[.?!])[*_\"”)]+(?=\s)", "", found)
    parts = re.split(r"\n\s*\n|\n(?= *(?:[-*]|\d+\.) )", found)
    return "\n\n".join(" ".join(part.split()) for part in parts)


@cache
def texts(source: str) -> set[str]:
    """Return the texts of the catalog, which include those of the pages, or of a folder; of the library, its errors."""
    if source == "catalog":
        found = {*catalog("de"), *messages("de")}
    else:
        shown = (text for file, text in shown_texts() if file.startswith(f"{source}/") and not file.endswith(".js"))
        found = {re.sub(r"```.*?```", "", text, flags=re.S) for text in shown}
    return {text for text in found if not NO_PROSE.search(text)}


FOLDERS = [pytest.param(one, marks=pytest.mark.deep) for one in ("pages", "viz", "learners")]


@pytest.mark.parametrize("source", ["catalog", *FOLDERS, pytest.param("lessons", marks=pytest.mark.deep)])
def test_sentences_have_fourteen_words_on_average(source):
    lengths = [n_words(one) for text in texts(source) for one in sentences(text)]
    assert mean(n for n in lengths if n >= MIN_WORDS) <= MAX_MEAN


def test_explanations_have_fourteen_words_on_average():
    """Sentences of the stored runs of all learners; those that differ in their numbers alone count once."""
    found = set()
    for path in ROOT.glob("tests/viz/transcripts/*.txt"):
        lines = re.findall(r"^ +(?!\d+: )(\S.*\.)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found |= {one for line in lines for one in sentences(re.sub(r"\d[\d,.]*\d|\d", "5", line))}
    assert mean(n for n in map(n_words, found) if n >= MIN_WORDS) <= MAX_MEAN


@pytest.mark.parametrize("source", ["catalog", *FOLDERS])
def test_no_clause_has_more_than_twenty_words(source):
    """A clause ends at a full stop, a question mark, a colon or a semicolon."""
    assert {one for text in texts(source) for one in clauses(text) if n_words(one) > MAX_CLAUSE} == set()


def helps(path: Path) -> Iterator[str]:
    """Yield the help texts that a module passes as `help`, as they are or to a function that translates them."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.keyword) and node.arg == "help":
            yield from plain_texts(ast.Module([ast.Return(node.value)], []))


@of_every(sources("learners", "pages", "viz"))
def test_help_has_at_most_two_sentences(path):
    assert [text for text in helps(path) if len([one for one in sentences(text) if one.strip()]) > 2] == []


@of_every(DOCUMENTS)
def test_no_clause_of_a_document_has_more_than_twenty_words(path):
    found = prose(path.read_text(encoding="utf-8"))
    assert [one for one in clauses(found) if n_words(one) > MAX_CLAUSE] == []


def test_a_long_clause_is_found():
    assert n_words("one {two} 3,000 four's") == 4
    assert list(sentences("One [link](a.b c). Two, e.g. three.")) == ["One [link].", "Two, e.g three."]


def test_prose_of_a_document_omits_code_and_tables():
    text = (
        "# Title\nOne `two three` four.\n\n    code\n\n| a |\n\n- Five\n  six.\n- **Seven.** Eight.\n```\ncode\n```\n"
    )
    assert [one for one in sentences(prose(text)) if one] == ["One x four.", "- Five six.", "- **Seven.", "Eight."]
