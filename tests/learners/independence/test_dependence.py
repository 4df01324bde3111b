"""Tests of the probability of dependence: closed forms in high precision, prior, redundant sets, d-separation."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, DataError, Dataset, DependenceOracle, DependencePosterior, ParameterError
from learners.families.lmm.ranking import key_of
from learners.independence.dependence import MAX_PRIOR, MIN_PRIOR, estimated_prior
from learners.kernels.lmm.dependence import (
    joint_key,
    log_odds,
    mixture_likelihood,
    mixture_slope,
    probability,
)
from learners.kernels.lmm.set_search import min_log_odds, search_empty_set, search_sets
from tests import naive, naive_lmm, naive_tests, references

FORMULAS = references.load("lmm_formulas")


def gaussian(p: int, n: int, seed: int, density: float = 0.4) -> np.ndarray:
    """Draw a sample of a random linear network."""
    rng = np.random.default_rng([seed, p, n])
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < density), 1)
    return rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights)


def data(values: np.ndarray) -> Dataset:
    return Dataset.from_values(values, [f"v{k}" for k in range(values.shape[1])])


# --- formulas -------------------------------------------------------------------------------------------------------


def test_log_odds_of_a_correlation_equal_high_precision():
    """The log-odds of equations 1 and 2 equal values computed with 60 digits.

    The sets have 0 to 6 members, the samples 10 to 10 000 rows, and the priors are 0.0005 and 0.1.
    """
    for row in FORMULAS["posterior_grid"]:
        evidence = DependencePosterior(data(gaussian(3, row["N"], 0)), prior=row["pi_A"]).evidence(row["Zsize"])
        s = log_odds(evidence, row["Zsize"], row["rho"] ** 2)
        rounding = 2.0**-52 / (1.0 - row["rho"] ** 2)  # rounding error of rho², which enters as ln(1 - rho²)
        assert s == pytest.approx(row["s"], rel=1e-12, abs=1e-11 + evidence.slope[-1] * rounding)
        assert probability(row["s"]) == pytest.approx(row["P"], rel=1e-13)
        assert probability(-row["s"]) == pytest.approx(row["one_minus_P"], rel=1e-13)


def test_joint_key_equals_high_precision_where_probabilities_saturate():
    """-ln(-ln P1 P2) is right for log-odds from -750 to 8 000, in either order."""
    for row in FORMULAS["joint_key"]:
        for s, t in ((row["s1"], row["s2"]), (row["s2"], row["s1"])):
            assert joint_key(s, t, True) == pytest.approx(row["K"], rel=1e-13, abs=1e-13)


def test_joint_key_of_the_smaller_side_is_that_of_one_probability():
    """In LMM-2 the key is that of the smaller log-odds alone."""
    for s in (-20.0, -0.3, 0.0, 5.0, 800.0):
        expected = naive_lmm.joint_key([s])
        assert joint_key(s, s + 3.0, False) == joint_key(s + 90.0, s, False) == pytest.approx(expected, rel=1e-13)


def test_key_of_a_threshold_equals_high_precision():
    """The key of a threshold is -ln(-ln gamma); gamma = 0, below all keys, is allowed."""
    for row in FORMULAS["threshold"]:
        assert key_of(row["gamma"]) == pytest.approx(row["K"], rel=1e-13)
    assert key_of(0.0) == -math.inf


@pytest.mark.parametrize("name", references.GAUSSIAN)
def test_log_odds_and_hardest_sets_of_samples_equal_high_precision(name):
    """Log-odds given sets, and the minimum over all subsets of a pool, equal values computed with high precision."""
    expected, dataset = references.load(f"lmm_{name}"), references.dataset(name)
    at = {column: k for k, column in enumerate(dataset.names)}
    upper = dataset.correlation[np.triu_indices(dataset.p, 1)]
    np.testing.assert_allclose(upper, expected["correlation_upper"], atol=1e-14)
    posterior = DependencePosterior(dataset)
    assert posterior.prior.dependent == pytest.approx(expected["pi_A"], rel=1e-9)
    posterior = DependencePosterior(dataset, prior=expected["pi_A"])
    for row in expected["queries"]:
        cond = [at[z] for z in row["z"]]
        for x, y in ((row["x"], row["y"]), (row["y"], row["x"])):
            s = posterior.log_odds(at[x], at[y], cond)
            assert s == pytest.approx(row["s"], rel=1e-11, abs=1e-11)
            assert probability(s) == pytest.approx(row["P"], rel=1e-10)
    evidence = posterior.evidence(4)
    for row in expected["joint"]:
        i, j = at[row["i"]], at[row["j"]]
        sides = []
        for x, y, pool, s, hardest in (
            (i, j, "CP_i", "s_i_of_j", "argmin_i"),
            (j, i, "CP_j", "s_j_of_i", "argmin_j"),
        ):
            members = np.array([at[k] for k in row[pool] if at[k] != y], dtype=np.int64)
            value, found = least_over(evidence, x, y, members, row["cap"])
            assert value == pytest.approx(row[s], rel=1e-11, abs=1e-11)
            assert found == {at[k] for k in row[hardest]}
            sides.append(value)
        assert joint_key(*sides, True) == pytest.approx(row["K"], rel=1e-11)


def least_over(evidence, x: int, y: int, members: np.ndarray, cap: int) -> tuple[float, set[int]]:
    """Return the minimum log-odds over sets of members, and the set."""
    heads, most = np.array([x, y]), min(cap, len(members))
    low, chain = np.full((1, most + 2), np.inf), np.full((1, most + 2, most), -1, dtype=np.int16)
    search_empty_set(evidence, heads, low, chain)
    search_sets(evidence, heads, members, 0, most, low, chain)
    size, s = min_log_odds(evidence, low[0])
    return s, set(chain[0, size].tolist()) - {-1}


@pytest.mark.parametrize("cap", [0, 1, 2, 3, 4, 6])
def test_search_counts_every_set_once_and_in_any_portions(cap):
    """The search counts every set once; adding members in portions gives the same minimum as adding all at once."""
    posterior = DependencePosterior(data(gaussian(9, 60, 3, 0.7)), prior=0.05)
    evidence, members = posterior.evidence(cap), np.arange(2, 9)
    heads, most = np.array([0, 1]), min(cap, 7)
    whole, parts = np.full((1, most + 2), np.inf), np.full((1, most + 2), np.inf)
    chain = np.full((1, most + 2, most), -1, dtype=np.int16)
    n_sets = sum(math.comb(7, size) for size in range(1, most + 1))
    assert search_sets(evidence, heads, members, 0, most, whole, chain) == n_sets
    counts = [
        search_sets(evidence, heads, members[:q], first, most, parts, chain) for first, q in ((0, 3), (3, 4), (4, 7))
    ]
    assert sum(counts) == n_sets
    np.testing.assert_allclose(parts, whole, rtol=1e-12)
    squares = {size: [] for size in range(1, most + 1)}
    for size in squares:
        for cond in combinations(range(2, 9), size):
            squares[size].append(naive_lmm.squared_partial_correlation(evidence.corr, 0, 1, frozenset(cond)))
    for size, found in squares.items():
        assert whole[0, size] == pytest.approx(min(found), rel=1e-9, abs=1e-18)


# --- the prior ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, row in FORMULAS["prior_examples"].items() if "r" in row])
def test_mixture_likelihood_and_its_slope_equal_high_precision(name):
    """Equation 5 at the best share is right, and so is its derivative at both ends of the range and at its zero."""
    row = FORMULAS["prior_examples"][name]
    null = np.exp([naive_lmm.log_density(r * r, row["N"] - 1) for r in row["r"]])
    assert mixture_likelihood(null, row["pi_hat"]) == pytest.approx(row["objective_at_pi_hat"], rel=1e-12)
    assert mixture_slope(null, 0.001) == pytest.approx(row["derivative_at_0.001"], rel=1e-10)
    assert mixture_slope(null, 0.2) == pytest.approx(row["derivative_at_0.2"], rel=1e-10)
    if 0.001 < row["pi_hat"] < 0.2:
        assert abs(mixture_slope(null, row["pi_hat"])) < 1e-6 * row["derivative_at_0.001"]


def test_prior_of_three_correlations_ends_at_the_highest():
    """The best share of three correlations is 0.5, beyond the range, so the prior is the upper end."""
    row = FORMULAS["prior_examples"]["three_N30"]
    corr = np.eye(3)
    corr[np.triu_indices(3, 1)] = row["r"]
    assert estimated_prior(corr, row["N"]).dependent == pytest.approx(row["pi_A"], rel=1e-12)


@pytest.mark.parametrize("name", references.GAUSSIAN)
def test_prior_of_samples_equals_high_precision(name):
    """Priors equal high-precision values, for one sample inside the range and for one at its upper end."""
    row, dataset = FORMULAS["prior_examples"][name], references.dataset(name)
    prior = DependencePosterior(dataset).prior
    assert prior.estimated
    assert prior.dependent == pytest.approx(row["pi_A"], rel=1e-9)
    at = np.argmin(np.abs(prior.shares - row["pi_hat"]))
    if prior.shares[at] == pytest.approx(row["pi_hat"], rel=1e-9):
        assert prior.log_likelihood[at] == pytest.approx(row["objective_at_pi_hat"], rel=1e-10)


@settings(max_examples=40, deadline=None)
@given(p=st.integers(2, 12), n=st.integers(5, 400), seed=st.integers(0, 10_000), density=st.floats(0.0, 1.0))
def test_prior_is_the_best_share_of_a_fine_grid_and_its_curve_is_concave(p, n, seed, density):
    """The bisection finds the best share of a fine grid within the range, and the likelihood is concave."""
    posterior = DependencePosterior(data(gaussian(p, n, seed, density)))
    prior = posterior.prior
    assert MIN_PRIOR / 2 <= prior.dependent <= MAX_PRIOR / 2
    expected = naive_lmm.best_prior(np.asarray(posterior.evidence(0).corr), n)
    assert prior.dependent == pytest.approx(expected, rel=1e-4)  # the last digits of a flat maximum are lost
    slopes = np.diff(prior.log_likelihood) / np.diff(prior.shares)
    assert (np.diff(slopes) <= 1e-6 * (1 + np.abs(slopes[1:]))).all()


def test_a_given_prior_is_used_as_it_is():
    """A given prior is not halved, and the curve is still available."""
    posterior = DependencePosterior(data(gaussian(4, 50, 1)), prior=0.3)
    assert posterior.prior.dependent == 0.3
    assert not posterior.prior.estimated
    assert np.isfinite(posterior.prior.log_likelihood).all()
    rho = naive_tests.partial_correlation(posterior.evidence(1).corr, 0, 1, (2,))
    assert posterior.log_odds(0, 1, [2]) == pytest.approx(naive_lmm.log_odds(rho**2, 50, 1, 0.3), rel=1e-10)


# --- variables determined by a set ----------------------------------------------------------------------------------


def test_redundant_sets_are_skipped_and_determined_variables_are_independent():
    """A variable that the set determines is independent of all others; redundant sets have infinite log-odds."""
    values = gaussian(5, 40, 2, 0.8)
    values[:, 4] = values[:, 0] + values[:, 1]
    posterior = DependencePosterior(data(values), prior=0.05)
    null = naive_lmm.log_odds(0.0, 40, 2, 0.05)
    assert posterior.log_odds(4, 2, [0, 1]) == pytest.approx(null, rel=1e-12)
    assert posterior.log_odds(2, 4, [1, 0]) == pytest.approx(null, rel=1e-12)
    assert posterior.log_odds(2, 3, [0, 1, 4]) == math.inf
    assert math.isfinite(posterior.log_odds(2, 3, [0, 4]))


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(20))
def test_minimum_over_redundant_sets_equals_the_reference(seed):
    """The minimum is finite and right with sums, differences and constants among the columns."""
    values = gaussian(8, 30, seed, 0.5)
    values[:, 5] = values[:, 0] + values[:, 1]
    values[:, 6] = values[:, 2] - 0.5 * values[:, 3]
    values[:, 7] = 3.0
    posterior = DependencePosterior(data(values), prior=0.05)
    evidence = posterior.evidence(4)
    value = naive_lmm.from_data(evidence.corr, 30, 0.05)
    for x, y in combinations(range(8), 2):
        pool = [k for k in range(8) if k not in (x, y)]
        sets = [frozenset(cond) for size in range(5) for cond in combinations(pool, size)]
        expected = min(s for s in (value(x, y, cond) for cond in sets) if s is not None)
        found = least_over(evidence, x, y, np.array(pool), 4)[0]
        assert math.isfinite(found)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("noise", [1e-4, 1e-5, 3e-6, 1.1e-6, 1e-6, 9e-7, 1e-8])
def test_nearly_singular_sets_never_give_nan(noise):
    """Columns that equal other columns plus slight noise give finite values and squares of at most 1."""
    rng = np.random.default_rng(5)
    values = gaussian(7, 50, 4, 0.6)
    values[:, 4] = values[:, 0] + values[:, 1] + noise * rng.normal(size=50)
    values[:, 5] = values[:, 1] - values[:, 2] + noise * rng.normal(size=50)
    values[:, 6] = values[:, 4] + values[:, 5] + noise * rng.normal(size=50)
    evidence = DependencePosterior(data(values), prior=0.05).evidence(4)
    for x, y in combinations(range(7), 2):
        pool = np.array([k for k in range(7) if k not in (x, y)])
        low, chain = np.full((1, 6), np.inf), np.full((1, 6, 4), -1, dtype=np.int16)
        search_sets(evidence, np.array([x, y]), pool, 0, 4, low, chain)
        assert not np.isnan(low).any()
        assert (low[np.isfinite(low)] <= 1.0).all()
        assert math.isfinite(least_over(evidence, x, y, pool, 4)[0])


def test_more_variables_than_rows_are_fine():
    """The sets of 40 columns in 12 rows are regular, although the matrix of all correlations is singular."""
    posterior = DependencePosterior(data(np.random.default_rng(1).normal(size=(12, 40))), prior=0.05)
    evidence = posterior.evidence(4)
    value = naive_lmm.from_data(evidence.corr, 12, 0.05)
    for cond in ((2,), (3, 9), (30, 31, 32), (5, 6, 7, 8)):
        assert posterior.log_odds(0, 1, cond) == pytest.approx(value(0, 1, frozenset(cond)), rel=1e-9)


def test_sets_of_the_largest_size_that_the_rows_allow_tell_nothing():
    """With n = size + 4 the null density is flat, so only the prior counts; with one row fewer the set is refused."""
    posterior = DependencePosterior(data(gaussian(7, 8, 1)), prior=0.2)
    s = posterior.log_odds(0, 1, [2, 3, 4, 5])
    assert s == pytest.approx(math.log(0.1 / (0.8 * 0.5)), rel=1e-12)
    with pytest.raises(DataError, match="^sets of 5 variables need at least 9 rows, found 8; lower max_cond_size"):
        posterior.evidence(5)


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: references.dataset("asia_n2000"), DataError, "DependencePosterior uses partial correlations, which"),
        (lambda: data(np.eye(4)[:, :2]), DataError, "LMM needs at least 5 rows, found 4"),
        (
            lambda: data(np.column_stack([np.arange(9.0), np.arange(9.0) ** 2, -3 * np.arange(9.0) + 1])),
            DataError,
            "columns 'v0' and 'v2' carry the same information",
        ),
    ],
    ids=["categorical", "rows", "copies"],
)
def test_posterior_refuses_data_with_a_sentence(make, error, message):
    """Data are refused with a message that states the requirement and the columns that violate it."""
    with pytest.raises(error, match="^" + message):
        DependencePosterior(make())


@pytest.mark.parametrize("prior", [0, 1, -0.1, 1.5, math.nan, True, "0.1"])
def test_posterior_refuses_a_prior_that_is_none(prior):
    """A prior that does not lie strictly between 0 and 1 is refused."""
    with pytest.raises(ParameterError, match=r"^prior must be (in \(0, 1\)|a number or None), got"):
        DependencePosterior(data(gaussian(3, 20, 1)), prior=prior)


# --- the oracle -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_oracle_probabilities_are_0_and_1_by_d_separation(seed):
    """The probabilities are 0 or 1 by d-separation, for every pair and set of a random DAG of 5 nodes."""
    dag = naive.random_dag(np.random.default_rng(seed), 5, 8)
    oracle = DependenceOracle(PDAG(dag))
    for x, y in combinations(range(5), 2):
        others = [k for k in range(5) if k not in (x, y)]
        for size in range(4):
            for cond in combinations(others, size):
                expected = 0.0 if naive.d_separated(dag, x, y, cond) else 1.0
                assert probability(oracle.log_odds(x, y, cond)) == probability(oracle.log_odds(y, x, cond)) == expected


def test_oracle_refuses_graphs_whose_sets_fill_no_table():
    """A graph with 15 nodes is refused, because the oracle has a table of all sets."""
    with pytest.raises(ParameterError, match="^the oracle must have at most 14 variables, got 15"):
        DependenceOracle(PDAG(np.zeros((15, 15), dtype=bool)))
