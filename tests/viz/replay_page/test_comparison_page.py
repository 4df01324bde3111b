"""The page of a comparison: edges, verdicts and explanations are those of both results."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.explaining.explanation import explanation
from learners.io.samples import load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.recipes.comparison import Comparison, compare
from learners.registry import learn
from learners.sweeping.causes import causes
from learners.sweeping.reasons import difference
from tests.viz.replay_page.opening import ReplayFile
from tests.viz.test_kinds import CASES, DATA, drawn, learnt
from viz.evidence_table import evidence_rows
from viz.kinds import timeline
from viz.replay_page import comparison_page
from viz.replay_page.explanations import LANGUAGES
from viz.translation.sentences import catalog

# PC and hill climbing on asia, counted by hand from the two graphs.
VERDICTS = {
    ("tub", "either"): "equal",
    ("lung", "either"): "equal",
    ("smoke", "lung"): "left_open",
    ("smoke", "bronc"): "left_open",
    ("bronc", "dysp"): "left_open",
    ("either", "xray"): "only_b",
    ("either", "dysp"): "only_b",
}


@cache
def asia() -> Comparison:
    data = load_sample("asia").dataset
    return compare(learn("pc", data), learn("hc", data), dataset=data)


@cache
def packs() -> dict:
    return ReplayFile(asia().to_html()).packs


def test_verdicts_and_summary_count_the_pairs():
    assert asia().verdicts == VERDICTS
    assert asia().summary == "PC-stable and Hill climbing: 2 equal, 2 in Hill climbing only, 3 undetermined in one."
    assert packs()["page"]["lead"] == asia().summary
    assert compare(asia().a, asia().a).summary == "A and B: 5 equal."


def test_the_picture_and_both_runs_are_sliders():
    views = packs()["page"]["views"]
    assert [view["label"] for view in views] == ["Both", "PC-stable", "Hill climbing"]
    assert views[0]["graph"]["steps"]["count"] == 1
    edges = {frozenset((edge["a"], edge["b"])): edge["diff"] for edge in views[0]["graph"]["edges"]}
    names = asia().a.names
    assert edges == {
        frozenset(map(names.index, pair)): "both" if verdict == "equal" else verdict
        for pair, verdict in VERDICTS.items()
    }
    for view, result in zip(views[1:], (asia().a, asia().b), strict=True):
        assert view["graph"]["steps"]["count"] == timeline(result, np.zeros((8, 2)))["steps"]["count"]
        assert (
            drawn(view["graph"], view["graph"]["steps"]["choice"]).skeleton.tolist() == result.graph.skeleton.tolist()
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_pair_has_the_sentences_of_both_runs(language):
    """The claim is the difference of the graphs with its causes; without causes it is the common claim, or both."""
    one, pack = asia(), packs()[f"texts-{language}"]
    chains = causes(one.a, one.b)
    assert len(pack["pairs"]) == 28
    for pair, texts in zip(map(tuple, pack["pairs"]), pack["texts"], strict=True):
        records = [explanation(result, pair, one.dataset).written(catalog(language)) for result in (one.a, one.b)]
        if pair in chains:
            expected = difference(chains[pair], one.a, one.b, one.labels).written(catalog(language))
            assert tuple(texts[: len(expected)]) == expected
            assert texts[-2].startswith(f"PC-stable: {records[0][0]}")
            assert texts[-1].startswith(f"Hill climbing: {records[1][0]}")
        elif records[0][0] != records[1][0]:
            assert texts == [f"{label}: {' '.join(own)}" for label, own in zip(one.labels, records, strict=True)]
        else:
            assert texts[0] == records[0][0]
            for label, (_, *sentences), text in zip(one.labels, records, texts[1:], strict=True):
                assert text == " ".join((f"{label}:", *sentences))


def test_the_tests_of_both_runs_are_in_one_table():
    found = dict(zip(map(tuple, packs()["texts-en"]["pairs"]), packs()["tests"]["rows"], strict=True))
    for label, result in zip(asia().labels, (asia().a, asia().b), strict=True):
        own = [row[1:] for row in found[2, 4] if row[0] == label]
        assert own == [list(row) for row in evidence_rows(explanation(result, (2, 4), asia().dataset))]


def test_the_table_has_every_pair_with_its_verdict():
    (table,) = packs()["page"]["tables"]
    assert table["columns"] == ["x", "y", "PC-stable", "Hill climbing", "graphs with it", "verdict"]
    assert {(row[0], row[1]) for row in table["rows"]} == set(VERDICTS)


def test_labels_name_what_differs():
    data = load_sample("asia").dataset
    one, other = learn("pc", data, alpha=0.001), learn("pc", data, alpha=0.2)
    assert compare(one, other).labels == ("alpha=0.001", "alpha=0.2")
    assert compare(one, one).labels == ("A", "B")
    assert compare(one, other, labels=("few", "many")).labels == ("few", "many")


def test_a_large_comparison_names_what_is_left_out(monkeypatch):
    data = sample(random_gaussian_network(9, 14, seed=3), 250, seed=3)
    one = compare(learn("pc", data, alpha=0.001), learn("pc", data, alpha=0.3))
    different = sum(verdict != "equal" for verdict in one.verdicts.values())
    monkeypatch.setattr(comparison_page, "MAX_PAIRS", 10)
    monkeypatch.setattr(comparison_page, "MAX_DIFFERENCES", 1)
    monkeypatch.setattr(comparison_page, "MAX_ROWS", 2)
    found = ReplayFile(one.to_html()).packs
    omitted, explained = found["page"]["omitted"], len(found["texts-en"]["pairs"])
    assert 10 <= explained < 36
    assert f"{36 - explained} of 36 pairs are not explained." in omitted
    assert f"The causes of {different - 1} differences are not explained." in omitted
    assert omitted[-1] == f"The table “Edge by edge” lacks its last {len(one.verdicts) - 2} rows."


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_learner_can_be_compared(key, kind):
    """Each learner's result can be compared with that of PC on the same data."""
    if key == "pc":
        one = compare(learnt(key, kind), learnt(key, kind))
        assert set(one.verdicts.values()) <= {"equal"}
    else:
        one = compare(learnt("pc", kind), learnt(key, kind), dataset=DATA[kind])
    found = ReplayFile(one.to_html()).packs
    p = len(one.a.names)
    assert len(found["texts-de"]["texts"]) == p * (p - 1) // 2
    assert len(found["page"]["views"][0]["graph"]["edges"]) == len(one.verdicts)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": ("one", "one")}, "labels must be two different names"),
        ({"labels": ("Both", "one")}, "neither of them 'Both'"),
        ({"labels": ("one", "")}, "labels must be two different names"),
        ({"dataset": "other"}, "dataset must have the variables of the results"),
        ({"b": "other"}, "both results must have the same variables"),
    ],
)
def test_a_wrong_call_is_refused(given, message):
    data = sample(random_gaussian_network(3, 2.0, seed=1), 50, seed=1)
    if given.get("dataset") == "other":
        given = {"dataset": data}
    b = learn("pc", data) if given.get("b") == "other" else asia().b
    with pytest.raises(ParameterError, match=message):
        compare(asia().a, b, **{name: value for name, value in given.items() if name != "b"})
