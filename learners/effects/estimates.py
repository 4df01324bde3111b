"""Effect of one variable on another, estimated from data by adjustment, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import stdtrit

from ..common.checks import check_open_interval
from ..common.errors import DataError
from ..common.memory import CELL_BYTES, check_memory
from ..common.validation import validated
from ..common.wording import quoted
from ..data.completed_data import drawn_tables
from ..data.dataset import Dataset
from ..data.pooling import MAX_DOF, pooled
from ..graphs.graph import PDAG
from .checks import check_nodes

CONFIDENCE = 0.95
Measure = Literal["slope", "means", "shares"]


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
    tables : int
        Imputed tables over which the estimate is pooled by Rubin's rules; 0 if rows with missing cells were left out.
    """

    measure: Measure
    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    given: tuple[int, ...]
    n: int
    covered: np.ndarray
    tables: int = 0


class Estimate(NamedTuple):
    """Estimates with their variances, degrees of freedom of their intervals, and the covered share of the rows."""

    measure: Measure
    values: np.ndarray
    variance: np.ndarray
    dof: np.ndarray | float
    covered: np.ndarray

    def interval(self, confidence: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the confidence intervals; those of shares lie within 0 and 1."""
        far = stdtrit(self.dof, (1.0 + confidence) / 2.0) * np.sqrt(self.variance)
        low, high = self.values - far, self.values + far
        return (np.maximum(low, 0.0), np.minimum(high, 1.0)) if self.measure == "shares" else (low, high)


def estimated(
    dataset: Dataset, columns: Sequence[int], estimate: Callable[[Dataset], Estimate]
) -> tuple[Estimate, int, int]:
    """Return an estimate from some columns, the number of rows that have them all, and that of pooled tables."""
    own = dataset.available(columns)
    tables = () if own.n_rows == dataset.n_rows else drawn_tables(dataset)
    if not tables and not own.n_rows:
        raise DataError(f"no row has a value in all of the columns {quoted(own.names)}; adjust for fewer")
    if len(tables) < 2:
        return estimate(tables[0].select(columns) if tables else own), own.n, len(tables)
    found = [estimate(table.select(columns)) for table in tables]
    all_ = pooled(
        np.array([one.values for one in found]),
        np.array([one.variance for one in found]),
        np.mean([one.dof for one in found], axis=0),
    )
    covered = np.mean([one.covered for one in found], axis=0)
    return Estimate(found[0].measure, all_.estimate, all_.variance, all_.dof, covered), own.n, len(tables)


@validated
def adjusted_effect(
    dataset: Dataset, x: int, y: int, given: Collection[int] = (), *, confidence: float = CONFIDENCE
) -> Effect:
    """Estimate the effect of x on y, adjusted for `given`.

    Parameters
    ----------
    dataset : Dataset
        Row weights count. With a completion (`with_completion`), estimates and intervals are pooled over imputed
        tables by Rubin's rules. Without one, rows with a missing value in one of the columns are left out.
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
    columns = [x, y, *given]
    kinds = [dataset.kinds[j] for j in columns]
    if kinds[1] == "continuous":
        estimate = _regressed
    elif "continuous" in kinds:
        numbers = [dataset.names[j] for j, kind in zip(given, kinds[2:], strict=True) if kind == "continuous"]
        outcome = quoted([dataset.names[y]])
        cause = quoted([dataset.names[x]])
        if kinds[0] == "continuous":
            raise DataError(
                f"the effect of the numeric {cause} on the categorical {outcome} cannot be estimated; bin {cause}, or "
                "set it in the network that Query fits"
            )
        raise DataError(
            f"the effect on the categorical {outcome} cannot be adjusted for the numeric {quoted(numbers)}, as the "
            f"graph requires; bin the numbers, or set {cause} in the network that Query fits"
        )
    else:
        estimate = _counted
    found, n, tables = estimated(dataset, columns, estimate)
    low, high = found.interval(confidence)
    return Effect(found.measure, found.values, low, high, given, n, found.covered, tables)


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
    tables : int
        Imputed tables over which the estimate is pooled; 0 if rows with missing cells were left out.
    """

    value: float
    low: float
    high: float
    given: tuple[int, ...]
    covered: float = 1.0
    tables: int = 0


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
        return EffectDifference(
            float(whole.values), float(whole.low), float(whole.high), whole.given, tables=whole.tables
        )
    estimate = _difference_of_means if whole.measure == "means" else _difference_of_shares
    found, _, tables = estimated(dataset, [x, y, *whole.given], lambda own: estimate(own, levels, of))
    low, high = (float(end) for end in found.interval(CONFIDENCE))
    if whole.measure == "shares":
        low, high = max(low, -1.0), min(high, 1.0)
    return EffectDifference(float(found.values), low, high, whole.given, float(found.covered), tables)


def _difference_of_shares(own: Dataset, levels: tuple[int, int], of: int) -> Estimate:
    """Average the differences within the strata that have rows at both levels."""
    counts = counts_by_stratum(own)
    rows = counts.sum(axis=2)[:, list(levels)]  # (m, 2) rows by stratum and level
    both = (rows > 0).all(axis=1)
    if not both.any():
        raise DataError(f"no rows differ only in {quoted(own.names[:1])}; adjust for fewer columns")
    counts, rows, n_all = counts[both], rows[both], float(counts.sum())
    weight = counts.sum(axis=(1, 2)) / counts.sum()
    hits = counts[:, list(levels), of]
    each = hits[:, 1] / rows[:, 1] - hits[:, 0] / rows[:, 0]
    smooth = (hits + 1.0 / counts.shape[2]) / (rows + 1.0)
    value = weight @ each
    noise = weight**2 @ (smooth * (1.0 - smooth) / rows).sum(axis=1)
    between = weight @ (each - value) ** 2 / counts.sum()
    return Estimate("slope", np.array(value), np.array(noise + between), MAX_DOF, np.array(counts.sum() / n_all))


def _difference_of_means(own: Dataset, levels: tuple[int, int], _of: int) -> Estimate:
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
    values, variance, dof = least_squares(own, design[:, there], own.values[:, own.place[1]], shares)
    return Estimate("means", values[1], variance[1], dof, np.ones(()))


def no_effect(dataset: Dataset, x: int, y: int, given: Collection[int] = ()) -> Effect:
    """Return the zero effect of x on a non-descendant y; `given` are the parents of x."""
    zero, given = np.zeros(()), tuple(given)
    if (dataset.kinds[x], dataset.kinds[y]) == ("continuous", "continuous"):
        return Effect("slope", zero, zero, zero, given, dataset.available([x, y]).n, np.empty(0))
    r = 1 if dataset.kinds[x] == "continuous" else int(dataset.arity[dataset.place[x]])
    estimate = _regressed if dataset.kinds[y] == "continuous" else _counted
    found, n, tables = estimated(dataset, [x, y], lambda own: estimate(_with_one_cause(own)))
    values, low, high = (np.repeat(part, r, axis=0) for part in (found.values, *found.interval(CONFIDENCE)))
    return Effect(found.measure, values, low, high, given, n, np.ones(r), tables)


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


def _regressed(own: Dataset) -> Estimate:
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
    values, variance = (np.full(design.shape[1], np.nan) for _ in range(2))
    values[there], variance[there], dof = least_squares(own, design[:, there], own.values[:, own.place[1]], shares)
    if slope:
        return Estimate("slope", values[1], variance[1], dof, np.empty(0))
    return Estimate("means", values[:first], variance[:first], dof, there[:first].astype(np.float64))


def _indicators(own: Dataset, j: int, first: int = 1) -> np.ndarray:
    """Return the (n, r - first) indicators of the levels of a column, from the level `first` on."""
    k = own.place[j]
    check_memory(
        CELL_BYTES * float(own.n_rows) * float(own.arity[k]), f"the levels of {quoted([own.names[j]])}", "bin it"
    )
    return (own.codes[k][:, None] == np.arange(first, own.arity[k])).astype(np.float64)


def least_squares(
    own: Dataset, design: np.ndarray, y: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return coefficients, variances and degrees of freedom; raise DataError if the rows do not determine them."""
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
    return beta, shares @ left**2 / (n - k) * inverse.diagonal() / scale**2, float(n - k)


def _counted(own: Dataset) -> Estimate:
    """Average the shares of y at each level of x over the strata of the adjustment set."""
    counts = counts_by_stratum(own)
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
    return Estimate("shares", values, noise + between, MAX_DOF, covered)


def counts_by_stratum(own: Dataset) -> np.ndarray:
    """Return the (m, r_x, r_y) weighted counts in the m strata of the adjustment set."""
    r_x, r_y = (int(r) for r in own.arity[:2])
    stratum = np.zeros(own.n_rows, dtype=np.int64)
    for codes in own.codes[2:]:
        stratum = np.unique(stratum * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    m = int(stratum.max(initial=-1)) + 1
    check_memory(4 * CELL_BYTES * float(m) * r_x * r_y, f"the counts of {quoted(own.names)}", "adjust for fewer")
    cell = (stratum * r_x + own.codes[0]) * r_y + own.codes[1]
    return np.bincount(cell, own.shares, minlength=m * r_x * r_y).reshape(m, r_x, r_y)
