"""Effect on a categorical variable by standardization: a logistic regression, averaged over the rows.

Robins (1986), A new approach to causal inference in mortality studies, Mathematical Modelling 7 (the g-formula). The
regression has indicators for levels and no interactions. Intervals are by the delta method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import softmax

from ..common.errors import DataError
from ..common.wording import quoted
from ..data.dataset import Dataset
from ..data.pooling import MAX_DOF
from ..networks.regression_estimates import logistic
from .linear_regression import numbers_of, scaled_gram
from .pooled_estimate import Estimate, weights_of

STEP = 1e-3  # step of the numeric derivative, in standard errors of a coefficient
MAX_WORK = 2e9  # maximum number of products in a step of the regression


def standardized_shares(own: Dataset) -> Estimate:
    """Return the (r_x, r_y) probabilities of the levels of y with x set to each level."""
    model = _Standardized(own)
    parts = [model.estimate(model.at(level)) for level in range(model.n_levels)]
    values, variance = (np.array(part) for part in zip(*parts, strict=True))
    absent = ~model.has_level
    values[absent] = variance[absent] = np.nan
    return Estimate("shares", values, variance, MAX_DOF, model.has_level.astype(np.float64))


def share_difference(own: Dataset, levels: tuple[int, int], of: int) -> Estimate:
    """Return the change of the probability of one level of y if x changes from one level to another."""
    model = _Standardized(own)
    if not model.has_level[list(levels)].all():
        raise DataError(f"{quoted(own.names[:1])} does not have both levels in these rows; choose other levels")
    before, after = (model.at(level) for level in levels)
    value, variance = model.estimate(lambda beta: after(beta) - before(beta))
    return Estimate("slope", value[of], variance[of], MAX_DOF, np.ones(()))


def share_slopes(own: Dataset) -> Estimate:
    """Return the (r_y,) mean changes of the probabilities of the levels of y per unit of a numeric x."""
    model = _Standardized(own)
    return Estimate("slopes", *model.estimate(model.slopes), MAX_DOF, np.empty(0))


Prediction = Callable[[np.ndarray], np.ndarray]  # coefficients (1 + m, r_y) -> (n, r_y) numbers of each row


class _Standardized:
    """A logistic regression of the second column on the others, whose predictions are averaged over the rows."""

    def __init__(self, own: Dataset):
        self.weights, r = weights_of(own), int(own.arity[own.place[1]])
        cause = numbers_of(own, 0, first=0)
        self.has_level = self.weights @ (cause != 0) > 0  # of a categorical x
        self.n_levels, self.present = cause.shape[1], np.flatnonzero(self.has_level)
        if own.kinds[0] == "categorical":
            cause = cause[:, self.present[1:]]  # the first level with rows is the reference
        design = np.hstack([cause, *(numbers_of(own, j) for j in range(2, own.p))])
        if len(design) * (float(design.shape[1] + 1) * r) ** 2 > MAX_WORK:
            raise DataError(
                f"a logistic regression of the {r:,} levels of {quoted(own.names[1:2])} on {design.shape[1]:,} "
                "columns is too large; merge levels, or adjust for fewer columns"
            )
        # Standardized columns keep the coefficients nearly uncorrelated, so that steps of one of them are small.
        self.middle = self.weights @ design / self.weights.sum()
        spread = np.sqrt(self.weights @ (design - self.middle) ** 2 / self.weights.sum())
        self.spread = np.where(spread > 0, spread, 1.0)
        self.design = np.column_stack([np.ones(len(design)), (design - self.middle) / self.spread])
        varies = np.append(True, np.ptp(design, axis=0) > 0)
        varies[: 1 + cause.shape[1]] = True  # an effect of a constant is not determined
        scaled_gram(own, self.design[:, varies], self.weights)
        found = logistic(self.design[:, 1:].T, own.codes[own.place[1]], self.weights, r)
        self.beta, self.covariance = found.coefficients, found.covariance

    def at(self, level: int) -> Prediction:
        """Return the prediction with x set to a level in all rows."""
        moved, k = self.design.copy(), len(self.present) - 1
        moved[:, 1 : 1 + k] = ((self.present[1:] == level) - self.middle[:k]) / self.spread[:k]
        return lambda beta: softmax(moved @ beta, axis=1)

    def slopes(self, beta: np.ndarray) -> np.ndarray:
        """Return the derivatives of the probabilities by x."""
        share = softmax(self.design @ beta, axis=1)
        return share * (beta[1] - share @ beta[1][:, None]) / self.spread[0]

    def estimate(self, predict: Prediction) -> tuple[np.ndarray, np.ndarray]:
        """Return the (r_y,) means of a prediction over the rows, and their variances.

        A variance has two parts: of the coefficients (delta method), and of the rows in the average.
        """
        n, each = self.weights.sum(), predict(self.beta)
        mean = self.weights @ each / n
        error = np.sqrt(self.covariance.diagonal())
        gradient = np.zeros((error.size, mean.size))  # by coefficient in units of its standard error
        for k in np.flatnonzero(error):
            step = np.zeros(error.size)
            step[k] = STEP * error[k]
            step = np.column_stack([np.zeros(len(self.beta)), step.reshape(len(self.beta), -1)])
            change = predict(self.beta + step) - predict(self.beta - step)
            gradient[k] = self.weights @ change / n / (2.0 * STEP)
        scale = np.where(error > 0, error, 1.0)
        of_beta = np.einsum("ka,kl,la->a", gradient, self.covariance / np.outer(scale, scale), gradient)
        return mean, of_beta + self.weights @ (each - mean) ** 2 / n**2
