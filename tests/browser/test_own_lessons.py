"""Browser tests of uploaded lessons: the link, the exported file, questions typed in class, and a drag."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.test_classroom import ROOT, serious

LESSON = """# My <b>lesson</b>
minutes: 5
**Rain** makes the street wet. <img src=x onerror=alert(1)>
```graph
rain -> wet
wet -> slippery
```
```question
Are rain and slippery independent?
independent: rain, slippery |
```
```question
Draw the CPDAG.
draw:
```
```run
learner: pc
data: graph
rows: 500
alpha: 0.01
seed: 1
```
```numbers
a -> b : 0, 0.8
a -> c : -0.7
b -> c : 0.15
compare: c | b by a
```
"""


@pytest.mark.deep
def test_a_lesson_is_uploaded_taken_exported_and_asked(app_server, open_page, tmp_path: Path):
    """Its text is never HTML; a drag directs an edge; the exported file grades without a server."""
    address, page = app_server(ROOT / "app.py"), open_page()
    page.goto(f"{address}/lessons")
    page.get_by_role("button", name="Manage lessons").click(timeout=120_000)
    wrong = {"name": "bad.md", "mimeType": "text/markdown", "buffer": b"# A\nminutes: 5\n```graph\na -> a\n```\n"}
    page.locator("input[type=file]").set_input_files(wrong)
    menu = page.get_by_test_id("stPopoverBody")  # it covers the page, so the error message is inside
    expect(menu.get_by_text("bad.md has errors")).to_be_visible(timeout=60_000)
    expect(menu.get_by_text("line 3: an edge must connect two variables, found one from 'a' to itself")).to_be_visible()
    file = {"name": "mine.md", "mimeType": "text/markdown", "buffer": LESSON.encode()}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("heading", name="My <b>lesson</b>")).to_be_visible(timeout=60_000)
    page.keyboard.press("Escape")
    expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    asked = page.locator(".graph-view[data-ready]").nth(1)
    expect(asked.locator(".pull").first).to_be_attached(timeout=60_000)
    asked.scroll_into_view_if_needed()
    dot = asked.locator(".node", has_text="wet").locator(".dot").bounding_box()
    to = asked.locator(".node", has_text="rain").bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.mouse.down()
    page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=8)
    page.mouse.up()
    expect(page.get_by_role("radio", name="rain ← wet")).to_be_checked(timeout=30_000)
    assert serious(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as HTML").click()
    path = tmp_path / "lesson.html"
    download.value.save_as(path)
    lone = open_page(viewport={"width": 390, "height": 844})
    lone.goto(path.as_uri())
    expect(lone.locator("#lesson[data-ready]")).to_be_visible()
    lone.get_by_label("no", exact=True).check()
    expect(lone.locator(".verdict.right")).to_contain_text("Correct.")
    expect(lone.locator(".verdict.right")).to_be_in_viewport(ratio=0.9)
    lone.set_viewport_size({"width": 390, "height": 500})  # the verdict and its picture are below the window
    lone.get_by_role("button", name="Check answer").click()
    expect(lone.locator(".verdict.right")).to_have_count(2)
    expect(lone.locator(".verdict.right").last).to_be_in_viewport(ratio=0.9)
    run = lone.locator(".graph-view", has=lone.locator(".scrubber:not([hidden])")).last
    before = run.get_attribute("data-step")
    run.get_by_role("button", name="Go to the previous change").click()
    assert run.get_attribute("data-step") != before
    run.locator(".edge .hit").first.dispatch_event("click")
    expect(lone.locator(".why .claim")).to_have_count(1)
    assert lone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(lone) == []
    assert lone.console_errors == []
