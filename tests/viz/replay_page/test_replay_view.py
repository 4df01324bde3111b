"""The replay as a widget: its traits follow the page and Python, and notebooks get it, or the page as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

import pytest

from learners.common import optional_packages
from learners.common.errors import ParameterError
from learners.common.optional_packages import MissingPackage
from learners.io.samples import load_sample
from learners.recipes.replay_file import Replay, replay, replay_of
from learners.registry import learn
from learners.results.result import LearnResult
from learners.sweeping.sweep import Sweep, sweep
from tests.javascript import VIZ, Node
from viz.replay_page.replay_view import ReplayView

WIDGET = "application/vnd.jupyter.widget-view+json"
PAGE, FILES = VIZ / "replay_page", ("host.js", "widget.js")
RUN, WHAT_IF = "Steps of the run", "What if: Significance level"


@cache
def shown(what: str) -> LearnResult | Sweep | Replay:
    """Return a result of PC, its sweep over alpha, or its replay."""
    data = load_sample("asia").dataset
    if what == "sweep":
        return sweep("pc", data, "alpha", [0.001, 0.05, 0.2])
    result = learn("pc", data)
    return result if what == "result" else replay(result, data)


@pytest.fixture
def view() -> ReplayView:
    return shown("sweep").view()


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    node = Node()
    yield node
    node.close()


def test_clicks_come_back_to_python(view):
    """One message of the page sets slider, step and selection; each is observed once."""
    seen = []
    view.observe(lambda change: seen.append((change["name"], change["new"])), ["selected", "slider", "step"])
    view.state = {"view": 1, "step": 2, "selected": [2, 4]}
    assert (view.slider, view.step, view.selected) == (WHAT_IF, 2, ("smoke", "bronc"))
    assert sorted(seen) == [("selected", ("smoke", "bronc")), ("slider", WHAT_IF), ("step", 2)]
    assert view.state == {"view": 1, "step": 2, "selected": [2, 4]}


def test_python_sets_what_the_page_shows(view):
    view.selected = ("xray", "asia")
    view.step = 4
    names = shown("result").names
    assert view.state == {"view": 0, "step": 4, "selected": [names.index("xray"), names.index("asia")]}
    view.slider = WHAT_IF
    assert (view.step, view.state["step"], view.state["view"]) == (1, 1, 1)  # the run's own value
    view.selected = ()
    assert view.state["selected"] == []


def test_it_begins_where_the_page_does(view):
    assert view.sliders == {RUN: 28, WHAT_IF: 3}
    assert (view.slider, view.step, view.selected) == (RUN, 27, ())
    assert repr(view) == "ReplayView(slider='Steps of the run', step=27, selected=())"


@pytest.mark.parametrize(
    ("trait", "value", "message"),
    [
        ("selected", ("smoke", "brnc"), "no variable 'brnc'; did you mean 'bronc'"),
        ("selected", ("smoke", "bronc", "asia"), "at most two different variables"),
        ("selected", ("smoke", "smoke"), "at most two different variables"),
        (
            "slider",
            "Solutions",
            "slider must be one of 'Steps of the run', 'What if: Significance level', got 'Solutions'",
        ),
        ("step", 28, "step must be between 0 and 27, got 28"),
    ],
)
def test_wrong_values_are_refused_and_change_nothing(view, trait, value, message):
    before = dict(view.state)
    with pytest.raises(ParameterError, match=message):
        setattr(view, trait, value)
    assert view.state == before


@pytest.mark.parametrize("what", ["result", "sweep", "replay"])
def test_a_notebook_gets_a_widget_and_html(what):
    one = shown(what)
    bundle, _ = one._repr_mimebundle_()
    assert set(bundle) == {WIDGET, "text/html", "text/plain"}
    assert bundle["text/plain"] == "PC-stable: 8 variables, 5,000 rows, 5 edges."
    frame = ElementTree.fromstring(bundle["text/html"])
    assert frame.get("sandbox").split() == ["allow-scripts", "allow-downloads"]
    assert set(one._repr_mimebundle_(include={"text/plain"})[0]) == {"text/plain"}
    assert set(one._repr_mimebundle_(exclude={WIDGET})[0]) == {"text/html", "text/plain"}


def test_without_anywidget_a_notebook_gets_html(monkeypatch):
    monkeypatch.setattr(optional_packages, "is_installed", lambda _: False)
    assert set(shown("result")._repr_mimebundle_()[0]) == {"text/html", "text/plain"}
    monkeypatch.setattr("learners.common.optional_packages.find_spec", lambda _: None)
    with pytest.raises(
        MissingPackage, match=r"The widget for notebooks needs .* `pip install \"edgewise\[notebook\]\"`"
    ):
        shown("result").view()


def test_a_sweep_is_replayed_at_the_default_or_the_middle():
    results = shown("sweep").results
    assert replay_of(shown("sweep")).result is results[1]  # 0.05 is the default
    assert replay_of(Sweep("pc", "alpha", (0.001, 0.01, 0.2), results)).result is results[1]
    assert replay_of(Sweep("pc", "alpha", (0.001, 0.05, 0.2), (results[0], None, None))).result is results[0]
    with pytest.raises(ParameterError, match="cancelled before its first result"):
        replay_of(Sweep("pc", "alpha", (0.001,), (None,)))


@pytest.mark.parametrize(("step", "nearest"), [(-3, 0), (2, 2), (2.4, 2), (99, 27)])
def test_a_step_out_of_range_is_the_nearest(node, step, nearest):
    assert node("replay_page/host", f"m.stepWithin({step}, {{ count: 28 }})") == nearest


@pytest.mark.parametrize(("selected", "nodes"), [("null", []), ("undefined", []), ("3", [3]), ("[3, 1]", [3, 1])])
def test_a_selection_is_a_list(node, selected, nodes):
    assert node("replay_page/host", f"m.selectedNodes({selected})") == nodes


def test_only_the_page_around_the_frame_is_heard(node):
    """A message from another window, with another word, or without a port is ignored."""
    code = """(async () => {
        const heard = [], page = { parent: {}, addEventListener: (_, listen) => { page.listen = listen; } };
        m.hostPort(page).then((port) => heard.push(port));
        page.listen({ source: {}, data: "edgewise-replay", ports: [1] });
        page.listen({ source: page.parent, data: "other", ports: [2] });
        page.listen({ source: page.parent, data: "edgewise-replay", ports: [] });
        page.listen({ source: page.parent, data: "edgewise-replay", ports: [4] });
        await 0;
        return heard;
    })()"""
    assert node("replay_page/host", code) == [4]


def test_equal_states_have_equal_texts(node):
    one, other = {"view": 0, "step": 1, "selected": [2]}, {"selected": [2], "step": 1, "view": 0}
    texts = [
        node("replay_page/widget", f"m.stateText({json.dumps(state)})") for state in (one, other, one | {"step": 2})
    ]
    assert texts[0] == texts[1] != texts[2]


def test_host_and_widget_use_the_same_word():
    """The file waits for the word that the widget sends."""
    words = [
        re.search(r'^const CONNECT = "([\w-]+)"', (PAGE / name).read_text("utf-8"), re.MULTILINE)[1] for name in FILES
    ]
    assert words[0] == words[1]
