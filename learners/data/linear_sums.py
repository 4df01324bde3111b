"""Find numeric columns that are sums of other columns, such as questionnaire scores and totals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .columns import correlation_of

EXACT = 1e-4  # maximum share of the variance that rounding may leave
CLEARLY = 1.001  # factor on `EXACT` above which rounding of the factorization changes no decision
PART = 1e-2  # minimum weight of a part, in standard deviations, relative to the largest
MAX_COLUMNS = 400
MAX_MISSING = 0.2  # maximum share of missing cells of an examined column
MIN_ROWS = 30


def linear_sums(values: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Yield the columns that are a weighted sum of others and a constant, each with these others.

    Parameters
    ----------
    values : (n, q) float array
        NaN where missing; only complete rows are used, and only columns with few missing cells.

    Notes
    -----
    A Cholesky factorization of the correlations, column by column in the order of their ranges, expresses each column
    by the linearly independent ones before it. A sum has a larger range than its parts, so it comes last.
    """
    there = np.isfinite(values)
    usable = np.flatnonzero(there.mean(axis=0) >= 1 - MAX_MISSING)[:MAX_COLUMNS]
    complete = there[:, usable].all(axis=1)
    if len(usable) < values.shape[1] or not complete.all():
        values = values[:, usable][complete]
    if len(values) < MIN_ROWS:
        return
    width = np.ptp(values, axis=0)
    if not (width > 0).all():
        usable, values, width = usable[width > 0], values[:, width > 0], width[width > 0]
    if len(usable) < 3 or len(values) < 2 * len(usable):
        return
    corr = correlation_of(values)
    order = np.argsort(width, kind="stable")
    if not _has_sum(corr[np.ix_(order, order)]):
        return
    from scipy.linalg import solve_triangular

    factor, basis = np.zeros_like(corr), []
    for j in order.tolist():
        k = len(basis)
        row = solve_triangular(factor[:k, :k], corr[basis, j], lower=True)
        left = 1.0 - float(row @ row)
        if left < EXACT:
            weights = np.abs(solve_triangular(factor[:k, :k], row, lower=True, trans="T"))
            parts = [basis[i] for i in np.flatnonzero(weights > PART * weights.max())]
            yield int(usable[j]), [int(usable[i]) for i in parts]
            continue
        factor[k, :k], factor[k, k] = row, np.sqrt(left)
        basis.append(j)


def _has_sum(corr: np.ndarray) -> bool:
    """Return True if a column may be a sum of earlier ones; one factorization decides this for all columns."""
    try:
        return bool((np.diag(np.linalg.cholesky(corr)) ** 2).min() < CLEARLY * EXACT)
    except np.linalg.LinAlgError:
        return True
