"""Exact inference in linear Gaussian networks: conditional normal distributions in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...common.errors import DataError
from ...common.wording import quoted
from .answers import Beliefs, Moments, MostProbableExplanation, ValueOfInformation
from .evidence import Evidence

RELATIVE_ROUNDING = 1e-13  # residual share of a variance that counts as rounding
BITS_PER_NAT = 1 / math.log(2)


class GaussianInference:
    """Inference for linear equations ``x_j = intercept_j + sum_i weights[i, j] x_i + e_j``.

    Parameters
    ----------
    names : sequence of str
    weights : (p, p) float64 array
    noise_variance, intercept : (p,) float64 arrays
    """

    def __init__(
        self, names: Sequence[str], weights: np.ndarray, noise_variance: np.ndarray, intercept: np.ndarray
    ) -> None:
        self.names, self.weights, self.noise_variance, self.intercept = names, weights, noise_variance, intercept
        effect = np.linalg.inv(np.eye(len(weights)) - weights.T)
        self.mean = effect @ intercept
        self.covariance = effect * noise_variance @ effect.T

    def posterior(self, evidence: Evidence) -> Beliefs:
        """Return mean and variance of every variable."""
        mean, covariance, log_density = self.given(evidence)
        pairs = zip(self.names, mean.tolist(), np.diag(covariance).tolist(), strict=True)
        return Beliefs({name: Moments(m, v) for name, m, v in pairs}, log_density)

    def distribution(self, evidence: Evidence, j: int) -> Moments:
        """Return mean and variance of one variable."""
        return self.posterior(evidence)[self.names[j]]

    def log_probability(self, evidence: Evidence) -> float:
        """Return the log density of the evidence."""
        if len(evidence.known) == len(self.names):
            case = np.array([evidence.known[j] for j in range(len(self.names))])
            off = (case - self.intercept - case @ self.weights) ** 2 / self.noise_variance
            return -0.5 * float(np.sum(off + np.log(2 * math.pi * self.noise_variance)))
        return self.given(evidence)[2]

    def most_probable(self, evidence: Evidence) -> MostProbableExplanation:
        """Return the conditional means, with the log density of the unknown variables."""
        mean, covariance, _ = self.given(evidence)
        free = [j for j in range(len(mean)) if j not in evidence.known]
        log_volume = float(np.linalg.slogdet(covariance[np.ix_(free, free)])[1]) if free else 0.0
        case = dict(zip(self.names, mean.tolist(), strict=True))
        return MostProbableExplanation(case, -0.5 * (len(free) * math.log(2 * math.pi) + log_volume))

    def value_of_information(self, j: int, evidence: Evidence) -> list[ValueOfInformation]:
        """Return the mutual information -log2(1 - r²) / 2 of each unknown variable with j, in descending order."""
        covariance = self.given(evidence)[1]
        found = []
        for k in range(len(self.names)):
            if k != j and k not in evidence.known:
                product = covariance[j, j] * covariance[k, k]
                shared = covariance[j, k] ** 2 / product if product > 0 else 0.0
                found.append(
                    ValueOfInformation(
                        self.names[k], -0.5 * BITS_PER_NAT * math.log1p(-min(shared, 1 - RELATIVE_ROUNDING))
                    )
                )
        return sorted(found, key=lambda one: -one.bits)

    def given(self, evidence: Evidence) -> tuple[np.ndarray, np.ndarray, float]:
        """Return the conditional mean and covariance, and the log density of the evidence.

        Notes
        -----
        A measured value is treated as a known child of its variable, with the variance of the measurement as noise.
        """
        known = list(evidence.known) + list(evidence.likely)
        if not known:
            return self.mean, self.covariance, 0.0
        values = np.array([*evidence.known.values(), *(likely[0] for likely in evidence.likely.values())])
        noise = np.array([0.0] * len(evidence.known) + [likely[1] for likely in evidence.likely.values()])
        own = self.covariance[np.ix_(known, known)] + np.diag(noise)
        scale = np.sqrt(np.diag(own))
        try:
            root = np.linalg.cholesky(own / np.outer(scale, scale))
        except np.linalg.LinAlgError:
            names = quoted(self.names[j] for j in known)
            raise DataError(f"some of {names} determine another one of them; remove one of these") from None
        off = np.linalg.solve(root, (values - self.mean[known]) / scale)
        shared = np.linalg.solve(root, self.covariance[known] / scale[:, None])
        mean = self.mean + shared.T @ off
        covariance = self.covariance - shared.T @ shared
        sure = list(evidence.known)
        mean[sure] = [evidence.known[j] for j in sure]
        covariance[sure] = covariance[:, sure] = 0.0
        np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
        log_volume = 2 * float(np.sum(np.log(np.diag(root))) + np.sum(np.log(scale)))
        return mean, covariance, -0.5 * (float(off @ off) + log_volume + len(known) * math.log(2 * math.pi))
