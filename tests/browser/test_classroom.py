"""A class and the presenter view: a phone, the lecturer's screen, a remote's keys, and a second window."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from learners.teaching.classroom.classroom import Classroom
from learners.teaching.classroom.own_questions import choice_question, entered_question
from learners.teaching.lessons.typed_answers import TypedNumber, TypedText
from tests.browser.conftest import ROOT, at_rest, option, resting_box
from tests.browser.test_accessibility import findings
from tests.viz.classroom.test_student_page import entries
from viz.classroom import FOLDER, student_page

pytestmark = pytest.mark.browser
CARD_STYLE = (FOLDER / "join.css").read_text(encoding="utf-8")


def serious(page: Page) -> list:
    """Return the serious findings of axe-core in the light and the dark theme."""
    found = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        for app in page.locator("[data-testid=stApp]").all():  # the pages of a phone are not Streamlit pages
            expect(app).to_have_css("color-scheme", theme)
        found += [(theme, *one) for one in findings(page)]
    return found


@pytest.fixture
def on_inspect(app_server, open_page):
    """Open Inspect with the first run, and return it with the server's address."""
    address, page = app_server(ROOT / "app.py"), open_page()
    page.goto(f"{address}/?sample=asia")
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=240_000)
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.get_by_role("button", name="Change view", exact=True)).to_be_visible()
    at_rest(page)
    return page, address


def test_a_phone_joins_answers_and_is_reported_while_the_tally_grows(on_inspect, open_page):
    """A phone joins a class, answers and sees the result; no page has a serious axe-core finding."""
    lecturer, address = on_inspect
    option(lecturer, "Start quiz").click()
    lecturer.get_by_role("button", name="Ask a class").click()
    join = lecturer.locator("h2", has_text="join")
    expect(join).to_have_text(re.compile(rf"^{re.escape(urlsplit(address).netloc)}/join/[0-9a-z]{{8}}$"))
    expect(lecturer.get_by_role("img", name=re.compile("^QR code of http"))).to_be_visible()
    expect(lecturer.get_by_text("Other devices cannot reach this address")).to_be_visible()
    phone = open_page(viewport={"width": 390, "height": 844})
    phone.goto(f"{address}/join")
    found = {"code": serious(phone)}
    for code in ("222222", join.inner_text()[-8:].upper()):  # mistyped, then correct
        phone.get_by_label("Code").fill(code)
        phone.get_by_role("button").click()
    phone.get_by_label("Nickname").fill("<b>Ann")
    assert phone.console_errors.pop().endswith("404 (Not Found)")  # for the mistyped code
    found |= {"join": serious(phone), "lobby": serious(lecturer)}
    in_first_screen(lecturer, "Start questions")
    phone.get_by_role("button", name="Join").click()
    expect(lecturer.get_by_role("heading", name="1 student")).to_be_visible()
    expect(phone.get_by_text("<b>Ann")).to_be_visible()
    lecturer.get_by_role("button", name="Start questions").click()
    choice = phone.locator(".choices button").nth(1)
    choice.click()
    expect(choice).to_have_attribute("aria-pressed", "true")
    assert choice.bounding_box()["height"] >= 44
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(lecturer.get_by_text("1 of 1 student answered")).to_be_visible()
    expect(lecturer.locator("ol.class-tally")).to_have_count(0)  # hidden until the lecturer shows it
    lecturer.get_by_text("Show tally").click()
    in_first_screen(lecturer, "Show answer")
    expect(lecturer.locator(".class-tally li").nth(1)).to_contain_text("100 % (1)")
    expect(lecturer.locator(".graph-view[data-ready]")).to_be_visible()
    found |= {"answer": serious(phone), "tally": serious(lecturer)}
    lecturer.get_by_role("button", name="Show answer").click()
    expect(phone.locator(".yes, .no")).to_be_visible()
    expect(lecturer.locator(".class-tally .right")).to_have_count(1)
    found |= {"reported": serious(phone), "reason": serious(lecturer)}
    assert {where: one for where, one in found.items() if one} == {}
    assert phone.console_errors == []


def in_first_screen(lecturer: Page, name: str) -> None:
    """Check that the main button of a class needs no scrolling on a narrow screen."""
    wide = lecturer.viewport_size
    lecturer.set_viewport_size({"width": 390, "height": 844})
    box = resting_box(lecturer.get_by_role("button", name=name))
    assert box["y"] + box["height"] <= 844
    lecturer.set_viewport_size(wide)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("width", [320, 390])
def test_no_card_of_a_phone_is_wider_than_its_screen(open_page, width):
    """Fields, lists, buttons and graphs of each kind of question fit, also after the solution."""
    own = [entered_question("How?", TypedText()), entered_question("How many?", TypedNumber(3.0, 0.0))]
    exercises, slides = entries()
    exercises, slides = [*exercises, *own, choice_question("Which?", ["long " * 20, "W" * 60])], [*slides, {}, {}, {}]
    page, room = open_page(viewport={"width": width, "height": 844}), Classroom(exercises)
    token = room.join("W" * 40)
    for k, slide in enumerate(slides):
        room.ask(k)
        asked = student_page.student_card(room.view(token), slide=slide)
        room.reveal()
        for card in (asked, student_page.student_card(room.view(token), slide=slide)):
            page.set_content(f"<style>{CARD_STYLE}</style><main>{card}</main>")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, card


@pytest.mark.deep
def test_a_late_answer_is_refused_on_the_phone(on_inspect, open_page):
    """A phone that missed the reveal shows an error when its student answers, and then the correct answer."""
    lecturer, address = on_inspect
    option(lecturer, "Start quiz").click()
    lecturer.get_by_role("button", name="Ask a class").click()
    join = lecturer.locator("h2", has_text="join")
    expect(join).to_be_visible()
    phone = open_page(viewport={"width": 390, "height": 844})
    phone.goto(f"{address}/join/{join.inner_text()[-8:]}")
    phone.get_by_role("button", name="Join").click()
    expect(lecturer.get_by_role("heading", name="1 student")).to_be_visible()
    lecturer.get_by_role("button", name="Start questions").click()
    expect(phone.locator(".choices button").first).to_be_visible()
    with phone.expect_event("requestfailed"):  # the pending poll ends first
        phone.route("**/now*", lambda route: route.abort())
    lecturer.get_by_role("button", name="Show answer").click()
    expect(lecturer.locator(".class-tally .right")).to_have_count(1)
    phone.locator(".choices button").first.click()
    expect(phone.get_by_role("alert")).to_have_text("Question 1 takes no answers now; wait for the next question.")
    expect(phone.locator(".choices")).to_have_count(0)
    expect(phone.get_by_text("Correct answer:")).to_be_visible()


@pytest.mark.deep
def test_a_remote_control_moves_the_steps_and_the_notes(on_inspect):
    """A remote's keys work with any focus, and the notes follow the step.

    Each step highlights its subject, the address contains the state, and Escape closes the view. Neither window has a
    serious finding of axe-core.
    """
    page, _ = on_inspect
    option(page, "Present run").click()
    graph = page.locator(".graph-view.presenting[data-ready]")
    expect(graph).to_be_visible()
    page.keyboard.press("Home")
    for key in (" ", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(graph).to_have_attribute("data-step", "2")
    expect(graph.locator(".edge[data-highlight]")).to_have_count(int(graph.get_attribute("data-highlights")))
    expect(graph.locator(".node[data-highlight]")).to_have_count(2)
    page.wait_for_url(re.compile(r"[?&]present=1"))
    page.wait_for_url(re.compile(r"[?&]step=2"))
    assert serious(page) == []
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator(".notes .now")).to_have_text(graph.locator(".sentence").inner_text(), timeout=60_000)
    notes.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("data-step", "3")
    expect(notes.locator(".notes .now")).to_contain_text("step 3")
    expect(notes.locator(".notes .next")).to_contain_text("Next:")
    assert serious(notes) == []
    other = page.context.new_page()  # another tab is presenting: these notes belong to a different view
    other.goto(page.url)
    theirs = other.locator(".graph-view.presenting[data-ready]")
    expect(theirs).to_be_visible(timeout=60_000)
    other.keyboard.press("Home")
    expect(theirs).to_have_attribute("data-step", "0")
    notes.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("data-step", "4")
    expect(notes.locator(".notes .now")).to_contain_text("step 4")
    notes.reload()
    expect(notes.locator(".notes .now")).to_contain_text("step 4", timeout=60_000)
    notes.keyboard.press("ArrowLeft")
    expect(graph).to_have_attribute("data-step", "3")
    expect(theirs).to_have_attribute("data-step", "0")
    other.close()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Change view", exact=True)).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)
