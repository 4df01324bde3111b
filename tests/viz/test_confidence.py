"""No view states more confidence than the evidence: all learners, column types, and determined columns."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest

from learners import Dataset, learn
from learners.evaluation import comparison
from learners.explaining.explanation import event_sentence, explanation
from learners.explaining.support import directed_graph
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.io.edge_csv import to_edge_csv
from learners.registry import LEARNERS
from learners.results.directions import STRONG_EVIDENCE, SURE_SHARE, Support
from tests.tiers import family
from viz.compare.overlay import consensus_view, difference_view
from viz.effects.picture import graph_with_roles
from viz.kinds import timeline
from viz.matrix import _cells
from viz.report.picture import graph_svg
from viz.tables import edge_rows, sentence_list, text_of_graph
from viz.weak_evidence import determined_pairs, doubtful, with_determined

N = 300
FEW = {"bootstrap": {"n_resamples": 4}}
ON_DIRECTION = re.compile(
    r"It point|compelled|share this direction|Its direction|the direction open|contradicts its direction|→ because"
    r"|strongly supported"
)


def numbers():
    """Draw numbers that depend on one another, with a copy, a sum and a ratio."""
    rng = np.random.default_rng(4)
    size = np.exp(rng.normal(0, 0.3, N))
    weight, other = 60 * size * np.exp(rng.normal(0, 0.2, N)), rng.normal(size=N)
    frame = pd.DataFrame({"height": 170 * size**0.3, "weight": weight, "other": other})
    frame["effect"] = frame.weight / 10 + frame.other + rng.normal(size=N)
    frame["bmi"] = frame.weight / frame.height**2
    frame["sum"] = frame.effect + frame.other
    return frame


def levels():
    """Draw levels that depend on one another, with a relabelled copy and a coarser column."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 3, N), rng.integers(0, 2, N)
    c = np.where(rng.random(N) < 0.8, (a + b) % 3, rng.integers(0, 3, N))
    d = np.where(rng.random(N) < 0.7, c > 0, rng.integers(0, 2, N))
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": d.astype(int)}).astype(str)
    frame["copy"] = frame.c.map({"0": "none", "1": "some", "2": "all"})
    frame["coarse"] = (frame.a == "0").astype(str)
    return frame


def other_pictures(result):
    """Return the sign of each edge on Compare, Effects and the matrix, by picture and pair."""
    p, graph, names = len(result.names), result.graph, result.names
    places, determined = np.random.default_rng(0).random((p, 2)), determined_pairs([result], names)
    turned = PDAG(graph.amat.T)
    data = {
        "difference": difference_view(graph, turned, names, places, determined=determined),
        "consensus": with_determined(
            consensus_view(comparison.consensus([graph, turned]), 2, names, places), determined
        ),
        "effects": with_determined(graph_with_roles(graph, names, places, {}), determined),
    }
    found = {}
    for which, picture in data.items():
        assert not [e for e in picture["edges"] if e.get("diff") == "direction_differs" and "determined" in e]
        found[which] = {frozenset((e["a"], e["b"])): "=" if "determined" in e else "" for e in picture["edges"]}
    cells = _cells(result, graph, names)
    found["matrix"] = {
        frozenset((a, b)): words.split("<br>")[0].split(" ")[1]
        for a, b, words in zip(cells.i.tolist(), cells.j.tolist(), cells.words, strict=True)
    }
    return found


DATA = {
    "continuous": Dataset.from_frame(numbers()),
    "categorical": Dataset.from_frame(levels()),
    "mixed": Dataset.from_frame(
        pd.concat([numbers(), levels()], axis=1)[["weight", "effect", "sum", "c", "copy", "d", "other"]]
    ),
}
CASES = [pytest.param(key, kind, id=f"{key} {kind}") for key, one in LEARNERS.items() for kind in one.kinds]


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_no_view_is_surer_than_the_evidence(key, kind):
    """Pairs that determine one another have no direction anywhere; weak edges have no strongly supported direction."""
    result = learn(key, DATA[kind], **FEW.get(key, {}))
    none = result.undirected_pairs
    assert none
    drawn = timeline(result, np.random.default_rng(0).random((len(result.names), 2)))["edges"]
    steps = " ".join(event_sentence(result, event).text(result.names) for event in result.trace)
    by_pair = {(edge["a"], edge["b"]): edge for edge in drawn}
    table = {(row.i, row.j): row for row in edge_rows(result).table().itertuples()}
    text = to_edge_csv(result.graph, result.names, result.strengths, result.directions)
    types = {frozenset((row["from"], row["to"])): row["type"] for row in csv.DictReader(io.StringIO(text))}
    drawn_arrows = set(directed_graph(result).directed_edges())
    picture, words = graph_svg(result, np.random.default_rng(0).random((len(result.names), 2))), ""
    of_doubts = [one for one in text_of_graph(result, result.graph) if one.startswith("Directions ")]
    words = " ".join(sentence_list(result.graph, result.names, none))
    assert sum(one.count(" → ") for one in of_doubts) == sum(
        direction.support.is_doubtful for direction in result.directions.values()
    )
    others = other_pictures(result)
    for i, j in result.graph.edges():
        pair = (min(i, j), max(i, j))
        said = explanation(result, pair)
        names = [result.names[k] for k in (i, j)]
        if isinstance(result.graph, PAG):  # arrows of a PAG have no entry
            assert not ((i, j) in drawn_arrows and pair in none)
        else:
            assert ((i, j) in drawn_arrows) == ((i, j) in result.directions and pair not in none)
        if pair in none:
            assert " = " in said.headline
            assert not [one for one in said.sentences if ON_DIRECTION.search(one)]
            assert any("cannot direct an edge" in one for one in said.sentences)
            assert by_pair[pair]["determined"]
            assert "doubt" not in by_pair[pair]
            assert table[pair].direction == Support.DETERMINED.value
            assert types[frozenset(names)] == ("o-o" if isinstance(result.graph, PAG) else "undirected")
            assert f"{names[0]} → {names[1]}: all graphs" not in steps
            assert f"{names[0]}: arrow to {names[1]}" not in words
            assert f"<title>{names[0]} = {names[1]}</title>" in picture
            assert all(seen[frozenset(pair)] == "=" for seen in others.values()), (pair, others)
        else:
            assert all(seen[frozenset(pair)] != "=" for seen in others.values()), (pair, others)
        if (i, j) in result.directions:
            direction = result.directions[i, j]
            assert (direction.support is Support.DETERMINED) == (pair in none)
            hollow = "doubt" in by_pair[pair]
            assert hollow == doubtful(result, i, j)
            reasons = ("weakly supported. ", "not shown to be stable. ", "conflicts. ", "contradicts its direction. ")
            assert hollow == any(reason in one for one in said.sentences for reason in reasons)
            assert not (direction.near_differ and direction.support is Support.CLEAR)
            if direction.support is Support.CLEAR:
                assert direction.edge is None or direction.edge > STRONG_EVIDENCE
                assert direction.edge_share is None or direction.edge_share >= SURE_SHARE


def scores():
    """Draw items of a questionnaire that depend on one another, and their sum."""
    rng = np.random.default_rng(4)
    items = [rng.integers(0, 3, N)]
    for _ in range(3):
        items.append(np.where(rng.random(N) < 0.6, items[-1], rng.integers(0, 3, N)))
    frame = pd.DataFrame(dict(zip("pqrs", items, strict=True)))
    return frame.assign(total=frame.sum(axis=1))


def powers():
    """Draw numbers with two relations that share a column, and the sum of four others."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(np.exp(rng.normal(0, 0.4, (N, 3))), columns=["weight", "height", "age"])
    frame["bmi"], frame["dose"] = frame.weight / frame.height**2, frame.age * frame.height
    return frame


RELATED = {
    "continuous": (Dataset.from_frame(powers()), {"weight", "height", "age", "bmi", "dose"}),
    "categorical": (Dataset.from_frame(scores().astype(str)), {*"pqrs", "total"}),
    "mixed": (
        Dataset.from_frame(scores().astype(dict.fromkeys("pqrs", str)).assign(free=powers().age)),
        {*"pqrs", "total"},
    ),
}  # tables, each with the columns of a sum, of which the others determine each one


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_no_direction_among_columns_that_determine_one_another(key, kind):
    """No view directs an edge between columns related by sums of any number of terms or by overlapping relations."""
    data, related = RELATED[kind]
    result = learn(key, data, **FEW.get(key, {}))
    drawn = timeline(result, np.random.default_rng(0).random((data.p, 2)))["edges"]
    for i, j in result.graph.edges():
        if {data.names[i], data.names[j]} <= related:
            pair = (min(i, j), max(i, j))
            assert (i, j) not in set(directed_graph(result).directed_edges())
            assert " = " in explanation(result, pair).headline
            assert [edge for edge in drawn if (edge["a"], edge["b"]) == pair and edge["determined"]]
