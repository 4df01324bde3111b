"""Columns that are the sum, or the mean, of others: scores beside the items they were added up from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..common.wording import quoted
from .columns import correlation_of
from .dataset_health import EXACT, Finding, Fix
from .plan import Plan
from .tables import Table

MOST_COLUMNS = 400  # numeric columns up to which sums are looked for
SEARCHED = 1_000  # rows that the search sees; what it finds is checked in all of them
FEWEST_ROWS = 30
MOST_MISSING = 0.2  # share of missing cells up to which a column takes part
ROUNDED = 1e-2  # share of its variance that rounding may leave of a sum
NEAR = 0.25  # rounding changes coefficients by less
MOST_DECIMALS = 6
LISTED = 3  # scores spelled out in the sentence


@dataclass(frozen=True)
class SumScore:
    """A column that others add up to, in every row, up to rounding and a constant."""

    name: str
    parts: tuple[str, ...]
    mean: bool
    constant: bool

    def __str__(self) -> str:
        but = ", but for a constant" if self.constant else ""
        return f"column {self.name!r} is the {'mean' if self.mean else 'sum'} of {quoted(self.parts)}{but}"


def sum_scores(table: Table, plan: Plan) -> list[SumScore]:
    """The sums and means of at least two others among the used columns of numbers, in plan order.

    Notes
    -----
    Columns are taken one by one, and each is expressed by those before it that are independent (a Cholesky
    factorisation of their correlations). Sums come after their parts where ranges grow, means where they shrink; so
    both orders are tried.
    """
    names, values = _numeric(table, plan)
    complete = np.flatnonzero(~np.isnan(values).any(axis=1))
    if len(names) < 3 or len(complete) < max(FEWEST_ROWS, len(names) + 10):
        return []
    rows = complete[:: -(-len(complete) // SEARCHED)]
    if len(rows) < len(names) + 10:
        rows = complete
    sample = values[rows]
    found: dict[int, SumScore] = {}

    def is_sum(target: int, parts: list[int]) -> bool:
        if target not in found and (score := _checked(names, values, target, parts)) is not None:
            found[target] = score
        return target in found

    by_range = np.argsort(np.ptp(sample, axis=0), kind="stable")
    with np.errstate(over="ignore", invalid="ignore"):  # too large to be squared: no spread, no sum
        spread, corr = np.nan_to_num(sample.std(axis=0), posinf=0.0), correlation_of(sample)
    by_range = by_range[spread[by_range] > 0]
    for order in (by_range, by_range[::-1]):
        _search(corr, spread, [int(j) for j in order if j not in found], is_sum)
    return [found[target] for target in sorted(found)]


def with_sums(found: list[Finding], table: Table, plan: Plan) -> list[Finding]:
    """The findings with sum scores named; these take the place of dependences that they explain."""
    scores = sum_scores(table, plan)
    if not scores:
        return found
    names = [score.name for score in scores]
    about = {name for score in scores for name in (score.name, *score.parts)}
    explained = [
        f
        for f in found
        if f.code == "linear_dependence" and set(f.columns) <= about or f.code == "determined" and f.columns[0] in names
    ]
    stops = any(f.severity == "blocker" for f in explained)
    said = "; ".join(str(score) for score in scores[:LISTED])
    more = len(scores) - LISTED
    said += f"; and {more:,} more such column{'s' * (more > 1)}" if more > 0 else ""
    them, they = ("it", "its") if len(scores) == 1 else ("them", "their")
    reason = f"{said}: {they} parts tell all of {them}, so tests given them have nothing to see"
    fix = Fix(f"leave out {quoted(names)}", plan.change(*names, kind="ignore"))
    finding = Finding("blocker" if stops else "warning", "sum_score", tuple(names), reason, (fix,))
    return [finding, *(f for f in found if f not in explained)]


def _numeric(table: Table, plan: Plan) -> tuple[list[str], np.ndarray]:
    """Used columns whose cells are numbers, and (n, p) those numbers, NaN where missing."""
    names, columns = [], []
    for column in plan.used:
        cells = column.cells(table)
        missing = cells.among(column.missing)
        if not np.isfinite(cells.numbers[~missing]).all() or (~missing).sum() < 2 or len(names) == MOST_COLUMNS:
            continue
        if cells.counts[missing].sum() <= MOST_MISSING * table.n:
            names.append(column.name)
            columns.append(np.where(missing, np.nan, cells.numbers)[cells.codes])
    return names, np.array(columns).T if columns else np.empty((table.n, 0))


def _search(corr: np.ndarray, spread: np.ndarray, order: list[int], is_sum: Callable[[int, list[int]], bool]) -> None:
    """Ask `is_sum` of columns that others seem to add up to, with those others."""
    from scipy.linalg import solve_triangular

    factor = np.zeros((len(order), len(order)))
    basis: list[int] = []
    for j in order:
        k = len(basis)
        row = solve_triangular(factor[:k, :k], corr[basis, j], lower=True)
        left = corr[j, j] - row @ row
        if left < ROUNDED:
            weights = solve_triangular(factor[:k, :k], row, lower=True, trans="T") * spread[j] / spread[basis]
            told = [is_sum(target, parts) for target, parts in _guesses(basis, weights, j)]
            if any(told) or left < EXACT:
                continue
        factor[k, :k], factor[k, k] = row, np.sqrt(left)
        basis.append(j)


def _guesses(basis: list[int], weights: np.ndarray, j: int) -> Iterator[tuple[int, list[int]]]:
    """What may add up where ``j = weights @ basis``: others to j, or j and others to the one with a positive weight."""
    columns = np.array(basis)
    items = weights > np.abs(weights).max(initial=0.0) / 2
    if items.sum() >= 2:
        yield j, columns[items].tolist()
    beside = np.abs(weights + 1) < NEAR
    if beside.any():
        yield int(columns[weights.argmax()]), [j, *columns[beside].tolist()]


def _checked(names: list[str], values: np.ndarray, target: int, parts: list[int]) -> SumScore | None:
    """The score, if its parts add up to it, or to its mean, in every row that has them all."""
    whole, items = values[:, target], values[:, parts]
    known = ~np.isnan(whole) & ~np.isnan(items).any(axis=1)
    whole, items = whole[known], items[known]
    for mean in (False, True):
        share = 1 / len(parts) if mean else 1.0
        rest = whole - share * items.sum(axis=1)
        rounding = (_unit(whole) + share * sum(_unit(item) for item in items.T)) / 2
        most = rounding + 1e-9 * max(np.abs(whole).max(), np.abs(items).max())
        middle = float(np.median(rest))
        if np.abs(rest - middle).max() <= 2 * most and np.std(rest) <= most and np.ptp(rest) < np.ptp(whole) / 4:
            ordered = tuple(names[k] for k in sorted(parts))
            return SumScore(names[target], ordered, mean, bool(abs(middle) > most))
    return None


def _unit(numbers: np.ndarray) -> float:
    """The last decimal place that the numbers have; 0 if they are whole, and so not rounded, or have many."""
    for decimals in range(MOST_DECIMALS):
        if np.allclose(numbers, np.round(numbers, decimals), rtol=0, atol=1e-9 * max(1.0, np.abs(numbers).max())):
            return 10.0**-decimals if decimals else 0.0
    return 0.0
