"""The space of the graph: the first screen at every width, full screen, and a collapsible panel."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from learners.graphs.graph import PDAG, markov_blanket

from .conftest import ROOT, at_rest, resting_box, wait_until

pytestmark = pytest.mark.browser
DEMO = ROOT / "tests" / "browser" / "apps" / "graph_demo.py"
SCREENS = [(390, 844), (800, 1100), (1280, 720), (1440, 900)]
IN_SIGHT = """root => [root.querySelector('.stage'), root.querySelector('.scrubber')].every(part => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight && bottom - top > 60; })"""
CLEAR_OF_BUTTONS = """root => [...root.querySelectorAll('.finder, .tools, .legend')].every(part => {
    const a = part.getBoundingClientRect();
    return [...root.querySelectorAll('.node')].every(node => { const b = node.getBoundingClientRect();
        return b.right <= a.left || a.right <= b.left || b.bottom <= a.top || a.bottom <= b.top; }); })"""
FILLS_ONE_WAY = """root => {
    const boxes = [...root.querySelectorAll('.node')].map(node => node.getBoundingClientRect());
    const [stage, top] = ['.stage', '.finder'].map(part => root.querySelector(part).getBoundingClientRect());
    const [left, right, high, low] = [Math.min(...boxes.map(b => b.left)), Math.max(...boxes.map(b => b.right)),
        Math.min(...boxes.map(b => b.top)), Math.max(...boxes.map(b => b.bottom))];
    return (right - left) / stage.width > 0.8 || (low - high) / (stage.bottom - top.bottom) > 0.7; }"""
PLACES = "root => [...root.querySelectorAll('.node')].map(n => [n.dataset.node, n.getAttribute('transform')]).sort()"


@pytest.fixture
def open_at(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``open_at(path, width, height)``, which opens a page of the app and waits for the landing graph."""

    def open_one(path: str, width: int = 1440, height: int = 900) -> Page:
        page = open_page(viewport={"width": width, "height": height})
        page.goto(f"{app_server(ROOT / 'app.py')}/{path}")
        expect(graph(page)).to_be_visible(timeout=240_000)
        return page

    return open_one


def graph(page: Page) -> Locator:
    """Return the graph component once it is drawn."""
    return page.locator(".graph-view[data-ready]")


def holds(root: Locator, condition: str) -> None:
    """Wait until a condition on an element is true."""
    wait_until(root.page, f"root => ({condition})(root)", root.element_handle())


OVERLAPS = """root => {
    const parts = [...root.querySelectorAll('.legend, .finder > *, .tools:not(.present-tools) > *')];
    const boxes = parts.map(part => [part, part.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
    return boxes.flatMap(([one, a], k) => boxes.slice(k + 1)
        .filter(([, b]) => a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top)
        .map(([other]) => `${one.textContent} / ${other.textContent}`)); }"""


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("width", [390, 620, 800])
def test_buttons_of_a_graph_do_not_overlap(open_at, width):
    """In German, with long labels, the buttons and the search box wrap on a narrow page."""
    page = open_at("inspect?language=de", width)
    root = graph(page)
    expect(root.locator(".tools button", has_text="PNG speichern")).to_be_visible(timeout=60_000)
    assert root.evaluate(OVERLAPS) == []


SCALE = """root => [root.querySelector('.stage').clientHeight,
    +root.querySelector('.stage > svg > g').getAttribute('transform').match(/scale\\((.*)\\)/)[1]]"""


def height_and_scale(root: Locator) -> list[float]:
    """Return the height and the scale of the picture at rest."""
    resting_box(root.locator(".stage"))
    return root.evaluate(SCALE)


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("learner", "n_modes"), [("pc", 0), ("brai", 2), ("cimap", 2)])
def test_picture_keeps_its_scale_in_every_mode_and_at_every_step(open_at, learner, n_modes, width):
    """A drag or another slider mode may need more lines below the graph; the graph keeps its height and scale."""
    page = open_at(f"inspect?sample=asia&learner={learner}", width, 844)
    root, app = graph(page), page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=120_000)
    own = height_and_scale(root)
    modes = page.locator(f".st-key-{learner}_mode").get_by_role("radio").all()
    assert len(modes) == n_modes
    for mode in modes or [None]:
        if mode is not None:
            mode.click()
            assert height_and_scale(root) == own
        slider = root.locator("input[type=range]")
        box = resting_box(slider)
        y, now = box["y"] + box["height"] / 2, int(slider.input_value()) / int(slider.get_attribute("max"))
        page.mouse.move(box["x"] + 8 + now * (box["width"] - 16), y)
        page.mouse.down()
        for share in (0.9, 0.5, 0.1, 0.7, 0.02):
            page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), y, steps=4)
            page.wait_for_timeout(150)
            assert root.evaluate(SCALE) == own
        page.mouse.up()
        at_rest(page)
        assert height_and_scale(root) == own


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("path", ["", "inspect"], ids=["start", "inspect"])
def test_graph_and_slider_are_on_the_first_screen_and_no_variable_lies_under_buttons(open_at, path, width, height):
    """Graph and slider need no scrolling, and the graph is more than a strip.

    The graph fits below the buttons and the search box, and uses their remaining height or width. The page has no
    horizontal scroll bar.
    """
    page = open_at(path, width, height)
    root = graph(page)
    holds(root, IN_SIGHT)
    assert root.locator(".stage > svg").evaluate("svg => svg.clientHeight") >= 0.3 * height
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    holds(root, CLEAR_OF_BUTTONS)
    holds(root, FILLS_ONE_WAY)


LEGIBLE = """root => {
    const boxes = [...root.querySelectorAll('.node > rect:first-of-type')].map(box => box.getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const letters = parseFloat(root.querySelector('.node text').getAttribute('font-size')) * root.view.zoom[0];
    return letters >= 9.99 && boxes.every((a, k) => boxes.slice(0, k).every(b => apart(a, b))); }"""


@pytest.mark.deep
def test_names_are_legible_on_a_phone_and_when_it_is_turned(open_at):
    """The 20 names of Child never overlap at any window shape, and each shape has its own positions."""
    page = open_at("", 390, 844)
    root = graph(page)
    holds(root, LEGIBLE)
    holds(root, CLEAR_OF_BUTTONS)
    upright = root.evaluate(PLACES)
    page.set_viewport_size({"width": 844, "height": 390})
    holds(root, f"root => root.clientWidth > 400 && ({LEGIBLE})(root)")
    turned = root.evaluate(PLACES)
    assert turned != upright
    page.set_viewport_size({"width": 390, "height": 844})
    holds(root, f"root => root.clientWidth < 390 && ({LEGIBLE})(root)")
    assert root.evaluate(PLACES) != turned


@pytest.mark.deep
def test_places_outlive_another_view_on_a_phone(open_at):
    """A hidden graph has no size; the layout chosen for the screen stays, and no position is lost."""
    page = open_at("inspect", 390, 844)
    holds(graph(page), LEGIBLE)
    places = graph(page).evaluate(PLACES)
    for _ in range(2):
        page.get_by_role("radio", name="Matrix", exact=True).click()
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        page.get_by_role("radio", name="Graph", exact=True).click()
        holds(graph(page), LEGIBLE)
    assert graph(page).evaluate(PLACES) == places
    assert [line for line in page.console_errors if "NaN" in line] == []


@pytest.mark.deep
def test_what_was_put_somewhere_stays_when_the_window_changes(open_at):
    """Once a variable is dragged, resizing the window no longer changes the layout."""
    page = open_at("", 1440, 900)
    root = graph(page)
    root.locator(".node").first.press("Alt+ArrowDown")
    expect(root.get_by_role("button", name="Move all variables back to their original positions")).to_be_visible()
    places = root.evaluate(PLACES)
    page.set_viewport_size({"width": 800, "height": 1100})
    holds(root, "root => root.clientWidth < 800 && root.view.zoom[0] > 0")
    assert root.evaluate(PLACES) == places


@pytest.mark.deep
@pytest.mark.parametrize(("path", "width", "height"), [("", 390, 844), ("inspect", 800, 800)])
def test_names_of_many_variables_get_a_whole_screen(open_at, path, width, height):
    """The 37 names of Alarm do not fit the rest of a small first screen, so the graph takes a whole one."""
    root = graph(open_at(f"{path}?sample=alarm", width, height))
    holds(root, LEGIBLE)
    expect(root.locator(".node.dot")).to_have_count(0)
    assert 0.8 * height < resting_box(root)["height"] <= height


@pytest.mark.deep
@pytest.mark.parametrize("sample", ["child", "alarm"])
def test_no_sentence_of_a_step_is_cut_on_a_phone(open_at, sample):
    """The sentence has room for the longest one at every step."""
    root = graph(open_at(f"?sample={sample}", 390, 844))
    cut = """root => { const cut = [], said = root.querySelector('.sentence');
        for (let step = 0; step <= root.view.last; step++) {
            root.view.go(step);
            if (said.scrollHeight > said.clientHeight + 1) cut.push(said.textContent); }
        return cut; }"""
    assert root.evaluate(cut) == []


@pytest.mark.deep
@pytest.mark.parametrize("refused", [False, True], ids=["screen", "window"])
def test_full_screen_by_button_and_key_and_back(open_at, refused):
    """Graph, slider and legend work in full screen; a browser that refuses it fills the window instead."""
    page = open_at("inspect")
    if refused:
        page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new Error('refused')) }")
    at_rest(page)
    root = graph(page)
    resting_box(root)
    before = root.evaluate("root => root.clientHeight")
    root.get_by_role("button", name="full screen (key F)").click()
    fills = "root => root.clientWidth === innerWidth && root.clientHeight === innerHeight"
    holds(root, fills)
    root.locator("input[type=range]").press("ArrowLeft")
    expect(root).to_have_attribute("data-step", str(int(root.locator("input[type=range]").get_attribute("max")) - 1))
    root.locator(".legend summary").click()
    expect(root.locator(".legend")).to_contain_text("directed")
    holds(root, IN_SIGHT)
    root.locator(".stage > svg").press("Escape")
    holds(root, f"root => root.clientHeight === {before}")
    root.locator(".stage > svg").press("f")
    holds(root, fills)
    root.get_by_role("button", name="Leave full screen").click()
    holds(root, f"root => root.clientHeight === {before}")


@pytest.mark.deep
@pytest.mark.parametrize("width", [1440, 800])
def test_explanation_is_folded_until_asked_for_and_moves_no_node(open_at, width):
    """The explanation opens on request, also by keyboard; positions and the pair stay.

    It opens beside the graph if there is room, else over the lower end of the screen, below graph and slider.
    """
    page = open_at("inspect", width)
    root, heading = graph(page), page.get_by_role("heading", name="Explain a pair")
    expect(heading).to_have_count(0)
    holds(root, "root => !root.view.settling")
    places, wide = root.evaluate(PLACES), root.bounding_box()["width"]
    root.locator(".edge[tabindex='0']").first.press("Enter")
    expect(heading).to_be_visible()
    panel = page.locator(".st-key-inspect_why")
    if width == 1440:
        holds(root, f"root => root.clientWidth < {wide} - 300")
        assert panel.bounding_box()["x"] > root.bounding_box()["x"] + root.bounding_box()["width"]
    else:
        holds(root, IN_SIGHT)
        holds(root, "root => root.getBoundingClientRect().bottom < 0.6 * innerHeight")
        assert panel.bounding_box()["y"] >= root.bounding_box()["y"] + root.bounding_box()["height"]
        expect(panel.get_by_text(re.compile("is in the graph")).first).to_be_in_viewport()
    assert root.evaluate(PLACES) == places
    page.get_by_role("button", name="Close panel").press("Enter")
    expect(heading).to_have_count(0)
    holds(root, f"root => root.clientWidth === Math.round({wide})")
    assert root.evaluate(PLACES) == places
    expect(root.locator(".edge.selected")).to_have_count(1)
    page.get_by_role("button", name="Explain a pair").press("Enter")
    expect(heading).to_be_visible()
    expect(panel.get_by_text(re.compile("is in the graph")).first).to_be_visible()


@pytest.mark.deep
def test_zoom_chosen_by_hand_outlives_the_fold(open_at):
    """Opening the panel refits the graph only if it was fitted before."""
    page = open_at("inspect")
    root = graph(page)
    root.get_by_role("button", name="zoom in").click()
    scale = "root => root.querySelector('.stage svg > g').getAttribute('transform').match(/scale\\(.*/)[0]"
    zoomed, wide = root.evaluate(scale), root.bounding_box()["width"]
    page.get_by_role("button", name="Explain a pair").click()
    holds(root, f"root => root.clientWidth < {wide} - 300")
    assert root.evaluate(scale) == zoomed


# ------------------------------------------------------------------ large graphs

SHOWN = "root => [...root.querySelectorAll('.node:not(.elsewhere)')].map(n => +n.dataset.node).sort((a, b) => a - b)"
DRAWN = """root => [...root.view.edges].filter(e => e.here).map(e => [e.a, e.b, e.state.split(' ')[2]])"""
COVERED = """root => { const boxes = [...root.querySelectorAll('.node:not(.mute, .elsewhere) text')]
    .map(text => text.getBoundingClientRect());
    return boxes.flatMap((a, k) => boxes.slice(0, k).filter(b => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length; }"""


@pytest.fixture
def open_graph(app_server: Callable[..., str], open_page: Callable[..., Page]) -> Callable[[str], Locator]:
    """Return ``open_graph(name)``, which opens a graph of the demo and waits until it is drawn."""

    def open_one(name: str) -> Locator:
        page = open_page(viewport={"width": 1440, "height": 950})
        page.goto(f"{app_server(DEMO)}/?graph={name}")
        expect(graph(page)).to_be_visible(timeout=120_000)
        return graph(page)

    return open_one


def graph_on_screen(root: Locator) -> PDAG:
    """Return the graph at this step as a graph of the library."""
    edges = root.evaluate(DRAWN)
    directed = [(a, b) if mark == "forward" else (b, a) for a, b, mark in edges if mark in ("forward", "backward")]
    undirected = [(a, b) for a, b, mark in edges if mark == "undirected"]
    return PDAG.from_edges(root.locator(".node").count(), directed=directed, undirected=undirected)


def step_to(root: Locator, step: int) -> None:
    """Move the slider to a step."""
    root.locator("input[type=range]").evaluate(
        "(s, to) => { s.value = to; s.dispatchEvent(new Event('input')); }", step
    )


@pytest.mark.deep
@pytest.mark.parametrize("name", ["gauss", "pigs"])
def test_names_are_as_large_as_on_a_page_and_cover_no_other(open_graph, name):
    """Nearly all of 100 variables show their names, and a part of 441 does; zooming in shows more."""
    root = open_graph(name)
    holds(root, "root => root.dataset.labels > 0")
    sizes = "root => root.querySelector('.node:not(.mute) text').getBoundingClientRect().height"
    assert root.evaluate(sizes) >= 10
    assert root.evaluate(COVERED) == 0
    before = int(root.get_attribute("data-labels"))
    assert before >= (90 if name == "gauss" else 40)
    for _ in range(4):
        root.get_by_role("button", name="zoom in").click()
    holds(root, f"root => root.dataset.labels > {before} || root.dataset.labels == 100")
    assert root.evaluate(COVERED) == 0


@pytest.mark.deep
def test_five_thousand_nodes_show_hubs_and_neighbourhoods(open_graph):
    """The largest hubs are named, no two dots overlap, no edge is routed, and a neighbourhood is that of the graph."""
    root = open_graph("hubs_5000")
    holds(root, "root => root.dataset.labels > 0")
    truth = graph_on_screen(root)
    assert truth.p == 5000
    largest = np.argsort(-truth.skeleton.sum(axis=0), kind="stable")[:10].tolist()
    named = set(root.evaluate(
        "root => [...root.querySelectorAll('.node:not(.mute)')].map(n => +n.dataset.node)"))  # fmt: skip
    assert named.issuperset(largest)
    assert root.evaluate("root => root.view.edges.every(e => !e.path || e.path.around.length === 0)")
    xy = np.array(root.evaluate("root => [...root.view.nodes.values()].map(n => [n.px, n.py])"))
    size = root.evaluate("root => root.view.nodes.get(0).w")
    order = np.argsort(xy[:, 0])
    for shift in range(1, 60):  # nodes within a dot's width are neighbours by x
        gap = np.abs(xy[order][shift:] - xy[order][:-shift])
        assert (gap.max(axis=1) > size / 2).all()
    search = root.get_by_role("combobox", name="find a variable")
    search.fill(f"GENE{largest[3]:04d}")
    search.press("Enter")
    root.get_by_label("Variables shown").select_option("1")
    hub = largest[3]
    assert root.evaluate(SHOWN) == sorted([hub, *np.flatnonzero(truth.skeleton[hub]).tolist()])


@pytest.mark.deep
def test_search_finds_a_variable_and_shows_it(open_graph):
    """The search matches any part of a name.

    Enter moves to the next match, which is selected, reported and centered.
    """
    root = open_graph("link")
    names = root.evaluate("root => [...root.view.nodes.values()].map(n => n.name)")
    hits = [name for name in names if "d0_1" in name.lower()]
    hits.sort(key=lambda name: not name.lower().startswith("d0_1"))
    assert len(hits) > 1
    search = root.get_by_role("combobox", name="find a variable")
    search.fill("d0_1")
    for at in range(2):
        search.press("Enter")
        expect(root.locator(".unseen")).to_contain_text(f"{at + 1} of {len(hits)}: ")
        expect(root.locator(".node.selected title")).to_have_text(
            sorted(hits, key=lambda n: not n.lower().startswith("d0_1"))[at]
        )
    box, stage = root.locator(".node.selected > rect").bounding_box(), root.locator(".stage > svg").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - stage["x"] - stage["width"] / 2) < 3
    assert abs(box["y"] + box["height"] / 2 - stage["y"] - stage["height"] / 2) < 3
    search.fill("no such name")
    search.press("Enter")
    expect(root.locator(".unseen")).to_contain_text("no variable matches no such name")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["gauss", "link"])
def test_surroundings_are_the_blanket_of_the_library(open_graph, name):
    """The picture shows the Markov blanket, or the variables within one or two edges; others are hidden and counted."""
    root = open_graph(name)
    p, last = root.locator(".node").count(), int(root.locator("input[type=range]").get_attribute("max"))
    whole = graph_on_screen(root)
    centre = max(range(p), key=lambda i: len(markov_blanket(whole, i)))
    root.locator(f'.node[data-node="{centre}"]').press("Enter")
    reach = root.get_by_role("combobox", name="Variables shown")
    reach.select_option("blanket")
    for step in (last, last - 40, last):
        step_to(root, step)
        expected = sorted({centre, *markov_blanket(graph_on_screen(root), centre)})
        assert root.evaluate(SHOWN) == expected
        expect(root.locator(".remarks .neighbourhood")).to_contain_text(
            f"{len(expected)} of {p} variables; {p - len(expected)} hidden"
        )
    reach.select_option("1")
    assert root.evaluate(SHOWN) == sorted({centre, *whole.adjacent(centre)})
    reach.select_option("2")
    assert root.evaluate(SHOWN) == sorted(
        {centre, *whole.adjacent(centre), *(k for j in whole.adjacent(centre) for k in whole.adjacent(j))}
    )
    reach.select_option("all")
    assert len(root.evaluate(SHOWN)) == p
    expect(root.locator(".remarks .neighbourhood")).to_be_hidden()


@pytest.mark.deep
def test_map_moves_the_view(open_graph):
    """The map appears once part of the graph is out of view; pressing it on the left shows the left part."""
    root = open_graph("pigs")
    small = root.locator(".minimap")
    expect(small).to_be_hidden()
    for _ in range(6):
        root.get_by_role("button", name="zoom in").click()
    expect(small).to_be_visible()
    shift = "root => root.view.zoom[1]"
    box, before = small.bounding_box(), root.evaluate(shift)
    root.page.mouse.click(box["x"] + 10, box["y"] + box["height"] / 2)
    holds(root, f"root => root.view.zoom[1] > {before} + 100")
    left = root.evaluate(shift)
    root.page.mouse.click(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    holds(root, f"root => root.view.zoom[1] < {left} - 500")
    root.get_by_role("button", name="show the whole graph").click()
    expect(small).to_be_hidden()


# Count the drawn edges that pass through the dot of a node that is not their end.
FOREIGN = """root => { const v = root.view, nodes = [...v.nodes.values()];
    const inside = ([x, y], n) => Math.abs(x - n.px) < n.w / 2 - .01 && Math.abs(y - n.py) < n.h / 2 - .01;
    const dense = ({ points }) => points.flatMap((p, k) => k ? Array.from({ length: 50 }, (_, t) =>
        [0, 1].map((axis) => points[k - 1][axis] + (p[axis] - points[k - 1][axis]) * t / 50)) : []);
    return v.edges.filter((edge) => edge.state && dense(v.lineOf(edge)).some((p) =>
        nodes.some((n) => n !== edge.na && n !== edge.nb && inside(p, n)))).length; }"""


@pytest.mark.deep
def test_crowd_on_the_canvas_can_be_pointed_at_and_thins_out_to_elements(open_graph):
    """Early in the run edges are on the canvas; the edge under the pointer is named and can be selected."""
    root = open_graph("gauss")
    step_to(root, 0)
    assert int(root.get_attribute("data-edges")) > 4000
    expect(root.locator("canvas.edge-canvas")).to_be_visible()
    assert root.locator(".edge:visible").count() <= 3
    ink = """root => { const canvas = root.querySelector('canvas.edge-canvas'), { width, height } = canvas;
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        return data.reduce((n, v, k) => n + (k % 4 === 3 && v > 0), 0) / (width * height); }"""
    assert root.evaluate(ink) > 0.2
    middle = """root => { const v = root.view, edge = v.pairs.get(JSON.stringify([43, 58]));
        const [x, y] = edge.path.mid, [k, tx, ty] = v.zoom, box = v.svg.getBoundingClientRect();
        return [box.left + tx + k * x, box.top + ty + k * y]; }"""
    holds(root, "root => root.view.edges.every((edge) => !edge.state || !edge.dirty)")
    assert root.evaluate(FOREIGN) == 0
    root.page.mouse.move(*root.evaluate(middle))
    expect(root.locator(".tip").first).to_contain_text("X44 — X59")
    root.page.mouse.click(*root.evaluate(middle))
    expect(root.locator(".edge.selected")).to_have_count(1)
    step_to(root, int(root.locator("input[type=range]").get_attribute("max")))
    expect(root.locator("canvas.edge-canvas")).to_be_hidden()
    # An edge that runs straight down has a box without area, which a locator takes for invisible.
    drawn = "root => [...root.querySelectorAll('.edge:not(.ghost)')].filter(edge => edge.checkVisibility()).length"
    assert root.evaluate(drawn) == int(root.get_attribute("data-edges"))
