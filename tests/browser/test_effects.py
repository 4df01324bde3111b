"""Effects in a browser: conditioning on a variable by click or by keyboard, which closes a path."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import ROOT, at_rest, focus, turn_to

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine


@pytest.mark.gate_cases(1)
def test_a_click_closes_the_path_and_the_keyboard_opens_it(
    app_server: Callable[..., str], open_page: Callable[..., Page]
) -> None:
    """Conditioning on `either` closes the only path from tub to xray of asia, and a second click or key opens it."""
    page = open_page()
    page.goto(f"{app_server(ROOT / 'app.py')}/effects?sample=asia")
    lit = page.locator("[data-a].open")
    expect(lit).to_have_count(2)
    middle = page.locator("[data-node='5']")
    middle.click()
    expect(page.get_by_text("tub and xray are d-separated").first).to_be_visible()
    expect(lit).to_have_count(0)
    focus(middle)
    page.keyboard.press("Enter")
    expect(page.get_by_text("tub and xray are d-connected").first).to_be_visible()
    expect(lit).to_have_count(2)
    middle.click()
    expect(lit).to_have_count(0)
    for name in ("Learn more", "Effects"):  # after returning to the page, one click acts once
        turn_to(page, name)
        at_rest(page)
    expect(page.get_by_text("tub and xray are d-separated").first).to_be_visible()
    middle.click()
    expect(lit).to_have_count(2)
