"""Inputs stay the same elements after a page opened: a file, a text or a drag in one is not lost by a later run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, TABLE_FILE, act_and_wait, at_rest
from tests.pages.test_first_hour import hospital

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # the first page of a fresh server loads the compiled kernels
PAGES = (
    "", "data", "learn", "inspect", "compare", "query", "effects", "lessons", "build", "classroom", "projects",
    "experiments", "learn_more",
)  # fmt: skip
WATCH = """
window.seen = new Set();
window.replaced = [];
const inputs = "input, textarea, [role=slider], [role=combobox], [data-testid=stFileUploaderDropzone]";
const nameOf = input =>
  [input.closest("[class*=st-key-]")?.className, input.getAttribute("aria-label") || input.type].join(" ");
new MutationObserver(() => {
  for (const input of document.querySelectorAll(inputs))
    if (!seen.has(input)) { seen.add(input); input.shownName = nameOf(input); }
  for (const input of seen)
    if (!input.isConnected) { seen.delete(input); replaced.push(input.shownName); }
}).observe(document, { childList: true, subtree: true });
"""  # notes each input at its first sight, and those that left the page again


@pytest.fixture
def watched(page: Page) -> Page:
    """Return a page that notes which inputs leave it."""
    page.add_init_script(WATCH)
    return page


def replaced(page: Page) -> list[str]:
    return page.evaluate("replaced")


@pytest.mark.deep
@pytest.mark.parametrize("path", PAGES)
def test_inputs_of_a_page_outlive_its_runs(watched: Page, app_server: Callable[..., str], path: str) -> None:
    """No input is replaced until a page rests, nor by another run of its script."""
    watched.goto(f"{app_server(ROOT / 'app.py')}/{path}")
    expect(watched.locator("[data-testid=stMain] h1, .st-key-inspect_room").first).to_be_visible()
    at_rest(watched)
    act_and_wait(watched, lambda: watched.keyboard.press("r"))  # runs the script again
    assert watched.evaluate("seen.size") > 0
    assert replaced(watched) == []


def test_a_file_that_is_chosen_at_once_is_read(watched: Page, app_server: Callable[..., str]) -> None:
    """A file is read though it was chosen when the input had just appeared, and the input is still the same one."""
    watched.goto(f"{app_server(ROOT / 'app.py')}/data")
    chosen = watched.locator(TABLE_FILE)
    chosen.set_input_files({"name": "ward.csv", "mimeType": "text/csv", "buffer": hospital()})
    expect(watched.get_by_role("heading", name="In use: ward.csv")).to_be_visible()
    at_rest(watched)
    assert not [name for name in replaced(watched) if "data_file" in name]
