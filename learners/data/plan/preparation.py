"""Prepare a data set from the text cells of a table by a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...common.arrays import frozen
from ...common.errors import DataError
from ...common.mapped_arrays import copied, counted, empty, looked_up
from ...common.validation import validated
from ...common.wording import count, quoted, quoted_columns, was
from ..arrow_arrays import text_array, to_arrow
from ..column_types.cells import Cells
from ..column_types.number_cells import NumberCells
from ..column_types.numbers import as_numbers
from ..columns import MAX_LEVELS
from ..dataset import Dataset
from ..normal_scores import normal_scores
from ..reading.table import Table
from ..row_weights import as_counts, describe_weights
from .binning import Binning, bin_labels, cut_points
from .conversion import describe_conversion
from .plan import ColumnPlan, Plan, Policy, default_plan
from .replaceable import left_out_columns

__all__ = ["Binning", "ColumnPlan", "Plan", "Prepared", "cut_points", "default_plan", "prepare"]

OTHER, MISSING = "other", "(missing)"
JOIN = " to "  # joins the names of the first and the last of several merged neighbouring levels
MISSING_CODE = -1


@dataclass(frozen=True)
class Prepared:
    """A prepared data set, and one sentence on each change."""

    dataset: Dataset
    notes: tuple[str, ...]


@validated
def prepare(table: Table, plan: Plan) -> Prepared:
    """Turn a table into a data set.

    Parameters
    ----------
    table : Table
    plan : Plan
        Made by `default_plan(table)` and changed as needed.

    Returns
    -------
    Prepared
        `dataset` has the used columns in plan order. Its levels are those in the kept rows, in the order of the plan or
        in natural order: '2' before '10', and bins from low to high.

    Raises
    ------
    DataError
        If a continuous or binned column has cells that are not numbers, a continuous column has infinite numbers, a
        categorical column has more than 65 535 levels, or no row or column is left.
    """
    used = plan.used
    if not used:
        raise DataError("a table needs a column to learn from, all are ignored. Use at least two")
    if plan.rows is not None and plan.rows[0] > table.n:
        raise DataError(
            f"the plan uses rows {plan.rows[0]:,} to {plan.rows[1]:,}, and the table has {count(table.n, 'row')}. "
            "Use all rows or others"
        )
    keep = kept_rows(table, plan)
    if not keep.any():
        raise DataError(f"no row of {table.n} is complete. Choose another policy for missing cells or ignore columns")
    notes = []
    first = first_rows(table, plan)
    if plan.rows is not None:
        notes.append(f"rows {plan.rows[0]:,} to {min(plan.rows[1], table.n):,} of {count(table.n, 'row')}")
    if plan.drop_copies and (copies := int(copies_of_rows(table).sum())):
        notes.append(f"left out: {count(copies, 'exact copy', 'exact copies')} of earlier rows")
    if plan.one_row_per and not first.all():
        notes.append(f"one row for each {quoted([plan.one_row_per])}: {int(first.sum()):,} of {count(table.n, 'row')}")
    asked = rows_asked_for(table, plan)
    weighed = ~np.isnan(row_weights(table, plan)) if plan.weights else np.ones(table.n, dtype=bool)
    if not weighed[asked].all():
        rows = f"{int((~weighed[asked]).sum()):,} of {int(asked.sum()):,}"
        notes.append(f"rows left out for a missing weight in {quoted_columns([plan.weights])}: {rows}")
    if (dropped := weighed & first & ~keep).any():
        notes.append(f"rows dropped for missing cells: {int(dropped.sum()):,} of {int(asked.sum()):,}")
    dataset = build(table, used, keep, plan.missing_policy, notes)
    dataset = replace(dataset, left_out=left_out_columns(table, plan, keep, build))
    if plan.resample_by:
        groups = row_groups(table, plan.column(plan.resample_by))[keep]
        dataset = dataset.with_groups(groups)
        n_groups = count(len(np.unique(groups)), "group")
        notes.append(f"resamples draw the {n_groups} of {quoted_columns([plan.resample_by])} whole")
    if plan.weights:
        weights = as_counts(row_weights(table, plan)[keep])
        dataset = dataset.with_weights(weights)
        notes.append(describe_weights(plan.weights, weights))
    if plan.count_copies:
        copies = count(int(copies_of_rows(table).sum()), "exact copy", "exact copies")
        notes.append(f"kept as separate cases: {copies} of earlier rows")
        dataset = dataset.merged() if dataset.kind == "categorical" else dataset
    if plan.independence < 1.0:
        rows = count(dataset.n, "row")
        dataset = dataset.with_independence(plan.independence)
        notes.append(f"the {rows} depend on one another and count as {dataset.n:,} independent ones")
    if not dataset.complete:
        notes.append(describe_missing_cells(dataset))
    return Prepared(dataset, tuple(notes))


def build(
    table: Table, columns: Sequence[ColumnPlan], keep: np.ndarray, missing_policy: Policy, notes: list[str]
) -> Dataset:
    """Build the data set of some columns and the rows in the mask `keep`; append sentences on changes to `notes`."""
    rows = None if keep.all() else np.flatnonzero(keep)
    notes += [
        describe_conversion(c.name, c.treatment, c.raw(table), c.cells(table), rows) for c in columns if c.treatment
    ]
    parts, unscored = [], None
    numbers = [column for column in columns if column.kind == "continuous"]
    if numbers:
        stored = _stored_block(table, numbers) if rows is None else None
        values = empty((int(keep.sum()), len(numbers)), np.float64) if stored is None else stored
        for j, column in enumerate(numbers):
            own = numbers_of_rows(column.cells(table), column, rows, missing_policy, notes)
            if column.normal_scores:
                if unscored is None:
                    unscored = copied(values)
                unscored[:, j], own = own, _scored(own, column, notes)
            elif unscored is not None:
                unscored[:, j] = own
            if values is stored and own.base is not stored:  # preparation changed this column, so copy before writing
                values = copied(stored)
            if values is not stored:
                values[:, j] = own
        parts.append(Dataset.from_values(frozen(values), [column.name for column in numbers]))
    if len(numbers) < len(columns):
        others = [column for column in columns if column not in numbers]
        parts.append(_coded(table, others, rows, missing_policy, notes))
    dataset = Dataset.joined([column.name for column in columns], *parts)
    return dataset if unscored is None else replace(dataset, unscored=frozen(unscored))


def _stored_block(table: Table, columns: Sequence[ColumnPlan]) -> np.ndarray | None:
    """Return the numbers of the columns without a copy if they are one stored block, in its order; else None."""
    cells = [column.cells(table) for column in columns]
    if not all(isinstance(own, NumberCells) for own in cells):
        return None
    block = cells[0].block
    whole = block.shape[1] == len(cells) and all(own.block is block and own.place == k for k, own in enumerate(cells))
    return block if whole else None


def _coded(
    table: Table, columns: Sequence[ColumnPlan], rows: np.ndarray | None, missing_policy: Policy, notes: list[str]
) -> Dataset:
    to_level, levels, ordered = [], [], []
    for column in columns:
        own, column_levels = _levels(column.cells(table), column, rows, missing_policy, notes)
        to_level.append(own.astype(_signed_type(len(column_levels))))
        levels.append(column_levels)
        if column.ordered and _is_ordered(column, column_levels, notes):
            ordered.append(column.name)
    names = [column.name for column in columns]
    codes = _stacked([column.cells(table).codes for column in columns], rows, to_level)
    data = Dataset.from_codes(codes, [len(ls) for ls in levels], names, levels)
    return data.with_ordered_levels(ordered) if ordered else data


def _signed_type(n_levels: int) -> type:
    """Return the smallest type for the codes of levels, and `MISSING_CODE`."""
    return np.int8 if n_levels <= 128 else np.int16 if n_levels <= 32_768 else np.int32


def _stacked(codes: Sequence[np.ndarray], rows: np.ndarray | None, to_level: Sequence[np.ndarray]) -> np.ndarray:
    """Return the levels of the kept rows of all columns in one array."""
    n = len(codes[0]) if rows is None else len(rows)
    stacked = empty((len(codes), n), np.result_type(*to_level))
    for own, table, out in zip(codes, to_level, stacked, strict=True):
        looked_up(table, own if rows is None else own[rows], out)
    return stacked


def _is_ordered(column: ColumnPlan, levels: Sequence[str], notes: list[str]) -> bool:
    """Return True if the order of an ordered column lists all its levels; append a sentence to `notes`."""
    outside = [level for level in levels if level.startswith(MISSING)]
    if column.order and column.binning is None:
        outside += [
            level for level in levels if level not in column.order and JOIN not in level and level not in outside
        ]
    if outside:
        notes.append(
            f"the order of {quoted_columns([column.name])} is not used, because {quoted(outside)} "
            f"{'has' if len(outside) == 1 else 'have'} no place in it"
        )
        return False
    if column.binning is None:
        notes.append(f"levels of {quoted_columns([column.name])} in order: {quoted(levels)}")
    return True


def kept_rows(table: Table, plan: Plan) -> np.ndarray:
    """Return (n,) bool: the rows that the plan's policy for missing cells keeps."""
    keep = first_rows(table, plan)
    for column in plan.used:
        if column.kind == "categorical" and column.missing_level:
            continue
        if plan.missing_policy == "drop" or (plan.missing_policy == "category" and column.kind == "continuous"):
            keep &= ~column.cells(table).rows_among(column.missing)
    if plan.weights:
        keep &= ~np.isnan(row_weights(table, plan))
    return keep


def rows_asked_for(table: Table, plan: Plan) -> np.ndarray:
    """Return (n,) bool: the rows in the range of the plan."""
    asked = np.ones(table.n, dtype=bool)
    if plan.rows is not None:
        first, last = plan.rows
        asked[: first - 1] = asked[last:] = False
    return asked


def first_rows(table: Table, plan: Plan) -> np.ndarray:
    """Return (n,) bool: the first row of each group of the plan's `one_row_per`, and the rows without a group.

    Only rows in the range of the plan count. Copies of earlier rows are left out if the plan says so.
    """
    once = rows_asked_for(table, plan)
    if plan.drop_copies:
        once &= ~copies_of_rows(table)
    if not plan.one_row_per:
        return once
    column = plan.column(plan.one_row_per)
    cells = column.raw(table)
    first = cells.among(column.missing)[cells.codes]
    rows = np.flatnonzero(once)
    first[rows[np.unique(cells.codes[rows], return_index=True)[1]]] = True
    return first & once


def chosen_cells(table: Table, plan: Plan, column: ColumnPlan) -> Cells:
    """Return the cells of a column in the rows that the plan chooses (`first_rows`), or in all if it chooses none."""
    chosen, cells = first_rows(table, plan), column.cells(table)
    return cells if chosen.all() or not chosen.any() else cells.take(np.flatnonzero(chosen))


def row_groups(table: Table, column: ColumnPlan) -> np.ndarray:
    """Return (n,) int64: the group of each row, by its cell in a column; a row with a missing cell is its own group."""
    cells = column.raw(table)
    groups = cells.codes.astype(np.int64)
    missing = cells.among(column.missing)[cells.codes]
    groups[missing] = len(cells.texts) + np.arange(np.count_nonzero(missing))
    return groups


def copies_of_rows(table: Table) -> np.ndarray:
    """Return (n,) bool: True for rows that repeat an earlier row; cached in the table."""
    if "copies" not in table.read_as:
        rows = np.zeros(table.n, dtype=np.int64)
        for cells in table.cells:
            pairs = rows * len(cells.texts) + cells.codes
            rows = np.unique(pairs, return_inverse=True)[1]
            if rows.max() == table.n - 1:
                break
        copies = np.ones(table.n, dtype=bool)
        copies[np.unique(rows, return_index=True)[1]] = False
        table.read_as["copies"] = copies
    return table.read_as["copies"]


def natural_order(texts: Sequence[str], numbers: np.ndarray, listed: Sequence[str] = ()) -> list[int]:
    """Return the positions of texts in natural order: numbers by value, then texts by the numbers in them.

    Texts in `listed` come first, in that order.
    """
    places = {text: k for k, text in enumerate(listed)}

    def key(k: int) -> tuple:
        place = places.get(texts[k], len(places))
        if not np.isnan(numbers[k]):
            return (place, 0, numbers[k], texts[k])
        parts = re.split(r"([0-9]{1,18})", texts[k].casefold())
        return (place, 1, [int(part) if odd % 2 else part for odd, part in enumerate(parts)], texts[k])

    return sorted(range(len(texts)), key=key)


def _counts(cells: Cells, rows: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes of the kept rows, and the count of each text in them."""
    if rows is None:
        return cells.codes, cells.counts
    codes = cells.codes[rows]
    return codes, counted(codes, len(cells.texts))


def numbers_of_rows(
    cells: Cells, column: ColumnPlan, rows: np.ndarray | None, policy: Policy, notes: list[str]
) -> np.ndarray:
    """Return the numbers of the kept rows, (n,) float64, NaN where a cell stays missing."""
    if isinstance(cells, NumberCells) and set(cells.others) <= set(column.missing):
        values = _stored_numbers(cells, column, rows, policy, notes)
        if values is not None:
            return values
    missing = cells.among(column.missing)
    codes, counts = _counts(cells, rows)
    check_numbers(cells, column, missing, counts, finite=True)
    numbers = np.where(missing, np.nan, cells.numbers)
    n_missing = int(counts[missing].sum())
    if n_missing:
        if n_missing == len(codes):
            raise DataError(
                f"column {quoted([column.name])} must hold a number, all {n_missing} are missing. Ignore it"
            )
        if policy == "available":
            return looked_up(numbers, codes)
        numbers[missing] = _median(looked_up(numbers, codes), n_missing, column, notes)
    return looked_up(numbers, codes)


def _median(numbers: np.ndarray, n_missing: int, column: ColumnPlan, notes: list[str]) -> float:
    """Return the median of the numbers that are not missing; append a sentence to `notes`."""
    median = 2 * float(np.nanmedian(numbers / 2))  # halved, so that the mean of the two middle ones cannot overflow
    subject = f"{count(n_missing, 'missing number')} of {quoted_columns([column.name])}"
    notes.append(f"{subject} {was(n_missing)} imputed by the median {median:.6g}")
    return median


def _stored_numbers(
    cells: NumberCells, column: ColumnPlan, rows: np.ndarray | None, policy: Policy, notes: list[str]
) -> np.ndarray | None:
    """Return the stored numbers of the kept rows; None if some are infinite or all are missing."""
    if not cells.is_finite or len(cells.rows) == cells.n_rows:
        return None
    values = cells.values if rows is None else cells.values[rows]
    n_missing = len(cells.rows) if rows is None else int(np.isnan(values).sum())
    marked = as_numbers(text_array(column.missing), ".")
    for mark in marked[~np.isnan(marked)]:
        if (found := values == mark).any():
            n_missing += int(found.sum())
            values = np.where(found, np.nan, values)
    if n_missing == len(values):
        return None
    if n_missing and policy != "available":
        return np.where(np.isnan(values), _median(values, n_missing, column, notes), values)
    return values


def _scored(values: np.ndarray, column: ColumnPlan, notes: list[str]) -> np.ndarray:
    notes.append(f"the numbers of {quoted_columns([column.name])} were transformed to normal scores by rank")
    return normal_scores(values)


def _levels(
    cells: Cells, column: ColumnPlan, rows: np.ndarray | None, policy: Policy, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    """Return the level of each text, (m,), `MISSING_CODE` if it has none, and the levels."""
    codes, counts = _counts(cells, rows)
    to_level, levels = levels_of_texts(cells, column, counts, notes)
    if not levels and policy != "category" and not column.missing_level:
        raise DataError(f"column {quoted([column.name])} must hold a value, all {len(codes)} are missing. Ignore it")
    n_missing = int(counts[to_level == MISSING_CODE].sum())
    subject = f"{count(n_missing, 'missing cell')} of {quoted_columns([column.name])}"
    if n_missing and (policy == "category" or column.missing_level):
        levels = [*levels, missing_level(levels)]
        to_level = np.where(to_level == MISSING_CODE, len(levels) - 1, to_level)
        notes.append(f"{subject} {was(n_missing)} set to the level {levels[-1]!r}")
    elif n_missing and policy != "available":
        mode = int(_level_counts(to_level, counts, len(levels)).argmax())
        to_level = np.where(to_level == MISSING_CODE, mode, to_level)
        notes.append(f"{subject} {was(n_missing)} imputed by the mode {levels[mode]!r}")
    return to_level, levels


def levels_of_texts(
    cells: Cells, column: ColumnPlan, counts: np.ndarray, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    """Return the levels of a column, and the level of each text, (m,), `MISSING_CODE` if it has none.

    Parameters
    ----------
    cells : Cells
    column : ColumnPlan
    counts : (m,) int array
        Kept rows of each text; only texts with rows make a level. A number without rows has the level of its bin.
    notes : list of str
        Sentences on changes are appended.
    """
    missing = cells.among(column.missing)
    if column.binning:
        to_level, levels = _bins(cells, column, missing, counts, notes)
    else:
        to_level, levels = _texts(cells, missing, counts, column.order)
    if len(levels) > MAX_LEVELS:
        raise DataError(
            f"column {quoted([column.name])} may have at most {MAX_LEVELS} levels, found {len(levels)}. "
            "Bin or ignore it"
        )
    return _merge_rare(to_level, levels, counts, column, notes)


def missing_level(levels: Sequence[str]) -> str:
    """Return the name of the level of missing cells, different from all others."""
    return _unused(MISSING, levels)


def _texts(
    cells: Cells, missing: np.ndarray, counts: np.ndarray, listed: Sequence[str]
) -> tuple[np.ndarray, list[str]]:
    """Make each text of the kept rows a level; return (m,) levels of texts, `MISSING_CODE` for none, and the levels.

    Texts in `listed` come first, in that order.
    """
    present = np.flatnonzero(~missing & (counts > 0))
    if len(present) > MAX_LEVELS:
        return np.full(len(counts), MISSING_CODE), [""] * len(present)
    texts = cells.texts.take(to_arrow(present)).to_pylist()
    order = natural_order(texts, cells.numbers[present], listed)
    to_level = np.full(len(counts), MISSING_CODE)
    to_level[present[order]] = np.arange(len(order))
    return to_level, [texts[k] for k in order]


def _bins(
    cells: Cells, column: ColumnPlan, missing: np.ndarray, counts: np.ndarray, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    check_numbers(cells, column, missing, counts, finite=False)
    present = ~missing & (counts > 0)
    cuts = cut_points(np.repeat(cells.numbers[present], counts[present]), column.binning)
    bins = np.searchsorted(cuts, cells.numbers, side="right")
    occupied = np.unique(bins[present])
    labels = bin_labels(cuts, least_digits=15 if column.binning.method == "cuts" else 4)
    to_level = np.where(~missing & np.isin(bins, occupied), np.searchsorted(occupied, bins), MISSING_CODE)
    levels = [labels[b] for b in occupied]
    notes.append(f"column {quoted([column.name])} was cut into {count(len(levels), 'bin')}: {', '.join(levels[:10])}")
    return to_level, levels


def _level_counts(to_level: np.ndarray, counts: np.ndarray, n_levels: int) -> np.ndarray:
    known = to_level != MISSING_CODE
    return np.bincount(to_level[known], weights=counts[known], minlength=n_levels)


def _merge_rare(
    to_level: np.ndarray, levels: list[str], counts: np.ndarray, column: ColumnPlan, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    rows = _level_counts(to_level, counts, len(levels))
    if column.ordered:
        return _merge_neighbours(to_level, levels, rows, column, notes)
    rare = np.flatnonzero(rows < column.min_level_count)
    by_size = np.argsort(rows, kind="stable")[:-1]  # the most frequent level is never merged
    rare = by_size[: max(len(rare), 2)] if len(rare) else by_size[:0]
    if len(rare) < 2:
        return to_level, levels
    stay = np.setdiff1d(np.arange(len(levels)), rare)
    kept = [levels[k] for k in stay]
    new = np.full(len(levels) + 1, len(stay))
    new[stay] = np.arange(len(stay))
    new[MISSING_CODE] = MISSING_CODE
    other = _unused(OTHER, kept)
    merged = [levels[k] for k in np.sort(rare)]
    notes.append(
        f"{len(rare)} rare levels of column {quoted([column.name])} were merged into {quoted([other])}: "
        f"{quoted(merged)}"
    )
    return new[to_level], [*kept, other]


def _merge_neighbours(
    to_level: np.ndarray, levels: list[str], rows: np.ndarray, column: ColumnPlan, notes: list[str]
) -> tuple[np.ndarray, list[str]]:
    """Merge each rare level of an ordered column with its neighbour of fewer rows, until none is rare."""
    groups, sizes = [[k] for k in range(len(levels))], rows.tolist()
    while len(groups) > 1 and min(sizes) < column.min_level_count:
        k = int(np.argmin(sizes))
        left = k > 0 and (k == len(sizes) - 1 or sizes[k - 1] <= sizes[k + 1])
        a = k - 1 if left else k
        groups[a : a + 2], sizes[a : a + 2] = [groups[a] + groups[a + 1]], [sizes[a] + sizes[a + 1]]
    if len(groups) == len(levels):
        return to_level, levels
    names = [levels[own[0]] if len(own) == 1 else f"{levels[own[0]]}{JOIN}{levels[own[-1]]}" for own in groups]
    new = np.full(len(levels) + 1, MISSING_CODE)
    for place, own in enumerate(groups):
        new[own] = place
    merged = [name for name, own in zip(names, groups, strict=True) if len(own) > 1]
    notes.append(f"rare levels of column {quoted([column.name])} were merged with their neighbours: {quoted(merged)}")
    return new[to_level], names


def _unused(name: str, levels: Sequence[str]) -> str:
    while name in levels:
        name += "'"
    return name


def check_numbers(cells: Cells, column: ColumnPlan, missing: np.ndarray, counts: np.ndarray, *, finite: bool) -> None:
    """Raise DataError if cells of the counted rows are neither numbers nor missing or, with `finite`, infinite."""
    wrong = ~missing & (counts > 0) & ~(np.isfinite(cells.numbers) if finite else ~np.isnan(cells.numbers))
    if wrong.any():
        examples = quoted(cells.texts.filter(to_arrow(wrong)).slice(0, 5).to_pylist())
        found = count(int(counts[wrong].sum()), "cell")
        must = f"must hold {'finite ' * finite}numbers, found {found} such as {examples}"
        raise DataError(
            f"column {quoted([column.name])} {must}. Take them as missing, make it categorical or ignore it"
        )


def row_weights(table: Table, plan: Plan) -> np.ndarray:
    """Return the row weights, (n,) float64, NaN where missing; survey weights are divided by their sum.

    Raises
    ------
    DataError
        If a weight is negative or not a finite number, or all are 0 or missing.
    """
    column = plan.column(plan.weights)
    cells = column.cells(table)
    missing = cells.among(column.missing)
    counts = _counts(cells, np.flatnonzero(first_rows(table, plan)))[1]
    check_numbers(cells, column, missing, counts, finite=True)
    known = cells.numbers[~missing & (counts > 0)]
    if (known < 0).any() or not (known > 0).any():
        found = f"found {known.min():g}" if (known < 0).any() else "found none above 0"
        raise DataError(
            f"weights must be at least 0, and some above 0; {found} in {quoted_columns([plan.weights])}. "
            "Weigh by another"
        )
    weights = np.where(missing, np.nan, cells.numbers)[cells.codes]
    # Shares are not integers, so they are not taken for counts.
    return weights / np.nansum(weights) if plan.surveyed else weights


def describe_missing_cells(dataset: Dataset) -> str:
    """Return a sentence on the number of missing cells, their columns, and the complete rows."""
    missing = [~dataset.is_there(j) for j in range(dataset.p)]
    names = [name for name, some in zip(dataset.names, dataset.incomplete, strict=True) if some]
    cells = int(np.sum(missing))
    whole = int((~np.any(missing, axis=0)).sum())
    return (
        f"{cells:,} cell{'s' * (cells > 1)} of {quoted_columns(names)} {'are' if cells > 1 else 'is'} missing, "
        f"and stay{'s' * (cells == 1)} empty; {whole:,} of {dataset.n:,} rows are complete"
    )
