"""Find columns that are the sum, mean or difference of others, such as scores of questionnaires and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ...common.sentences import Listed, Phrase, Quoted, Sentence, paragraph, say
from ..columns import correlation_of
from ..plan.plan import Plan
from ..reading.table import Table
from .finding import Finding, leave_out
from .inspection import Inspection
from .linear_dependence import EXACT
from .name_hints import DIFFERENCE_WORDS, has_word, same_quantity
from .registry import check

MAX_COLUMNS = 400  # maximum number of numeric columns in which sums are searched
MAX_SEARCH_ROWS = 1_000  # maximum number of rows of the search; its results are verified in all rows
MIN_ROWS = 30
MAX_MISSING = 0.2  # maximum share of missing cells of an examined column
ROUNDED = 1e-2  # maximum share of the variance of a sum that rounding may leave
NEAR = 0.25  # maximum change of a coefficient by rounding
MAX_DECIMALS = 6
SINGLE = 2.0**-23  # relative spacing of numbers of 4 bytes, to which many files round
MAX_LISTED = 3  # maximum number of scores listed in the sentence


@dataclass(frozen=True)
class SumScore:
    """A column that equals the sum, mean or difference of others in every row, up to rounding and a constant.

    Attributes
    ----------
    name : str
    parts : tuple of str
        Of a difference: the column from which the second one is subtracted, and that one.
    mean : bool
        True for a mean, False for a sum or a difference.
    constant : bool
        True if the column differs from the sum, mean or difference by a constant.
    difference : bool, default False
        True for a difference by name, or of two measurements of one quantity, such as a change between two years.
    """

    name: str
    parts: tuple[str, ...]
    mean: bool
    constant: bool
    difference: bool = False

    @property
    def clause(self) -> Sentence:
        """A clause that names the columns, such as ``column 'total' is the sum of 'a' and 'b'``."""
        template = "column {score} is the mean of {parts}" if self.mean else "column {score} is the sum of {parts}"
        clause = say(template, score=repr(self.name), parts=Quoted(self.parts))
        if self.difference:
            end, start = map(repr, self.parts)
            clause = say("column {score} is {end} minus {start}", score=repr(self.name), end=end, start=start)
        return say("{clause}, up to a constant", clause=clause) if self.constant else clause


def find_sum_scores(table: Table, plan: Plan) -> list[SumScore]:
    """Find the used columns that are the sum, mean or difference of at least two others, in plan order.

    Notes
    -----
    "end = start + change" holds for a sum and for a difference. The names decide: if two of the three columns are
    named as measurements of one quantity at two times (`same_quantity`), the third one is derived; so is the only one
    that is called a difference.

    Columns are processed one by one. A Cholesky factorization of their correlations expresses each by the linearly
    independent ones before it. A sum has a larger range than its parts and a mean a smaller one than their sum, so the
    columns are processed by ascending and by descending range.
    """
    names, values = _numeric(table, plan)
    complete = np.flatnonzero(~np.isnan(values).any(axis=1))
    if len(names) < 3 or len(complete) < max(MIN_ROWS, len(names) + 10):
        return []
    rows = complete[:: -(-len(complete) // MAX_SEARCH_ROWS)]
    if len(rows) < len(names) + 10:
        rows = complete
    sample = values[rows]
    found: dict[int, SumScore] = {}

    def is_sum(target: int, parts: list[int]) -> bool:
        if target in found:
            return True
        if (score := _checked(names, values, target, parts)) is None:
            return False
        score = _derived(score)
        found[names.index(score.name)] = score
        return True

    by_range = np.argsort(np.ptp(sample, axis=0), kind="stable")
    # Columns whose squares overflow get spread 0 and are not searched.
    with np.errstate(over="ignore", invalid="ignore"):
        spread, corr = np.nan_to_num(sample.std(axis=0), posinf=0.0), correlation_of(sample)
    by_range = by_range[spread[by_range] > 0]
    for order in (by_range, by_range[::-1]):
        _search(corr, spread, [int(j) for j in order if j not in found], is_sum)
    return [found[target] for target in sorted(found)]


@check("sum_scores", replaces=lambda inspection, finding: explains(inspection, finding))
def sum_score(inspection: Inspection) -> list[Finding]:
    """Return a finding on all sum scores: a blocker if they make columns linearly dependent, else a warning."""
    scores, plan = inspection.once(sum_scores), inspection.plan
    if not scores:
        return []
    names, more = [score.name for score in scores], len(scores) - MAX_LISTED
    stops = any(explains(inspection, finding) for finding in inspection.findings("linear_dependence"))
    listed = [score.clause for score in scores[:MAX_LISTED]]
    if more > 0:
        listed.append(say("and {n} more such column" if more == 1 else "and {n} more such columns", n=more))
    reason = paragraph(
        say("{scores}.", scores=Listed(listed, "; ")),
        say(
            "Its parts determine it, so tests given all of them are uninformative."
            if len(scores) == 1
            else "Their parts determine them, so tests given all of them are uninformative."
        ),
    )
    severity = "blocker" if stops else "warning"
    return [Finding(severity, "sum_score", tuple(names), Phrase(reason), (leave_out(plan, names),))]


def sum_scores(inspection: Inspection) -> list[SumScore]:
    """Find the sum scores of the inspected table."""
    return find_sum_scores(inspection.table, inspection.plan)


def explains(inspection: Inspection, finding: Finding) -> bool:
    """Return True for a linear dependence among sum scores and their parts."""
    members = {name for score in inspection.once(sum_scores) for name in (score.name, *score.parts)}
    return finding.code == "linear_dependence" and set(finding.columns) <= members


def _numeric(table: Table, plan: Plan) -> tuple[list[str], np.ndarray]:
    """Return the used columns whose cells are all numbers, and these numbers, (n, p) float64, NaN where missing."""
    names, columns = [], []
    for column in plan.used:
        cells = column.cells(table)
        missing = cells.among(column.missing)
        if not np.isfinite(cells.numbers[~missing]).all() or (~missing).sum() < 2 or len(names) == MAX_COLUMNS:
            continue
        if cells.counts[missing].sum() <= MAX_MISSING * table.n:
            names.append(column.name)
            columns.append(np.where(missing, np.nan, cells.numbers)[cells.codes])
    return names, np.array(columns).T if columns else np.empty((table.n, 0))


def _search(corr: np.ndarray, spread: np.ndarray, order: list[int], is_sum: Callable[[int, list[int]], bool]) -> None:
    """Call `is_sum` on each column that seems to be a sum, and on its parts."""
    from scipy.linalg import solve_triangular

    factor = np.zeros((len(order), len(order)))
    basis: list[int] = []
    for j in order:
        k = len(basis)
        row = solve_triangular(factor[:k, :k], corr[basis, j], lower=True)
        left = corr[j, j] - row @ row
        if left < ROUNDED:
            weights = solve_triangular(factor[:k, :k], row, lower=True, trans="T") * spread[j] / spread[basis]
            sums = [is_sum(target, parts) for target, parts in _guesses(basis, weights, j)]
            if any(sums) or left < EXACT:
                continue
        factor[k, :k], factor[k, k] = row, np.sqrt(left)
        basis.append(j)


def _guesses(basis: list[int], weights: np.ndarray, j: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the sums that ``j = weights @ basis`` suggests, each as the target column and its parts."""
    columns = np.array(basis)
    items = weights > np.abs(weights).max(initial=0.0) / 2
    if items.sum() >= 2:
        yield j, columns[items].tolist()
    beside = np.abs(weights + 1) < NEAR
    if beside.any():
        yield int(columns[weights.argmax()]), [j, *columns[beside].tolist()]


def _checked(names: list[str], values: np.ndarray, target: int, parts: list[int]) -> SumScore | None:
    """Return the score if its parts add up to it, or average to it, in every complete row; else None."""
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


def _derived(score: SumScore) -> SumScore:
    """Return the relation with its derived column as the target: the difference, if its name or the others say so."""
    if score.mean or len(score.parts) != 2:
        return score
    for start, change in (score.parts, score.parts[::-1]):
        is_named = has_word(change, DIFFERENCE_WORDS) and not has_word(f"{score.name} {start}", DIFFERENCE_WORDS)
        if is_named or same_quantity(score.name, start) and not same_quantity(score.name, change):
            return SumScore(change, (score.name, start), False, score.constant, difference=True)
    return score


def _unit(numbers: np.ndarray) -> float:
    """Return the unit of the last decimal place of the numbers: 0 for integers.

    Numbers of more than `MAX_DECIMALS` places count as rounded to 4 bytes.
    """
    for decimals in range(MAX_DECIMALS):
        if np.allclose(numbers, np.round(numbers, decimals), rtol=0, atol=1e-9 * max(1.0, np.abs(numbers).max())):
            return 10.0**-decimals if decimals else 0.0
    return SINGLE * float(np.abs(numbers).max())
