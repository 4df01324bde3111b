"""A table of numbers, categories and missing cells, from upload to explained graphs of the papers' methods."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from learners import random_mixed_network, sample
from tests.browser.conftest import NUMBERS, ON_INSPECT, ROOT, TABLE_FILE, at_rest, choose_learner

pytestmark = pytest.mark.browser
PATIENCE = 240_000  # milliseconds; a busy machine may first have to compile kernels
SEED, ROWS, NUMERIC, CATEGORICAL, MISSING = 77, 500, 8, 6, 0.1
METHODS = ("lmm", "brai", "cimap", "pc_mi", "aracne", "h2pc", "mmpc", "ppc", "path", "gsc")
REFUSALS = re.compile(r"needs? (categorical|continuous|numeric) columns|braucht (kategoriale|stetige) Spalten")
# For each learner: texts that its own panel shows on this table, and texts that it must not show.
SAYS = {
    "lmm": (r"Edge ranking", r"joint CPPD \d"),
    "brai": (r"a tabu search continues from the best", r"95% interval"),
    "ppc": (r"Tests began within \d+ clusters?", r"joint entropy"),
}


def mixed_table() -> bytes:
    """Return a CSV file with 8 numbers, 6 categories and 10 % missing cells."""
    p = NUMERIC + CATEGORICAL
    network = random_mixed_network(p, round(1.5 * p), seed=SEED, categorical=CATEGORICAL / p)
    data = sample(network, ROWS, seed=SEED)
    rng, out = np.random.default_rng(SEED), io.StringIO()
    writer = csv.writer(out)
    writer.writerow(f"{kind[:3]}{k}" for k, kind in enumerate(data.kinds))
    for row in data.to_frame().astype(object).to_numpy():
        cells = [
            f"{cell:.2f}" if kind == "continuous" else f"level {cell}"
            for cell, kind in zip(row, data.kinds, strict=True)
        ]
        writer.writerow("" if rng.random() < MISSING else cell for cell in cells)
    return out.getvalue().encode()


def upload(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Upload a table").or_(page.get_by_role("button", name="Upload a table")).click(
        timeout=PATIENCE
    )
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=PATIENCE)
    at_rest(page)
    file = {"name": "ward.csv", "mimeType": "text/csv", "buffer": mixed_table()}
    page.locator(TABLE_FILE).set_input_files(file, timeout=PATIENCE)
    expect(page.get_by_role("heading", name="In use: ward.csv")).to_be_visible(timeout=PATIENCE)


@pytest.mark.deep
@pytest.mark.parametrize("width", [1280, 390])
def test_every_method_of_a_paper_takes_a_mixed_table_with_missing_cells(open_page, app_server, width):
    """Each form runs with its defaults; its graph, numbers and parts are those of this type of table."""
    page = open_page(viewport={"width": 1280, "height": 800})
    upload(page, app_server(ROOT / "app.py"))
    for key in METHODS:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.get_by_role("link", name="Learn", exact=True).first.click()
        choose_learner(page, key)
        form = page.locator(f".st-key-learn_chosen_{key}")
        assert not REFUSALS.search(form.inner_text()), key
        expect(page.locator(".st-key-learn_run button")).to_be_enabled()
        page.locator(".st-key-learn_run button").click()
        expect(page.locator(ON_INSPECT)).to_be_visible(timeout=PATIENCE)
        expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=PATIENCE)
        expect(page.locator(NUMBERS).first).to_contain_text(re.compile(r"\d+ edges?"))
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        main = page.get_by_test_id("stMain")
        text = main.inner_text()
        assert "Traceback" not in text
        assert " nan" not in text.lower(), key
        says, never = SAYS.get(key, ("", r"(?!)"))
        assert re.search(says, text), (key, says)
        assert not re.search(never, text), (key, never)
        assert main.evaluate("one => one.scrollWidth <= one.clientWidth"), (key, width)
    assert page.console_errors == []
