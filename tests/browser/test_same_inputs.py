"""Inputs stay the same elements after a page opened: a file, a text or a drag in one is not lost by a later run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, TABLE_FILE, act_and_wait, at_rest, open_fold
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


@pytest.mark.deep
def test_import_options_of_one_file_do_not_apply_to_the_next(page: Page, app_server: Callable[..., str]) -> None:
    """After a table was transposed, the next file is read as it is, and its options show that."""

    def upload(name: str) -> None:
        page.locator(TABLE_FILE).set_input_files({"name": name, "mimeType": "text/csv", "buffer": hospital()})
        expect(page.get_by_role("heading", name=f"In use: {name}")).to_be_visible()
        at_rest(page)

    page.goto(f"{app_server(ROOT / 'app.py')}/data")
    upload("first.csv")
    usual = page.get_by_text(re.compile("rows, .* columns")).first.inner_text()
    open_fold(page, "Import options")
    page.get_by_text("Transpose", exact=True).click()
    expect(page.get_by_text(usual, exact=True)).to_have_count(0)
    at_rest(page)
    upload("second.csv")
    expect(page.get_by_text(usual, exact=True)).to_be_visible()
    open_fold(page, "Import options")
    expect(page.get_by_role("checkbox", name="Transpose")).not_to_be_checked()
