"""Find columns that only name or count the rows."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...common.sentences import Sentence, columns_of, say
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
MIN_DEVIATIONS = 4.0  # minimum correlation of ranks with another column, in standard deviations


@check("counters", needs_rows=True)
def counters(inspection: Inspection) -> list[Finding]:
    """Return a warning for continuous columns that grow by the same step from row to row."""
    if inspection.numbers is None or inspection.dataset.n < MIN_ROWS:
        return []
    with np.errstate(over="ignore"):  # the step of a counter is finite
        steps = np.diff(inspection.numbers.values, axis=0)
    counter = ~inspection.once(is_constant) & (steps == steps[0]).all(axis=0) & np.isfinite(steps[0])
    columns = tuple(np.array(inspection.numbers.names, dtype=object)[counter])
    template = "the numbers of {columns} increase by the same step. They only count the rows."
    return _id_like(inspection, columns, say(template, columns=columns_of(columns)))


@check("keys", needs_rows=True)
def keys(inspection: Inspection) -> list[Finding]:
    """Return warnings for columns of whole numbers that never repeat: keys, and columns that may be keys."""
    kinds: dict[str, list[str]] = {"id_like": [], "possible_id": []}
    counting = {name for finding in inspection.findings("counters") for name in finding.columns}
    for guess in inspection.table.guess.columns:
        column = inspection.plan.column(guess.name)
        if column.kind == "continuous" and column.treatment is None and column.name not in counting:
            numbers = column.cells(inspection.table).numbers[column.raw(inspection.table).codes]
            kind = kind_of_key(column.name, numbers)
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
    steps = np.diff(numbers)
    if (
        numbers.min() > 1
        or np.ptp(numbers) != len(numbers) - 1
        or names_keys(name)
        or (steps > 0).all()
        or (steps < 0).all()
    ):
        return False
    others = [column for column in inspection.plan.used if column.kind == "continuous" and column.name != name]
    for other in others[:MAX_COMPARED]:
        cells = other.cells(inspection.table)
        values = np.where(cells.among(other.missing), np.nan, cells.numbers)[cells.codes]
        known = np.isfinite(values)
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
