"""Direct manipulation of the graph: dragged nodes, the wheel, touch, a variable's Markov blanket."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from learners.io.samples import load_sample
from learners.registry import learn
from viz.kinds import graph_at, last_step

from .conftest import ON_INSPECT, ROOT, SCREENSHOTS, at_rest, resting_box, wait_until
from .test_graph_view import DEMO, POSITIONS, ZOOM, Demo

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine


@pytest.fixture
def open_demo(app_server: Callable[..., str], page: Page) -> Callable[[str], Demo]:
    """Return ``open_demo(graph)``."""
    return lambda graph: Demo(page, app_server(DEMO), graph)


@pytest.fixture
def asia(open_demo: Callable[[str], Demo]) -> Demo:
    return open_demo("asia")


def graph_of(page: Page) -> Locator:
    return page.locator(".graph-view[data-ready]")


def middle(node: Locator) -> tuple[float, float]:
    box = resting_box(node)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, node: Locator, dx: float, dy: float) -> None:
    x, y = middle(node)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()


# ------------------------------------------------------------------ positions


@pytest.mark.deep
def test_nodes_are_put_back_by_one_button(asia: Demo) -> None:
    """One button resets dragged and nudged nodes; it is shown only while a node is off its layout position."""
    button = asia.root.get_by_role("button", name="move all variables back")
    expect(button).to_be_hidden()
    before = asia.look(POSITIONS)
    drag(asia.page, asia.node(1), 70, 40)
    asia.node(3).focus()
    asia.page.keyboard.press("Alt+ArrowRight")
    expect(asia.root.locator(".unseen")).to_have_text("lung moved right")
    expect(asia.page.locator("[data-testid=stCode]")).to_contain_text(re.compile('"1": .*"3": '))
    button.click()
    asia.wait_reported(positions={})
    assert asia.look(POSITIONS) == before
    expect(button).to_be_hidden()
    asia.page.get_by_text("ask for step 3").click()
    expect(asia.root).to_have_attribute("data-step", "3")
    assert asia.look(POSITIONS) == before


@pytest.mark.deep
def test_a_key_moves_the_variable_that_has_the_focus(asia: Demo) -> None:
    """Alt and an arrow key move the focused variable and not the slider; an arrow key alone moves the slider."""
    x, y = middle(asia.node(3))
    asia.node(3).focus()
    asia.page.keyboard.press("Alt+ArrowDown")
    asia.page.keyboard.press("Alt+ArrowLeft")
    expect(asia.page.locator("[data-testid=stCode]")).to_contain_text('"positions": {"3": [')
    assert middle(asia.node(3)) == pytest.approx((x - 12, y + 12), abs=1)
    assert asia.look("root => root.dataset.step") == "25"
    asia.page.keyboard.press("ArrowLeft")
    expect(asia.root).to_have_attribute("data-step", "24")


@pytest.mark.deep
def test_a_place_survives_a_remount(asia: Demo) -> None:
    """After a remount the graph draws the positions that Python keeps."""
    drag(asia.page, asia.node(1), 70, 40)
    expect(asia.page.locator("[data-testid=stCode]")).to_contain_text('"positions": {"1": [')
    moved = asia.look(POSITIONS)
    asia.page.get_by_text("hide").click()
    expect(asia.root).to_have_count(0)
    asia.page.get_by_text("hide").click()
    asia.root.wait_for()
    assert asia.look(POSITIONS) == moved


@pytest.mark.deep
def test_a_dragged_node_stays_on_every_page_and_run(open_run: Callable[..., Page]) -> None:
    """A node dragged on Inspect has the same position on Start and after returning."""
    page = open_run("ppc", sample="asia")
    name = graph_of(page).locator(".node title").first.text_content()
    node = graph_of(page).locator(".node").first
    drag(page, node, 60, 30)
    button = graph_of(page).get_by_role("button", name="move all variables back")
    expect(button).to_be_visible()
    moved = graph_of(page).evaluate(SHARES)
    expect(page.locator("[data-testid=stStatusWidget]")).to_have_count(0)
    page.get_by_role("link", name="Start", exact=True).first.click()
    expect(page.get_by_role("heading", name="Learn a Bayesian network")).to_be_visible()
    expect(graph_of(page).get_by_role("button", name="move all variables back")).to_be_visible()
    there = graph_of(page).evaluate(SHARES)
    assert there[name] == pytest.approx(moved[name], abs=2e-3)
    page.get_by_role("link", name="Inspect", exact=True).first.click()
    expect(page.locator(ON_INSPECT)).to_be_visible()
    expect(graph_of(page)).to_be_visible()
    assert graph_of(page).evaluate(SHARES)[name] == pytest.approx(moved[name], abs=2e-3)


SHARES = """root => Object.fromEntries([...root.querySelectorAll('.node')].map((el) => {
    const { node } = el.item, [width, height] = root.view.kept.world.size;
    return [node.name, [node.px / width, node.py / height]]; }))"""


# ------------------------------------------------------------------ the wheel and touch


@pytest.mark.deep
def test_the_wheel_scrolls_the_page_until_the_graph_has_the_focus(open_page, app_server) -> None:
    """Without focus the page scrolls and a hint is shown; with Ctrl, or after a click into the graph, it zooms."""
    asia = Demo(open_page(viewport={"width": 1000, "height": 500}), app_server(DEMO), "asia")
    scrolled = "() => document.querySelector('[data-testid=stMain]').scrollTop"
    box, fitted = resting_box(asia.picture), asia.look(ZOOM)
    asia.page.mouse.move(box["x"] + 300, box["y"] + 200)
    asia.page.mouse.wheel(0, 60)
    wait_until(asia.page, f"({scrolled})() > 0")
    expect(asia.root.locator(".hint")).to_be_visible()
    assert asia.look(ZOOM) == fitted
    at = asia.page.evaluate(scrolled)
    asia.page.keyboard.down("Control")
    asia.page.mouse.wheel(0, -120)
    asia.page.keyboard.up("Control")
    expect(asia.root.locator(".stage > svg > g").first).not_to_have_attribute("transform", fitted)
    assert asia.page.evaluate(scrolled) == at
    zoomed = asia.look(ZOOM)
    box = resting_box(asia.picture)
    asia.page.mouse.click(box["x"] + 300, box["y"] + 250)
    asia.page.mouse.wheel(0, -120)
    expect(asia.root.locator(".stage > svg > g").first).not_to_have_attribute("transform", zoomed)
    assert asia.page.evaluate(scrolled) == at


def fingers_on(page: Page) -> Callable[..., None]:
    """Return ``touch(kind, *points)``, which dispatches a touch event with one finger per point."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    return touch


@pytest.mark.deep
def test_one_finger_scrolls_two_zoom_and_a_node_follows_a_finger(open_page, app_server) -> None:
    """On a touch screen, one finger scrolls, two zoom, and a node follows a finger."""
    page = open_page(viewport={"width": 700, "height": 600}, has_touch=True)
    asia = Demo(page, app_server(DEMO), "asia")
    touch = fingers_on(page)
    box, fitted, before = resting_box(asia.picture), asia.look(ZOOM), dict(asia.look(POSITIONS))
    x, y = box["x"] + 60, box["y"] + 300
    touch("touchStart", (x, y))
    for k in range(1, 6):
        touch("touchMove", (x, y - 25 * k))
    touch("touchEnd")
    wait_until(page, "() => document.querySelector('[data-testid=stMain]').scrollTop > 20")
    assert asia.look(ZOOM) == fitted
    box = resting_box(asia.picture)
    x, y = box["x"] + 300, box["y"] + box["height"] - 120  # in view, however far the swipe has scrolled the page
    touch("touchStart", (x - 30, y), (x + 30, y))
    for k in range(1, 6):
        touch("touchMove", (x - 30 - 10 * k, y), (x + 30 + 10 * k, y))
    touch("touchEnd")
    expect(asia.root.locator(".stage > svg > g").first).not_to_have_attribute("transform", fitted)
    asia.root.get_by_role("button", name="show the whole graph").click()
    asia.node(3).scroll_into_view_if_needed()
    x, y = middle(asia.node(3))
    touch("touchStart", (x, y))
    for k in range(1, 6):
        touch("touchMove", (x + 8 * k, y + 4 * k))
    touch("touchEnd")
    expect(page.locator("[data-testid=stCode]")).to_contain_text('"positions": {"3": [')
    after = dict(asia.look(POSITIONS))
    assert [name for name in before if before[name] != after[name]] == ["3"]


# ------------------------------------------------------------------ the Markov blanket


@pytest.mark.deep
def test_a_click_lights_the_blanket(asia: Demo) -> None:
    """Each role has its sign and label; the rest is dim; an earlier step shows another blanket; Escape clears it."""
    asia.node(7).click()
    remark = asia.root.locator(".remarks .blanket")
    expect(remark).to_have_text(
        "Markov blanket of dysp: ▲ 2 parents (bronc, either), ▼ 0 children, ◆ 0 spouses, ● 0 undirected neighbours"
    )
    expect(asia.root.locator(".unseen")).to_contain_text("Markov blanket of dysp")
    expect(asia.root.locator(".role.parent")).to_have_count(2)
    expect(asia.root.locator(".edge.related:not(.away)")).to_have_count(2)
    opacity = "el => getComputedStyle(el).opacity"
    assert float(asia.node(0).evaluate(opacity)) < 0.5
    assert float(asia.node(5).evaluate(opacity)) == 1
    asia.page.keyboard.press("Escape")
    expect(remark).to_be_hidden()
    expect(asia.root.locator(".role")).to_have_count(0)
    assert float(asia.node(0).evaluate(opacity)) == 1
    asia.node(4).focus()
    asia.page.keyboard.press("Enter")
    expect(remark).to_contain_text("▼ 1 child (dysp), ◆ 1 spouse (either), ● 1 undirected neighbour (smoke)")
    asia.page.keyboard.press("Home")
    expect(remark).to_contain_text("● 7 undirected neighbours (asia, tub, smoke and 4 more)")
    SCREENSHOTS.mkdir(exist_ok=True)
    asia.page.keyboard.press("End")
    asia.root.screenshot(path=SCREENSHOTS / "blanket.png")


# ------------------------------------------------------------------ saved pictures


SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, graph: Locator, path: Path) -> ElementTree.Element:
    with page.expect_download() as download:
        graph.get_by_role("button", name="(SVG)").click()
    download.value.save_as(path)
    return ElementTree.parse(path).getroot()


def edges_of(sheet: ElementTree.Element) -> set[tuple[int, int, str]]:
    """Return the edges drawn in a saved picture: ends and mark."""
    found = [g.attrib for g in sheet.iter(f"{SVG}g") if "data-mark" in g.attrib]
    return {(int(g["data-a"]), int(g["data-b"]), g["data-mark"]) for g in found if g["data-mark"] != "none"}


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_saved_picture_is_the_graph_of_its_step(open_run: Callable[..., Page], tmp_path: Path, scheme: str) -> None:
    """At three steps, a saved picture has the run's edges, with title, step and legend on a white background."""
    page = open_run("gs", color_scheme=scheme)
    graph = graph_of(page)
    result = learn("gs", load_sample("child").dataset)
    last = int(graph.locator("input[type=range]").get_attribute("max"))
    for step in (last, last - 6, last // 2):
        slide = "(s, step) => { s.value = step; s.dispatchEvent(new Event('input')); }"
        graph.locator("input[type=range]").evaluate(slide, step)
        sheet = saved(page, graph, tmp_path / "graph.svg")
        expected = graph_at(result, last_step(result) - last + step)
        drawn = edges_of(sheet)
        assert {(a, b, "undirected" if mark == "conflict" else mark) for a, b, mark in drawn} == {
            (i, j, expected.mark(i, j)) for i, j in {(min(e), max(e)) for e in expected.edges()}
        }
        texts = [text.text for text in sheet.iter(f"{SVG}text")]
        assert "GS (grow-shrink) on Child (simulated) (alpha 0.05)" in texts
        assert any(text.startswith(f"step {step:,} of {last:,}") for text in texts)
        assert set(result.names) <= set(texts)
        places = [g.get("transform") for g in sheet.iter(f"{SVG}g") if "data-node" in g.attrib]
        for side in zip(*(map(float, re.findall(r"-?[\d.]+", place)[:2]) for place in places), strict=True):
            assert max(side) - min(side) > 400  # the picture fills the whole page
        assert any("same direction in all" in text for text in texts)
        assert sheet.find(f"{SVG}rect").get("fill") == "rgb(255, 255, 255)"
    drawing = page.context.new_page()
    drawing.goto(f"file://{tmp_path / 'graph.svg'}")
    assert drawing.evaluate("document.documentElement.localName") == "svg"
    assert drawing.evaluate("document.querySelectorAll('script, image, a, style').length") == 0
    with page.expect_download() as download:
        graph.get_by_role("button", name="(PNG)").click()
    download.value.save_as(SCREENSHOTS / f"sheet-{scheme}.png")
    expect(graph.locator(".export-view")).to_have_count(0)
    assert page.console_errors == []


@pytest.mark.deep
def test_a_saved_picture_keeps_blanket_and_long_lines_break(open_demo: Callable[[str], Demo], tmp_path: Path) -> None:
    """The highlighted variable and its sentence are in the file; names of 200 letters wrap within the heading only."""
    demo = open_demo("hostile")
    demo.node(0).click()
    expect(demo.root.locator(".remarks .blanket")).to_be_visible()
    sheet = saved(demo.page, demo.root, tmp_path / "graph.svg")
    texts = [text.text for text in sheet.iter(f"{SVG}text")]
    assert any(text.startswith("Markov blanket of <script>") for text in texts)
    assert "long " * 40 in texts
    assert demo.page.evaluate("window.hacked") is None


# ------------------------------------------------------------------ the class


@pytest.fixture
def inspect_asia(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``inspect_asia(**context)``: Inspect with the first run on asia."""

    def open_one(**context: object) -> Page:
        page = open_page(**context)
        page.goto(f"{app_server(ROOT / 'app.py')}/?sample=asia")
        expect(graph_of(page)).to_be_visible(timeout=240_000)
        page.get_by_role("link", name="Inspect", exact=True).first.click()
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=60_000)
        expect(graph_of(page)).to_be_visible()
        return page

    return open_one


@pytest.mark.deep
def test_an_edge_directed_by_hand_marks_what_follows(inspect_asia: Callable[..., Page]) -> None:
    """An edge directed by hand and the implied edges are marked, no node moves; then the DAGs are stepped through."""
    page = inspect_asia()
    graph = graph_of(page)
    before = graph.evaluate(SHARES)
    graph.locator(".edge.undirected:not(.away)").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Set direction ")).first.click()
    expect(graph.locator(".edge.by-hand")).to_have_count(1)
    expect(graph.locator(".sentence")).to_contain_text("by hand: ")
    assert graph.evaluate(SHARES) == before
    page.get_by_role("button", name="Undo").click()
    expect(graph.locator(".edge.by-hand")).to_have_count(0)
    page.get_by_role("button", name="Show equivalent DAGs").click()
    page.get_by_role("button", name="Step through DAGs").click()
    expect(graph.locator(".sentence")).to_contain_text("DAG 1 of ")
    expect(graph.locator(".edge.undirected:not(.away)")).to_have_count(0)
    graph.get_by_role("button", name="Go to the next change").click()
    expect(graph.locator(".sentence")).to_contain_text("DAG 2 of ")
    expect(graph.locator(".edge.changed").first).to_be_attached()
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "class.png")
    assert graph.evaluate(SHARES) == before


# ------------------------------------------------------------------ background knowledge


def test_an_edge_is_forbidden_from_the_graph(inspect_asia: Callable[..., Page]) -> None:
    """Forbidding an edge by right click or menu key repeats the quick run at once; keys undo and redo it.

    The menu of a node sets it as an outcome.
    """
    page = inspect_asia()
    graph = graph_of(page)
    edge = graph.locator(".edge.forward:not(.away)").first
    edge.dispatch_event("contextmenu", {"clientX": 0, "clientY": 0})
    menu = graph.get_by_role("menu")
    expect(menu.get_by_role("menuitem")).to_have_count(6)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    edge.dispatch_event("contextmenu")
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "menu.png")
    page.keyboard.press("ArrowDown")  # past the explanation
    page.keyboard.press("Enter")
    expect(menu).to_be_hidden()
    known = page.get_by_text("background knowledge: 2 edges")
    expect(known.first).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    at_rest(page)
    page.keyboard.press("Control+z")
    expect(known).to_have_count(0)
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    at_rest(page)
    page.keyboard.press("Control+Shift+z")
    expect(known.first).to_be_visible()
    at_rest(page)
    graph.locator(".node").first.dispatch_event("contextmenu")
    expect(menu.get_by_role("menuitem")).to_have_text(re.compile("^Set .* as outcome$"))
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("background knowledge: [789] edges")).first).to_be_visible()
