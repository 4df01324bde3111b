"""Effect on a numeric variable by least squares, with indicators for levels and no interactions."""

from __future__ import annotations

import numpy as np

from ..common.errors import DataError
from ..common.memory import CELL_BYTES, check_memory
from ..common.wording import quoted
from ..data.dataset import Dataset
from .pooled_estimate import Estimate, weights_of

ALONE = 1e-8  # 1 - leverage below which a row determines a coefficient alone


def regressed(own: Dataset) -> Estimate:
    """Regress a numeric y; the first coefficients are those of x."""
    slope = own.kinds[0] == "continuous"
    parts = [np.ones((own.n_rows, 1)), numbers_of(own, 0)] if slope else [numbers_of(own, 0, first=0)]
    parts += [numbers_of(own, j) for j in range(2, own.p)]
    shares = weights_of(own)
    first = 1 if slope else parts[0].shape[1]
    design = np.hstack(parts)
    design[:, first:] -= shares @ design[:, first:] / max(shares.sum(), 1.0)
    there = shares @ (design != 0) > 0
    there[first:] &= np.ptp(design[:, first:], axis=0) > 0
    values, variance = (np.full(design.shape[1], np.nan) for _ in range(2))
    values[there], variance[there], dof = least_squares(own, design[:, there], own.values[:, own.place[1]], shares)
    if slope:
        return Estimate("slope", values[1], variance[1], dof, np.empty(0))
    return Estimate("means", values[:first], variance[:first], dof, there[:first].astype(np.float64))


def numbers_of(own: Dataset, j: int, first: int = 1) -> np.ndarray:
    """Return the (n, r - first) indicators of the levels from the level `first` on, or numbers less their mean, (n, 1).

    With their mean, seconds since 1970 would differ from the intercept by less than rounding.
    """
    k = own.place[j]
    if own.kinds[j] == "continuous":
        numbers, shares = own.values[:, [k]], weights_of(own)
        return numbers - shares @ numbers / max(shares.sum(), 1.0)
    check_memory(
        CELL_BYTES * float(own.n_rows) * float(own.arity[k]), f"the levels of {quoted([own.names[j]])}", "bin it"
    )
    return (own.codes[k][:, None] == np.arange(first, own.arity[k])).astype(np.float64)


def least_squares(
    own: Dataset, design: np.ndarray, y: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return coefficients, variances and degrees of freedom; raise DataError if the rows do not determine them.

    The variances allow errors whose spread differs between rows: HC3 (MacKinnon and White 1985, equation 12). A row
    that determines a coefficient alone has no residual, and gets the mean square of the residuals.
    """
    gram, scale = scaled_gram(own, design, shares)
    spread = (design / scale) @ np.linalg.inv(gram)
    beta = spread.T @ (y * shares) / scale
    left, dof = y - design @ beta, shares.sum() - design.shape[1]
    free = 1.0 - ((design / scale) * spread).sum(axis=1)
    squared = np.where(free < ALONE, shares @ left**2 / dof, (left / np.maximum(free, ALONE)) ** 2)
    return beta, (shares * squared) @ spread**2 / scale**2, float(dof)


def scaled_gram(own: Dataset, design: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the (k, k) weighted products of columns of length 1, and their (k,) lengths before.

    Raises
    ------
    DataError
        If the rows do not determine a regression on these columns.
    """
    n, k = shares.sum(), design.shape[1]
    if n <= k:
        raise DataError(f"a regression on {k} columns needs more than {k} rows, found {n:g}; adjust for fewer")
    weighed = design * np.sqrt(shares)[:, None]
    scale = np.linalg.norm(weighed, axis=0)
    scale[scale == 0] = 1.0
    gram = (weighed / scale).T @ (weighed / scale)
    if np.linalg.matrix_rank(gram, hermitian=True) < k:
        raise DataError(f"the columns {quoted(own.names)} are linearly dependent; adjust for fewer of them")
    return gram, scale


def difference_of_means(own: Dataset, levels: tuple[int, int], _of: int) -> Estimate:
    """Regress y with the first level as the reference; the coefficient of the second is the difference."""
    before, after = levels
    at = numbers_of(own, 0, first=0)
    if not (at[:, before].any() and at[:, after].any()):
        raise DataError(f"{quoted(own.names[:1])} does not have both levels in these rows; choose other levels")
    others = [k for k in range(at.shape[1]) if k not in levels]
    more = [numbers_of(own, j) for j in range(2, own.p)]
    design = np.hstack([np.ones((own.n_rows, 1)), at[:, [after, *others]], *more])
    there = np.ptp(design, axis=0) > 0
    there[0] = True
    shares = weights_of(own)
    values, variance, dof = least_squares(own, design[:, there], own.values[:, own.place[1]], shares)
    return Estimate("means", values[1], variance[1], dof, np.ones(()))
