"""Tests of directions that follow from the shape of the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from learners import PDAG, Dataset, FisherZ, ParameterError, check_assumptions, directions_by_noise, fci, learn
from learners.verdict.assumptions import Assumptions
from learners.verdict.noise_densities import best_log_density
from learners.verdict.noise_directions import NONE_USABLE, cross_moments, normal_p, residual

NOISE = {
    "uniform": lambda rng, shape: rng.uniform(-1.0, 1.0, shape),
    "laplace": lambda rng, shape: rng.laplace(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "t": lambda rng, shape: rng.standard_t(4, shape),
}

WHY_NOT = "non-normal noise was not used to direct edges, because "


def chain(noise, n: int = 2_000, seed: int = 1) -> Dataset:
    """Return rows of a -> b -> c and d -> e with the given noise."""
    a, b, c, d, e = noise(np.random.default_rng(seed), (5, n))
    b = a + b
    return Dataset.from_values(np.column_stack([a, b, b + c, d, d - e]), list("abcde"))


@pytest.mark.parametrize("noise", NOISE.values(), ids=NOISE)
def test_the_noise_finds_the_causes(noise):
    data = chain(noise)
    found = directions_by_noise(learn("boss", data), data, assumptions=Assumptions(()))
    assert {(edge.source, edge.target) for edge in found.settled} == {(0, 1), (1, 2), (3, 4)}
    first = "non-normal noise suggests a direction for 3 of 3 undirected edges that could be compared"
    assert found.sentences()[0] == first


@pytest.mark.parametrize("seed", range(5))
def test_normal_noise_settles_nothing(seed):
    """Normal noise gives no direction: both have the same density at each row, up to rounding."""
    data = chain(lambda rng, shape: rng.standard_normal(shape), seed=seed)
    found = directions_by_noise(learn("boss", data), data)
    assert len(found.edges) == 3
    assert not found.settled
    assert max(edge.z for edge in found.edges) < 3.0


def test_the_order_of_the_columns_does_not_matter():
    data = chain(NOISE["uniform"])
    other = data.reordered([3, 1, 4, 0, 2])
    named = [
        {(one.names[edge.source], one.names[edge.target], round(edge.z, 6), edge.reason) for edge in found.edges}
        for one, found in ((each, directions_by_noise(learn("boss", each), each)) for each in (data, other))
    ]
    assert named[0] == named[1]


def test_a_result_and_a_table_in_another_order_belong_together():
    data = chain(NOISE["uniform"])
    result = learn("boss", data)
    assert directions_by_noise(result, data.reordered([4, 3, 2, 1, 0])) == directions_by_noise(result, data)


def test_a_hidden_common_cause_settles_nothing():
    rng = np.random.default_rng(3)
    u, a, b = rng.uniform(-1.0, 1.0, (3, 4_000))
    data = Dataset.from_values(np.column_stack([u + 0.7 * a, u + 0.7 * b]), ["a", "b"])
    found = directions_by_noise(learn("ges", data), data, assumptions=Assumptions(()))
    (edge,) = found.edges
    assert not edge.settled


def test_where_relations_are_not_linear_nothing_is_compared():
    rng = np.random.default_rng(0)
    a = rng.uniform(-1.0, 2.0, 1_000)
    data = Dataset.from_values(np.column_stack([a, a**2 + 0.1 * rng.standard_normal(1_000)]), ["a", "b"])
    result = learn("ges", data)
    assert check_assumptions(data, result).violations
    found = directions_by_noise(result, data)
    assert found.edges == ()
    assert found.sentences() == [WHY_NOT + "relations seem nonlinear"]


def test_rows_that_follow_one_another_are_not_compared():
    rng = np.random.default_rng(0)
    a = np.cumsum(rng.uniform(-1.0, 1.0, 500))
    data = Dataset.from_values(np.column_stack([a, a + 5.0 * rng.uniform(-1.0, 1.0, 500)]), ["a", "b"])
    found = directions_by_noise(learn("ges", data), data, assumptions=Assumptions(()))
    assert found.sentences() == [
        WHY_NOT + "neighbouring rows are alike in column 'a'"
    ]  # fmt: skip


def test_rows_with_missing_cells_are_left_out():
    data = chain(NOISE["uniform"])
    values = data.values.copy()
    values[::7, 2] = np.nan
    incomplete = Dataset.from_values(values, data.names)
    result = learn("boss", data)
    whole = Dataset.from_values(np.delete(values, np.s_[::7], axis=0), data.names)
    assert directions_by_noise(result, incomplete) == directions_by_noise(result, whole)


def test_arrows_of_the_graph_are_not_questioned():
    data = chain(NOISE["uniform"])
    result = learn("boss", data)
    amat = result.graph.amat.copy()
    amat[0, 1] = False  # b -> a contradicts the noise
    given = replace(result, graph=PDAG(amat))
    found = directions_by_noise(given, data, assumptions=Assumptions(()))
    assert found.of_pair(0, 1) is None
    assert found.of_pair(4, 3).settled


def test_too_many_dags_of_one_component_are_named():
    rng = np.random.default_rng(0)
    data = Dataset.from_values(rng.uniform(-1.0, 1.0, (200, 7)), list("abcdefg"))
    result = replace(learn("boss", data), graph=PDAG(~np.eye(7, dtype=bool)))  # a class of 5,040 DAGs
    found = directions_by_noise(result, data, assumptions=Assumptions(()))
    assert found.sentences() == [
        "undirected edges of 'a', 'b', 'c', 'd', 'e' and 2 more were not compared, because more than 300 "
        "DAGs orient them"
    ]


def test_categorical_columns_and_pags_are_left_out():
    data = chain(NOISE["uniform"], 300)
    assert directions_by_noise(fci(FisherZ(data)), data).sentences() == []
    codes = np.random.default_rng(0).integers(0, 2, (1, 300))
    both = Dataset.from_codes(np.vstack([codes, codes ^ (np.arange(300) % 9 == 0)]), [2, 2], ["a", "b"])
    found = directions_by_noise(learn("ges", both), both)
    assert found.sentences() == [WHY_NOT + NONE_USABLE]


@pytest.mark.parametrize("key", ["ges", "pc", "boss"])
def test_columns_that_determine_one_another_and_groups_of_rows_are_not_compared(key):
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(-1.0, 1.0, (3, 500))
    for values in ([a, 2.0 * a, c], [a, b, a + b]):
        data = Dataset.from_values(np.column_stack(values), list("abc"))
        assert directions_by_noise(learn(key, data), data, assumptions=Assumptions(())).edges == ()
    data = chain(NOISE["uniform"], 400).with_groups(np.arange(400) // 4)
    assert directions_by_noise(learn(key, data), data, assumptions=Assumptions(())).edges == ()


def test_a_table_of_other_columns_is_refused():
    data = chain(NOISE["uniform"], 300)
    with pytest.raises(ParameterError, match="must be of this data set"):
        directions_by_noise(learn("boss", data), data.select([0, 1]))


@pytest.mark.parametrize("name", NOISE)
def test_the_best_density_fits_nearly_as_well_as_the_true_one(name):
    """The density without tails fits uniform noise, and that with a Gumbel's skewness fits exponential noise."""
    x = NOISE[name](np.random.default_rng(0), 5_000)
    truth = {"uniform": stats.uniform(-1, 2), "laplace": stats.laplace, "exponential": stats.expon, "t": stats.t(4)}
    lost = truth[name].logpdf(x).mean() - best_log_density(x).mean()
    normal = truth[name].logpdf(x).mean() - stats.norm(x.mean(), x.std()).logpdf(x).mean()
    assert lost < {"uniform": 0.1, "laplace": 0.01, "exponential": 0.2, "t": 0.01}[name]
    assert lost < normal / 1.5


def test_densities_sum_to_one():
    """The densities of the noise integrate to one over a fine grid."""
    x = np.linspace(-1.0, 1.0, 20_001)
    assert np.exp(best_log_density(x)).sum() * (x[1] - x[0]) == pytest.approx(1.0, abs=0.15)


def test_cross_moments_see_dependence_without_correlation():
    rng = np.random.default_rng(0)
    x, e = rng.standard_normal((2, 2_000))
    assert cross_moments(e, x) < 3.5
    assert cross_moments(e * np.abs(x), x) > 10.0
    assert cross_moments(x**2 - 1.0, x) > 10.0


def test_the_test_of_normal_noise_is_that_of_jarque_and_bera():
    x = np.random.default_rng(0).uniform(size=300)
    assert normal_p(x) == pytest.approx(stats.jarque_bera(x).pvalue, rel=1e-9)


def test_residuals_are_those_of_least_squares():
    data = chain(NOISE["laplace"], 300)
    rest = residual(data, 2, (0, 1))
    assert abs(rest.mean()) < 1e-9
    assert np.abs(data.values[:, :2].T @ rest).max() < 1e-8
    np.testing.assert_allclose(residual(data, 2, ()), data.values[:, 2] - data.values[:, 2].mean(), atol=1e-12)
