"""Names in the picture: legible, on no edge and on no other box, for bundled networks at three widths."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from learners.io.samples import load_network
from learners.networks.network import DiscreteNetwork, GaussianNetwork
from tests.browser.conftest import ROOT, wait_until
from viz.bundle import bundle
from viz.layout.positions import layout

pytestmark = [pytest.mark.browser, pytest.mark.deep]
FOLDER = ROOT / "viz" / "graph_view"
SMALL = (  # all bundled networks of at most 50 nodes
    "alarm", "asia", "barley", "cancer", "child", "earthquake", "ecoli70", "gauss30", "insurance", "magic-niab",
    "mildew", "sachs", "survey", "water",
)  # fmt: skip
LARGER = ("hailfinder", "magic-irri", "hepar2", "win95pts", "arth150", "pathfinder")
ROOMS = {390: (348, 320), 800: (518, 320), 1280: (998, 205)}  # window: width of the graph on Inspect, and its top
HEIGHT = 800
THEME = """:root { --st-text-color: #31333f; --st-background-color: #fff; --st-secondary-background-color: #f0f2f6;
    --st-border-color: #ddd; --st-primary-color: #f44; --st-font: sans-serif; --st-base-radius: 8px;
    --st-button-radius: 8px; } body { margin: 0; }"""
MOUNT = """graph => mountGraph({ data: { graph, key: 'graph', session: '', height: null, request: {}, drawn: 0,
    places: { at: [], heard: '' } }, parentElement: document.getElementById('graph'), setStateValue() {} })"""
READY = """() => { const root = document.querySelector('.graph-view');
    return root?.dataset.ready === '1' && !root.view.settling && !root.view.labelFrame; }"""
LOOK = """() => {
    const root = document.querySelector('.graph-view'), { view } = root, area = view.svg.getBoundingClientRect();
    const hit = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5
        && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
    const inside = ({ x, y }, { left, right, top, bottom }) =>
        x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1;
    const nodes = [...root.querySelectorAll('.node')].map(el => { const text = el.querySelector('text'); return {
        id: el.dataset.node, dot: el.classList.contains('dot'), hidden: getComputedStyle(text).display === 'none',
        name: text.textContent, text: text.getBoundingClientRect(),
        box: el.querySelector('rect').getBoundingClientRect(),
        letters: parseFloat(getComputedStyle(text).fontSize) * view.zoom[0] }; });
    const shown = nodes.filter(({ hidden }) => !hidden), named = (some) => some.map(({ name }) => name);
    const crosses = ({ id, dot, text }) => [...root.querySelectorAll('.edge:not(.ghost, .away)')].some(edge => {
        const line = edge.querySelector('.hit'), screen = line.getScreenCTM(), { a, b } = edge.dataset;
        if (!dot && (id === a || id === b)) return false; // an edge ends at the border of its own box
        return Array.from({ length: Math.ceil(line.getTotalLength() / 2) }, (_, k) => line.getPointAtLength(2 * k)
            .matrixTransform(screen)).some(point => inside(point, text));
    });
    return { small: named(shown.filter(({ letters }) => letters < 9.99)),
        hidden: named(nodes.filter(({ hidden }) => hidden)),
        over_edges: named(shown.filter(crosses)),
        over_boxes: named(shown.filter(one => nodes.some(other => other !== one && hit(one.text, other.box)))),
        over_names: named(shown.filter(one => shown.some(other => other !== one && hit(one.text, other.text)))),
        outside: named(shown.filter(({ text }) => text.left < area.left - 1 || text.right > area.right + 1
            || text.top < area.top - 1 || text.bottom > area.bottom + 1)),
        alike: nodes.length - new Set(named(nodes)).size };
}"""
FINE = {"small": [], "hidden": [], "over_edges": [], "over_boxes": [], "over_names": [], "outside": [], "alike": 0}


def graph_of(network: DiscreteNetwork | GaussianNetwork) -> dict:
    """Return the graph of a network with a slider of two steps."""
    xy = layout(network.dag).tolist()
    edges = enumerate(network.dag.edges())
    return {
        "nodes": [{"id": k, "label": name, "x": xy[k][0], "y": xy[k][1]} for k, name in enumerate(network.names)],
        "edges": [{"id": k, "a": a, "b": b, "strength_text": "", "spans": [[0, 2, "forward"]]} for k, (a, b) in edges],
        "steps": {
            "count": 2,
            "choice": 1,
            "axis_label": "step",
            "text": ["first", "second"],
            "series": [{"label": "edges", "values": [1, 2]}],
            "curve": 0,
        },
        "file_name": "graph",
    }


@pytest.fixture
def draw(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return ``draw(name, width, height)``: a page with the graph of a network, placed as on Inspect.

    `height` is that of the graph and its slider; by default the graph chooses it.
    """
    style = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.css")))
    code = f"{bundle(FOLDER / 'graph_view.js')}\nwindow.mountGraph = mount;"

    def draw_one(name: str, width: int, height: int | None = None) -> Page:
        page, (room, top) = open_page(viewport={"width": width, "height": HEIGHT}), ROOMS[width]
        page.set_content(
            f"<style>{THEME}{style}</style><div class='stMainBlockContainer'><div style='height: {top}px'></div>"
            f"<div id='graph' style='width: {room}px'></div></div><script type='module'>{code}</script>"
        )
        wait_until(page, "() => !!window.mountGraph")
        page.evaluate(MOUNT.replace("null", str(height)) if height else MOUNT, graph_of(load_network(name)))
        wait_until(page, READY)
        return page

    return draw_one


@pytest.mark.parametrize("width", ROOMS)
@pytest.mark.parametrize("name", SMALL)
def test_all_names_of_small_networks_are_legible(name: str, width: int, draw: Callable[..., Page]) -> None:
    """Each name has letters of at least 10 pixels, differs from the others, and lies on no edge and no other box."""
    assert draw(name, width).evaluate(LOOK) == FINE


@pytest.mark.parametrize("name", SMALL)
def test_names_stay_legible_beside_the_explanation_of_a_pair(name: str, draw: Callable[..., Page]) -> None:
    """The panel that opens for a selected pair takes a third of the width; letters shrink by a fifth at most."""
    page = draw(name, 1280)
    page.locator(".edge:not(.away)").first.focus()
    page.keyboard.press("Enter")
    page.evaluate("() => { document.getElementById('graph').style.width = '648px'; }")
    wait_until(page, READY)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    look = "() => { const { view } = document.querySelector('.graph-view'); return view.lettersIn(view.kept.world); }"
    assert page.evaluate(look) >= 7.99


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *((name, width) for name in ("asia", "sachs") for width in ROOMS),
        ("child", 800),
        ("child", 1280),
        ("alarm", 1280),
    ],
)  # narrower pictures of larger networks have no space without names
def test_the_description_of_a_focused_edge_covers_no_name(name: str, width: int, draw: Callable[..., Page]) -> None:
    """With the keyboard, the description of an edge stays while the user looks at the graph."""
    page = draw(name, width)
    page.evaluate(
        "() => document.querySelectorAll('.graph-view .edge').forEach(({ item }) => {"
        " item.edge.strength_text = 'without it, the BIC is lower by 1,234'; })"
    )
    covered = """() => { const tip = document.querySelector('.tip:not(.hint)').getBoundingClientRect();
        return [tip.width > 0, [...document.querySelectorAll('.node')].filter((node) => {
            const { left, right, top, bottom } = node.querySelector('rect').getBoundingClientRect();
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            return x > tip.left && x < tip.right && y > tip.top && y < tip.bottom; }).length]; }"""
    edges = page.locator(".edge:not(.away)")
    for k in range(0, edges.count(), 3):
        edges.nth(k).focus()
        assert page.evaluate(covered) == [True, 0]


@pytest.mark.parametrize("name", ["alarm", "barley", "ecoli70"])
def test_names_without_space_are_hidden_and_shown_on_focus(name: str, draw: Callable[..., Page]) -> None:
    """In a low picture, names that would cover something are hidden until their node has the pointer or the focus."""
    page = draw(name, 390, 470)
    found = page.evaluate(LOOK)
    assert found["hidden"]
    assert found | {"hidden": [], "alike": 0} == FINE
    hidden = page.locator(".node.mute").first
    hidden.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert hidden.locator("text").evaluate("text => getComputedStyle(text).display") != "none"
    other = page.locator(".node.mute").nth(1)
    other.hover()
    assert other.locator("text").evaluate("text => getComputedStyle(text).display") != "none"


@pytest.mark.parametrize("width", ROOMS)
@pytest.mark.parametrize("name", LARGER)
def test_shown_names_of_larger_networks_are_legible_and_do_not_overlap(name, width, draw) -> None:
    found = draw(name, width).evaluate(LOOK)
    assert found | {"hidden": [], "over_edges": [], "over_boxes": [], "alike": 0} == FINE
