"""Tests of posteriors: one interface for every learner with probabilities, and its invariants."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learners import LEARNERS, LearnResult, Posterior, learn
from tests.learners.test_registry import sample

pytestmark = pytest.mark.compiled
GIVE = ("bootstrap", "brai", "order_mcmc", "exact_posterior")
FEW = {"bootstrap": {"n_resamples": 6}, "brai": {"roots": 3}}
CASES = [(key, kind) for key in GIVE for kind in LEARNERS[key].kinds]
NOISE = 0.1  # maximum sampling error against exact sums


@cache
def learnt(key: str, kind: str) -> LearnResult:
    return learn(key, sample(kind, p=6), **FEW.get(key, {}))


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_posterior_keeps_the_laws_of_probability(key, kind):
    """P(arrow) <= P(edge) <= P(blanket), P(arrow) <= P(path), and P(v-structure) is at most that of its arrows."""
    result = learnt(key, kind)
    posterior, p = result.posterior, 6
    assert isinstance(posterior, Posterior)
    paths = posterior.paths()
    for values in (posterior.adjacent, posterior.directed, posterior.blanket, paths):
        assert values.shape == (p, p)
        assert values.min() >= 0.0
        assert values.max() <= 1.0
        assert not np.diag(values).any()
    np.testing.assert_allclose(posterior.directed + posterior.directed.T, posterior.adjacent, atol=1e-12)
    np.testing.assert_array_equal(posterior.blanket, posterior.blanket.T)
    assert (posterior.blanket >= posterior.adjacent - 1e-12).all()
    assert (paths >= posterior.directed - NOISE).all()
    for (i, k, j), value in posterior.v_structures.items():
        assert 0.0 < value <= min(posterior.directed[i, k], posterior.directed[j, k]) + NOISE
        assert i < j


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_strengths_are_the_posterior(key, kind):
    """Strengths equal the posterior, which lies within the confidence limits."""
    result = learnt(key, kind)
    off = ~np.eye(6, dtype=bool)
    np.testing.assert_allclose(result.strengths.values[off], result.posterior.adjacent[off], atol=1e-12)
    if result.strengths.limits:
        low, high = result.strengths.limits
        assert (low[off] <= result.strengths.values[off] + 1e-12).all()
        assert (high[off] >= result.strengths.values[off] - 1e-12).all()


@pytest.mark.parametrize("key", [key for key in LEARNERS if key not in GIVE])
def test_no_other_learner_has_one(key):
    """Other learners have None as posterior."""
    assert learn(key, sample(LEARNERS[key].kinds[0], p=4)).posterior is None


@pytest.mark.parametrize("key", [key for key in GIVE if key != "brai"])
def test_a_run_cancelled_at_once_has_none(key):
    """A run that is cancelled at once has no posterior, except for B-RAI with the finished part of its tree."""
    assert learn(key, sample("categorical"), tick=lambda *_: False).posterior is None
