"""Tests of PC-MI: an oracle, a reference implementation, and independence of the column order."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, Dataset, MutualInformation, ParameterError, pc_mi
from learners.independence import InformationOracle
from tests import naive, naive_tests, references


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("p", [4, 5, 6, 7, 8])
def test_pc_mi_with_the_oracle_finds_the_class_of_random_dags(p):
    """With the oracle, the result is the true CPDAG for 30 random DAGs of each size."""
    for seed in range(30):
        dag = naive.random_dag(np.random.default_rng([seed, p]), p, min(int(1.5 * p), p * (p - 1) // 2))
        result = pc_mi(InformationOracle(PDAG(dag)), max_cond_size=None)
        assert np.array_equal(result.graph.amat, naive.cpdag(dag))
        for pair, cond in result.sepsets.items():
            assert naive_tests.d_separated(dag, *pair, cond)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1.0, 10.0, 50.0]), st.integers(0, 3))
def test_pc_mi_agrees_with_its_definition(seed, cut, limit):
    """The result equals that of a reference PC-stable that uses negative information in place of p-values."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((6, 150)) < 0.2).cumsum(axis=0) % np.array([2, 3, 2, 3, 2, 3])[:, None]
    data = Dataset.from_codes(codes, [2, 3] * 3, list("abcdef"))
    ci_test = MutualInformation(data)

    def minus_mbit(x: int, y: int, cond: tuple[int, ...]) -> float:
        statistic, _ = naive_tests.g2(data.codes, x, y, cond)
        return -1e3 * max(statistic, 0.0) / (2 * data.n * math.log(2))

    # The reference implementation separates a pair if "ln p" is above ln alpha, so alpha is exp(-cut).
    edges, _, hardest, _ = naive_tests.pc_stable(minus_mbit, 6, math.exp(-cut), limit)
    result = pc_mi(ci_test, cut=cut, max_cond_size=limit)
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    for pair in combinations(range(6), 2):
        if frozenset(pair) in edges:
            assert result.extra.hardest_information[pair] == pytest.approx(-hardest[frozenset(pair)][0], abs=1e-9)


def test_pc_mi_does_not_depend_on_column_order():
    """Permuted columns give the permuted skeleton, because neighbours are fixed within each level."""
    data = references.dataset("sachs_n1000")
    whole = pc_mi(MutualInformation(data), max_cond_size=2).graph.skeleton
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(data.p).tolist()
        other = pc_mi(MutualInformation(data.select(order)), max_cond_size=2).graph.skeleton
        assert np.array_equal(other, whole[np.ix_(order, order)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cut": -1.0}, r"^cut must be in \[0, 10000\], got -1.0"),
        ({"max_cond_size": 1.5}, "^max_cond_size must be"),
    ],
    ids=["cut", "size"],
)
def test_pc_mi_refuses_wrong_options_with_a_sentence(options, message):
    with pytest.raises(ParameterError, match=message):
        pc_mi(InformationOracle(PDAG.empty(3)), **options)
