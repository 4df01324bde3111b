"""Number of words on each page as it opens, beside those of 26 November 2026."""

from __future__ import annotations

import re

from ..browser import new_visitor, open_browser, serve_as
from ..machine import ROOT

MAIN = "[data-testid=stMain]"
WORD = re.compile(r"\S*[^\W\d_]\S*")  # numbers alone, such as ticks of an axis, are not words
READ = """main => {
  for (const one of main.querySelectorAll("*"))
    if (getComputedStyle(one).fontFamily.includes("Material Symbols")) one.style.display = "none";
  return main.innerText;
}"""  # the text of an icon is the name of a picture
IS_DONE = "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
BEFORE = {  # words of each page in the last commit of 26 November 2026, counted in the same way
    "start": 197,
    "data": 138,
    "learn": 169,
    "inspect": 138,
    "compare": 56,
    "query": 167,
    "effects": 74,
    "build": 105,
    "experiments": 188,
    "projects": 18,
    "lessons": 377,
    "learn_more": 1827,
}
MIN_READINGS, MAX_READINGS, PAUSE_MS = 5, 90, 1_000


def main(words: list[str]) -> None:
    """Print a line for each page: words now, words on 26 November, and the share in %; `words` name the pages."""
    with serve_as(ROOT / "app.py") as (address, _), open_browser() as browser, new_visitor(browser) as page:
        for name in words or BEFORE:
            n = len(WORD.findall(text_of(page, f"{address}/{'' if name == 'start' else name}")))
            print(f"{name:12s} {n:5d} {BEFORE[name]:5d} {100 * n / BEFORE[name]:4.0f} %", flush=True)


def text_of(page: object, address: str) -> str:
    """Open a page and return its visible text once it stays the same; folded texts are not part of it."""
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
    return last
