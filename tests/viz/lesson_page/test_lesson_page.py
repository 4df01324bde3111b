"""Tests of a lesson as one HTML file: it contains every block, closes no element, and grades like the app."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import LessonGraph, LessonQuestion
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.lesson_runs import data_of, result_of
from tests.javascript import VIZ, Node
from tests.viz.replay_page.opening import ReplayFile
from viz.bundle import in_order
from viz.lesson_page.answers import MAX_EXPLAINED, exercise_pack
from viz.lesson_page.marked_text import tree_of
from viz.lesson_page.page import lesson_html

FOLDER = Path("lessons")
HOSTILE = """# </script><b>T
minutes: 5
<img src=x onerror=alert(1)> [a](javascript:alert(1)) [b](https://example.org/"x) **c**
```graph
</script> -> b
```
```run
learner: pc
data: graph
rows: 200
alpha: 0.01, 0.1
```
```question
Are </script> and b independent?
independent: </script>, b |
```
```question
Is this refused? Are </script> and b adjacent?
adjacent: </script>, b
```
"""


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """Return a Node process."""
    made = Node()
    yield made
    made.close()


def file_of(lesson) -> ReplayFile:
    """Return the opened file of a lesson."""
    blocks = lesson.blocks
    text = lesson_html(
        lesson, lambda at, k: (result_of(blocks[at], k), data_of(blocks[at], k)[1]),
        lambda at: exercise(blocks[at], lesson.language),
    )  # fmt: skip
    return ReplayFile(text)


@pytest.mark.compiled
def test_a_hostile_lesson_adds_no_element_and_no_address():
    """The file has the elements of an empty page only, and its texts are data."""
    file = file_of(read_lesson(HOSTILE, "mine"))
    assert [tag for tag, _ in file.tags if tag in ("b", "img", "a")] == []
    assert sum(tag == "script" for tag, _ in file.tags) == 2
    page = file.packs["page"]
    assert [block["kind"] for block in page["blocks"]] == ["text", "graph", "run", "choices", "choices"]
    assert page["blocks"][0]["tree"][0][:2] == ["p", "<img src=x onerror=alert(1)> "]
    assert ["span", "a"] in page["blocks"][0]["tree"][0]
    assert [one["label"] for one in page["blocks"][2]["pictures"]] == ["0.01", "0.1"]
    for *pair, sentences in page["blocks"][2]["pictures"][0]["texts"]:
        assert len(pair) == 2
        assert isinstance(sentences, list)
        assert len(sentences) > 1
    assert "default-src 'none'" in file.policy


def test_no_name_is_defined_twice_in_the_script():
    """Modules share one scope in the file."""
    names: list[str] = []
    for path in in_order(VIZ / "lesson_page" / "lesson_page.js"):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.removeprefix("export ").removeprefix("async ").split()
            if line[:1].isalpha() and words and words[0] in ("function", "const", "class", "let"):
                names.append(words[1].partition("(")[0].rstrip(",;"))
    assert sorted(names) == sorted(set(names))


def test_markdown_becomes_a_tree():
    """The Markdown that lessons use becomes a tree; a link to a page of the app becomes text."""
    lists = "## A\n- *x* and\n  more\n- `y`\n\n| a | b |\n|---|--:|\n| 1 | **2** |\n"
    text = f"{lists}\n[Build](build) 2 * 3 * 4 \\*\n```\n<c>\n```"
    assert tree_of(text) == [
        ["h3", "A"],
        ["ul", ["li", ["em", "x"], " and more"], ["li", ["code", "y"]]],
        ["table", ["tr", ["th", "a"], ["th", "b"]], ["tr", ["td", "1"], ["td", ["strong", "2"]]]],
        ["p", ["span", "Build"], " 2 * 3 * 4 ", "*"],
        ["pre", "<c>"],
    ]


def questions():
    """Yield the questions on graphs of all lessons."""
    for path in sorted(FOLDER.glob("[0-9]*.md")):
        for block in read_lesson(path.read_text(encoding="utf-8"), path.stem).blocks:
            if isinstance(block, LessonQuestion) and isinstance(block.subject, LessonGraph):
                yield block


def test_the_file_grades_like_the_library(node):
    """The file accepts the same answers as the library, with the same reasons, for every question on a graph."""
    n_asked = 0
    for question in questions():
        solved = exercise(question)
        pack = exercise_pack(question, solved, "en")
        entry = solved.entry
        given = {"choices": [0, 1], "number": [pack.get("value", 0), pack.get("value", 0) + 17]}.get(pack["kind"])
        if given is None:
            assert len(pack["answers"]) <= MAX_EXPLAINED or all(right for right, _, _ in pack["answers"].values())
            given = [*list(pack["answers"])[:5], "nonsense"]
        pack["pictures"] = [None] * len(pack["pictures"])
        for one in given:
            right, why, _ = node(
                "lesson_page/answer_controls", f"m.answerVerdict({json.dumps(pack)}, {json.dumps(one)})"
            )
            if one == "nonsense":
                expected = False
            elif entry is None:
                expected = one == solved.answer
            else:
                expected = entry.is_right(entry.parse(str(one)))
            assert right == expected, (question.text, one)
            if right and entry is None:
                assert why == solved.why
        n_asked += 1
    assert n_asked > 60
