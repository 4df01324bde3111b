"""Query in a browser: evidence by click and drag or by keyboard, with every number equal to the library's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from learners import intervene, load_network
from learners.io.samples import NETWORKS
from viz.query.picture import share
from viz.text import format_number

from .conftest import ROOT, SCREENSHOTS, at_rest, focus, resting_box, wait_until

pytestmark = pytest.mark.browser
READY_MS = 240_000
PATIENT_MS = 60_000  # script runs are slow on a busy machine
ASIA, NUMBERS = load_network("asia"), load_network("ecoli70")


@pytest.fixture
def bundled(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``bundled("asia", **context)``: the page with a bundled network."""

    def open_one(key: str, **context: object) -> Page:
        page = open_page(**context)
        page.goto(f"{app_server(ROOT / 'app.py')}/query?sample=asia")
        expect(page.locator(".query-view .card").first).to_be_visible(timeout=READY_MS)
        at_rest(page)
        page.get_by_role("radio", name="Example", exact=True).click()
        which = page.get_by_role("combobox", name="Bundled network")
        expect(which).to_be_visible(timeout=PATIENT_MS)
        at_rest(page)
        if key != "asia":  # selected by default
            title = f"{NETWORKS[key].title} ({NETWORKS[key].p:,} variables)"
            which.fill(title)
            expect(page.get_by_role("option", name=title)).to_be_visible()
            page.keyboard.press("Enter")
        expect(cards(page)).to_have_count(load_network(key).p, timeout=PATIENT_MS)
        at_rest(page)
        return page

    return open_one


def cards(page: Page) -> Locator:
    return page.locator(".query-view .card")


def level(page: Page, name: str, state: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name} is {state}, "))


def answers(page: Page, network, known: dict) -> None:
    """Check that every bar shows the network's answer."""
    for name, chances in network.posterior(known).items():
        for state, chance in zip(network.levels[network.names.index(name)], chances, strict=True):
            words = f"{name} is {state}, {share(float(chance))}"
            expect(page.get_by_role("button", name=words, exact=True)).to_be_visible(timeout=PATIENT_MS)
    pressed = page.locator(".query-view .state[aria-pressed=true]")
    expect(pressed).to_have_count(len(known))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_clicks_and_keys_are_evidence_and_are_taken_back(bundled, width, scheme):
    """Several findings count together, an intervention cuts the incoming arrow, and the page fits 390 pixels."""
    page = bundled("asia", viewport={"width": width, "height": 900}, color_scheme=scheme)
    answers(page, ASIA, {})
    level(page, "smoke", "yes").click()
    answers(page, ASIA, {"smoke": "yes"})
    focus(level(page, "xray", "yes"))
    page.keyboard.press("Enter")
    answers(page, ASIA, {"smoke": "yes", "xray": "yes"})
    expect(level(page, "xray", "yes")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # this level replaces the previous one
    answers(page, ASIA, {"smoke": "yes", "xray": "no"})
    page.screenshot(path=SCREENSHOTS / f"query_{width}_{scheme}.png")
    wait_until(page, "() => document.documentElement.scrollWidth <= window.innerWidth")
    level(page, "smoke", "yes").click()  # a second click removes it
    answers(page, ASIA, {"xray": "no"})
    page.get_by_role("button", name="Clear all").click()
    answers(page, ASIA, {})
    arrows = page.locator(".plane .line")
    expect(arrows).to_have_count(ASIA.dag.n_edges)
    page.get_by_role("radio", name="Intervene").click()
    at_rest(page)
    level(page, "lung", "yes").click()
    expect(page.get_by_role("group", name="lung, intervention")).to_be_visible(timeout=PATIENT_MS)
    expect(arrows).to_have_count(ASIA.dag.n_edges - 1)
    answers(page, intervene(ASIA, {"lung": "yes"}), {"lung": "yes"})
    assert faults(page) == []


@pytest.mark.deep
def test_a_value_is_dragged_and_moved_by_keys(bundled):
    """The other cards follow the drag; the slider keeps the focus; a click clears the value."""
    page = bundled("ecoli70")
    name, other = next((NUMBERS.names[i], NUMBERS.names[j]) for i, j in NUMBERS.dag.directed_edges())
    slider = page.get_by_role("slider", name=f"Value of {name}", exact=True)
    slider.scroll_into_view_if_needed()
    box = resting_box(slider)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], middle, steps=4)
    moved_with(page, slider, name, other)  # before the release
    page.mouse.up()
    for _ in range(3):
        slider.press("ArrowLeft")
    moved_with(page, slider, name, other)
    expect(slider).to_be_focused()
    page.screenshot(path=SCREENSHOTS / "query_dragged.png")
    page.get_by_role("group", name=name, exact=True).get_by_role("button").click()
    mean, variance = NUMBERS.posterior()[other]
    expect(card(page, other)).to_contain_text(
        f"{format_number(mean)} ± {format_number(variance**0.5)}", timeout=PATIENT_MS
    )
    assert faults(page) == []


def faults(page: Page) -> list[str]:
    """Return the page's errors, without the two files that Streamlit lacks on pages opened by their own address."""
    return [one for one in page.console_errors if "404" not in one]


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


def moved_with(page: Page, slider: Locator, name: str, other: str) -> None:
    """Check that the evidence is at the slider's value, and that the other variable's mean follows from it."""
    value = float(slider.input_value())
    expect(card(page, name)).to_contain_text(f"{format_number(value)} (click to clear)", timeout=PATIENT_MS)
    mean, variance = NUMBERS.posterior({name: value})[other]
    expect(card(page, other)).to_contain_text(
        f"{format_number(mean)} ± {format_number(variance**0.5)}", timeout=PATIENT_MS
    )
