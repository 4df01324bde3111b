"""Tests of uploaded lessons: faults have lines, and strange files end in a sentence."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from learners.common.errors import DataError
from learners.teaching.lessons import uploads
from learners.teaching.lessons.lesson import LessonError
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.uploads import MAX_BYTES, MAX_NODES, check_upload, report

QUESTION = "```graph\na -> b\n```\n```question\n{asked}\nindependent: a, b |\n```\n"
GOOD = "# My lesson\nminutes: 5\nText.\n" + QUESTION.format(asked="Are a and b independent?")


def faults_of(text: str) -> list:
    """Return the faults that the child reports, without the child."""
    (frame,) = report(io.BytesIO(text.encode()))
    return json.loads(frame)[1]


@pytest.mark.deep
def test_a_good_lesson_passes_the_limited_process():
    """The child returns the title, and the text stays as it is."""
    assert check_upload(GOOD.encode(), "mine.md") == ("My lesson", GOOD)


@pytest.mark.deep
def test_every_fault_has_its_line():
    """Two faulty blocks and a picture are reported together, in the order of their lines."""
    text = GOOD + "```graph\na ->\n```\n![x](http://example.org/x.png)\n```question\nIs it?\nnonsense: a\n```\n"
    lines = [line for line, _ in faults_of(text)]
    assert lines == [11, 14, 15]
    with pytest.raises(LessonError, match="line 11: .*\nline 14: .*\nline 15: "):
        check_upload(text.encode(), "mine.md")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with its title"),
        ("# T\nminutes: ٣\n", "how long"),
        ("# T\nminutes: 5\nlanguage: fr\n", "language is one of"),
        ("# T\nminutes: 5\n```graph\na -> b\n", "has no end"),
        ("# T\nminutes: 5\nText.\n```graph\n" + "\n".join(f"a{k} -> a{k + 1}" for k in range(MAX_NODES)) + "\n```\n",
         "at most 20 variables"),
        ("# T\nminutes: 5\nText.\n```run\nlearner: pc\ndata: munin\nrows: 50000\n```\n", "rows"),
        ("# T\nminutes: 5\nText.\n```graph\na -> b : nan\n```\n", "expected a number"),
        ("# T\nminutes: 5\n```graph\na -> b\n```\n", "has text"),
    ],
)  # fmt: skip
def test_a_lesson_beyond_the_rules_says_what_to_change(text, words):
    """Each exceeded limit gives a message that says what to change."""
    assert any(words in sentence for _, sentence in faults_of(text))


@pytest.mark.parametrize(
    "picture",
    [
        "![x](http://example.org/x.png)",
        "![x][there]\n\n[there]: http://example.org/x.png",
        "![there]\n\n[there]: http://example.org/x.png",
        "![two\nlines](http://example.org/x.png)",
        "![a [nested] text](http://example.org/x.png)",
    ],
)
def test_no_picture_from_elsewhere_is_accepted(picture):
    """A picture is refused in every form that Markdown has for it."""
    assert any("no pictures" in sentence for _, sentence in faults_of(GOOD + f"\n{picture}\n"))


def test_bytes_that_are_no_text_name_the_line(monkeypatch):
    """Another encoding is refused with its line; a file that is too long is not read at all."""
    with pytest.raises(DataError, match="line 3"):
        list(report(io.BytesIO(b"# T\nminutes: 5\n\xe4\n")))
    monkeypatch.setattr(uploads, "run_in_sandbox", None)
    with pytest.raises(LessonError, match="bytes"):
        check_upload(b"#" * (MAX_BYTES + 1), "mine.md")


@pytest.mark.parametrize("path", sorted(Path("lessons").glob("[01]*.md")), ids=lambda path: path.stem[:2])
def test_bundled_lessons_could_be_uploaded(path):
    """Each bundled lesson is within the limits."""
    assert faults_of(path.read_text(encoding="utf-8")) == []


def test_the_head_may_name_the_language():
    """A German lesson is graded in German, and its questions have to ask in German words."""
    text = "# Titel\nminutes: 5\nlanguage: de\nText.\n" + QUESTION.format(asked="Sind a und b unabhängig?")
    assert read_lesson(text, "own").language == "de"
    assert faults_of(text) == []
