"""BIC of continuous data under linear regressions with normal noise."""

from __future__ import annotations

import math

import numpy as np

from ..common.arrays import frozen
from ..common.errors import DataError
from ..common.validation import validated
from ..data.columns import BLOCK_ROWS, MAX_COPIED_BYTES
from ..data.dataset import Dataset
from ..data.embedding import EmbeddedSample, embedded, positions_by_name
from ..data.lacking_type import no_numbers
from ..kernels.scores.degenerate_gaussian import EmbeddedFamilies
from ..kernels.scores.gaussian import GaussianFamilies
from ..settings.shared import PENALTY
from .node_average import doubts
from .score import FamilyScore


@validated
class GaussianBIC(FamilyScore):
    """Log-likelihood at the residual variance RSS / n, minus ½ ln n for each of |parents| + 2 parameters.

    Parameters
    ----------
    dataset : Dataset
        Continuous, at least 4 rows; row weights count. With missing values, its completed moments, if it has any. Else
        the gain of parents is computed on the rows of the family, with a deduction for the rows that lack it: see
        `node_average.doubts`.
    penalty : float, default 1.0
        Factor of the penalty of a parameter; larger values give sparser graphs.
    extended : bool, default False
        True: extended BIC, which adds ln p to the penalty of a parameter, with p variables [1]_.

    Raises
    ------
    DataError
        If the data are categorical or have too few rows.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    DAGs of one equivalence class have the same score [2]_, also if columns determine one another. Parents that other
    parents determine explain nothing more; a variable that its parents determine keeps about 1e-12 of its variance, and
    a constant one counts as of variance 1, so that every score is finite.

    References
    ----------
    .. [1] Foygel and Drton (2010), Extended Bayesian information criteria for Gaussian graphical models, NeurIPS 23,
       with γ = ½; after Chen and Chen (2008), Biometrika 95.
    .. [2] Geiger and Heckerman (1994), Learning Gaussian networks, UAI; Schwarz (1978).
    """

    def __init__(self, dataset: Dataset, *, penalty: float = 1.0, extended: bool = False) -> None:
        PENALTY.check(penalty)
        self.settings = {"penalty": penalty, "extended": extended}
        if dataset.kind != "continuous":
            raise no_numbers("GaussianBIC", "covariances", dataset, categories="BIC", mixed="DegenerateBIC")
        if dataset.n < 4:
            raise DataError(f"GaussianBIC needs at least 4 rows, found {dataset.n}; load a longer table")
        if not dataset.complete:
            sample = embedded(dataset)
            per_parameter = penalty_of_parameter(sample.n, dataset.p, penalty, extended)
            super().__init__(dataset.names, embedded_families(dataset, sample, per_parameter))
            return
        per_parameter = penalty_of_parameter(dataset.n, dataset.p, penalty, extended)
        log_variance = _log_variance(dataset.values, dataset.shares)
        log_variance.flags.writeable = False
        sample = GaussianFamilies(dataset.correlation, log_variance, dataset.n, per_parameter, ranks_by_name(dataset))
        super().__init__(dataset.names, sample, most_parents=dataset.n - 3)


def ranks_by_name(dataset: Dataset) -> np.ndarray:
    """Return (p,) int64, read-only: the rank of each variable by name."""
    return frozen(np.argsort(dataset.by_name))


def embedded_families(dataset: Dataset, sample: EmbeddedSample, per_parameter: float) -> EmbeddedFamilies:
    """Return the kernel form of the score of embedded columns, with the penalty of a parameter in nats."""
    rank = frozen(np.argsort(positions_by_name(dataset, sample.first)))
    return EmbeddedFamilies(sample, sample.n, per_parameter, doubts(dataset), rank)


def penalty_of_parameter(n: int, p: int, penalty: float, extended: float) -> float:
    """Return the penalty of a parameter, in nats."""
    return penalty * (0.5 * math.log(n) + extended * math.log(p))


def _log_variance(values: np.ndarray, shares: np.ndarray | None) -> np.ndarray:
    """Return ln of the mean squared deviation of each column, 0 for a constant one, without overflow in any unit.

    `shares` (n,) are row weights.
    """
    if values.nbytes > MAX_COPIED_BYTES:  # a copy would take too much memory
        exponent, variance = _variance_by_blocks(values, shares)
    else:
        exponent = np.frexp(np.abs(values).max(axis=0))[1]
        scaled = np.ldexp(values, -exponent)
        variance = (
            scaled.var(axis=0)
            if shares is None
            else np.average((scaled - np.average(scaled, axis=0, weights=shares)) ** 2, axis=0, weights=shares)
        )
    flat = variance <= 1e-26  # rounding error of numbers near 1
    return np.where(flat, 0.0, np.log(np.where(flat, 1.0, variance)) + 2.0 * math.log(2.0) * exponent)


def _variance_by_blocks(values: np.ndarray, shares: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the exponent of each column, and the variance of its numbers divided by this power of two."""
    n, p = values.shape
    blocks = [slice(at, at + BLOCK_ROWS) for at in range(0, n, BLOCK_ROWS)]
    largest, total, squares = np.zeros(p), np.zeros(p), np.zeros(p)
    for rows in blocks:
        np.maximum(largest, np.abs(values[rows]).max(axis=0), out=largest)
    exponent = np.frexp(largest)[1]
    weight = n if shares is None else shares.sum()
    for rows in blocks:
        own = np.ldexp(values[rows], -exponent)
        total += own.sum(axis=0) if shares is None else shares[rows] @ own
    for rows in blocks:
        own = (np.ldexp(values[rows], -exponent) - total / weight) ** 2
        squares += own.sum(axis=0) if shares is None else shares[rows] @ own
    return exponent, squares / weight
