"""Find columns that only name or count the rows."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...common.sentences import Sentence, columns_of, say
from ..plan.plan import ColumnPlan
from ..reading.table import Table
from .constant import is_constant
from .finding import Finding, leave_out, warning
from .inspection import Inspection
from .level_counts import MIN_ROWS_OF_IDS, level_counts
from .name_hints import ORDER_WORDS, has_word, names_keys
from .registry import check
from .sample_size import MIN_ROWS

# Minimum number of equal pairs expected in measured numbers; by chance one column in 20,000 then has none.
MIN_EXPECTED_PAIRS = 10.0
MAX_COMPARED = 50  # maximum number of columns that are compared with ranks
MIN_KNOWN = 0.9  # minimum share of the rows with a number: the last row of an export may be one of totals
MIN_DEVIATIONS = 4.0  # minimum correlation of ranks with another column, in standard deviations


@check("counters", needs_rows=True)
def counters(inspection: Inspection) -> list[Finding]:
    """Return a warning for continuous columns that grow by the same step from row to row."""
    if inspection.numbers is None or inspection.dataset.n < MIN_ROWS:
        return []
    candidates = ~inspection.once(is_constant) & _begins_evenly(inspection.numbers.values)
    columns = tuple(
        inspection.numbers.names[j]
        for j in np.flatnonzero(candidates)
        if _increases_evenly(inspection.numbers.values[:, j])
    )
    template = "the numbers of {columns} increase by the same step. They only count the rows."
    return _id_like(inspection, columns, say(template, columns=columns_of(columns)))


def _begins_evenly(values: np.ndarray) -> np.ndarray:
    """Return for each column if no two steps between adjacent rows differ in the first rows: (columns,) bool."""
    with np.errstate(over="ignore"):
        steps = np.diff(values[:MIN_ROWS], axis=0)
    return ~(np.fmin.reduce(steps) < np.fmax.reduce(steps))  # both are NaN if no adjacent rows are known


def _increases_evenly(numbers: np.ndarray) -> bool:
    """Return True if numbers grow by the same step from row to row; few may be missing (NaN)."""
    rows = np.flatnonzero(~np.isnan(numbers))
    if len(rows) < max(MIN_ROWS, MIN_KNOWN * len(numbers)):
        return False
    apart = np.diff(rows)
    with np.errstate(over="ignore"):  # the step of a counter is finite
        steps = np.diff(numbers[rows])
        return bool(np.isfinite(steps[0]) and (steps * apart[0] == steps[0] * apart).all())


@check("keys", needs_rows=True)
def keys(inspection: Inspection) -> list[Finding]:
    """Return warnings for columns of whole numbers that never repeat: keys, and columns that may be keys."""
    kinds: dict[str, list[str]] = {"id_like": [], "possible_id": []}
    counting = {name for finding in inspection.findings("counters") for name in finding.columns}
    for guess in inspection.table.guess.columns:
        column = inspection.plan.column(guess.name)
        if column.kind == "continuous" and column.treatment is None and column.name not in counting:
            numbers = numbers_of(inspection.table, column)
            known = numbers[~np.isnan(numbers)]
            kind = kind_of_key(column.name, known) if len(known) >= MIN_KNOWN * len(numbers) else None
            if kind and column.name != inspection.plan.weights and not _are_ranks(inspection, column.name, numbers):
                kinds[kind].append(column.name)
    found = []
    if names := tuple(kinds["id_like"]):
        template = "no number of {columns} occurs twice. Such numbers name the rows; they measure nothing."
        found += _id_like(inspection, names, say(template, columns=columns_of(names)))
    if names := tuple(kinds["possible_id"]):
        reason = say(
            "{columns} increases from row to row and repeats no number. If it only numbers the rows, ignore it."
            if len(names) == 1
            else "{columns} increase from row to row and repeat no number. If they only number the rows, ignore them.",
            columns=columns_of(names),
        )
        found.append(warning("possible_id", names, reason, leave_out(inspection.plan, names)))
    return found


def numbers_of(table: Table, column: ColumnPlan) -> np.ndarray:
    """Return the numbers of a column, (n,) float64, NaN where missing."""
    cells = column.cells(table)
    return np.where(cells.among(column.missing), np.nan, cells.numbers)[column.raw(table).codes]


def kind_of_key(name: str, numbers: np.ndarray) -> Literal["id_like", "possible_id"] | None:
    """Return the code of the finding on a column of numbers that are keys or may be keys; None for other columns.

    Measured whole numbers repeat: of n numbers in a range of s values, about n² / 2s pairs are equal, more if some
    values are frequent. Numbers without any of the many expected repetitions were assigned, not measured. If few are
    expected, the name or the order of the rows must also suggest a key.
    """
    n = len(numbers)
    if n < MIN_ROWS_OF_IDS or not np.isfinite(numbers).all() or (numbers != np.floor(numbers)).any():
        return None
    if np.unique(numbers).size < n or numbers.min() < 0:
        return None
    steps = np.diff(numbers)
    is_ordered = bool((steps > 0).all() or (steps < 0).all())
    expected_pairs = n * n / 2 / (np.ptp(numbers) + 1)
    if has_word(name, ORDER_WORDS) and not names_keys(name):
        return None
    if names_keys(name) or expected_pairs >= MIN_EXPECTED_PAIRS:
        return "id_like"
    return "possible_id" if is_ordered else None


def _are_ranks(inspection: Inspection, name: str, numbers: np.ndarray) -> bool:
    """Return True if numbers are a permutation of 1 to n that is correlated with another column.

    Such numbers are ranks, such as those of regions by wealth, unless the rows are in their order or the name is one of
    keys.
    """
    there = np.isfinite(numbers)
    own = numbers[there]
    steps = np.diff(own)
    if own.min() > 1 or np.ptp(own) != len(own) - 1 or names_keys(name) or (steps > 0).all() or (steps < 0).all():
        return False
    others = [column for column in inspection.plan.used if column.kind == "continuous" and column.name != name]
    for other in others[:MAX_COMPARED]:
        values = numbers_of(inspection.table, other)
        known = np.isfinite(values) & there
        if known.sum() >= MIN_ROWS and np.ptp(values[known]) > 0:
            ranks = np.unique(values[known], return_inverse=True)[1]
            if abs(np.corrcoef(ranks, numbers[known])[0, 1]) > MIN_DEVIATIONS / np.sqrt(known.sum()):
                return True
    return False


@check("identifiers", needs_rows=True)
def identifiers(inspection: Inspection) -> list[Finding]:
    """Return a warning for categorical columns with a different level in nearly every row."""
    if inspection.levels is None:
        return []
    columns = inspection.once(level_counts).id_like
    template = "nearly every row has its own value in {columns}. Such values look like IDs."
    return _id_like(inspection, columns, say(template, columns=columns_of(columns)))


def _id_like(inspection: Inspection, columns: tuple[str, ...], reason: Sentence) -> list[Finding]:
    return [warning("id_like", columns, reason, leave_out(inspection.plan, columns))] if columns else []
