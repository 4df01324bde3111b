"""Number of words on each page as it opens, beside those of 26 November 2026."""

from __future__ import annotations

import re

from ..browser import new_visitor, open_browser, serve_as
from ..machine import ROOT

PAGES = (
    "",
    "data",
    "learn",
    "inspect",
    "compare",
    "query",
    "effects",
    "build",
    "experiments",
    "projects",
    "lessons",
    "learn_more",
)
MAIN = "[data-testid=stMain]"
WORD = re.compile(r"\S*[^\W\d_]\S*")  # numbers alone, such as ticks of an axis, are not words
READ = """main => {
  for (const one of main.querySelectorAll("*"))
    if (getComputedStyle(one).fontFamily.includes("Material Symbols")) one.style.display = "none";
  return main.innerText;
}"""  # the text of an icon is the name of a picture
IS_DONE = "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
BEFORE: dict[str, int] = {}
MIN_READINGS, MAX_READINGS, PAUSE_MS = 5, 90, 1_000


def main(words: list[str]) -> None:
    """Print a line for each page: words now, on 26 November, and the share in %; `words` may be an address to read."""
    with open_browser() as browser:
        if words:
            counts = count_all(browser, words[0])
        else:
            with serve_as(ROOT / "app.py") as (address, _):
                counts = count_all(browser, address)
    for name, (n, _) in counts.items():
        before = BEFORE.get(name)
        print(f"{name:12s} {n:5d}" + (f" {before:5d} {100 * n / before:4.0f} %" if before else ""))


def count_all(browser: object, address: str) -> dict[str, tuple[int, str]]:
    """Return the number of words of each page and its text, by name; all are opened in one tab of a new visitor."""
    with new_visitor(browser) as page:
        return {name or "start": words_of(page, f"{address}/{name}") for name in PAGES}


def words_of(page: object, address: str) -> tuple[int, str]:
    """Open a page and return its number of words and its text once it stays the same; folded texts do not count."""
    page.goto(address)
    page.locator(MAIN).wait_for()
    last, same = "", 0
    for _ in range(MAX_READINGS):
        page.wait_for_timeout(PAUSE_MS)
        text = page.locator(MAIN).evaluate(READ)
        same = same + 1 if text == last and text.strip() and page.evaluate(IS_DONE) else 0
        last = text
        if same >= MIN_READINGS:
            break
    return len(WORD.findall(last)), last
