"""Tests of ARACNE: chains, a reference implementation over all triplets, background knowledge and invalid input."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, Dataset, Knowledge, MutualInformation, ParameterError, aracne
from learners.graphs.rules import Rule
from learners.independence import InformationOracle
from learners.results.events import Action
from tests import references


def chain(n: int = 3_000, seed: int = 0) -> Dataset:
    """Draw five binary columns, each a copy of the previous column, with increasing noise."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, 2, n)]
    for share in (0.1, 0.12, 0.15, 0.2):
        codes.append(np.where(rng.random(n) < share, 1 - codes[-1], codes[-1]))
    return Dataset.from_codes(codes, [2] * 5, list("abcde"))


def test_aracne_finds_a_chain():
    """All pairs of a chain are dependent; only its links are kept, since they are never the weakest of a triplet."""
    result = aracne(MutualInformation(chain()))
    assert set(result.graph.edges()) == {(0, 1), (1, 2), (2, 3), (3, 4)}
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    fallen = [event for event in result.trace if event.rule is Rule.TRIPLET]
    assert len(fallen) == 6
    for event in fallen:
        assert event.statistic < event.threshold
        assert event.cond[0] in range(min(event.i, event.j) + 1, max(event.i, event.j))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.sampled_from(["p", "mi"]))
def test_aracne_agrees_with_its_definition(seed, tolerance, test):
    """The edges equal those of a reference implementation that evaluates all triplets on the initial graph."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((7, 150)) < 0.2).cumsum(axis=0) % 2
    data = Dataset.from_codes(codes[rng.permutation(7)], [2] * 7, list("abcdefg"))
    ci_test = MutualInformation(data)
    result = aracne(ci_test, tolerance=tolerance, test=test, alpha=0.1, cut=5.0)
    info = {}
    for pair in combinations(range(7), 2):
        found = ci_test.test(*pair)
        info[frozenset(pair)] = 1e3 * float(ci_test.bits(found.statistic))
        assert result.extra.information[pair] == pytest.approx(info[frozenset(pair)])
        if found.p_value > 0.1 if test == "p" else info[frozenset(pair)] < 5.0:
            del info[frozenset(pair)]
    left = set(info)
    for i, j, k in permutations(range(7), 3):
        sides = [frozenset((i, j)), frozenset((i, k)), frozenset((j, k))]
        if all(side in info for side in sides):
            one, *others = (info[side] for side in sides)
            if one < (1 - tolerance) * min(others):
                left.discard(sides[0])
    assert {frozenset(edge) for edge in result.graph.edges()} == left
    assert len(result.sepsets) == 21 - len(info)


def test_aracne_does_not_depend_on_column_order():
    """Permuted columns give the permuted graph, because all triplets are evaluated before any edge is removed."""
    data = references.dataset("child_n2000")
    whole = aracne(MutualInformation(data)).graph.skeleton
    order = np.random.default_rng(1).permutation(data.p).tolist()
    other = aracne(MutualInformation(data.select(order))).graph.skeleton
    assert np.array_equal(other, whole[np.ix_(order, order)])


def test_aracne_keeps_required_edges_and_directs_no_other():
    """A required edge is kept and directed although it is the weakest of its triplet; no other edge is directed."""
    known = Knowledge(required=(("a", "e"),), forbidden=(("b", "c"), ("c", "b")))
    result = aracne(MutualInformation(chain()), knowledge=known)
    assert result.graph.mark(0, 4) == "forward"
    assert result.graph.mark(1, 2) == "none"
    assert [event.rule for event in result.trace if event.action == Action.ORIENT] == [Rule.REQUIRED]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 1.5}, r"^tolerance must be in \[0, 1\], got 1.5"),
        ({"tolerance": True}, "^tolerance must be a number, got True"),
        ({"test": "pn"}, "^unknown test 'pn'"),
        ({"alpha": 0}, "^alpha must be in"),
        ({"cut": -1}, "^cut must be in"),
    ],
    ids=["tolerance", "bool", "test", "alpha", "cut"],
)
def test_aracne_refuses_wrong_options_with_a_sentence(options, message):
    with pytest.raises(ParameterError, match=message):
        aracne(InformationOracle(PDAG.empty(3)), **options)


def rejected_by_both(log_p: np.ndarray, q: float, method: str) -> set[frozenset[int]]:
    """Return the pairs that the step-up procedures of both their ends reject, by their definition."""
    p = len(log_p)
    kept: list[set[int]] = []
    for i in range(p):
        others = sorted((k for k in range(p) if k != i), key=lambda k, i=i: log_p[i, k])
        m = len(others)
        divisor = sum(1 / k for k in range(1, m + 1)) if method == "by" else 1.0
        passed = [k for k in range(m) if np.exp(log_p[i, others[k]]) <= q * (k + 1) / (m * divisor)]
        limit = log_p[i, others[passed[-1]]] if passed else -np.inf
        kept.append({k for k in others if passed and log_p[i, k] <= limit})
    return {frozenset((i, j)) for i, j in combinations(range(p), 2) if j in kept[i] and i in kept[j]}


@pytest.mark.parametrize("method", ["by", "bh"])
@pytest.mark.parametrize("seed", range(4))
def test_false_discoveries_are_controlled_before_the_triplets(method, seed):
    """With a tolerance of 1 all triangles stay, so the edges are those that the families of both ends reject."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((7, 150)) < 0.3).cumsum(axis=0) % 2
    ci_test = MutualInformation(Dataset.from_codes(codes[rng.permutation(7)], [2] * 7, list("abcdefg")))
    log_p = np.array([[ci_test.test(i, j).log_p if i != j else -np.inf for j in range(7)] for i in range(7)])
    result = aracne(ci_test, tolerance=1.0, alpha=0.3, fdr="sfdr", q=0.1, fdr_method=method)
    expected = {pair for pair in rejected_by_both(log_p, 0.1, method) if log_p[tuple(pair)] <= np.log(0.3)}
    assert {frozenset(edge) for edge in result.graph.edges()} == expected
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert any(event.rule is Rule.FDR for event in result.trace) == (
        result.graph.n_edges < aracne(ci_test, tolerance=1.0, alpha=0.3).graph.n_edges
    )


def test_a_cut_of_information_has_no_false_discovery_rate():
    with pytest.raises(ParameterError, match="no p-values"):
        aracne(MutualInformation(chain()), test="mi", fdr="sfdr")
