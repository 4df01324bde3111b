"""The comparison with the true graph: the counts in the picture equal the metrics, step by step."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import SCREENSHOTS

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # script runs are slow on a busy machine


@pytest.mark.deep
@pytest.mark.parametrize("learner", ["gs", "tabu"])
def test_the_truth_is_drawn_and_counted_while_one_drags(open_run: Callable[..., Page], learner: str) -> None:
    """The comparison is off by default; it marks each edge, and its counts follow the slider and sum to the SHD."""
    page = open_run(learner)
    graph = page.locator(".graph-view[data-ready]")
    expect(graph.locator(".edge.right, .edge.extra, .edge.missing, .edge.turned")).to_have_count(0)
    button = graph.get_by_role("button", name="Compare with the true graph")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    remark = graph.locator(".remarks .truth")
    slider = graph.locator("input[type=range]")
    last = int(slider.get_attribute("max"))
    for step in (last, last - 1, last - 7, last // 2, last):
        slider.evaluate("(s, step) => { s.value = step; s.dispatchEvent(new Event('input')); }", step)
        reported = dict(re.findall(r"(✓|−|\+|↔) (\d+)", remark.text_content()))
        drawn = {
            sign: graph.locator(f".edge.{verdict}").count()
            for sign, verdict in (("✓", "right"), ("+", "extra"), ("−", "missing"), ("↔", "turned"))
        }
        assert {sign: int(number) for sign, number in reported.items()} == drawn
        unlike = re.search(r"SHD (\d+)|(\d+) wrong pairs", remark.text_content())
        assert int(unlike[1]) == drawn["−"] + drawn["+"] + drawn["↔"]
        said = re.search(r"SHD to the truth (\d+)", graph.locator(".readouts").text_content())
        assert said[1] == unlike[1]
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"truth-{learner}.png")
    button.click()
    expect(graph.locator(".edge.right, .edge.extra, .edge.missing, .edge.turned")).to_have_count(0)
    expect(remark).to_be_hidden()
