"""The whole app in a real browser: from a CSV to an explained edge, with hostile names, by keyboard, offline."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from benchmarks.app.driving import cpu_seconds
from learners import load_network, sample
from tests import polling
from tests.browser.conftest import (
    NUMBERS,
    ON_INSPECT,
    ROOT,
    SCREENSHOTS,
    TABLE_FILE,
    all_learners,
    at_rest,
    choose_learner,
    focus,
    outside,
    posed,
    resting_box,
    turn_to,
)

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # the first page of a fresh server loads the compiled kernels

HOSTILE = [
    "<script>window.hacked=1</script>",
    '<a href="javascript:window.hacked=2">x</a>',
    "quote\"s and 'more'",
    "two\nlines",
    "long " * 40,
    "🙂 emoji",
    ":red[x] $y^2$ **z**",
]


@pytest.fixture
def app(app_server: Callable[..., str]) -> str:
    """Return the address of a server that runs the app."""
    return app_server(ROOT / "app.py")


@pytest.fixture(scope="module")
def survey_csv() -> bytes:
    """Return a CSV file with rows drawn from the survey network."""
    return sample(load_network("survey"), 2000, seed=5).to_frame().to_csv(index=False).encode()


def upload(page: Page, name: str, content: bytes) -> None:
    """Upload a file on the Data page and wait until it is in use."""
    turn_to(page, "Data")
    page.locator(TABLE_FILE).set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def learn(page: Page) -> None:
    """Run the chosen learner and wait for the graph."""
    turn_to(page, "Learn")
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(ON_INSPECT)).to_be_visible()
    expect(graph(page)).to_be_visible()


def graph(page: Page):
    """Return the graph component once it is drawn."""
    return page.locator(".graph-view[data-ready]")


def story(page: Page):
    """Return the headline of the explanation."""
    return page.locator("strong", has_text=re.compile("is in the graph|There is no edge"))


def places(page: Page) -> list[str]:
    """Return the position of each node, in order of nodes, once the graph has its final size and position."""
    resting_box(graph(page))
    return (
        graph(page)
        .locator(".node")
        .evaluate_all("nodes => nodes.map(n => n.dataset.node + n.getAttribute('transform'))")
    )


def slide_to(page: Page, share: float, *, release: bool = True) -> None:
    """Drag the slider to a fraction of its length."""
    box = resting_box(graph(page).locator("input[type=range]"))
    y = box["y"] + box["height"] / 2
    step, last = (
        int(graph(page).get_attribute("data-step")),
        int(page.locator("input[type=range]").first.get_attribute("max")),
    )
    page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / max(last, 1), y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share, y, steps=10)
    if release:
        page.mouse.up()


def test_a_finished_graph_is_on_screen_without_a_click(app, page):
    """Start draws the result of a sample; no request leaves the server and no error is logged."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    expect(graph(page)).to_have_attribute("data-edges", re.compile(r"^[1-9]\d$"))
    assert outside(page.request_urls, app) == []
    assert page.console_errors == []


@pytest.mark.deep
def test_the_server_rests_while_somebody_looks(app, page):
    """Once a page is drawn, the server is idle: no watcher and no polling loop uses its CPU."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    at_rest(page)
    server, seconds = process_of(app), 2.0

    def is_idle() -> bool:
        before = cpu_seconds(server)
        page.wait_for_timeout(1000 * seconds)
        return cpu_seconds(server) - before < seconds / 10

    polling.wait_until(is_idle, 60)  # background work after a first visit, such as estimates, may be slow


def process_of(address: str) -> int:
    """Return the process id of the server, found by the port in its command line."""
    port = address.rpartition(":")[2]
    found = subprocess.run(["pgrep", "-f", f"run .*--server.port {port} "], capture_output=True, text=True, check=True)
    return int(found.stdout.split()[0])


def test_a_csv_becomes_a_graph_whose_edges_say_why(app, page, survey_csv):
    """Upload, learn, drag, click an edge and read its explanation; the nodes never move."""
    page.goto(app)
    upload(page, "survey.csv", survey_csv)
    learn(page)
    before = places(page)
    assert len(before) == 6
    edges = int(graph(page).get_attribute("data-edges"))
    slide_to(page, 0.1, release=False)
    expect(graph(page)).not_to_have_attribute("data-edges", str(edges))  # the mouse button is still down
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"step \d+ of \d+")).first).to_be_visible()
    assert places(page) == before
    edges = graph(page).locator(".edge[tabindex='0']")
    edges.first.locator(".hit").dispatch_event("click")
    expect(story(page)).to_be_visible()
    first = story(page).inner_text()
    edges.last.locator(".hit").dispatch_event("click")
    expect(story(page)).not_to_have_text(first)
    expect(page.get_by_text(re.compile("closest to separating them|The only test|Removed at level"))).to_be_visible()
    assert places(page) == before
    assert outside(page.request_urls, app) == []
    assert page.console_errors == []


def test_hostile_names_are_shown_as_text_everywhere(app, page):
    """Markup in names is neither executed nor lost, in any view."""
    frame = sample(load_network("survey"), 800, seed=6).to_frame()
    frame.columns = HOSTILE[: frame.shape[1]]
    page.goto(app)
    upload(page, "hostile.csv", frame.to_csv(index=False).encode())
    learn(page)
    labels = graph(page).locator(".node title").all_text_contents()
    assert {" ".join(name.split()) for name in HOSTILE[:6]} == {" ".join(label.split()) for label in labels}
    graph(page).locator(".edge[tabindex='0'] .hit").first.dispatch_event("click")
    expect(story(page)).to_be_visible()
    for view in ("Spring layout", "Matrix", "Table"):
        page.get_by_role("radio", name=view, exact=True).click()
        posed(page)
    assert page.evaluate("window.hacked") is None
    assert all(frame_.evaluate("window.hacked") is None for frame_ in page.frames)
    assert outside(page.request_urls, app) == []


PHONE = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36"
)
SIDEWAYS = """() => [document.scrollingElement, document.querySelector('[data-testid=stMain]')]
    .map(one => one.scrollWidth - one.clientWidth)"""


def test_no_page_scrolls_sideways_on_a_phone(app, open_page):
    """Each page fits 390 pixels, with names of any length; on a phone the menu closes by itself."""
    page = open_page(viewport={"width": 390, "height": 844}, user_agent=PHONE)
    page.goto(app)
    expect(graph(page)).to_be_visible(timeout=240_000)
    assert page.evaluate(SIDEWAYS) == [0, 0]

    def go_by_menu(title: str) -> None:
        page.get_by_test_id("stExpandSidebarButton").click()
        page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True).click()
        expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
        at_rest(page)

    go_by_menu("Data")
    rows = [",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in HOSTILE)]
    rows += [",".join(str((k * (j + 3)) // 5 % 2) for j in range(len(HOSTILE))) for k in range(80)]
    page.locator(TABLE_FILE).set_input_files(
        {"name": "long " * 30 + ".csv", "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}
    )
    expect(page.get_by_role("heading", name="In use: long long")).to_be_visible()
    found = {"Data": page.evaluate(SIDEWAYS)}
    go_by_menu("Learn")
    found["Learn"] = page.evaluate(SIDEWAYS)
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(ON_INSPECT)).to_be_visible()
    expect(graph(page)).to_be_visible()
    for view in ("Graph", "Spring layout", "Matrix", "Table"):
        page.get_by_role("radio", name=view, exact=True).click()
        at_rest(page)
        found[view] = page.evaluate(SIDEWAYS)
    page.get_by_role("button", name="Explain a pair").click()
    expect(page.get_by_role("heading", name="Explain a pair")).to_be_visible()
    found["Explain"] = page.evaluate(SIDEWAYS)
    for title in ("Compare", "Experiments", "Learn more", "Start"):
        go_by_menu(title)
        found[title] = page.evaluate(SIDEWAYS)
    assert found == dict.fromkeys(found, [0, 0])


def test_the_keyboard_alone_reaches_an_explanation(app, page):
    """Tab moves to an edge and Enter selects it; the arrow keys on the slider step through the run."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    turn_to(page, "Inspect")
    expect(page.locator(ON_INSPECT)).to_be_visible()
    focus(graph(page).locator(".edge[tabindex='0']").first)
    page.keyboard.press("Enter")
    expect(story(page)).to_be_visible()
    last = int(graph(page).get_attribute("data-step"))
    focus(graph(page).locator("input[type=range]"))
    page.keyboard.press("ArrowLeft")
    expect(graph(page)).to_have_attribute("data-step", str(last - 1))
    page.keyboard.press("Home")
    expect(graph(page)).to_have_attribute("data-step", "0")
    expect(page.get_by_text(re.compile(r"^In the graph .* the step shown \(0\)"))).to_be_visible()


@pytest.mark.deep
def test_a_learner_is_chosen_by_mouse(app, page):
    """A click on a line of the list opens the form of that learner beside it."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    turn_to(page, "Learn")
    all_learners(page)
    card = page.locator(".st-key-learn_choose_pc_mi button:visible")
    card.scroll_into_view_if_needed()
    resting_box(card)
    card.click()
    expect(page.locator(".st-key-learn_chosen_pc_mi")).to_be_attached()


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes_draw_the_graph_in_their_colours(app, open_page, theme):
    """The component follows the theme; screenshots are kept for a person to look at."""
    page = open_page(color_scheme=theme, viewport={"width": 1400, "height": 1000})
    page.goto(app)
    expect(graph(page)).to_have_attribute("data-theme", theme)
    turn_to(page, "Inspect")
    expect(page.locator(ON_INSPECT)).to_be_visible()
    graph(page).locator(".edge[tabindex='0'] .hit").nth(3).dispatch_event("click")
    expect(story(page)).to_be_visible()
    posed(page)
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"inspect_{theme}.png")
    if theme == "light":
        page.mouse.move(5, 5)
        page.screenshot(path=SCREENSHOTS / "readme.png")


def test_two_sessions_do_not_see_each_other(app, open_page, survey_csv):
    """No page of one session shows the upload of another."""
    mine, yours = open_page(), open_page()
    mine.goto(app)
    upload(mine, "private.csv", survey_csv)
    yours.goto(app)
    expect(graph(yours)).to_be_visible()
    turn_to(yours, "Data")
    expect(yours.get_by_role("heading", name="Variables")).to_be_visible()
    expect(yours.get_by_text("private.csv")).to_have_count(0)


@pytest.mark.deep
def test_a_simulation_is_learnt_and_held_against_its_truth(app, page):
    """Invalid entries get an error message; valid ones a sound table, and Inspect compares with its true graph."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    turn_to(page, "Data")
    page.get_by_role("radio", name="Simulate").click()
    page.get_by_role("radio", name="Random Gaussian").click()
    page.get_by_label("Variables", exact=True).fill("2000")
    page.get_by_role("button", name="Simulate rows", exact=True).click()
    expect(
        page.get_by_text("The number of variables must be 2 to 1,000, got 2,000; enter another number.")
    ).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^Still in use: "))).to_be_visible()
    page.get_by_label("Variables", exact=True).fill("20")
    page.get_by_label("Expected edges", exact=True).fill("25")
    page.get_by_label("Seed", exact=True).fill("3")
    page.get_by_role("button", name="Simulate rows", exact=True).click()
    expected = "In use: random network, p = 20, 25 edges expected, n = 200, seed 3"
    expect(page.get_by_role("heading", name=expected)).to_be_visible()
    expect(page.get_by_text("No data problems found.")).to_have_count(1)  # the graph of the former table is gone
    true_graph = page.get_by_role("button", name="True graph (CSV)")
    expect(true_graph).to_have_count(1)  # that of the former table is gone
    with page.expect_download() as download:
        true_graph.click()
    edges = download.value.path().read_text().splitlines()
    assert edges[0].replace('"', "").startswith("from,to,type")
    expect(page.get_by_text(f"True graph: {len(edges) - 1} edges.")).to_be_visible()
    learn(page)
    for label in ("SHD", "precision", "recall"):
        expect(page.locator(NUMBERS)).to_contain_text(f" · {label} ")
    assert len(places(page)) == 20
    assert outside(page.request_urls, app) == []
    assert page.console_errors == []


@pytest.mark.deep
def test_cancel_takes_effect_and_keeps_the_trace(app, page):
    """A run of more than 30 s stops on request; other pages respond meanwhile, and the partial result is kept."""
    page.goto(app)
    expect(graph(page)).to_be_visible()
    turn_to(page, "Data")
    page.get_by_role("radio", name="Simulate").click()
    page.get_by_role("combobox", name=re.compile("Published network")).fill("diabetes")
    page.keyboard.press("Enter")
    page.get_by_role("spinbutton", name="Rows", exact=True).fill("20000")
    page.get_by_role("button", name="Simulate rows", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("^In use: diabetes "))).to_be_visible(timeout=60_000)
    turn_to(page, "Learn")
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.get_by_text(re.compile(r"level \d"))).not_to_have_count(0, timeout=30_000)
    turn_to(page, "Learn more")
    expect(page.get_by_role("heading", name="Marks")).to_be_visible()
    turn_to(page, "Learn")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Run learner", exact=True)).to_be_enabled(timeout=10_000)
    expect(page.get_by_text("(cancelled)").first).to_be_visible()
