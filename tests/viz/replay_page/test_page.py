"""The replay file without a browser: its contents equal the app's, and it can request nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

import learners
from learners.common.errors import ParameterError
from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.graphs.cpdag import cpdag
from learners.io.samples import load_network, load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.recipe import recipe_of
from learners.recipes.replay_file import Replay, replay
from learners.registry import LEARNERS, learn
from learners.sweeping.causes import causes
from learners.sweeping.reasons import difference
from learners.sweeping.sweep import sweep
from tests.viz.cases import HOSTILE
from tests.viz.test_kinds import CASES, DATA, drawn, learnt
from viz.evidence_table import evidence_rows
from viz.kinds import kind_of, timeline
from viz.replay_page import contents, explanations
from viz.replay_page.explanations import explained_pairs
from viz.translation.sentences import LANGUAGES, catalog

from .opening import ReplayFile

MB = 1_000_000
# Learners with several sliders: True if the chosen step of every slider has the skeleton of the result.
MANY = {"path": True, "phgs": False, "cimap": False, "score_path": True, "bootstrap": False, "brai": False}


@cache
def asia() -> Replay:
    sample_ = load_sample("asia")
    result = learn("pc", sample_.dataset)
    return replay(result, sample_.dataset, title="Asia", sweep=sweep("pc", sample_.dataset, "alpha", [0.01, 0.05, 0.1]))


@cache
def opened(replayed: Replay) -> ReplayFile:
    return ReplayFile(replayed.to_html())


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_steps_and_explanations_are_those_of_the_run(key, kind):
    """Each step has the edges and the sentence of the timeline; each pair has the sentences of its explanation."""
    result, dataset = learnt(key, kind), DATA[kind]
    packs = opened(replay(result, dataset)).packs
    labels = kind_of(result).slider_modes(result).labels
    views = {view["label"]: view["graph"] for view in packs["page"]["views"]}
    shown = views[labels.get("run", labels.get("moves"))]
    expected = timeline(result, np.zeros((len(result.names), 2)))
    assert packs["page"]["names"] == list(result.names)
    assert [e["spans"] for e in shown["edges"]] == json.loads(json.dumps([e["spans"] for e in expected["edges"]]))
    assert shown["steps"] == json.loads(json.dumps(expected["steps"]))
    pairs = list(combinations(range(len(result.names)), 2))
    for language in LANGUAGES:
        pack = packs[f"texts-{language}"]
        assert [tuple(pair) for pair in pack["pairs"]] == pairs
        for pair, texts in zip(pairs, pack["texts"], strict=True):
            assert tuple(texts) == explanation(result, pair, dataset).written(catalog(language))
    rows = [[list(row) for row in evidence_rows(explanation(result, pair, dataset))] for pair in pairs]
    assert packs["tests"]["rows"] == rows


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "kind"), [case for case in CASES if case.values[0] in MANY])
def test_other_sliders_begin_at_the_result(key, kind):
    """The file opens with the app's default slider; it has the other sliders, or lists them as not included."""
    result = learnt(key, kind)
    page = opened(replay(result, DATA[kind])).packs["page"]
    modes = kind_of(result).slider_modes(result)
    labels = [view["label"] for view in page["views"]]
    assert labels[page["first"]] == modes.labels[modes.default]
    missing = [label for label in modes.labels.values() if label not in labels]
    assert [f"The slider “{label}” is not included." for label in missing] == page["omitted"][: len(missing)]
    assert missing == ([modes.labels["free"]] if "free" in modes.labels else [])
    skeletons = [drawn(view["graph"], view["graph"]["steps"]["choice"]).skeleton for view in page["views"]]
    if MANY[key]:
        assert all(np.array_equal(one, result.graph.skeleton) for one in skeletons)


def test_the_policy_allows_this_page_and_no_request():
    file = opened(asia())
    rules = dict(rule.split(" ", 1) for rule in file.policy.split("; "))
    assert rules["default-src"] == "'none'"
    for name, text in (("script-src", file.code), ("style-src-elem", file.style)):
        assert rules[name] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    assert {word for rule in rules.values() for word in rule.split() if ":" in word} == {"blob:", "data:"}


def test_nothing_leads_outside():
    """No element has an address, and the texts name only the namespace of SVG."""
    file = opened(asia())
    assert not {"src", "href", "action", "srcset"} & {name for _, attributes in file.tags for name in attributes}
    assert not {"link", "img", "iframe", "object", "form", "base", "a"} & {tag for tag, _ in file.tags}
    assert set(re.findall(r"https?://[^\s\"'`]+", file.code + file.style)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"\bimport\s*\(|\bfetch\s*\(|XMLHttpRequest|sendBeacon|WebSocket|@import|url\(", file.code + file.style
    )


def test_the_file_states_how_it_was_made():
    """The file has the version, the parameters, the hashes of data and graph, and the recipe if there is one."""
    replayed = asia()
    facts = dict(opened(replayed).packs["page"]["facts"])
    assert facts["Made with"] == f"Edgewise {learners.__version__}"
    assert facts["Significance level"] == "0.05"
    assert facts["SHA-256 of the data of the run"] == replayed.dataset.fingerprint
    table = learners.read_table(b"a,b\n" + b"0,0\n0,1\n1,1\n" * 30)
    plan = learners.default_plan(table)
    result = learn("pc", learners.prepare(table, plan).dataset)
    recipe = recipe_of(table, plan, result, name="my.csv")
    page = opened(replay(result, recipe=recipe)).packs["page"]
    assert learners.read_recipe(page["recipe"].encode()) == recipe
    assert dict(page["facts"])["SHA-256 of the table"] == recipe.table.sha256
    assert "unknown" in dict(opened(replay(result)).packs["page"]["facts"])["SHA-256 of the data"]


def test_values_of_a_sweep_are_a_second_slider():
    view = opened(asia()).packs["page"]["views"][1]
    assert view["label"] == "What if: Significance level"
    assert view["graph"]["steps"]["ticks"] == ["0.01", "0.05", "0.1"]
    assert view["graph"]["steps"]["what_if"]["base"] == 1
    for step, result in enumerate(asia().sweep.results):
        assert drawn(view["graph"], step) == result.graph


def test_each_difference_at_another_value_is_explained(monkeypatch):
    """Each edge that differs from the run has the chain of its causes in each language; the rest is counted."""
    data = sample(random_gaussian_network(9, 14, seed=3), 250, seed=3)
    result = learn("pc", data, alpha=0.05)
    swept = sweep("pc", data, "alpha", [0.001, 0.05, 0.3])
    packs = ReplayFile(replay(result, data, sweep=swept).to_html()).packs
    expected = {}
    for step in (0, 2):
        other, labels = swept.results[step], tuple(f"Significance level {a}" for a in (0.05, swept.values[step]))
        for pair, chain in causes(result, other).items():
            expected[1, step, *pair] = difference(chain, result, other, labels)
    assert len(expected) > 3
    for language in LANGUAGES:
        found = {tuple(key): tuple(texts) for *key, texts in packs[f"reasons-{language}"]}
        assert found == {key: one.written(catalog(language)) for key, one in expected.items()}
    monkeypatch.setattr(explanations, "MAX_EDGES", 1)
    page = ReplayFile(replay(result, data, sweep=swept, title="few").to_html()).packs["page"]
    assert page["omitted"][-1] == f"{len(expected) - 2} differences at other values are not explained."


def test_a_sweep_without_the_runs_own_value_is_shown():
    data = load_sample("asia").dataset
    page = opened(replay(learn("pc", data), data, sweep=sweep("pc", data, "alpha", [0.01, 0.1]))).packs["page"]
    assert page["views"][1]["graph"]["steps"]["what_if"]["base"] == 0
    assert page["views"][1]["base"] is None


def test_rows_are_in_the_file_on_request_only():
    """By default the file has no cell; on request it has the rows of the run, without ignored columns."""
    names, levels = ("sex", "=pay"), (("f", "secret level"), ("low", "@high", "never seen"))
    rng = np.random.default_rng(0)
    codes = np.vstack([rng.integers(0, 2, 80), rng.integers(0, 2, 80)])
    dataset = Dataset.from_codes(codes, (2, 3), names, levels)
    result = learn("pc", dataset)
    without, having = (replay(result, dataset, include_data=on).to_html() for on in (False, True))
    assert "secret level" not in json.dumps(ReplayFile(without).packs)
    assert "The rows of the data are not included." in ReplayFile(without).packs["page"]["omitted"]
    head, *rows = ReplayFile(having).packs["data"]["csv"].splitlines()
    assert head == "sex,'=pay"
    assert rows == [f"{levels[0][a]},{('low', chr(39) + '@high')[b]}" for a, b in codes.T.tolist()]


def test_levels_of_ignored_columns_are_never_in_it():
    text = b"id,a,b\n" + b"".join(b"person%d,%d,%d\n" % (k, k % 2, k % 3 % 2) for k in range(60))
    table = learners.read_table(text)
    plan = learners.default_plan(table)
    dataset = learners.prepare(table, plan).dataset
    assert "id" not in dataset.names
    result = learn("pc", dataset)
    page = replay(result, dataset, recipe=recipe_of(table, plan, result), include_data=True)
    assert "person" not in json.dumps(opened(page).packs)


@pytest.mark.deep
def test_hostile_names_stay_texts():
    """Names and titles that are markup end no element; every pack still opens to the same names."""
    names = tuple(dict.fromkeys(HOSTILE))
    data = sample(random_gaussian_network(len(names), 12.0, seed=2), 200, seed=2)
    dataset = Dataset.from_values(data.values, names)
    result = learn("pc", dataset)
    title = '</script><img src=x onerror="window.hacked = 1">\udfff'
    text = replay(result, dataset, title=title, include_data=True).to_html()
    file = ReplayFile(text.encode("utf-8").decode("utf-8"))
    plain = ReplayFile(replay(learn("pc", data), data).to_html())
    assert [tag for tag, _ in file.tags if tag != "script"] == [tag for tag, _ in plain.tags if tag != "script"]
    assert file.packs["page"]["names"] == [name.encode("utf-8", "replace").decode() for name in names]
    assert file.code == plain.code
    assert "onerror" not in text.replace("onerror=&quot;", "")


def test_a_large_run_names_what_is_left_out(monkeypatch):
    """Pairs with edges come first; tables end at the limit; the page counts what is missing."""
    replayed = asia()
    assert explained_pairs(replayed.result, 5) == sorted((min(e), max(e)) for e in replayed.result.graph.edges())
    monkeypatch.setattr(contents, "MAX_PAIRS", 10)
    monkeypatch.setattr(contents, "MAX_ROWS", 4)
    packs = ReplayFile(replace(replayed, title="limited").to_html()).packs
    assert len(packs["texts-en"]["pairs"]) == len(packs["tests"]["rows"]) == 10
    omitted = packs["page"]["omitted"]
    assert omitted[0].startswith("18 of 28 pairs are not explained")
    table = packs["page"]["tables"][0]
    assert len(table["rows"]) == 4
    assert table["omitted"] == 23 - 4  # PC separates 23 of the 28 pairs
    assert omitted[1] == "The table “Separated pairs” lacks its last 19 rows."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset": "other"}, "dataset and result must have the same variables"),
        ({"truth": "other"}, "truth must have the 8 variables of the result, got 3"),
        ({"sweep": "other"}, "sweep and result must have the same variables"),
        ({"include_data": True}, "include_data needs the rows"),
    ],
)
def test_a_wrong_call_is_refused(change, message):
    data = sample(random_gaussian_network(3, 2.0, seed=1), 50, seed=1)
    others = {"dataset": data, "truth": learn("pc", data).graph, "sweep": sweep("pc", data, "alpha", [0.05])}
    given = {name: others[name] if value == "other" else value for name, value in change.items()}
    with pytest.raises(ParameterError, match=message):
        replay(asia().result, **given)


def test_the_truth_and_the_default_title():
    network = load_network("cancer")
    data = sample(network, 500, seed=1)
    page = opened(replay(learn("hc", data), truth=cpdag(network.dag))).packs["page"]
    assert page["title"] == LEARNERS["hc"].label
    assert any("truth" in edge for edge in page["views"][0]["graph"]["edges"])


def test_the_tick_counts_the_pairs_and_cancels(monkeypatch):
    """The tick hears every few pairs and each other value; a cancel at any of them gives an empty text."""
    monkeypatch.setattr(explanations, "PAIRS_A_TICK", 10)
    heard = []

    def until(last: int):
        heard.clear()
        return lambda *report: (heard.append(report), len(heard) < last)[1]

    assert asia().to_html(until(99)) == asia().to_html()
    pairs = [("explaining pairs", done, 28) for done in (0, 10, 20)]
    assert heard == [("drawing", 0, 0), *pairs, ("explaining differences", 0, 3), ("explaining differences", 2, 3)]
    for last in range(1, 7):
        assert asia().to_html(until(last)) == ""
        assert len(heard) == last


def test_the_same_run_makes_the_same_file():
    assert asia().to_html() == asia().to_html()


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("key", ["pc", "ges", "lmm"])
def test_alarm_is_small(key):
    data = sample(load_network("alarm"), 2_000, seed=1)
    assert len(replay(learn(key, data), data).to_html().encode()) < MB


@pytest.mark.deep
@pytest.mark.compiled
def test_a_tenth_of_a_hundred_variables_is_small(monkeypatch):
    """495 of the 4,950 pairs take less than a tenth of 5 MB beside the scripts; the deep test explains all of them."""
    data = sample(random_gaussian_network(100, 200.0, seed=1), 1_000, seed=1)
    replayed = replay(learn("pc", data), data)
    sizes = []
    for most in (0, 495):
        monkeypatch.setattr(contents, "MAX_PAIRS", most)
        sizes.append(len(replayed.to_html().encode()))
    assert sizes[0] < 0.5 * MB
    assert sizes[1] - sizes[0] < 0.45 * MB


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("key", ["pc", "boss"])
def test_a_hundred_variables_are_small(key):
    data = sample(random_gaussian_network(100, 200.0, seed=1), 1_000, seed=1)
    file = ReplayFile(text := replay(learn(key, data), data).to_html())
    assert len(text.encode()) < 5 * MB
    assert len(file.packs["texts-en"]["pairs"]) == 4950


def test_a_notebook_shows_the_file_in_a_closed_frame():
    """The frame runs scripts, but has no origin: it can read nothing of the notebook."""
    one = replay(learnt("pc", "categorical"))
    frame = ElementTree.fromstring(one._repr_html_())
    assert frame.get("srcdoc") == one.to_html().replace("\n", " ")  # XML reads line breaks of attributes as blanks
    assert frame.get("sandbox").split() == ["allow-scripts", "allow-downloads"]
