"""The graph held against the truth: what the picture counts is what the measures say, step by step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from learners.evaluation import metrics
from learners.graphs.cpdags import cpdag
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_dag
from tests.viz.test_kinds import CASES, learnt
from viz.kinds import kind_of
from viz.steps import graph_at
from viz.truth import held_against

from .conftest import SCREENSHOTS
from .test_graph_modules import run  # noqa: F401  (a fixture)

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # reruns of the page take their time on a busy machine

TALLIES = """(data) => import('./spans.js').then((spans) => Array.from({ length: data.steps.count }, (_, step) => {
    const tally = { right: 0, extra: 0, missing: 0, turned: 0 }, blind = m.isBlind(data.steps, step);
    for (const edge of data.edges) {
        const verdict = m.verdictOf(edge, spans.stateAt(edge, step, data.steps.count - 1), step, blind);
        if (verdict) tally[verdict]++;
    }
    return { ...tally, blind };
}))"""


@cache
def truth_over(p: int) -> PDAG:
    return cpdag(random_dag(p, 2.0, seed=4))


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_counts_are_those_of_the_measures(run: Callable[[str, str], object], key: str, kind: str) -> None:  # noqa: F811
    """Of every learner and step: what is too many, missing and turned adds up to the SHD, or the skeleton's errors."""
    result = learnt(key, kind)
    truth = truth_over(len(result.names))
    places = np.random.default_rng(0).random((len(result.names), 2))
    data = held_against(kind_of(result).timeline(result, places, truth=truth), truth)
    told = run("truth", f"({TALLIES})({json.dumps(data)})")
    assert len(told) == data["steps"]["count"]
    for step, tally in enumerate(told, data["steps"]["offset"]):
        graph = graph_at(result, step)
        joined = metrics.skeleton_confusion(graph, truth)
        assert (tally["extra"], tally["missing"]) == (joined.fp, joined.fn)
        assert tally["right"] + tally["turned"] == joined.tp
        if not tally["blind"]:
            distance = metrics.shd(kind_of(result).comparable(result, step, graph), truth)
            assert tally["extra"] + tally["missing"] + tally["turned"] == distance


@pytest.mark.parametrize("learner", ["gs", "tabu"])
def test_the_truth_is_drawn_and_counted_while_one_drags(open_run: Callable[..., Page], learner: str) -> None:
    """Off at first; switched on, each edge has its mark, and the counts follow the slider and add up to the SHD."""
    page = open_run(learner)
    graph = page.locator(".graph-view[data-ready]")
    expect(graph.locator(".edge.right, .edge.extra, .edge.missing, .edge.turned")).to_have_count(0)
    button = graph.get_by_role("button", name="show what is right and wrong")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    remark = graph.locator(".remarks .truth")
    slider = graph.locator("input[type=range]")
    last = int(slider.get_attribute("max"))
    for step in (last, last - 1, last - 7, last // 2, last):
        slider.evaluate("(s, step) => { s.value = step; s.dispatchEvent(new Event('input')); }", step)
        told = dict(re.findall(r"(✓|−|\+|↔) (\d+)", remark.text_content()))
        drawn = {
            sign: graph.locator(f".edge.{verdict}").count()
            for sign, verdict in (("✓", "right"), ("−", "extra"), ("+", "missing"), ("↔", "turned"))
        }
        assert {sign: int(number) for sign, number in told.items()} == drawn
        unlike = re.search(r"; (\d+) pairs? differs? \(SHD\)|; (\d+) pairs? differ", remark.text_content())
        assert int(unlike[1]) == drawn["−"] + drawn["+"] + drawn["↔"]
        said = re.search(r"\(SHD\) (\d+)", graph.locator(".readouts").text_content())
        assert said[1] == unlike[1]
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"truth-{learner}.png")
    button.click()
    expect(graph.locator(".edge.right, .edge.extra, .edge.missing, .edge.turned")).to_have_count(0)
    expect(remark).to_be_hidden()
