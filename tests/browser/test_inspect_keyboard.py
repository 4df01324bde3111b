"""The keyboard focus on Inspect around the panel that explains a pair."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import at_rest, focus

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine


def test_the_panel_of_a_pair_takes_and_returns_the_focus(open_run: Callable[..., Page]) -> None:
    """Enter on the button leads into the panel, Enter on its closing button back to the first one."""
    page = open_run("ppc", sample="asia")
    button = page.get_by_role("button", name="Explain a pair", exact=True)
    focus(button)
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", name="Explain a pair")
    expect(heading).to_be_focused()
    at_rest(page)
    expect(heading).to_be_focused()
    page.keyboard.press("Tab")
    close = page.get_by_role("button", name="Close panel", exact=True)
    expect(close).to_be_focused()
    page.keyboard.press("Enter")
    expect(heading).to_have_count(0)
    expect(button).to_be_focused()
    at_rest(page)
    expect(button).to_be_focused()
