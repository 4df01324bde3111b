"""The graph component in a real browser, driven by mouse, keyboard and hostile data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import ROOT, SCREENSHOTS, at_rest, outside, resting_box, wait_until

pytestmark = pytest.mark.browser
DEMO = Path(__file__).parent / "apps" / "graph_demo.py"
POSITIONS = "root => [...root.querySelectorAll('.node')].map(n => [n.dataset.node, n.getAttribute('transform')]).sort()"
ZOOM = "root => root.querySelector('.stage svg > g').getAttribute('transform')"


class Demo:
    """The demo page, showing one graph."""

    def __init__(self, page: Page, address: str, graph: str) -> None:
        self.page, self.address = page, address
        page.goto(f"{address}/?graph={graph}")
        self.root = page.locator(".graph-view[data-ready]")
        self.root.wait_for(timeout=60_000)
        self.slider = self.root.locator("input[type=range]")
        self.picture = self.root.locator(".stage > svg")

    def look(self, script: str) -> object:
        return self.root.evaluate(script)

    def reported(self) -> dict:
        """Return the latest values that Python received, as the page printed them."""
        return json.loads(self.page.locator("[data-testid=stCode]").inner_text())

    def wait_reported(self, **values: object) -> None:
        """Wait until Python has received these values."""
        for name, value in values.items():
            text = json.dumps({name: value})[1:-1]
            expect(self.page.locator("[data-testid=stCode]")).to_contain_text(text)

    def edge(self, a: object, b: object) -> Locator:
        return self.root.locator(f'.edge[data-a="{a}"][data-b="{b}"]')

    def node(self, name: object) -> Locator:
        return self.root.locator(f'.node[data-node="{name}"]')

    def click_edge(self, a: int, b: int) -> None:
        """Click an edge where nothing covers it: at a third of its length, or else at another place off the middle."""
        place = """edge => { const line = edge.querySelector('.hit'), m = line.getScreenCTM();
            const at = [1 / 3, 0.6, 0.7, 0.2].map((share) =>
                line.getPointAtLength(line.getTotalLength() * share).matrixTransform(m));
            const p = at.find(({ x, y }) => edge.getRootNode().elementFromPoint(x, y) === line) ?? at[0];
            return [p.x, p.y]; }"""
        self.page.mouse.click(*self.edge(a, b).evaluate(place))

    def hold_slider(self, *fractions: float) -> None:
        """Press the thumb and move it through these fractions of the track; the button stays down."""
        box = resting_box(self.slider)
        y = box["y"] + box["height"] / 2
        now = int(self.slider.input_value()) / int(self.slider.get_attribute("max"))
        self.page.mouse.move(box["x"] + 8 + now * (box["width"] - 16), y)
        self.page.mouse.down()
        for fraction in fractions:
            self.page.mouse.move(box["x"] + 8 + fraction * (box["width"] - 16), y, steps=4)


@pytest.fixture
def open_demo(app_server: Callable[..., str], page: Page) -> Callable[[str], Demo]:
    """Return ``open_demo(graph)``."""
    return lambda graph: Demo(page, app_server(DEMO), graph)


@pytest.fixture
def asia(open_demo: Callable[[str], Demo]) -> Demo:
    return open_demo("asia")


@pytest.mark.deep
def test_first_picture_is_the_algorithms_choice(asia: Demo) -> None:
    """The demo opens at its last step, with eight edges, five of them arrows; mounting sends nothing to Python."""
    assert asia.look("root => [root.dataset.step, root.dataset.edges]") == ["25", "8"]
    expect(asia.root.locator(".edge.forward, .edge.backward")).to_have_count(5)
    assert asia.reported() == {"step": 25, "selected": None, "positions": {}, "pins": []}


def test_graph_changes_before_the_mouse_is_released(asia: Demo) -> None:
    """Dragging redraws at once and sends nothing to Python; the release reports the step."""
    asia.hold_slider(0.7, 0.2)
    during = asia.look("root => [+root.dataset.step, root.querySelectorAll('.edge:not(.ghost)').length]")
    assert during == [5, 23]
    assert asia.reported()["step"] == 25
    asia.page.mouse.up()
    asia.wait_reported(step=5)
    assert asia.look("root => +root.dataset.step") == 5


@pytest.mark.deep
def test_positions_survive_dragging_and_rerun(asia: Demo) -> None:
    """No node moves by a pixel, whatever the slider does; even the elements of the nodes are kept."""
    before = asia.look(POSITIONS)
    asia.look("root => { root.querySelector('.node').mine = true }")
    asia.hold_slider(0.1, 0.9, 0.4)
    assert asia.look(POSITIONS) == before
    asia.page.mouse.up()
    asia.wait_reported(step=10)
    assert asia.look(POSITIONS) == before
    assert asia.look("root => root.querySelector('.node').mine === true")


@pytest.mark.deep
def test_every_step_shows_the_edges_of_that_step(asia: Demo) -> None:
    """Incremental updates agree with the demo's edge count of each step, in any order of steps."""
    walk = """root => { const slider = root.querySelector('input[type=range]');
        return [25, 0, 13, 12, 14, 3, 24, 1, 20, 19, 5, 25].map(step => {
            slider.value = step; slider.dispatchEvent(new Event('input'));
            const shown = [...root.querySelectorAll('.edge')].filter(e => !e.matches('.ghost'));
            const count = (marks) => root.querySelectorAll(marks).length;
            return [step, shown.length, +root.dataset.edges, count('.edge.ghost'), count('.edge.leaves')]; }); }"""
    for step, shown, counted, ghosts, leaving in asia.look(walk):
        removed = min(step, 20)
        assert shown == counted == 28 - removed
        assert ghosts == (0 if step == 25 else len([s for s in range(1, removed + 1) if step - s < 10]))
        assert leaving == (1 if step < 20 else 0)


def test_clicking_an_edge_selects_it_and_keeps_the_zoom(asia: Demo) -> None:
    """Python receives the pair of an edge clicked after zooming, and the view does not move."""
    box = resting_box(asia.picture)
    asia.page.mouse.move(box["x"] + 300, box["y"] + 250)
    fitted = asia.look(ZOOM)
    asia.picture.focus()
    asia.page.mouse.wheel(0, -300)
    expect(asia.root.locator(".stage svg > g").first).not_to_have_attribute("transform", fitted)
    zoomed = asia.look(ZOOM)
    asia.click_edge(1, 5)
    asia.wait_reported(selected=[1, 5])
    expect(asia.edge(1, 5)).to_have_class(re.compile("selected"))
    assert asia.look(ZOOM) == zoomed
    asia.root.get_by_role("button", name="show the whole graph").click()
    assert asia.look(ZOOM) == fitted


@pytest.mark.deep
def test_two_nodes_select_a_nonadjacent_pair(asia: Demo) -> None:
    """Clicking two variables selects their pair although no edge connects them; the background clears it."""
    asia.node(0).click()
    asia.wait_reported(selected=0)
    asia.node(7).click()
    asia.wait_reported(selected=[0, 7])
    expect(asia.root.locator("path.pair")).to_have_attribute("d", re.compile("."))
    asia.node(4).click(modifiers=["Shift"])
    asia.wait_reported(selected=[0, 4])
    asia.picture.click(position={"x": 300, "y": 330})
    asia.wait_reported(selected=None)
    expect(asia.root.locator("path.pair")).not_to_have_attribute("d", re.compile("."))


@pytest.mark.deep
def test_python_can_select_and_the_user_can_select_again(asia: Demo) -> None:
    """A selection made in a table is shown in the graph, and the user's next click replaces it."""
    asia.page.get_by_role("button", name="ask for tub — either").click()
    expect(asia.edge(1, 5)).to_have_class(re.compile("selected"))
    asia.wait_reported(selected=[1, 5])
    asia.click_edge(5, 6)
    asia.wait_reported(selected=[5, 6])
    expect(asia.edge(5, 6)).to_have_class(re.compile("selected"))
    asia.page.get_by_role("button", name="ask for asia — dysp").click()
    asia.wait_reported(selected=[0, 7])
    expect(asia.root.locator(".node.selected")).to_have_count(2)
    asia.page.get_by_text("ask for step 3").click()
    expect(asia.root).to_have_attribute("data-step", "3")
    assert asia.reported()["selected"] == [0, 7]
    asia.slider.press("End")
    asia.wait_reported(step=25)
    asia.page.get_by_role("button", name="ask for tub — either").click()
    asia.wait_reported(selected=[1, 5], step=25)
    expect(asia.edge(1, 5)).to_have_class(re.compile("selected"))
    expect(asia.root).to_have_attribute("data-step", "25")


@pytest.mark.deep
def test_dragged_node_stays_and_is_reported(asia: Demo) -> None:
    """A dragged node moves its edges and keeps its position through reruns; other nodes stay."""
    before = dict(asia.look(POSITIONS))
    line = asia.edge(1, 5).locator(".line").get_attribute("d")
    box = resting_box(asia.node(1))
    asia.page.mouse.move(box["x"] + 20, box["y"] + 12)
    asia.page.mouse.down()
    asia.page.mouse.move(box["x"] + 90, box["y"] + 52, steps=5)
    asia.page.mouse.up()
    expect(asia.page.locator("[data-testid=stCode]")).to_contain_text('"positions": {"1": [')
    moved = dict(asia.look(POSITIONS))
    assert [name for name in before if before[name] != moved[name]] == ["1"]
    expect(asia.edge(1, 5).locator(".line")).not_to_have_attribute("d", line)
    asia.page.get_by_text("ask for step 3").click()
    expect(asia.root).to_have_attribute("data-step", "3")
    assert dict(asia.look(POSITIONS)) == moved
    assert asia.reported()["selected"] is None


@pytest.mark.deep
def test_background_drag_pans_without_selecting(asia: Demo) -> None:
    """Dragging the background pans and selects nothing."""
    before, fitted = asia.look(POSITIONS), asia.look(ZOOM)
    box = resting_box(asia.picture)
    asia.page.mouse.move(box["x"] + 300, box["y"] + 330)
    asia.page.mouse.down()
    asia.page.mouse.move(box["x"] + 360, box["y"] + 290, steps=4)
    asia.page.mouse.up()
    assert asia.look(ZOOM) != fitted
    assert asia.look(POSITIONS) == before
    assert asia.reported()["selected"] is None


@pytest.mark.deep
def test_another_run_keeps_zoom_and_selection_but_not_the_step(asia: Demo) -> None:
    """With the same variables, another run keeps the view and opens at its own step."""
    asia.root.get_by_role("button", name="zoom in").click()
    zoomed = asia.look(ZOOM)
    asia.click_edge(1, 5)
    asia.wait_reported(selected=[1, 5])
    asia.slider.press("Home")
    asia.wait_reported(step=0)
    asia.page.get_by_text("another run").click()
    asia.wait_reported(step=25, selected=[1, 5])
    expect(asia.root).to_have_attribute("data-step", "25")
    assert asia.look(ZOOM) == zoomed


@pytest.mark.deep
def test_zoom_survives_a_remount(asia: Demo) -> None:
    """Leaving the page and returning shows the same section of the graph."""
    asia.root.get_by_role("button", name="zoom in").click()
    zoomed = asia.look(ZOOM)
    asia.page.get_by_text("hide").click()
    expect(asia.root).to_have_count(0)
    asia.page.get_by_text("hide").click()
    asia.root.wait_for()
    assert asia.look(ZOOM) == zoomed


@pytest.mark.deep
def test_everything_can_be_done_from_the_keyboard(asia: Demo) -> None:
    """The keyboard alone steps, jumps, plays, visits an edge, and selects and clears an edge or an absent pair."""
    page = asia.page
    asia.picture.focus()
    for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowUp", 2), ("ArrowLeft", 1), ("PageDown", 10), ("End", 25)):
        page.keyboard.press(key)
        expect(asia.root).to_have_attribute("data-step", str(step))
    page.keyboard.press("PageUp")
    expect(asia.root).to_have_attribute("data-step", "21")
    asia.wait_reported(step=21)
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    label = "document.activeElement.shadowRoot.activeElement.getAttribute('aria-label')"
    assert re.search(r"^(asia|tub).*(directed|either way).*strength 1.000$", page.evaluate(label))
    page.keyboard.press("Enter")
    expect(asia.root.locator(".edge.selected")).to_have_count(1)
    expect(asia.root.locator(".unseen")).to_contain_text("selected: ")
    page.keyboard.press("Escape")
    asia.wait_reported(selected=None)
    for node in (0, 7):
        asia.node(node).focus()
        page.keyboard.press("Enter")
    asia.wait_reported(selected=[0, 7])
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    wait_until(page, "r => +r.dataset.step > 3", asia.root.element_handle())
    page.keyboard.press(" ")
    expect(asia.root.get_by_role("button", name="Play or pause")).to_contain_text("Play")


@pytest.mark.deep
def test_focus_is_not_lost_with_the_edge_that_had_it(asia: Demo) -> None:
    """The arrow keys keep working when the focused edge leaves the graph."""
    asia.slider.press("Home")
    leaving = asia.root.locator(".edge.leaves")
    leaving.focus()
    for step in range(1, 13):
        asia.page.keyboard.press("ArrowRight")
        expect(asia.root).to_have_attribute("data-step", str(step))


@pytest.mark.deep
def test_reduced_motion_plays_event_by_event(app_server: Callable[..., str], open_page: Callable[..., Page]) -> None:
    """With reduced motion, playing shows the events one by one without animation."""
    demo = Demo(open_page(reduced_motion="reduce"), app_server(DEMO), "asia")
    demo.slider.press("Home")
    demo.root.get_by_role("button", name="Play or pause").click()
    for step in (10, 21, 25):
        expect(demo.root).to_have_attribute("data-step", str(step))


@pytest.mark.deep
def test_edges_name_themselves(open_demo: Callable[[str], Demo]) -> None:
    """Each mark has its own look and its own description for screen readers."""
    demo = open_demo("marks")
    words = {
        0: "a0 — b0, undirected: direction open, as drawn",
        1: "a1 → b1, directed, as drawn",
        2: "b2 → a2, directed, as drawn",
        3: "a3 — b3, conflicting evidence on the direction, as drawn",
        6: "a6 → b6, directed, probability 0.41, as drawn",
        7: "a7 — b7, undirected: direction open, removed at the next step, as drawn",
        8: "a8 — b8, not in the graph at this step, as drawn",
        9: "a9 → b9, directed, required, as drawn",
        10: "a10 — b10, not in the graph at this step, forbidden, as drawn",
        12: "a12 — b12, undirected: direction open, in A only, as drawn",
    }
    for k, text in words.items():
        expect(demo.edge(f"a{k}", f"b{k}")).to_have_attribute("aria-label", text)
    extras = {3: ".head >> nth=1", 4: ".aware", 9: ".lock", 10: ".cross", 7: "text:has-text('next')"}
    for k, extra in extras.items():
        expect(demo.edge(f"a{k}", f"b{k}").locator(extra)).to_have_count(1)
    expect(demo.edge("a5", "b5").locator(".aware")).to_have_count(2)
    for k, mark in ((12, "+"), (13, "−"), (14, "↔")):
        expect(demo.edge(f"a{k}", f"b{k}").locator("text")).to_have_text(mark)
    widths = [float(demo.edge(f"a{k}", f"b{k}").locator(".line").get_attribute("stroke-width")) for k in (2, 1)]
    assert widths == [1.4, 5.0]
    assert demo.look("root => getComputedStyle(root.querySelector('.hit')).strokeWidth") == "16px"


@pytest.mark.deep
def test_legend_shows_only_marks_that_occur(open_demo: Callable[[str], Demo]) -> None:
    """Without a conflict in the data, the legend shows no conflict."""
    legend = open_demo("asia").root.locator(".legend")
    expect(legend).to_contain_text("removed at the next step")
    expect(legend).not_to_contain_text("conflicting evidence")
    expect(open_demo("marks").root.locator(".legend")).to_contain_text("conflicting evidence")


@pytest.mark.deep
def test_where_lines_cross_the_nearest_is_meant(asia: Demo) -> None:
    """Hit areas are wide and overlap; a pointer 3 pixels beside one line does not select another."""
    asia.slider.press("Home")
    beside = """root => { const [one, other] = [[1, 5], [0, 3]].map(([a, b]) =>
            root.querySelector(`.edge[data-a="${a}"][data-b="${b}"] .hit`)), m = one.getScreenCTM();
        const n = one.getTotalLength(), at = (t) => one.getPointAtLength(t * n);
        const far = (p) => Math.min(...Array.from({ length: 200 }, (_, k) => {
            const q = other.getPointAtLength(other.getTotalLength() * k / 199);
            return Math.hypot(p.x - q.x, p.y - q.y); }));
        const t = Array.from({ length: 90 }, (_, k) => k / 100).find((t) => far(at(t)) < 6 && far(at(t)) > 3);
        const p = at(t).matrixTransform(m); return [p.x, p.y]; }"""
    asia.page.mouse.click(*asia.look(beside))
    asia.wait_reported(selected=[1, 5])


@pytest.mark.deep
def test_hostile_names_are_text(open_demo: Callable[[str], Demo]) -> None:
    """Markup in a name is shown literally; it runs no script, loads nothing and makes no link."""
    demo = open_demo("hostile")
    for k in range(8):
        demo.node(k).hover()
        demo.node(k).click()
    demo.click_edge(1, 5)
    demo.slider.press("Home")
    demo.page.wait_for_timeout(500)
    titles = demo.look("root => [...root.querySelectorAll('.node title')].map(t => t.textContent)")
    assert titles[0] == "<script>window.hacked = 1</script>"
    assert titles[4] == "two lines "
    assert titles[5] == "long " * 40
    labels = demo.look("root => [...root.querySelectorAll('.node text')].map(t => t.textContent)")
    assert "…" in labels[5]
    assert max(len(label) for label in labels) < 40
    assert demo.page.evaluate("window.hacked") is None
    assert demo.look("root => root.querySelectorAll('script, img, a, b, [href], [onerror]').length") == 0
    assert outside(demo.page.request_urls, demo.address) == []
    demo.root.screenshot(path=SCREENSHOTS / "graph-hostile.png")


@pytest.mark.deep
@pytest.mark.parametrize("graph", ["asia", "hostile", "marks"])
def test_saved_pictures_are_complete(open_demo: Callable[[str], Demo], tmp_path: Path, graph: str) -> None:
    """The SVG is well-formed, contains its colors and refers to nothing; the PNG has twice the size on screen."""
    demo = open_demo(graph)
    files = {}
    for kind in ("SVG", "PNG"):
        with demo.page.expect_download() as download:
            demo.root.get_by_role("button", name=f"({kind})").click()
        assert download.value.suggested_filename == f"{'marks' if graph == 'marks' else 'demo'}.{kind.lower()}"
        files[kind] = tmp_path / kind
        download.value.save_as(files[kind])
    tree = ElementTree.parse(files["SVG"])
    texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]
    # The file has the full names, as the titles of the nodes do.
    assert set(demo.look("root => [...root.querySelectorAll('.node title')].map(t => t.textContent)")) <= set(texts)
    source = files["SVG"].read_text(encoding="utf-8")
    assert "rgb(0, 114, 178)" in source
    assert "var(" not in source
    assert not re.search(r"url\(|<script|<style|xlink", source)
    header = files["PNG"].read_bytes()[:24]
    size = [int(tree.getroot().get(side)) for side in ("width", "height")]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(header[k : k + 4], "big") for k in (16, 20)] == [2 * side for side in size]
    SCREENSHOTS.mkdir(exist_ok=True)
    (SCREENSHOTS / f"saved-{graph}.png").write_bytes(files["PNG"].read_bytes())


@pytest.mark.deep
def test_no_request_leaves_the_server(asia: Demo) -> None:
    """A whole visit sends requests only to the server, and logs no error."""
    asia.hold_slider(0.2)
    asia.page.mouse.up()
    asia.wait_reported(step=5)
    asia.click_edge(1, 5)
    asia.wait_reported(selected=[1, 5])
    assert asia.page.request_urls
    assert outside(asia.page.request_urls, asia.address) == []
    assert asia.page.console_errors == []


@pytest.mark.deep
def test_graph_is_sent_once(app_server: Callable[..., str], page: Page) -> None:
    """A rerun after a step or a click does not send the graph again."""
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    demo = Demo(page, app_server(DEMO), "dense")
    demo.wait_reported(step=int(demo.slider.get_attribute("max")))
    assert max(sizes) > 100_000
    sizes.clear()
    for key, step in (("Home", 0), ("ArrowRight", 1)):
        demo.slider.press(key)
        demo.wait_reported(step=step)
    assert sizes
    assert max(sizes) < 20_000


TOURS = """root => {
    const { view } = root, slider = root.querySelector('input[type=range]'), last = +slider.max;
    for (const edge of view.edges) view.reroute(edge);
    view.tileVersion = null;
    const tour = () => {
        for (let k = 0; k < 400; k++) {
            slider.value = (k * 7919) % (last + 1);
            slider.dispatchEvent(new Event('input'));
        }
        pictures.push(view.canvas.toDataURL());
        return [...view.tiles.values()].map((one) => one.tile);
    };
    const pictures = [], first = tour(), again = tour(), kept = new Set(first);
    view.tileVersion = null; // all are drawn anew, from the last step on
    tour();
    return [first.length, again.length, again.filter((sheet) => kept.has(sheet)).length,
        first.reduce((sum, sheet) => sum + 4 * sheet.width * sheet.height, 0), new Set(pictures).size, view.usesCanvas];
}"""


@pytest.mark.deep
@pytest.mark.parametrize(("width", "height"), [(1280, 1000), (2560, 1440)])
def test_a_jump_finds_the_sheet_that_was_drawn_before(
    app_server: Callable[..., str], open_page: Callable[..., Page], width: int, height: int
) -> None:
    """The tiles of an edge canvas fit its memory limit at any window size, so none is drawn twice."""
    demo = Demo(open_page(viewport={"width": width, "height": height}), app_server(DEMO), "dense")
    first, again, kept, room, pictures, crowd = demo.look(TOURS)
    assert 1 < first == again == kept
    assert room <= 48e6
    assert crowd
    assert pictures == 1


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_are_readable(app_server: Callable[..., str], open_page: Callable[..., Page], scheme: str) -> None:
    """Every mark and label has a contrast of at least 3 to its background; screenshots are kept for a person."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page = open_page(color_scheme=scheme)
    for graph in ("asia", "alarm", "marks", "wide", "dense"):
        demo = Demo(page, app_server(DEMO), graph)
        expect(demo.root).to_have_attribute("data-theme", scheme)
        if graph == "asia":
            demo.root.locator(".legend summary").click()
            demo.click_edge(1, 5)
            demo.slider.press("Home")
            demo.slider.press("PageDown")
        page.wait_for_timeout(400)
        demo.root.screenshot(path=SCREENSHOTS / f"graph-{graph}-{scheme}.png")
        colors = demo.look("""root => { const style = (e) => getComputedStyle(e);
            const lines = [...root.querySelectorAll('.edge:not(.ghost, .forbidden) .line')];
            return { paper: style(root).backgroundColor, box: style(root.querySelector('.node rect')).fill,
                label: style(root.querySelector('.node text')).fill,
                lines: [...new Set(lines.map(e => style(e).stroke + '|' + style(e).strokeOpacity))] }; }""")
        assert contrast(colors["label"], colors["box"]) >= 4.5
        assert contrast(colors["label"], colors["paper"]) >= 4.5
        for stroke, opacity in (line.split("|") for line in colors["lines"]):
            assert contrast(stroke, colors["paper"], float(opacity)) >= 3


def contrast(ink: str, paper: str, opacity: float = 1.0) -> float:
    """Return the contrast ratio of two CSS rgb() colors, as WCAG 2.2 defines it."""
    front, back = ([float(v) for v in re.findall(r"[\d.]+", color)[:3]] for color in (ink, paper))
    front = [opacity * f + (1 - opacity) * b for f, b in zip(front, back, strict=True)]
    light, dark = sorted((luminance(front), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(rgb: list[float]) -> float:
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# True once the window has kept one size for a while and the graph is drawn for it
SETTLED = "root => root.view.kept.world?.at === innerWidth && !root.view.settling"
BOXES = "root => [...root.querySelectorAll('.node')].map((node) => [node.dataset.node, node.getAttribute('transform')])"


@pytest.mark.deep
def test_size_of_boxes_does_not_depend_on_former_windows(
    app_server: Callable[..., str], open_page: Callable[..., Page]
) -> None:
    """Back at the first window size, all nodes have their first positions."""
    page = open_page(viewport={"width": 800, "height": 800})
    page.goto(f"{app_server(ROOT / 'app.py')}/?sample=alarm")
    found = []
    for width in (800, 657, 800, 1280, 800):
        page.set_viewport_size({"width": width, "height": 800})
        root = page.locator(".graph-view[data-ready]")
        expect(root).to_be_visible(timeout=240_000)
        wait_until(page, SETTLED, root.element_handle())
        found.append(root.evaluate(BOXES))
    assert found[0] == found[2] == found[4]


PHASES = """root => [...root.querySelectorAll('.phases span')].map((span) => {
    const { left, right } = span.getBoundingClientRect(); return [span.textContent, left, right]; })"""


LABELS = """root => {
  const nodes = [...root.querySelectorAll(".node:not(.mute)")].map((node) => [node.dataset.node,
    node.querySelector("text").getBoundingClientRect(), node.querySelector("text").textContent]);
  const edges = [...root.querySelectorAll(".edge:not(.ghost)")];
  const within = (low, value, high) => value > low + 1.5 && value < high - 1.5;
  const over = edges.filter((edge) => {
    const line = edge.querySelector(".hit"), screen = line.getScreenCTM();
    const foreign = nodes.filter(([id]) => id !== edge.dataset.a && id !== edge.dataset.b);
    for (let at = 0; at <= line.getTotalLength(); at += 2) {
      const { x, y } = line.getPointAtLength(at).matrixTransform(screen);
      if (foreign.some(([, box]) => within(box.left, x, box.right) && within(box.top, y, box.bottom))) return true;
    }
    return false;
  });
  const hit = ([, a], [, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return { names: new Set(nodes.map(([, , text]) => text)).size, edges: edges.length, over: over.length,
    overlaps: nodes.flatMap((a, k) => nodes.slice(0, k).filter((b) => hit(a, b))).length };
}"""


@pytest.mark.deep
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_names_of_84_questions_are_shown(seed: int, open_page, app_server) -> None:
    """At 1280 by 800, 84 long names that begin alike are shown, differ, overlap nothing and lie under no edge."""
    demo = Demo(open_page(viewport={"width": 1280, "height": 800}), app_server(DEMO), f"survey{seed}")
    demo.slider.press("Home")  # the graph with all edges
    expect(demo.root).to_have_attribute("data-step", "0")
    found = demo.look(LABELS)
    assert found["edges"] > 84
    assert found | {"edges": 0} == {"names": 84, "edges": 0, "over": 0, "overlaps": 0}


@pytest.mark.deep
def test_names_of_phases_do_not_overlap_after_the_room_changed(open_demo: Callable[[str], Demo]) -> None:
    """The number of named phases depends on the width, which changes if a panel opens beside the graph."""
    demo, named = open_demo("phases"), []
    for width in ("100%", "70%", "45%", "100%"):
        demo.root.evaluate("(root, width) => { root.style.width = width; }", width)
        demo.page.wait_for_timeout(300)
        spots = sorted(demo.look(PHASES), key=lambda spot: spot[1])
        assert all(one[2] <= other[1] for one, other in pairwise(spots))
        named.append([name for name, *_ in spots])
    assert named[0] == named[-1]
    assert len(named[2]) < len(named[0])


@pytest.mark.deep
@pytest.mark.parametrize("width", [500, 800, 1280])
@pytest.mark.parametrize("sample", ["alarm", "child", "insurance"])
def test_no_edge_runs_behind_the_controls(sample: str, width: int, open_page, app_server) -> None:
    """Also the bends of the edges lie within the picture, below the search box and the buttons."""
    page = open_page(viewport={"width": width, "height": 800})
    page.goto(f"{app_server(ROOT / 'app.py')}/?sample={sample}")
    graph = page.locator(".graph-view[data-ready]")
    expect(graph).to_be_visible(timeout=240_000)
    resting_box(graph)
    assert graph.evaluate(COVERED) == []


COVERED = """root => {
    const bottom = (el) => el.getBoundingClientRect().bottom;
    const area = root.querySelector('.stage > svg').getBoundingClientRect();
    const top = Math.max(...[...root.querySelectorAll('.finder, .tools button')].map(bottom));
    return [...root.querySelectorAll('.edge:not(.away) .line')].filter((line) => {
        const m = line.getScreenCTM(), length = line.getTotalLength();
        return Array.from({length: 50}, (_, k) => line.getPointAtLength(k * length / 49).matrixTransform(m))
            .some((p) => p.y < top - 1 || p.y > area.bottom + 1 || p.x < area.left - 1 || p.x > area.right + 1);
    }).map((line) => line.closest('.edge').getAttribute('aria-label')); }"""


@pytest.mark.deep
def test_nothing_of_the_curve_covers_the_buttons(open_run: Callable[..., Page]) -> None:
    """Neither scale nor threshold of a hidden curve lies over the buttons below the slider."""
    page = open_run("order_mcmc", sample="asia", viewport={"width": 800, "height": 800})
    graph = page.locator(".graph-view[data-ready]")
    assert graph.evaluate(OVER_BUTTONS) == []
    graph.locator(".edge:not(.away)").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".graph-view.above-sheet")).to_be_visible()
    resting_box(graph)
    assert graph.evaluate(OVER_BUTTONS) == []


OVER_BUTTONS = """root => {
    const top = root.querySelector('.controls').getBoundingClientRect().top;
    return [...root.querySelectorAll('.track *:not(input)')].filter((el) => {
        const box = el.getBoundingClientRect();
        return box.width && box.height && box.bottom > top + 1;
    }).map((el) => el.outerHTML.slice(0, 80)); }"""


@pytest.mark.deep
def test_no_variable_is_below_the_buttons_of_a_narrow_graph(app_server, open_page):
    """On a phone the buttons take two lines; the graph begins below them."""
    page = open_page(viewport={"width": 390, "height": 480})
    page.goto(f"{app_server(ROOT / 'app.py')}/?sample=asia")
    view = page.locator(".graph-view[data-ready]")
    expect(view).to_be_visible(timeout=240_000)
    at_rest(page)
    tools = resting_box(view.locator(".tools:not(.present-tools)"))
    tops = [node.bounding_box()["y"] for node in view.locator("[data-node]").all()]
    assert len(tops) == 8
    assert min(tops) > tools["y"] + tools["height"]
