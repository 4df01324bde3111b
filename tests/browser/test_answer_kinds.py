"""Each kind of answer of a lesson in a browser, by pointer and by keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.exercises import exercise
from learners.teaching.lessons.lesson import LessonQuestion
from learners.teaching.lessons.picture_answers import edge_text
from pages.blocks.lessons import lesson_files
from tests.browser.conftest import ROOT, at_rest, focus
from tests.browser.test_practice import press

pytestmark = [pytest.mark.browser, pytest.mark.deep]
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine

KINDS = {
    "09-simpson": ("slope", "adjustment set"),
    "01-d-separation": ("separating set",),
    "03-pc-by-hand": ("leaves", "orient", "order"),
    "05-equivalence-classes": ("draw",),
    "06-more-data": ("first",),
}


def edge_of(box: Locator, a: int, b: int) -> Locator:
    graph = box.locator(".graph-view[data-ready]")
    return graph.locator(f".edge[data-a='{a}'][data-b='{b}'], .edge[data-a='{b}'][data-b='{a}']").first


def give(page: Page, box: Locator, question: LessonQuestion, how: str) -> None:
    """Give the right answer in the way of its kind, and check it."""
    entry = exercise(question, "en").entry
    if entry.kind == "number":
        field = box.get_by_role("spinbutton")
        focus(field) if how == "keys" else field.click()
        page.keyboard.type(f"{entry.value:.4g}")
        page.keyboard.press("Enter")
        return
    if entry.kind == "nodes":
        chosen = next(k for k in entry.options if entry.is_right(frozenset({k})))
        press(page, box.locator(f".graph-view[data-ready] .node[data-node='{chosen}']"), how)
        expect(box.locator("button[aria-pressed=true]")).to_have_count(1)
    elif entry.kind == "edges":
        for k, edge in enumerate(sorted(entry.solution), start=1):
            press(page, edge_of(box, *edge), how)
            expect(box.locator(".edge.chosen")).to_have_count(k)
    elif entry.kind == "marks":
        for edge, mark in zip(entry.edges, entry.solution, strict=True):
            wanted = box.get_by_role("radio", name=edge_text(edge, mark, entry.names))
            while edge in entry.options and not wanted.is_checked():
                before = edge_of(box, *edge).get_attribute("aria-label")
                press(page, edge_of(box, *edge), how)
                expect(edge_of(box, *edge)).not_to_have_attribute("aria-label", before)
                at_rest(page)
    elif entry.kind == "order":
        for step in entry.solution:
            chosen = box.get_by_role("button", name=entry.steps[step])
            press(page, chosen, how)
            expect(chosen).to_have_attribute("aria-pressed", "true")
            at_rest(page)
    else:
        thumb = page.get_by_role("slider", name=entry.setting).first
        if how == "keys":
            for _ in range(entry.solution):
                focus(thumb)
                page.keyboard.press("ArrowRight")
        else:
            thumb.scroll_into_view_if_needed()
            track = page.get_by_test_id("stSlider").first.bounding_box()
            start = thumb.bounding_box()
            y = start["y"] + start["height"] / 2
            page.mouse.move(start["x"] + start["width"] / 2, y)
            page.mouse.down()
            share = entry.solution / (len(entry.values) - 1)
            page.mouse.move(track["x"] + share * track["width"], y, steps=6)
            page.mouse.up()
        expect(thumb).to_have_attribute("aria-valuetext", entry.label(entry.solution, TEXTS["en"]).split(" = ")[1])
        at_rest(page)
    press(page, box.get_by_role("button", name="Check answer"), how)


@pytest.mark.parametrize("how", ["pointer", "keys"])
@pytest.mark.parametrize("key", KINDS)
def test_each_kind_of_answer_is_given(
    app_server: Callable[..., str], open_page: Callable[..., Page], key: str, how: str
) -> None:
    """The first question of each kind in a lesson is answered right, and its feedback appears."""
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{app_server(ROOT / 'app.py')}/lessons?lesson={key}&language=en")
    expect(page.locator(".graph-view[data-ready]").first).to_be_visible(timeout=240_000)
    at_rest(page)
    press(page, page.get_by_role("button", name="Show whole lesson"), how)
    blocks = lesson_files.lesson(key).blocks
    for check in KINDS[key]:
        question = next(one for one in blocks if isinstance(one, LessonQuestion) and one.check == check)
        box = page.locator("[data-testid=stVerticalBlock]", has_text=question.text).last
        expect(box).to_be_visible()
        box.scroll_into_view_if_needed()
        at_rest(page)
        give(page, box, question, how)
        expect(box.get_by_test_id("stAlert")).to_contain_text("Correct.")
