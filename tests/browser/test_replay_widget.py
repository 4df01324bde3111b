"""The widget of a replay in a plain page: the module that anywidget loads, with a model that keeps its traits."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.recipes.replay_file import replay
from learners.registry import learn
from learners.sweeping.sweep import sweep
from tests.browser.conftest import PATIENCE_S
from viz.replay_page.replay_view import ReplayView

pytestmark = pytest.mark.browser
# A model with the methods that anywidget gives to `render`. `set` by the test is what Python sends.
MODEL = """async ([code, traits]) => {
    const { default: widget } = await import("data:text/javascript;base64," + code);
    const heard = {}, saved = [];
    const model = {
        get: (name) => traits[name],
        set: (name, value) => { traits[name] = value; },
        save_changes: () => saved.push(structuredClone(traits.state)),
        on: (event, action) => { heard[event] = action; },
        off: (event) => { delete heard[event]; },
    };
    const fromPython = (name, value) => { traits[name] = value; heard["change:" + name]?.(); };
    const el = document.getElementById("cell");
    Object.assign(window, { model, saved, heard, fromPython, el, close: widget.render({ model, el }) });
}"""

# Move the slider to its start as soon as the graph is at this step, before the page reports the step.
BACK_AT = """(step) => {
    const graph = document.querySelector(".graph-view");
    const watch = new MutationObserver(() => {
        if (graph.dataset.step !== step) return;
        watch.disconnect();
        const slider = document.querySelector("input[type=range]");
        slider.value = 0;
        slider.dispatchEvent(new Event("input"));
    });
    watch.observe(graph, { attributeFilter: ["data-step"] });
}"""


class Cell:
    """The widget of a run in a page, as a notebook would show it."""

    def __init__(self, page: Page, view: ReplayView) -> None:
        self.page, self.errors = page, []
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_content("<body style='background: white'><div id='cell'></div></body>")
        traits = {"page": view.page, "height": view.height, "state": view.state}
        page.evaluate(MODEL, [base64.b64encode(view._esm.encode()).decode(), traits])
        self.loaded()

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def loaded(self) -> None:
        self.frame.locator(".graph-view[data-ready]").wait_for()

    def state(self) -> dict:
        """Return what the model keeps."""
        return self.page.evaluate("model.get('state')")

    def wait_for(self, **state: object) -> None:
        """Wait until the model has these values."""
        self.page.wait_for_function(
            "(wanted) => Object.entries(wanted).every(([name, value]) => "
            "JSON.stringify(model.get('state')[name]) === JSON.stringify(value))",
            arg=state,
            timeout=1000 * PATIENCE_S,
        )

    def from_python(self, **traits: object) -> None:
        for name, value in traits.items():
            self.page.evaluate("([name, value]) => fromPython(name, value)", [name, value])


@pytest.fixture
def open_cell(browser: Browser) -> Iterator[Callable[..., Cell]]:
    """Return a function that shows a widget; on teardown, check that no error was logged."""
    opened = []

    def open_(view: ReplayView, **options: object) -> Cell:
        context = browser.new_context(**options)
        opened.append((context, Cell(context.new_page(), view)))
        return opened[-1][1]

    yield open_
    for context, cell in opened:
        assert cell.errors == []
        context.close()


def test_clicks_reach_the_model_and_python_sets_the_page(open_cell):
    """A chosen pair and a step reach the model; what Python sets is on screen, also after the frame has moved."""
    data = load_sample("asia").dataset
    result = learn("pc", data)
    cell = open_cell(replay(result, data).view())
    cell.frame.locator('.edge[data-a="2"][data-b="4"]').focus()
    cell.page.keyboard.press("Enter")
    cell.wait_for(selected=[2, 4])
    cell.page.keyboard.press("Home")
    cell.wait_for(view=0, step=0, selected=[2, 4])
    cell.from_python(state={"view": 0, "step": 5, "selected": [2, 4]})
    expect(cell.frame.locator(".graph-view")).to_have_attribute("data-step", "5")
    cell.page.keyboard.press("Home")  # the focus is still on the edge, though the graph was loaded again
    cell.wait_for(step=0)
    cell.page.frames[1].evaluate(BACK_AT, "7")
    cell.from_python(state={"view": 0, "step": 7, "selected": [2, 4]})
    cell.wait_for(step=0)
    cell.from_python(state={"view": 0, "step": 5, "selected": [1, 3]})
    expect(cell.frame.locator(".graph-view")).to_have_attribute("data-step", "5")
    expect(cell.frame.locator(".why .claim")).to_have_text(explanation(result, (1, 3), data).headline)
    cell.page.evaluate("document.body.prepend(el)")  # the frame loads again
    cell.loaded()
    expect(cell.frame.locator(".graph-view")).to_have_attribute("data-step", "5")
    expect(cell.frame.locator(".why .claim")).to_have_text(explanation(result, (1, 3), data).headline)
    assert cell.state() == {"view": 0, "step": 5, "selected": [1, 3]}


@pytest.mark.deep
def test_sliders_heights_and_pages_follow_python(open_cell):
    data = load_sample("asia").dataset
    swept = sweep("pc", data, "alpha", [0.001, 0.05, 0.2])
    view = swept.view()
    cell = open_cell(view)
    view.slider = "What if: Significance level"
    view.step = 2
    cell.from_python(state=view.state, height=400)
    expect(cell.frame.get_by_role("button", name="Slider: What if: Significance level")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(cell.frame.locator(".graph-view")).to_have_attribute("data-step", "2")
    assert cell.page.locator("iframe").bounding_box()["height"] == 400
    cell.frame.get_by_role("button", name="Slider: Steps of the run").click()
    cell.wait_for(view=0)
    cell.from_python(page=replay(learn("hc", data), data, title="Another").view().page)
    expect(cell.frame.locator("h1")).to_have_text("Another")
    cell.page.evaluate("close()")
    assert cell.page.evaluate("Object.keys(heard)") == []


@pytest.mark.deep
def test_a_slider_that_moves_saves_few_states(open_cell):
    """A change by Python is not sent back, and a slider that runs through all steps saves fewer states than steps."""
    data = load_sample("asia").dataset
    cell = open_cell(learn("pc", data).view())
    cell.from_python(state={"view": 0, "step": 5, "selected": []})
    expect(cell.frame.locator(".graph-view")).to_have_attribute("data-step", "5")
    cell.frame.locator("input[type=range]").press("Home")
    cell.wait_for(step=0)
    assert cell.page.evaluate("saved.map(({ step }) => step)") == [0]
    cell.frame.locator("#replay").evaluate(
        "main => { const box = main.querySelector('input[type=range]');"
        " for (let k = 1; k < 28; k++) { box.value = k; box.dispatchEvent(new Event('input')); } }"
    )
    cell.wait_for(step=27)
    assert cell.page.evaluate("saved.length") <= 3


@pytest.mark.deep
@pytest.mark.parametrize(
    ("background", "theme"), [("#111", "dark"), ("rgba(0, 0, 0, 0)", "light"), ("oklch(0.2 0 0)", "dark")]
)
def test_it_has_the_theme_of_the_notebook(open_cell, background, theme):
    """The theme follows the background behind the cell, also if the notebook changes its theme later."""
    cell = open_cell(learn("pc", load_sample("asia").dataset).view())
    assert cell.frame.locator("html").get_attribute("data-theme") == "light"
    cell.page.evaluate("(colour) => { document.body.style.background = colour; }", background)
    expect(cell.frame.locator("html")).to_have_attribute("data-theme", theme)


@pytest.mark.deep
def test_the_frame_reads_nothing_of_the_notebook(open_cell):
    cell = open_cell(learn("pc", load_sample("asia").dataset).view())
    frame = cell.page.frames[1]
    assert (
        frame.evaluate("(() => { try { return parent.document.title; } catch { return 'refused'; } })()") == "refused"
    )
    assert frame.evaluate("origin") == "null"


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 840])
def test_it_fits_narrow_cells(open_cell, width):
    """From 760 px on, the explanation is beside the graph; below, nothing is wider than the cell."""
    data = load_sample("asia").dataset
    view = learn("pc", data).view()
    view.selected = ("smoke", "bronc")
    cell = open_cell(view, viewport={"width": width, "height": 900})
    expect(cell.frame.locator(".why .claim")).to_contain_text("smoke")
    graph, why = (cell.frame.locator(name).bounding_box() for name in (".graph-view", ".why"))
    assert (why["x"] > graph["x"] + graph["width"]) == (width > 760)
    assert cell.page.frames[1].evaluate("document.documentElement.scrollWidth") <= width
    folder = Path(__file__).parent / "screenshots"
    folder.mkdir(exist_ok=True)
    cell.page.screenshot(path=folder / f"replay_widget_{width}.png")
    assert cell.state() == view.state
