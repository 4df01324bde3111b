"""The pyvis page in a browser: it opens offline, and names cannot run scripts or load files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from learners.graphs.graph import PDAG
from tests.viz.cases import HOSTILE, made
from viz.pyvis_network import network_html

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def test_page_opens_offline_with_hostile_names(page: Page, tmp_path: Path) -> None:
    """The network is drawn without any request, and no script in a name runs, not even on hovering over it."""
    p = len(HOSTILE)
    file = tmp_path / "network.html"
    places = np.random.default_rng(0).random((p, 2))
    file.write_text(network_html(made([], p=p, names=HOSTILE), PDAG.complete(p), places), encoding="utf-8")
    page.context.set_offline(True)
    page.goto(file.as_uri())
    page.wait_for_selector("canvas")
    page.evaluate("network.setOptions({physics: false})")
    canvas = page.locator("canvas").bounding_box()
    for node in range(p):
        at = page.evaluate("k => network.canvasToDOM(network.getPosition(k))", node)
        page.mouse.move(canvas["x"] + at["x"], canvas["y"] + at["y"])
        page.wait_for_timeout(20)
    assert page.evaluate("network.body.nodeIndices.length") == p
    assert page.evaluate("window.ran") is None
    assert page.request_urls == [file.as_uri()]
    assert page.console_errors == []
