"""Find numeric columns that are sums of other columns, such as questionnaire scores and totals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .columns import correlation_of

EXACT = 1e-4  # maximum share of the variance that rounding may leave
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
    from scipy.linalg import solve_triangular

    there = np.isfinite(values)
    usable = np.flatnonzero((~there).mean(axis=0) <= MAX_MISSING)[:MAX_COLUMNS]
    values = values[:, usable][there[:, usable].all(axis=1)]
    if len(values) < MIN_ROWS:
        return
    varies = np.ptp(values, axis=0) > 0
    usable, values = usable[varies], values[:, varies]
    if len(usable) < 3 or len(values) < 2 * len(usable):
        return
    corr = correlation_of(values)
    factor, basis = np.zeros_like(corr), []
    for j in np.argsort(np.ptp(values, axis=0), kind="stable").tolist():
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
