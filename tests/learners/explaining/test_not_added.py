"""Tests that the stated reason why a score-based search did not add an edge holds for its best DAG."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from learners import BIC, Knowledge, load_sample
from learners.explaining.explanation import explanation
from learners.graphs.graph import ancestors
from learners.registry import learn

DATA = load_sample("asia").dataset
FORBIDDEN = Knowledge(forbidden=[("asia", "smoke"), ("smoke", "asia"), ("bronc", "lung")])
RUNS = (
    ("hc", {}, {"gain", "cycle"}),
    ("hc", {"max_parents": 1}, {"gain", "cycle", "limit"}),
    ("tabu", {"knowledge": FORBIDDEN}, {"gain", "cycle", "knowledge"}),
    ("sca", {"n_candidates": 2}, {"gain", "candidates"}),
    ("boss", {"max_parents": 1, "knowledge": FORBIDDEN}, {"gain", "limit", "knowledge"}),
)


@pytest.mark.parametrize(("key", "settings", "kinds"), RUNS)
def test_the_reason_is_true_of_the_best_dag(key, settings, kinds):
    result, score = learn(key, DATA, **settings), BIC(DATA)
    names, dag, reach = result.names, result.extra.dag, ancestors(result.extra.dag)
    limit = settings.get("max_parents", settings.get("n_candidates", 12))
    stated = set()
    for pair in combinations(range(len(names)), 2):
        if result.graph.skeleton[pair]:
            continue
        text = " ".join(explanation(result, pair).sentences)
        for a, b in permutations(pair):
            arrow, parents = f"{names[a]} → {names[b]}", dag.parents(b)
            if f"{arrow} would not raise" in text or "in either direction" in text:
                assert score.local(b, sorted([*parents, a])) <= score.local(b, parents) + 1e-9
                stated.add("gain")
            if f"{arrow} would close a cycle" in text:
                assert reach[b, a]
                stated.add("cycle")
            if f"{names[b]} has the maximum number of parents" in text:
                assert len(parents) == limit
                stated.add("limit")
            if f"forbids {arrow}" in text:
                assert (names[a], names[b]) in FORBIDDEN.forbidden
                stated.add("knowledge")
            if f"{names[a]} is not among the candidate parents of {names[b]}" in text:
                assert not result.extra.rounds[-1].candidates[a, b]
                stated.add("candidates")
    assert stated == kinds


def test_a_cancelled_search_claims_no_missing_gain():
    calls = []
    result = learn("hc", DATA, tick=lambda *_: calls.append(1) or len(calls) < 2)
    assert not result.complete
    x, y = next(pair for pair in combinations(range(8), 2) if not result.graph.skeleton[pair])
    text = " ".join(explanation(result, (x, y)).sentences)
    assert "would not raise" not in text
    assert "a longer search might have added the edge" in text
