"""Tests that Streamlit's own renderer shows the characters of escaped text and no markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.conftest import wait_until
from tests.viz.cases import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.deep]

DEMO = Path(__file__).parent / "apps" / "markdown_demo.py"
TEXTS = (
    *HOSTILE,
    "http://evil.example/x",
    "WWW.evil.example",
    "me@evil.example",
    "<http://evil.example>",
    "xmpp:a@evil.example",
    ":smile: :material/home: :streamlit: :red-background[x] :badge[x]",
    "a -> b <- c -- d >= e <= f ~= g",
    "$x^2$ $$y$$",
    "**b** _i_ `c` ~~s~~",
    "![i](http://evil.example/b.png)",
    "# heading",
    "1. item",
    "- item",
    "    code",
    "> quote",
    "| a | b |",
    "[^1]: note",
    "[a]: http://evil.example",
    "~~~",
    "---",
    "&amp; &lt; &#65;",
    "back\\slash\\",
    "<!-- comment -->",
)
CONTAINERS = ":is([data-testid=stMarkdownContainer], [data-testid=stCaptionContainer])"
READ = """([names, containers]) => names.map(name => {
    const shown = document.querySelector(`.st-key-${name} ${containers}`);
    return [shown.textContent, [...shown.querySelectorAll("*")].map(one => one.tagName)];
})"""


def test_escaped_text_shows_its_characters_and_no_markup(page, app_server):
    """Escaped text contains no link, image, code, symbol or emphasis in any position, and reads as it was written."""
    page.goto(app_server(DEMO))
    wait_until(page, f"document.querySelectorAll('{CONTAINERS}').length >= {4 * len(TEXTS)}")
    for place in ("markdown", "caption", "error", "button"):
        shown = page.evaluate(READ, [[f"{place}{k}" for k in range(len(TEXTS))], CONTAINERS])
        for text, (read, tags) in zip(TEXTS, shown, strict=True):
            expected = re.sub(r"[\x00-\x1f\u202e]+", " ", text).strip()
            assert read.replace("\u2060", "") == expected, place
            assert set(tags) <= {"P"}, (place, text)
    assert page.evaluate("window.ran") is None
