"""Effect of one variable on another, estimated from data by adjustment, with confidence intervals."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..common.checks import check_open_interval
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from .checks import check_nodes
from .linear_regression import difference_of_means, regressed
from .pooled_estimate import Measure, estimated
from .standardization import share_difference, share_slopes, standardized_shares
from .strata import counted, stratified_difference

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Effect:
    """Estimated effect of setting x on y, valid if the graph is causal and the adjustment set is sufficient.

    Attributes
    ----------
    measure : "slope", "means", "shares" or "slopes"
        "slope", for two numeric variables: change of y per unit of x. "means": mean of numeric y at each level of x.
        "shares": probability of each level of y at each level of x. "slopes": change of the probability of each level
        of y per unit of a numeric x, on average over the rows.
    values, low, high : float64 arrays
        Estimates and the ends of their confidence intervals, of shape (), (r_x,), (r_x, r_y) or (r_y,). NaN for a level
        of x without rows.
    given : tuple of int
        Adjustment set.
    n : int
        Number of rows without missing values in these columns.
    covered : (r_x,) float64 array
        Share of rows in strata of the adjustment set where the level of x occurs. If it is below 1, the average is over
        those rows only. Empty for a numeric x.
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
        If the columns are linearly dependent, too few rows are left, or y has too many levels for a regression.
    ParameterError
        If the columns are not different, or `confidence` is out of range.

    Notes
    -----
    A numeric y is regressed on x and the set (least squares, indicators for levels, no interactions); means are
    evaluated at the averages of the set. For a categorical y, P(y | do(x)) = Σ_z P(y | x, z) P(z) (Pearl 2009, theorem
    3.3.2): over strata if all columns are categorical, else by a logistic regression without interactions, averaged
    over the rows (`standardization`). Intervals are by the delta method.
    """
    given = check_nodes(PDAG.empty(dataset.p), x, y, given)
    check_open_interval("confidence", confidence, 0.0, 1.0)
    columns = [x, y, *given]
    kinds = [dataset.kinds[j] for j in columns]
    if kinds[1] == "continuous":
        estimate = regressed
    elif kinds[0] == "continuous":
        estimate = share_slopes
    else:
        estimate = standardized_shares if "continuous" in kinds else counted
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
        Share of rows in strata of the adjustment set where both levels of x occur; the average is over those rows. 1
        for a regression.
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
    if whole.measure in ("slope", "slopes"):
        at = of if whole.measure == "slopes" else ()
        value, low, high = (float(part[at]) for part in (whole.values, whole.low, whole.high))
        return EffectDifference(value, low, high, whole.given, tables=whole.tables)
    columns = [x, y, *whole.given]
    if whole.measure == "means":
        estimate = difference_of_means
    else:
        is_mixed = any(dataset.kinds[j] == "continuous" for j in columns)
        estimate = share_difference if is_mixed else stratified_difference
    found, _, tables = estimated(dataset, columns, lambda own: estimate(own, levels, of))
    low, high = (float(end) for end in found.interval(CONFIDENCE))
    if whole.measure == "shares":
        low, high = max(low, -1.0), min(high, 1.0)
    return EffectDifference(float(found.values), low, high, whole.given, float(found.covered), tables)


def no_effect(dataset: Dataset, x: int, y: int, given: Collection[int] = ()) -> Effect:
    """Return the zero effect of x on a non-descendant y; `given` are the parents of x."""
    given, is_number = tuple(given), dataset.kinds[y] == "continuous"
    if dataset.kinds[x] == "continuous":
        zero = np.zeros(() if is_number else int(dataset.arity[dataset.place[y]]))
        measure: Measure = "slope" if is_number else "slopes"
        return Effect(measure, zero, zero, zero, given, dataset.available([x, y]).n, np.empty(0))
    r = int(dataset.arity[dataset.place[x]])
    estimate = regressed if is_number else counted
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
