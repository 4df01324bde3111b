"""Effect of one variable on another, estimated from data by adjustment, with confidence intervals."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri, stdtrit

from ..common.checks import check_open_interval
from ..common.errors import DataError
from ..common.memory import CELL_BYTES, check_memory
from ..common.validation import validated
from ..common.wording import quoted
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from .checks import check_nodes

CONFIDENCE = 0.95
Measure = Literal["slope", "means", "shares"]
Three = tuple[np.ndarray, np.ndarray, np.ndarray]  # values, lower and upper ends of their intervals


@dataclass(frozen=True, eq=False)
class Effect:
    """Estimated effect of setting x on y, valid if the graph is causal and the adjustment set is sufficient.

    Attributes
    ----------
    measure : "slope", "means" or "shares"
        "slope", for two numeric variables: change of y per unit of x. "means": mean of numeric y at each level of x.
        "shares": probability of each level of y at each level of x.
    values, low, high : float64 arrays
        Estimates and the ends of their confidence intervals, of shape (), (r_x,) or (r_x, r_y). NaN for a level without
        rows.
    given : tuple of int
        Adjustment set.
    n : int
        Number of rows without missing values in these columns.
    covered : (r_x,) float64 array
        Share of rows in strata of the adjustment set where the level of x occurs. If it is below 1, the average is over
        those rows only. Empty for a slope.
    """

    measure: Measure
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    given: tuple[int, ...]
    n: int
    covered: np.ndarray


@validated
def adjusted_effect(
    dataset: Dataset, x: int, y: int, given: Collection[int] = (), *, confidence: float = CONFIDENCE
) -> Effect:
    """Estimate the effect of x on y, adjusted for `given`.

    Parameters
    ----------
    dataset : Dataset
        Rows with a missing value in one of the columns are left out; row weights count.
    x, y : int
        Columns of cause and effect.
    given : collection of int
        An adjustment set.
    confidence : float, default 0.95
        Confidence level of the intervals, in (0, 1).

    Raises
    ------
    DataError
        If x is numeric and y is not, categorical effects are to be adjusted for numeric columns, the columns are
        linearly dependent, or too few rows are left.
    ParameterError
        If the columns are not different, or `confidence` is out of range.

    Notes
    -----
    A numeric y is regressed on x and the set (least squares, indicators for levels, no interactions); means are
    evaluated at the averages of the set. For a categorical y, P(y | do(x)) = Σ_z P(y | x, z) P(z) (Pearl 2009, theorem
    3.3.2), with intervals by the delta method.
    """
    given = check_nodes(PDAG.empty(dataset.p), x, y, given)
    check_open_interval("confidence", confidence, 0.0, 1.0)
    own = dataset.available([x, y, *given])
    if not own.n_rows:
        raise DataError(f"no row has a value in all of the columns {quoted(own.names)}; adjust for fewer")
    if own.kinds[1] == "continuous":
        return _regressed(own, given, confidence)
    if own.kinds[0] == "continuous" or own.kind != "categorical":
        numbers = [name for name, kind in zip(own.names, own.kinds, strict=True) if kind == "continuous"]
        raise DataError(
            f"an effect on the categorical {quoted(own.names[1:2])} needs categorical columns only, found "
            f"numeric {quoted(numbers)}; bin them, or set the cause in the fitted network (intervene; do on Query)"
        )
    return _counted(own, given, confidence)


@dataclass(frozen=True)
class EffectDifference:
    """Difference that a change of the cause makes, with its confidence interval.

    Attributes
    ----------
    value, low, high : float
        Change of the mean of a numeric y, or of the probability of one level of y.
    given : tuple of int
        Adjustment set.
    covered : float
        Share of rows in strata of the adjustment set where both levels of x occur; the average is over those rows.
    """

    value: float
    low: float
    high: float
    given: tuple[int, ...]
    covered: float = 1.0


def effect_difference(
    dataset: Dataset, x: int, y: int, given: Collection[int] = (), *, levels: tuple[int, int] = (0, 1), of: int = 0
) -> EffectDifference:
    """Estimate the change of y if x changes from one level to another, adjusted for `given`, with 95 % intervals.

    Parameters
    ----------
    dataset, x, y, given
        As in `adjusted_effect`.
    levels : (int, int)
        Levels of a categorical x before and after; a numeric x is increased by one unit.
    of : int
        The level of a categorical y whose probability is compared.

    Raises
    ------
    DataError, ParameterError
        As in `adjusted_effect`; DataError if no stratum has rows at both levels.
    """
    whole = adjusted_effect(dataset, x, y, given)
    if whole.measure == "slope":
        return EffectDifference(float(whole.values), float(whole.low), float(whole.high), whole.given)
    own = dataset.available([x, y, *whole.given])
    if whole.measure == "means":
        return _difference_of_means(own, whole.given, levels)
    counts = _counts_by_stratum(own)
    rows = counts.sum(axis=2)[:, list(levels)]  # (m, 2) rows by stratum and level
    both = (rows > 0).all(axis=1)
    if not both.any():
        raise DataError(f"no rows differ only in {quoted(own.names[:1])}; adjust for fewer columns")
    counts, rows, n_all = counts[both], rows[both], float(counts.sum())
    weight = counts.sum(axis=(1, 2)) / counts.sum()
    hits = counts[:, list(levels), of]
    each = hits[:, 1] / rows[:, 1] - hits[:, 0] / rows[:, 0]
    smooth = (hits + 1.0 / counts.shape[2]) / (rows + 1.0)
    value = float(weight @ each)
    noise = weight**2 @ (smooth * (1.0 - smooth) / rows).sum(axis=1)
    between = weight @ (each - value) ** 2 / counts.sum()
    far = float(ndtri((1.0 + CONFIDENCE) / 2.0) * np.sqrt(noise + between))
    covered = float(counts.sum()) / n_all
    return EffectDifference(value, max(value - far, -1.0), min(value + far, 1.0), whole.given, covered)


def _difference_of_means(own: Dataset, given: tuple[int, ...], levels: tuple[int, int]) -> EffectDifference:
    """Regress y with the first level as the reference; the coefficient of the second is the difference."""
    before, after = levels
    at = _indicators(own, 0, first=0)
    if not (at[:, before].any() and at[:, after].any()):
        raise DataError(f"{quoted(own.names[:1])} does not have both levels in these rows; choose other levels")
    others = [k for k in range(at.shape[1]) if k not in levels]
    more = [
        own.values[:, [own.place[j]]] if own.kinds[j] == "continuous" else _indicators(own, j) for j in range(2, own.p)
    ]
    design = np.hstack([np.ones((own.n_rows, 1)), at[:, [after, *others]], *more])
    there = np.ptp(design, axis=0) > 0
    there[0] = True
    shares = np.ones(own.n_rows) if own.shares is None else own.shares
    found = _least_squares(own, design[:, there], own.values[:, own.place[1]], shares, CONFIDENCE)
    value, low, high = (float(part[1]) for part in found)
    return EffectDifference(value, low, high, given)


def no_effect(dataset: Dataset, x: int, y: int, given: Collection[int] = ()) -> Effect:
    """Return the zero effect of x on a non-descendant y; `given` are the parents of x."""
    own = dataset.available([x, y])
    zero, given = np.zeros(()), tuple(given)
    if own.kinds == ("continuous", "continuous"):
        return Effect("slope", zero, zero, zero, given, own.n, np.empty(0))
    r = 1 if own.kinds[0] == "continuous" else int(own.arity[0])
    one = adjusted_effect(_with_one_cause(own), 0, 1)
    values, low, high = (np.repeat(part, r, axis=0) for part in (one.values, one.low, one.high))
    return Effect(one.measure, values, low, high, given, one.n, np.ones(r))


def _with_one_cause(own: Dataset) -> Dataset:
    """Replace x by a constant column."""
    codes, k = np.zeros((1, own.n_rows), dtype=np.int64), own.place[1]
    if own.kinds[1] == "categorical":
        return Dataset.from_codes(
            np.vstack([codes, own.codes[k]]), [1, own.arity[k]], own.names, None, own.weights
        ).with_independence(own.independence)
    numbers = Dataset.from_values(own.values[:, [k]], own.names[1:])
    return (
        Dataset.joined(own.names, Dataset.from_codes(codes, [1], own.names[:1]), numbers)
        .with_weights(own.weights)
        .with_independence(own.independence)
    )


def _regressed(own: Dataset, given: tuple[int, ...], confidence: float) -> Effect:
    """Regress a numeric y; the first coefficients are those of x."""
    slope = own.kinds[0] == "continuous"
    parts = [np.ones((own.n_rows, 1))] if slope else []
    parts += [own.values[:, [own.place[0]]] if slope else _indicators(own, 0, first=0)]
    parts += [
        own.values[:, [own.place[j]]] if own.kinds[j] == "continuous" else _indicators(own, j)
        for j in range(2, own.p)
    ]  # fmt: skip
    shares = np.ones(own.n_rows) if own.shares is None else own.shares
    first = 1 if slope else parts[0].shape[1]
    design = np.hstack(parts)
    design[:, first:] -= shares @ design[:, first:] / max(shares.sum(), 1.0)
    there = shares @ (design != 0) > 0
    there[first:] &= np.ptp(design[:, first:], axis=0) > 0
    found = _least_squares(own, design[:, there], own.values[:, own.place[1]], shares, confidence)
    values, low, high = (np.full(design.shape[1], np.nan) for _ in range(3))
    values[there], low[there], high[there] = found
    if slope:
        return Effect("slope", *(part[1] for part in (values, low, high)), given, own.n, np.empty(0))
    covered = there[:first].astype(np.float64)
    return Effect("means", *(part[:first] for part in (values, low, high)), given, own.n, covered)


def _indicators(own: Dataset, j: int, first: int = 1) -> np.ndarray:
    """Return the (n, r - first) indicators of the levels of a column, from the level `first` on."""
    k = own.place[j]
    check_memory(
        CELL_BYTES * float(own.n_rows) * float(own.arity[k]), f"the levels of {quoted([own.names[j]])}", "bin it"
    )
    return (own.codes[k][:, None] == np.arange(first, own.arity[k])).astype(np.float64)


def _least_squares(own: Dataset, design: np.ndarray, y: np.ndarray, shares: np.ndarray, confidence: float) -> Three:
    """Return coefficients with their intervals; raise DataError if the rows do not determine them."""
    n, k = shares.sum(), design.shape[1]
    if n <= k:
        raise DataError(f"a regression on {k} columns needs more than {k} rows, found {n:g}; adjust for fewer")
    weighed = design * np.sqrt(shares)[:, None]
    scale = np.linalg.norm(weighed, axis=0)
    scale[scale == 0] = 1.0
    gram = (weighed / scale).T @ (weighed / scale)
    if np.linalg.matrix_rank(gram, hermitian=True) < k:
        raise DataError(f"the columns {quoted(own.names)} are linearly dependent; adjust for fewer of them")
    inverse = np.linalg.inv(gram)
    beta = inverse @ ((weighed / scale).T @ (y * np.sqrt(shares))) / scale
    left = y - design @ beta
    spread = np.sqrt(shares @ left**2 / (n - k) * inverse.diagonal()) / scale
    far = stdtrit(n - k, (1.0 + confidence) / 2.0) * spread
    return beta, beta - far, beta + far


def _counted(own: Dataset, given: tuple[int, ...], confidence: float) -> Effect:
    """Average the shares of y at each level of x over the strata of the adjustment set."""
    counts = _counts_by_stratum(own)
    r_y = counts.shape[2]
    rows = counts.sum(axis=2)  # (m, r_x) rows by stratum and level
    share = rows.sum(axis=1, keepdims=True) / rows.sum()
    weight = np.where(rows > 0, share, 0.0)
    covered = weight.sum(axis=0)
    weight = np.divide(weight, covered, out=np.full_like(weight, np.nan), where=covered > 0)
    within = counts / np.maximum(rows, 1e-300)[:, :, None]
    values = (weight[:, :, None] * within).sum(axis=0)
    # A share of 0 or 1 has no empirical variance, so one pseudo-row is spread evenly over the levels.
    smooth = (counts + 1.0 / r_y) / (rows + 1.0)[:, :, None]
    noise = (weight[:, :, None] ** 2 * smooth * (1.0 - smooth) / np.maximum(rows, 1.0)[:, :, None]).sum(axis=0)
    between = (weight[:, :, None] * (within - values) ** 2).sum(axis=0) / rows.sum()
    far = ndtri((1.0 + confidence) / 2.0) * np.sqrt(noise + between)
    low, high = np.maximum(values - far, 0.0), np.minimum(values + far, 1.0)
    return Effect("shares", values, low, high, given, own.n, covered)


def _counts_by_stratum(own: Dataset) -> np.ndarray:
    """Return the (m, r_x, r_y) weighted counts in the m strata of the adjustment set."""
    r_x, r_y = (int(r) for r in own.arity[:2])
    stratum = np.zeros(own.n_rows, dtype=np.int64)
    for codes in own.codes[2:]:
        stratum = np.unique(stratum * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    m = int(stratum.max(initial=-1)) + 1
    check_memory(4 * CELL_BYTES * float(m) * r_x * r_y, f"the counts of {quoted(own.names)}", "adjust for fewer")
    cell = (stratum * r_x + own.codes[0]) * r_y + own.codes[1]
    return np.bincount(cell, own.shares, minlength=m * r_x * r_y).reshape(m, r_x, r_y)
