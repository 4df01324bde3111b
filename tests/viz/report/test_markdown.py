"""Markdown of a report is escaped only where it must be, and shows exactly the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.viz.cases import HOSTILE
from viz.report.document import Document, Grid, Section
from viz.report.markdown import escape_sparingly, to_markdown
from viz.text import one_line

ACTIVE = st.text(alphabet="ab _*`[]<>|~$&;#\\-+=.1:/@w", max_size=20)
ANY_TEXT = st.one_of(st.text(max_size=60), ACTIVE, st.sampled_from(HOSTILE))


@pytest.mark.parametrize(
    "text",
    [
        "640 rows (19 variables), 15 % missing; p = 3e-9",
        "-9 lies outside of 'RR syst.'", "snake_case_name", "AT&T, R&D", "C:\\data\\x", "a - b + c = d!", "(x)", "1.5",
    ],
)  # fmt: skip
def test_ordinary_text_has_no_backslash_more(text):
    assert escape_sparingly(text) == text


def test_a_sign_in_a_cell_of_a_table_has_no_backslash():
    """Only a line can begin a heading or a list; a cell cannot."""
    signs = ("=", "-", "+", "1.", "# 2", "a|b")
    page = to_markdown(Document("t", "l", (Section("s", (Grid(signs, (signs,)),)),)))
    assert page.count("| = | - | + | 1. | # 2 | a\\|b |") == 2


@given(ANY_TEXT)
def test_the_text_is_shown_as_it_is(text):
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escape_sparingly(text))
    assert shown == one_line(text)


@given(ANY_TEXT)
@example("\\#")
def test_nothing_begins_markup(text):
    free = re.sub(r"\\[!-/:-@\[-`{-~]", "\0", escape_sparingly(text))
    assert not re.search(r"[`*<>\[\]|~$]|&#?\w+;|\w:(?=//)|www\.|\w@\w", free, re.I)
    assert not re.search(r"(?<!\w)_(?=\w)|(?<=\w)_(?!\w)", free)
    assert not re.match(r"(#{1,6}|[+-]|\d{1,9}[.)])(\s|$)|[=-]+$", free)
    assert not free.endswith("#")
