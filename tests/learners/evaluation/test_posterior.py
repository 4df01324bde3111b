"""Tests of posterior probabilities of features by enumeration of all DAGs and of the DAGs of some classes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import G2, PDAG, BDeu, Dataset, ParameterError, cpdag, dags_of_class
from learners.evaluation.categorical_likelihood import predictive_log_likelihood
from learners.evaluation.posterior import Posterior, RankedClass
from learners.families.brai.brai import brai
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.cpdag import v_structures
from learners.graphs.graph import ancestors, markov_blanket
from tests import naive
from tests.references import dataset as reference_sample


def data_of(p: int, n: int, seed: int) -> Dataset:
    """Draw weakly dependent columns, so that no class has all the weight."""
    rng = np.random.default_rng([p, n, seed])
    codes = [rng.integers(0, 2, n)]
    for k in range(1, p):
        codes.append(np.where(rng.random(n) < 0.4, codes[int(rng.integers(0, k))], rng.integers(0, 2, n)))
    return Dataset.from_codes(codes, [2] * p, [f"v{k}" for k in range(p)])


def features(dags: list[PDAG], weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return the weighted averages of all features over the DAGs."""
    p = dags[0].p
    found = {name: np.zeros((p, p)) for name in ("adjacent", "directed", "blanket", "paths")}
    triples: dict[tuple[int, int, int], float] = {}
    for dag, weight in zip(dags, weights, strict=True):
        found["directed"] += weight * dag.amat
        found["adjacent"] += weight * dag.skeleton
        for i in range(p):
            found["paths"][i, list(naive.reachable(dag.amat, i))] += weight
            found["blanket"][i, list(markov_blanket(dag, i))] += weight
        for triple in v_structures(dag):
            triples[triple] = triples.get(triple, 0.0) + weight
    np.fill_diagonal(found["paths"], 0.0)
    return {**found, "v_structures": triples}


def check_features(posterior: Posterior, expected: dict) -> None:
    for name in ("adjacent", "directed", "blanket"):
        np.testing.assert_allclose(getattr(posterior, name), expected[name], atol=1e-10)
    found = posterior.paths()
    np.testing.assert_allclose(found - np.diag(np.diag(found)), expected["paths"], atol=1e-10)
    assert posterior.v_structures == pytest.approx(expected["v_structures"], abs=1e-10)
    values = list(posterior.v_structures.values())
    assert values == sorted(values, reverse=True)
    np.testing.assert_allclose(posterior.directed + posterior.directed.T, posterior.adjacent, atol=1e-12)
    assert posterior.shares.sum() == pytest.approx(1.0)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("p", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_posterior_over_all_classes_is_that_over_all_dags(p, seed):
    """The posterior over all classes (2, 11 or 185) equals that over all DAGs (3, 25 or 543)."""
    data = data_of(p, 40, seed)
    score = BDeu(data)
    dags = [PDAG(amat) for amat in naive.all_dags(p)]
    scores = np.array([score.network(dag) for dag in dags])
    weights = np.exp(scores - scores.max())
    classes = {cpdag(dag): value for dag, value in zip(dags, scores.tolist(), strict=True)}
    posterior = Posterior(RankedClass(graph, value) for graph, value in classes.items())
    check_features(posterior, features(dags, weights / weights.sum()))


@pytest.mark.parametrize("seed", range(3))
def test_posterior_of_a_tree_is_the_average_over_the_dags_of_its_classes(seed):
    """The posterior equals an average over the listed DAGs of each class, weighted by their score."""
    data = data_of(7, 120, seed)
    posterior = brai(G2(data, dof="plain"), BDeu(data), s=3, roots=1, seed=seed).extra.posterior(12)
    score = BDeu(data)
    dags = [dag for one in posterior.classes for dag in dags_of_class(one.graph)]
    scores = np.array([score.network(dag) for dag in dags])
    weights = np.exp(scores - scores.max())
    check_features(posterior, features(dags, weights / weights.sum()))
    assert min(posterior.paths().min(), posterior.directed.min()) >= 0.0
    assert max(posterior.paths().max(), posterior.blanket.max()) <= 1.0


def test_paths_refuse_classes_too_large_to_list():
    with pytest.raises(ParameterError, match="more than 100 members"):
        Posterior([RankedClass(PDAG.complete(6), 0.0)]).paths(cap=100)


def test_predictive_log_likelihood_is_what_the_table_of_parameters_gives():
    """The predictive log-likelihood equals a computation by hand and is equal for all DAGs of a class.

    The new rows include states and parent configurations that never occur in training.
    """
    train = Dataset.from_codes([[0, 0, 1], [0, 1, 1]], [2, 3], ["a", "b"])
    new = Dataset.from_codes([[0, 1], [2, 1]], [2, 3], ["a", "b"])
    dag = PDAG.from_edges(2, directed=[(0, 1)])
    # P(a = 0) = (2 + 1/2) / (3 + 1), P(b = 2 | a = 0) = (0 + 1/6) / (2 + 1/2), and so on.
    by_hand = math.log(2.5 / 4 * (1 / 6) / 2.5) + math.log(1.5 / 4 * (1 + 1 / 6) / 1.5)
    assert predictive_log_likelihood(dag, train, new) == pytest.approx(by_hand)
    back = PDAG.from_edges(2, directed=[(1, 0)])
    assert predictive_log_likelihood(back, train, new) == pytest.approx(by_hand)


def test_predictive_log_likelihood_of_a_posterior_lies_among_those_of_its_classes():
    """The predictive log-likelihood is that of the mixture of the classes; weights count as rows."""
    data = reference_sample("asia_n2000")
    train, new = (Dataset.from_codes(data.codes[:, rows], data.arity, data.names, data.levels)
                  for rows in (slice(0, 500), slice(500, None)))  # fmt: skip
    posterior = brai(G2(train, dof="plain"), BDeu(train), roots=1).extra.posterior(8)
    each = [predictive_log_likelihood(consistent_extension(one.graph).dag, train, new) for one in posterior.classes]
    mixed = posterior.predictive_log_likelihood(train, new)
    assert mixed == pytest.approx(np.logaddexp.reduce(np.array(each) + np.log(posterior.shares)))
    assert min(each) - 1e-9 <= mixed <= max(each) + 1e-9
    merged = posterior.predictive_log_likelihood(train.merged(), new.merged())
    assert merged == pytest.approx(mixed)


def test_ancestors_are_what_paths_averages():
    """For a single DAG, the posterior of paths is the matrix of its ancestors."""
    dag = PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    np.testing.assert_array_equal(Posterior([RankedClass(dag, 0.0)]).paths() > 0.5, ancestors(dag))
