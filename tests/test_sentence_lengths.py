"""Sentences on screen are short: at most 14 words on average, and no clause has more than 20."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from statistics import mean

import pytest

from tests.test_sentences import shown_texts
from viz.translation.messages import messages
from viz.translation.sentences import catalog

WORD = re.compile(r"{\w+}|\d[\d.,]*|[^\W\d_][\w'’-]*")  # a value in braces or digits counts as one word
NO_PROSE = re.compile(r"</?\w|-src ")  # markup and security policies
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|al|vs)\.")
MAX_MEAN, MAX_CLAUSE, MIN_WORDS = 14, 20, 4
ALLOWED = (  # sentences that state several numbers
    "best value of any learner",
    "degrees of freedom a test calls",
    "BIF network of this length",
    "a sweep needs values",
    "codes must be (p, n)",
    "virtual evidence of",
)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text without the addresses of its links."""
    plain = ABBREVIATIONS.sub(r"\1", re.sub(r"\]\([^)]*\)", "]", text))
    yield from re.split(r"(?<=[.?!])\s+|\n\s*\n|\n(?=[-|#*])", plain)


def n_words(text: str) -> int:
    return len(WORD.findall(text))


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


@pytest.mark.parametrize("source", ["catalog", *FOLDERS])
def test_no_clause_has_more_than_twenty_words(source):
    """A clause ends at a full stop, a question mark, a colon or a semicolon: errors state the fault, then the fix."""
    long = {
        clause
        for text in texts(source)
        for one in sentences(text)
        for clause in re.split(r"[;:]\s+", one)
        if n_words(clause) > MAX_CLAUSE and not any(part in clause for part in ALLOWED)
    }
    assert long == set()


def test_a_long_clause_is_found():
    assert n_words("one {two} 3,000 four's") == 4
    assert list(sentences("One [link](a.b c). Two, e.g. three.")) == ["One [link].", "Two, e.g three."]
