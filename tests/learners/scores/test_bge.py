"""Tests of BGe: its definition by determinants, and invariants of a Bayesian score."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import PDAG, BDeu, BGe, DataError, Dataset, ParameterError


def data_of(n: int = 40, p: int = 5, seed: int = 0) -> Dataset:
    """Return rows of a noisy chain."""
    rng = np.random.default_rng(seed)
    return Dataset.from_values(rng.normal(size=(n, p)).cumsum(axis=1) * 3.0 + 7.0, [f"v{k}" for k in range(p)])


def log_marginal(data: Dataset, nodes: list[int], mean_weight: float) -> float:
    """Return ln P of some standardised columns, by equation 4 of Kuipers, Moffa and Heckerman (2014)."""
    n, p, k = data.n, data.p, len(nodes)
    if not k:
        return 0.0
    values = (data.values - data.values.mean(axis=0)) / data.values.std(axis=0)
    freedom = p + mean_weight + 1.0
    prior = mean_weight * (freedom - p - 1.0) / (mean_weight + 1.0) * np.eye(p)
    scale = prior + values.T @ values
    gamma = sum(
        math.lgamma(0.5 * (n + freedom - p + k + 1 - t)) - math.lgamma(0.5 * (freedom - p + k + 1 - t))
        for t in range(1, k + 1)
    )
    return (
        0.5 * k * math.log(mean_weight / (n + mean_weight))
        - 0.5 * k * n * math.log(math.pi)
        + gamma
        + 0.5 * (freedom - p + k) * np.linalg.slogdet(prior[np.ix_(nodes, nodes)])[1]
        - 0.5 * (n + freedom - p + k) * np.linalg.slogdet(scale[np.ix_(nodes, nodes)])[1]
    )


@pytest.mark.parametrize("mean_weight", [1.0, 0.3])
@pytest.mark.parametrize("parents", [[], [1], [2, 4], [1, 2, 3, 4]], ids=str)
def test_bge_is_a_ratio_of_marginal_likelihoods(parents, mean_weight):
    """The score of a family is a ratio of marginal likelihoods, computed by the determinants of the definition."""
    data = data_of()
    expected = log_marginal(data, [0, *parents], mean_weight) - log_marginal(data, parents, mean_weight)
    assert BGe(data, mean_weight=mean_weight).local(0, parents) == pytest.approx(expected)


def test_each_edge_subtracts_its_penalty():
    """The penalty of a family with m parents is m edge penalties; that of a DAG is one per edge."""
    plain, priced = BGe(data_of()), BGe(data_of(), edge_penalty=1.25)
    for parents in ((), (1,), (2, 4), (1, 2, 3, 4)):
        assert priced.local(0, parents) == pytest.approx(plain.local(0, parents) - 1.25 * len(parents))
    dag = PDAG.from_edges(5, directed=[(0, 1), (1, 2), (0, 2), (3, 4)])
    assert priced.network(dag) == pytest.approx(plain.network(dag) - 5.0)
    with pytest.raises(ParameterError, match="edge_penalty"):
        BGe(data_of(), edge_penalty=-1.0)


def test_equivalent_dags_score_alike():
    """The three equivalent DAGs without a collider have equal scores; the collider has a different score."""
    score = BGe(data_of(p=3))
    chain = [PDAG.from_edges(3, directed=e) for e in ([(0, 1), (1, 2)], [(1, 0), (1, 2)], [(2, 1), (1, 0)])]
    assert np.ptp([score.network(dag) for dag in chain]) < 1e-9
    collider = PDAG.from_edges(3, directed=[(0, 1), (2, 1)])
    assert abs(score.network(collider) - score.network(chain[0])) > 1e-3


def test_units_do_not_count():
    """Shifting and rescaling the columns does not change the scores."""
    data = data_of()
    moved = Dataset.from_values(data.values * [1.0, 1e-6, 3.0, 1e5, 2.0] - 4.0, data.names)
    assert BGe(data).local(2, (0, 1)) == pytest.approx(BGe(moved).local(2, (0, 1)))


def test_copies_and_constants_score():
    """Scores stay finite with a copy or a constant among the parents."""
    data = data_of()
    values = np.column_stack([data.values, data.values[:, 0], np.ones(data.n)])
    wide = Dataset.from_values(values, [*data.names, "copy", "flat"])
    assert all(np.isfinite(BGe(wide).local(0, parents)) for parents in ((5,), (6,), (1, 5, 6)))
    assert BGe(wide).local(0, (6,)) < BGe(wide).local(0)


def test_other_data_are_refused():
    with pytest.raises(DataError, match="uses covariances, which the categories"):
        BGe(Dataset.from_codes([[0, 1, 1, 0]], [2], ["a"]))
    with pytest.raises(DataError, match="at least 4 rows"):
        BGe(data_of(3))
    with pytest.raises(ParameterError, match="mean_weight"):
        BGe(data_of(), mean_weight=0.0)


def test_a_score_is_recomputed_on_other_rows():
    """A score that is computed again for other rows keeps its settings."""
    data = data_of()
    some = data.take(range(20))
    assert BGe(data, mean_weight=0.3).on(some).local(0, (1,)) == BGe(some, mean_weight=0.3).local(0, (1,))
    coded = Dataset.from_codes([[0, 1, 1, 0], [0, 1, 0, 0]], [2, 2], ["a", "b"])
    assert BDeu(coded, ess=5.0).on(coded.take(range(3))).local(0) == BDeu(coded.take(range(3)), ess=5.0).local(0)
