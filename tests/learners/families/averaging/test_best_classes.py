"""Tests of the exact best classes, against full enumeration and the known optimum."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BDeu, DataError, Dataset, GaussianBIC, cpdag
from learners.evaluation.posterior import Posterior
from learners.families.averaging.best_classes import best_classes, local_scores
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG
from tests import naive
from tests.references import dataset as reference_sample


def data_of(p: int, n: int, seed: int) -> Dataset:
    """Draw weakly dependent columns of two and three states."""
    rng = np.random.default_rng([p, n, seed])
    codes = [rng.integers(0, 2, n)]
    for k in range(1, p):
        column = (codes[int(rng.integers(0, k))] + codes[int(rng.integers(0, k))]) % 2
        codes.append(np.where(rng.random(n) < 0.5, column, rng.integers(0, 2 + k % 2, n)))
    return Dataset.from_codes(codes, [2 + (k > 0 and k % 2) for k in range(p)], [f"v{k}" for k in range(p)])


@pytest.mark.parametrize("p", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_best_classes_are_those_of_full_enumeration(p, seed):
    """Scores are in descending order and each class occurs once, for all classes and for the first few."""
    score = BDeu(data_of(p, 60, seed))
    every = {cpdag(PDAG(dag)): score.network(PDAG(dag)) for dag in naive.all_dags(p)}
    expected = sorted(every.values(), reverse=True)
    for k in (1, 7, 1_000):
        found = best_classes(score, k)
        assert [one.score for one in found] == pytest.approx(expected[:k])
        assert len({one.graph for one in found}) == len(found)
        assert all(one.score == pytest.approx(every[one.graph]) for one in found)
    with_one = {cpdag(PDAG(dag)) for dag in naive.all_dags(p) if dag.sum(axis=0).max() <= 1}
    assert {one.graph for one in best_classes(score, 1_000, max_parents=1)} == with_one


@pytest.mark.deep
@pytest.mark.compiled
def test_best_classes_of_five_variables_agree_with_enumeration_by_orders():
    """All 8 782 classes of five variables are found; their total weight equals a sum by inclusion and exclusion."""
    score = BDeu(data_of(5, 80, 1))
    found = best_classes(score, 10_000)
    assert len(found) == 8_782
    assert sum(one.size for one in found) == 29_281
    local = local_scores(score)
    top = found[0].score
    total = sum(one.size * np.exp(one.score - top) for one in found)
    assert np.log(total) + top == pytest.approx(log_total(local), rel=1e-12)


def log_total(local: np.ndarray) -> float:
    """Return ln of the summed weight of all DAGs by Robinson's recursion over sets of sinks with alternating signs."""
    p = len(local)
    top = local.max(axis=1)
    inside = np.zeros((p, 1 << p))
    for j in range(p):
        for mask in range(1 << p):
            below = [sub for sub in range(mask + 1) if sub & ~mask == 0 and not sub >> j & 1]
            inside[j, mask] = np.exp(local[j, below] - top[j]).sum()
    weight = np.zeros(1 << p)
    weight[0] = 1.0
    for w in range(1, 1 << p):
        for sinks in range(1, w + 1):
            if sinks & ~w:
                continue
            members = [j for j in range(p) if sinks >> j & 1]
            ways = np.prod([inside[j, w & ~sinks] for j in members])
            weight[w] += (-1.0) ** (len(members) + 1) * ways * weight[w & ~sinks]
    return float(np.log(weight[-1]) + top.sum())


@pytest.mark.compiled
def test_best_classes_do_not_depend_on_threads():
    """Neither the number of threads nor a larger k changes the first classes."""
    score = BDeu(reference_sample("asia_n2000"))
    one, four, more = (best_classes(score, k, max_parents=3, threads=t) for k, t in ((15, 1), (15, 4), (40, 2)))
    for other in (four, more[:15]):
        assert [each.graph for each in one] == [each.graph for each in other]
        assert [each.score for each in one] == [each.score for each in other]
    assert len({each.graph for each in more}) == 40


@pytest.mark.compiled
def test_best_class_of_a_sample_is_the_exact_optimum():
    """Hill climbing and tabu search find no score above that of the best class (BDeu, ess 1)."""
    from learners import hc, tabu

    for name in ("asia_n2000", "survey_n2000"):
        score = BDeu(reference_sample(name))
        best = best_classes(score, 1)[0]
        assert best.score >= max(tabu(score).score, hc(score, restarts=5, perturbations=3).score) - 1e-6
        assert score.network(consistent_extension(best.graph).dag) == pytest.approx(best.score)


def test_exact_posterior_takes_continuous_data():
    """The exact posterior accepts continuous data, since it needs only a score that is equal within classes."""
    data = reference_sample("gauss_p12_n500").select([0, 1, 2, 3, 4])
    posterior = Posterior(best_classes(GaussianBIC(data), 50))
    assert posterior.shares.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(posterior.directed + posterior.directed.T, posterior.adjacent, atol=1e-12)


def test_best_classes_refuse_large_networks():
    with pytest.raises(DataError, match="at most 14 columns, found 20"):
        best_classes(BDeu(reference_sample("child_n2000")), 3)
