"""Three tasks of a user, from a table to an explained edge, with counted clicks; `docs/testing.md` has the table."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import ON_INSPECT, ROOT, SCREENSHOTS, TABLE_FILE, at_rest

pytestmark = [pytest.mark.browser, pytest.mark.deep]
CLINIC = Path(__file__).parents[1] / "learners" / "data" / "cases" / "clinic2.csv"
PATIENCE = 420_000  # milliseconds; a busy machine compiles a learner first
HEIGHT = 800
LEARN = re.compile("^.*Learn with (defaults|BOSS and basis functions)$")  # by whether relations are curved
DETERMINED = ({"sex", "gender"}, {"height", "BMI"}, {"weight", "BMI"}, {"height", "weight"})
PLACES = """edges => edges.filter(edge => edge.checkVisibility()).flatMap(edge => {
    const line = edge.querySelector('.hit');
    if (!line.getAttribute('d')) return [];
    const places = [1 / 3, 0.6, 0.7, 0.2].map(share =>
        line.getPointAtLength(line.getTotalLength() * share).matrixTransform(line.getScreenCTM()));
    const free = places.find(({ x, y }) => edge.getRootNode().elementFromPoint(x, y) === line);
    const label = edge.getAttribute('aria-label');
    return free && !/not in the graph/.test(label) ? [[free.x, free.y, label]] : [];
})"""


class Visit:
    """A visit that counts its clicks. A chosen file counts as one.

    Attributes
    ----------
    page : Page
    clicks : int
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.clicks = 0
        page.goto(address)
        expect(page.get_by_role("button", name="Upload a table")).to_be_visible(timeout=PATIENCE)

    def click(self, one: Locator) -> None:
        self.clicks += 1
        one.click(timeout=PATIENCE)

    def upload(self, name: str, content: bytes) -> None:
        """Upload a table and apply all suggested fixes."""
        self.click(self.page.get_by_role("button", name="Upload a table"))
        self.clicks += 1
        file = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator(TABLE_FILE).set_input_files(file, timeout=PATIENCE)
        expect(self.page.get_by_role("heading", name=f"In use: {name}")).to_be_visible(timeout=PATIENCE)
        fixes = self.page.get_by_role("button", name="Apply all suggested fixes")
        self.on_screen(fixes)
        self.click(fixes)
        expect(self.page.get_by_role("button", name=re.compile("^Undo [0-9]+ fix"))).to_be_visible(timeout=PATIENCE)
        self.on_screen(self.page.get_by_role("button", name=LEARN))

    def learn(self, button: str | re.Pattern = LEARN) -> None:
        """Learn and wait for the graph on Inspect; the button is on the first screen."""
        run = self.page.get_by_role("button", name=button)
        expect(run).to_be_enabled(timeout=PATIENCE)
        self.on_screen(run)
        self.click(run)
        self.graph(ON_INSPECT)

    def graph(self, part: str) -> None:
        """Wait for the graph; it begins on the first screen."""
        graph = self.page.locator(f"{part} .graph-view[data-ready]")
        expect(graph).to_be_visible(timeout=PATIENCE)
        at_rest(self.page)
        self.on_screen(graph)

    def explain_an_edge(self, part: str) -> str:
        """Click an edge that nothing covers; return the explanation, which begins on the same screen."""
        at_rest(self.page)
        x, y, _ = self.page.locator(f"{part} .graph-view g[data-a][data-b]").evaluate_all(PLACES)[0]
        self.clicks += 1
        self.page.mouse.click(x, y)
        why = self.page.locator(".st-key-inspect_why, .st-key-start_why").first
        expect(why).to_be_visible(timeout=PATIENCE)
        at_rest(self.page)
        return why.inner_text()

    def on_screen(self, one: Locator) -> None:
        """Assert that an element begins on the first screen."""
        box = one.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < HEIGHT

    def photograph(self, name: str) -> None:
        """Save what is on screen, for a person to look at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"task_{name}.png")


def sums_and_copies() -> bytes:
    """Return a table with a sum, a copy, a relabelled column and a ratio."""
    rng, n = np.random.default_rng(44), 400
    age, height = rng.normal(50, 12, n).round(1), rng.normal(170, 9, n).round(1)
    weight = (0.5 * height - 20 + 0.3 * age + rng.normal(0, 9, n)).round(1)
    bmi = (weight / (height / 100) ** 2).round(2)
    meals, snacks = (20 * weight + rng.normal(0, 150, n)).round(), rng.normal(300, 80, n).round()
    sex = np.where(rng.random(n) < 0.5, "f", "m")
    gender = np.where(sex == "f", "female", "male")
    columns = (age, height, weight, bmi, meals, snacks, meals + snacks, sex, gender, weight)
    head = "age,height,weight,BMI,meals,snacks,total,sex,gender,weight kg"
    return "\n".join([head, *(",".join(map(str, row)) for row in zip(*columns, strict=True))]).encode()


@pytest.fixture
def visit(open_page, app_server):
    """Return ``visit(width)``: a visit of the app with a page of this width and the height of a small screen."""

    def open_one(width: int) -> Visit:
        page = open_page(viewport={"width": width, "height": HEIGHT})
        return Visit(page, app_server(ROOT / "app.py"))

    return open_one


def test_from_a_messy_clinic_table_to_an_explained_edge(visit):
    """Five clicks, one of them a chosen file."""
    task = visit(1280)
    task.upload("clinic2.csv", CLINIC.read_bytes())
    task.learn()
    assert "is in the graph" in task.explain_an_edge(ON_INSPECT)
    task.photograph("clinic2")
    assert task.clicks == 5
    assert task.page.console_errors == []


def test_from_a_table_with_copies_and_sums_to_an_explained_edge(visit):
    """Five clicks; edges between columns that determine one another have no arrowhead, and are not said to be clear."""
    task = visit(1280)
    task.upload("own.csv", sums_and_copies())
    task.learn()
    marks = task.page.locator(f"{ON_INSPECT} .graph-view").evaluate("""graph => [...graph.querySelectorAll(
        'g[data-a][data-b]')].map(edge => edge.getAttribute('aria-label')).filter(label => label)""")
    pairs = [label.split(",")[0] for label in marks]
    determined = [pair for pair in pairs if {*re.findall(r"\w+", pair)} in DETERMINED]
    assert len(determined) > 1
    assert all(" = " in pair for pair in determined)
    task.explain_an_edge(ON_INSPECT)
    task.photograph("copies_and_sums")
    assert task.clicks == 5
    assert task.page.console_errors == []


def test_from_alarm_to_an_explained_edge_at_800_pixels(visit):
    """Three clicks: the sample, *Run learner*, and an edge."""
    task = visit(800)
    task.click(task.page.get_by_role("button", name="Alarm (simulated)"))
    expect(task.page.get_by_role("heading", name="Learn a graph")).to_be_visible(timeout=PATIENCE)
    task.learn("Run learner")
    task.explain_an_edge(ON_INSPECT)
    task.photograph("alarm_800")
    assert task.clicks == 3
    assert task.page.console_errors == []
