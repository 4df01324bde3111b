"""Scores and tests on the population of a known network."""

from __future__ import annotations

import numpy as np

from learners import Dataset
from learners.kernels.scores.gaussian import GaussianFamilies
from learners.scores.score import FamilyScore


def gaussian_score(dag: np.ndarray, rng: np.random.Generator, n: int = 10**8) -> FamilyScore:
    """Return the Gaussian BIC of n rows whose sample covariance is the true one of strong linear equations."""
    p = len(dag)
    weights = dag * rng.uniform(0.5, 1.0, (p, p)) * rng.choice([-1.0, 1.0], (p, p))
    inverse = np.linalg.inv(np.eye(p) - weights)
    covariance = inverse.T @ np.diag(rng.uniform(1.0, 2.0, p)) @ inverse
    scale = np.sqrt(np.diag(covariance))
    corr, log_variance = covariance / np.outer(scale, scale), 2.0 * np.log(scale)
    for array in (corr, log_variance):
        array.flags.writeable = False
    names = tuple(f"v{k}" for k in range(p))
    return FamilyScore(names, GaussianFamilies(corr, log_variance, n, 0.5 * np.log(n), np.arange(p)))


def binary_rows(dag: np.ndarray, rng: np.random.Generator, n: int = 10**9) -> Dataset:
    """Return each combination of binary variables once, weighted by its probability under strong effects."""
    p = len(dag)
    codes = (np.arange(2**p)[:, None] >> np.arange(p)) & 1
    log_p = np.zeros(2**p)
    for j in range(p):
        parents = np.flatnonzero(dag[:, j])
        effects = rng.uniform(1.0, 2.0, len(parents)) * rng.choice([-1, 1], len(parents))
        logit = rng.uniform(-0.5, 0.5) + (2 * codes[:, parents] - 1) @ effects
        log_p -= np.log1p(np.exp(np.where(codes[:, j] == 1, -logit, logit)))
    names = [f"v{k}" for k in range(p)]
    return Dataset.from_codes(codes.T, [2] * p, names, weights=np.round(np.exp(log_p) * n).astype(np.int64))
