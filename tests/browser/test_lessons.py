"""Lessons and the quiz in a browser: by keyboard, by pointer, on a phone; with terms explained in place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, at_rest, focus, option, turn_to, wait_until
from tests.browser.test_accessibility import findings

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
TOO_WIDE = "() => document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"
# The position of an underlined term.
PLACE = """(word) => {
    const one = [...(CSS.highlights.get("term") ?? [])].find((range) => range.toString() === word);
    one?.startContainer.parentElement.scrollIntoView({ block: "center" });
    const box = one?.getBoundingClientRect();
    return box && [box.left + box.width / 2, box.top + box.height / 2];
}"""


def lesson(page: Page, address: str, key: str, language: str = "en") -> None:
    page.goto(f"{address}/lessons?lesson={key}&language={language}")
    expect(page.locator(".graph-view[data-ready]").first).to_be_visible(timeout=240_000)
    expect(page.locator(".words[data-ready]")).to_be_attached()  # it is hidden while the page has no term
    at_rest(page)


def test_a_question_is_answered_by_keyboard_and_a_term_is_reported(app_server: Callable[..., str], page: Page) -> None:
    """The arrow key chooses an answer; Enter opens the glossary, and a link in it leads to a lesson."""
    lesson(page, app_server(ROOT / "app.py"), "04-colliders-and-meek")
    question = page.get_by_role("radiogroup", name="Is alarm a collider between burglar and quake?")
    focus(question.get_by_role("radio", name="yes"))
    page.keyboard.press("Space")
    expect(page.get_by_text("Correct. Both arrows point at alarm.")).to_be_in_viewport()
    focus(page.locator(".words summary"))
    page.keyboard.press("Enter")
    entry = page.locator(".words div", has=page.locator("dt", has_text="collider"))
    expect(entry.get_by_role("img", name="x → z, y → z")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".words a").first).to_be_focused()
    described = page.locator("p", has_text="Is alarm a collider between burglar and quake?")
    expect(described).to_have_attribute("aria-describedby", "word-collider")
    with page.context.expect_page() as opened:
        entry.get_by_role("link").press("Enter")
    expect(opened.value.get_by_role("heading", name="d-separation on three nodes")).to_be_visible()


@pytest.mark.deep
def test_a_term_is_reported_where_it_stands_and_goes_with_escape(app_server: Callable[..., str], page: Page) -> None:
    """A tip explains the term, stays under the pointer, and closes on Escape; it does not link to its own lesson."""
    lesson(page, app_server(ROOT / "app.py"), "04-colliders-and-meek")
    tip = page.locator(".words-tip")
    wait_until(page, f"() => Boolean(({PLACE})('v-structure'))")
    x, y = page.evaluate(PLACE, "v-structure")
    page.mouse.move(x - 2, y)
    page.mouse.move(x, y)
    expect(tip).to_contain_text("Independences reveal directions only by this pattern")
    tip.hover()
    expect(tip.get_by_text("Independences reveal directions only by this pattern")).to_be_visible()
    expect(tip.get_by_role("link")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


@pytest.mark.deep
def test_a_button_that_was_pressed_is_covered_by_no_tip(app_server: Callable[..., str], page: Page) -> None:
    """A tip may explain a button before the click; after it, the tip does not cover the result."""
    page.goto(f"{app_server(ROOT / 'app.py')}/build")
    tip, button = page.locator(".words-tip"), page.get_by_role("radio", name="d-separation")
    expect(page.locator(".words[data-ready]")).to_be_attached(timeout=60_000)
    at_rest(page)
    button.get_by_text("d-separation").hover()
    expect(tip).to_contain_text("reads independences off a DAG")
    button.click()
    expect(page.get_by_text("rain and sprinkler are d-separated").first).to_be_visible()
    at_rest(page)
    expect(tip).to_be_hidden()


@pytest.mark.deep
def test_a_lesson_in_german_on_a_phone(app_server: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """Nothing is wider than the screen; a tap answers the question, and a tap explains a term."""
    page = open_page(**PHONE)
    lesson(page, app_server(ROOT / "app.py"), "01-d-separation", "de")
    expect(page.get_by_role("heading", name="d-Separation an drei Knoten")).to_be_visible()
    assert not page.evaluate(TOO_WIDE)
    page.get_by_role("button", name="Ganze Lektion zeigen").tap()
    question = page.get_by_role("radiogroup", name="Sind die beiden Münzen unabhängig?")
    question.get_by_text("ja", exact=True).tap()
    expect(page.get_by_text("Richtig. coin1 → bell ← coin2 ist beim Kollider bell blockiert")).to_be_visible()
    at_rest(page)
    wait_until(page, f"() => Boolean(({PLACE})('Kollider'))")
    page.touchscreen.tap(*page.evaluate(PLACE, "Kollider"))
    expect(page.locator(".words-tip")).to_contain_text("auf die zwei Pfeile eines Pfads zeigen")


@pytest.mark.deep
def test_edges_are_chosen_and_turned_in_the_picture(app_server: Callable[..., str], page: Page) -> None:
    """A click chooses the next removed edge, or turns an edge; the verdict highlights the path; axe has no finding."""
    lesson(page, app_server(ROOT / "app.py"), "03-pc-by-hand")
    page.get_by_role("button", name="Show whole lesson").click()
    box = page.locator("[data-testid=stVerticalBlock]", has_text="Click all edges that level 0 removes.").last
    picture = box.locator(".graph-view[data-ready]")
    picture.locator(".edge").nth(1).locator(".hit").dispatch_event("click")
    expect(picture.locator(".edge.chosen")).to_have_count(1)
    box.get_by_role("button", name="Check answer").click()
    expect(box.get_by_text("Correct. a — b leaves. a → c ← b is blocked at the collider c")).to_be_visible()
    expect(box.locator(".edge.shut")).to_have_count(2)
    expect(box.locator(".node.stops")).to_have_count(1)
    expect(box.get_by_text("What PC holds")).to_be_visible()
    expect(box.locator(".graph-view[data-ready]").first.locator(".edge.undirected")).to_have_count(5)
    turned = page.locator(
        "[data-testid=stVerticalBlock]", has_text="Click the line c — d until it points the right way"
    ).last
    turned.get_by_role("radio", name="c → d").click()
    turned.get_by_role("button", name="Check answer").click()
    expect(
        turned.get_by_text("Correct. c → d is right: d → c would make c a collider between a and d.")
    ).to_be_visible()
    at_rest(page)
    assert findings(page) == []


@pytest.mark.deep
def test_a_phone_answers_in_the_graph(app_server: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """A tap on an edge of the question checks its box; the tally of the class appears with the answer."""
    address, lecturer = app_server(ROOT / "app.py"), open_page()
    lesson(lecturer, address, "03-pc-by-hand")
    lecturer.get_by_role("button", name="Ask a class").click()
    join = lecturer.locator("h2", has_text="join")
    expect(join).to_be_visible()
    phone = open_page(viewport={"width": 390, "height": 844})
    phone.goto(f"{address}/join/{join.inner_text()[-8:]}")
    phone.get_by_role("button", name="Join").click()
    expect(lecturer.get_by_role("heading", name="1 student")).to_be_visible()
    lecturer.get_by_role("button", name="Start questions").click()
    box = phone.get_by_role("checkbox", name="a — b")
    expect(box).not_to_be_checked()
    phone.locator('[data-part="0-2"] .hit').dispatch_event("click")
    expect(box).to_be_checked()
    expect(phone.locator(".edge.chosen")).to_have_count(1)
    phone.get_by_role("button", name="Send answer").click()
    expect(phone.get_by_text("Answer saved.")).to_be_visible()
    expect(box).to_be_checked()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(phone) == []
    lecturer.get_by_role("button", name="Show answer").click()
    expect(phone.locator(".yes")).to_have_text("Correct: a — b.")
    expect(lecturer.locator(".class-tally .right")).to_have_count(1)
    assert findings(lecturer) == []


def begin_quiz(page: Page, address: str) -> None:
    page.goto(f"{address}/inspect")
    page.get_by_role("button", name="Change view", exact=True).wait_for(timeout=240_000)
    option(page, "Start quiz").click()
    expect(page.get_by_text("Question 1 of")).to_be_visible()
    expect(page.locator(".graph-view[data-ready]")).to_be_visible()
    at_rest(page)


def test_the_quiz_is_answered_in_the_graph_and_by_keyboard(app_server: Callable[..., str], page: Page) -> None:
    """The first question is answered by a click on one of its edges, the second with Space and Enter."""
    begin_quiz(page, app_server(ROOT / "app.py"))
    expect(page.get_by_text("click the line in the graph")).to_be_visible()
    asked = page.locator(".graph-view .edge.asked").first
    asked.locator(".hit").dispatch_event("click")
    expect(page.get_by_role("button", name="Next question")).to_be_visible()
    at_rest(page)
    page.get_by_role("button", name="Next question").press("Enter")
    expect(page.get_by_text("Question 2 of")).to_be_visible()
    at_rest(page)
    page.get_by_role("radiogroup", name="Your answer").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Submit answer", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Next question")).to_be_visible()


@pytest.mark.deep
def test_the_quiz_fits_a_phone(app_server: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """Graph, question and answer fit the screen's width, and every answer is large enough for a finger."""
    page = open_page(**PHONE)
    begin_quiz(page, app_server(ROOT / "app.py"))
    choices = page.locator("[data-testid=stMain]").get_by_test_id("stRadioOption")
    expect(choices.first).to_be_visible()
    assert min(one["height"] for one in (choices.nth(k).bounding_box() for k in range(choices.count()))) >= 24
    choices.first.tap()
    page.get_by_role("button", name="Submit answer", exact=True).tap()
    expect(page.get_by_role("button", name="Next question")).to_be_visible()
    assert not page.evaluate(TOO_WIDE)


@pytest.mark.deep
def test_the_next_step_gets_view_and_focus(app_server: Callable[..., str], page: Page) -> None:
    """Continue, pressed by keyboard, moves the focus to the top of the new step; Tab continues from there."""
    lesson(page, app_server(ROOT / "app.py"), "04-colliders-and-meek")
    for step in (2, 3):
        focus(page.get_by_role("button", name=f"Continue to step {step} of 6"))
        page.keyboard.press("Enter")
        start = page.get_by_role("group", name=f"Step {step} of 6")
        expect(start).to_be_focused()
        at_rest(page)
        wait_until(page, "() => document.activeElement.getBoundingClientRect().top < innerHeight / 2")
        assert start.bounding_box()["y"] > 0


@pytest.mark.deep
def test_the_next_lesson_opens_at_its_beginning(app_server: Callable[..., str], page: Page) -> None:
    """After the last step the view is far down; the next lesson shows its title, which has the focus."""
    lesson(page, app_server(ROOT / "app.py"), "01-d-separation")
    page.get_by_role("button", name="Show whole lesson").click()
    expect(page.get_by_text("Summary.")).to_be_attached()
    page.get_by_role("button", name="Next: ").click()
    heading = page.get_by_role("heading", name="Why correlation draws too many edges")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    at_rest(page)
    expect(heading).to_be_in_viewport()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


@pytest.mark.deep
def test_clicks_answer_and_the_slider_begins_at_the_start(app_server: Callable[..., str], page: Page) -> None:
    """A click on an end asks for another variable, the next one answers; each click on Next change is one removal."""
    address = app_server(ROOT / "app.py")
    lesson(page, address, "01-d-separation")
    page.get_by_role("button", name="Show whole lesson").click()
    fork = page.locator(".graph-view[data-ready]", has=page.locator("[data-node]", has_text="heat")).first
    fork.locator("[data-node]", has_text="ice_cream").click()
    expect(page.get_by_text("ice_cream is one of the two ends.")).to_be_visible()
    fork.locator("[data-node]", has_text="heat").click()
    expect(page.get_by_text("Correct. Without heat, ice_cream ← heat → sun_cream is open")).to_be_in_viewport()
    expect(page.locator(".graph-view .blanket:visible")).to_have_count(0)
    lesson(page, address, "02-correlation")
    page.get_by_role("button", name="Show whole lesson").click()
    run = page.locator(".graph-view[data-ready]", has=page.get_by_role("button", name="Next change")).first
    for step in range(4):
        expect(run).to_have_attribute("data-step", str(step))
        expect(run).to_have_attribute("data-edges", str(6 - step))
        if step < 3:
            run.get_by_role("button", name="Next change").click()
    expect(page.get_by_text("log10 p")).to_have_count(0)


@pytest.mark.deep
def test_answers_and_the_slider_stay_after_a_visit_to_another_page(app_server: Callable[..., str], page: Page) -> None:
    """Answers, their verdicts and the step of the run are kept when the student returns from Effects."""
    page.set_viewport_size({"width": 1280, "height": 900})
    lesson(page, app_server(ROOT / "app.py"), "03-pc-by-hand")
    page.get_by_role("button", name="Show whole lesson").click()
    box = page.locator(
        "[data-testid=stVerticalBlock]", has_text="Click the line c — d until it points the right way"
    ).last
    box.get_by_role("radio", name="c ← d").click()
    box.get_by_role("button", name="Check answer").click()
    expect(box.get_by_text("Your answer", exact=True)).to_be_visible()
    expect(box.locator(".edge.mistaken")).to_have_count(1)
    expect(box.locator(".edge.solved")).to_have_count(1)
    choice = page.get_by_role("radiogroup", name="Are asia and smoke adjacent in the result?")
    choice.get_by_text("no", exact=True).click()
    run = page.locator(".graph-view[data-ready]", has=page.get_by_role("button", name="Next change")).first
    run.get_by_role("button", name="Next change").click()
    expect(run).to_have_attribute("data-step", "1")
    truth = page.locator(".graph-view[data-ready]", has=page.locator("[data-node]", has_text="asia")).first
    at_rest(page)
    truth.evaluate("(one) => one.scrollIntoView({ block: 'start' })")
    upper, lower = truth.bounding_box(), run.bounding_box()
    assert lower["y"] + lower["height"] - upper["y"] < 760  # pixels between the header and the bar of the next step
    turn_to(page, "Effects")
    expect(page.get_by_role("heading", name="Effects")).to_be_visible()
    at_rest(page)
    turn_to(page, "Lessons")
    expect(page.get_by_role("heading", name="PC by hand")).to_be_visible()
    expect(choice.get_by_role("radio", name="no")).to_be_checked()
    expect(box.locator(".edge.mistaken")).to_have_count(1)
    expect(run).to_have_attribute("data-step", "1")
