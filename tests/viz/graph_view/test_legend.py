"""The legend: each of its signs is drawn in the picture, and each drawn sign is in it, with one meaning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from learners.evaluation.comparison import consensus
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.networks.random_networks import random_dag
from learners.results.result import LearnResult
from learners.verdict.assumptions import Assumptions
from learners.verdict.trust import Trust
from tests.tiers import family
from tests.viz.test_kinds import CASES, learnt, picture
from viz.compare.overlay import consensus_view, difference_view, with_truth
from viz.legend import WIDER
from viz.verdicts import verdict_view
from viz.weak_evidence import with_doubts

NEUTRAL = {"both", "right"}  # edges with these marks look like others
ARROWS = {"forward", "undirected"}  # ends that need no row
MARKS = {*ARROWS, "circles", "circle-forward", "bidirected", "conflict"}
LEGEND = """(([data, truth]) => ({ rows: m.rowsOf(data, data.edges, truth),
    looks: m.looksOf(data, data.edges, truth) }))"""


def places(p: int) -> np.ndarray:
    return np.random.default_rng(0).random((p, 2))


@cache
def views(key: str, kind: str) -> dict[str, tuple[dict, bool]]:
    """Return the pictures of a run, with True if the truth is shown."""
    result = learnt(key, kind)
    p, graph = len(result.names), result.graph
    truth, data = cpdag(random_dag(p, 2.0, seed=4)), with_doubts(picture(key, kind), result)
    found = {
        "run": (data, False),
        "truth": (with_truth(data, truth), True),
        "difference": (difference_view(graph, truth, result.names, places(p), ("one", "other")), False),
        "verdict": (verdict_view(verdict(result), result, places(p)), False),
    }
    if not isinstance(graph, PAG):
        agreed = consensus([graph, truth, PDAG.from_edges(p, directed=[(0, 1)])])
        found["consensus"] = (consensus_view(agreed, 3, result.names, places(p)), False)
    return found


def verdict(result: LearnResult) -> Trust:
    p = len(result.names)
    rng = np.random.default_rng(1)
    cause, adjacent = rng.random((p, p)), np.where(rng.random((p, p)) < 0.1, np.nan, rng.random((p, p)))
    cause[np.isnan(adjacent)] = np.nan
    return Trust(result.names, cause, cause, adjacent, cause > 0.95, Assumptions(()))


def legends(run: Callable[[str, str], object], key: str, kind: str) -> Iterator[tuple[str, list, list]]:
    for name, (data, truth) in views(key, kind).items():
        found = run("legend", f"{LEGEND}({json.dumps([data, truth])})")
        yield (
            name,
            [(set(classes.split()), words) for classes, words in found["rows"]],
            [set(one) for one in found["looks"]],
        )


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_the_legend_has_the_signs_of_the_picture(run: Callable[[str, str], object], key: str, kind: str) -> None:
    """Each row has an edge that looks like its sample, and the look of each edge has a row."""
    for name, rows, looks in legends(run, key, kind):
        for classes, words in rows:
            assert any(classes - {"shape"} <= look for look in looks), (name, words)
        samples = [classes for classes, _ in rows]
        known = set().union(*samples, ARROWS)
        for look in looks:
            assert look <= known, name
            if not look - MARKS - NEUTRAL:  # an edge without a colour of its own
                assert look in samples, (name, look)


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_sign_has_one_meaning(run: Callable[[str, str], object], key: str, kind: str) -> None:
    """No two rows of a legend have samples that look alike."""
    for name, rows, _ in legends(run, key, kind):
        looks = [frozenset(classes - NEUTRAL) for classes, _ in rows]
        assert len(set(looks)) == len(looks), name
        assert len({words for _, words in rows}) == len(rows), name


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_wider_lines_have_their_meaning(key: str, kind: str) -> None:
    """The legend says what makes a line wider, for the strengths of every learner."""
    result = learnt(key, kind)
    data = picture(key, kind)
    assert result.strengths.label in WIDER
    if any(edge.get("strength") is not None for edge in data["edges"]):
        assert data["wider"] == WIDER[result.strengths.label]


def test_common_edges_are_shown_as_they_are_drawn(run: Callable[[str, str], object]) -> None:
    """An edge of both graphs is drawn as it is; the legend names the compared graphs."""
    one = PDAG.from_edges(4, directed=[(0, 1)], undirected=[(1, 2)])
    other = PDAG.from_edges(4, directed=[(0, 1)], undirected=[(1, 2), (2, 3)])
    data = difference_view(one, other, tuple("abcd"), places(4), ("B", "C"))
    rows = run("legend", f"m.rowsOf({json.dumps(data)}, {json.dumps(data['edges'])}, false)")
    assert rows == [
        ["forward both", "in B and C, same direction"],
        ["undirected both", "in B and C, undirected"],
        ["undirected only_b", "in C only"],
    ]


def test_a_picture_without_removals_shows_none(run: Callable[[str, str], object]) -> None:
    """A span that another mark follows at once is a turn, not a removal."""
    edge = {"id": 0, "a": 0, "b": 1, "spans": [[0, 2, "undirected"], [2, 4, "forward"]]}
    data = {"nodes": [], "edges": [edge], "steps": {"count": 4}}
    rows = run("legend", f"m.rowsOf({json.dumps(data)}, {json.dumps([edge])}, false)")
    assert [classes for classes, _ in rows] == ["forward", "undirected"]


@pytest.mark.parametrize(("diff", "words"), [(None, "a — b, undirected: direction open"), ("only_a", "in one only")])
def test_an_edge_is_described_with_and_without_a_comparison(run, diff: str | None, words: str) -> None:
    edge = {"na": {"name": "a"}, "nb": {"name": "b"}, "diff": diff}
    view = "{ labels: { a: 'one', b: 'other' }, steps: {} }"
    said = run("edges", f"m.Edges.describe.call({view}, {json.dumps(edge)}, {{ mark: 'undirected' }})")
    assert words in said
    assert ("only" in said) == (diff is not None)


def test_the_earlier_label_of_a_ranking_has_the_same_legend():
    """Runs of LMM that were stored with the earlier label keep the meaning of their wider lines."""
    assert WIDER["edges that left before it"] == WIDER["edges removed before it"]
