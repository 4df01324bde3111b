"""Find columns with many levels for their rows or for tests with numbers, and columns with rare levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...common.sentences import Message, columns_of, only_if, paragraph, phrase, say
from ..column_types.types_and_missing_codes import DISTINCT_SHARE, ROWS_PER_LEVEL, kind_of
from ..embedding import describe_width, too_wide, widths
from ..plan.conversion_guess import guess_amounts
from ..plan.plan import ColumnPlan, Plan
from .finding import Finding, Fix, blocker, leave_out, listed_or_counted, warning
from .inspection import Inspection
from .registry import OF_TEXTS, check
from .unusable_columns import into_bins

MIN_ROWS_OF_IDS = 20  # minimum number of rows for a column of distinct values to count as an identifier
MAX_NAMED = 5  # maximum number of columns named, those with the most levels
CONVERTIBLE = ("amounts", "thousands", "dates")  # checks whose fixes turn levels into numbers


class LevelCounts(NamedTuple):
    """Counts of the levels of the categorical columns, and the columns with few levels or few rows per level.

    Attributes
    ----------
    counts : list of (arity,) arrays
        Number of rows of each level, one array per column.
    n_levels : (p,) int array
        Observed levels.
    constant, id_like, many, small : tuple of str
        Columns with one level; with a different level in nearly every row; with fewer than `ROWS_PER_LEVEL` rows per
        level on average; with a level of fewer rows than that. Each column is in at most one of them.
    single : tuple of str
        Columns of `small` with a level in a single row.
    """

    counts: list[np.ndarray]
    n_levels: np.ndarray
    constant: tuple[str, ...]
    id_like: tuple[str, ...]
    many: tuple[str, ...]
    small: tuple[str, ...]
    single: tuple[str, ...]


def level_counts(inspection: Inspection) -> LevelCounts:
    """Count the levels of the categorical columns."""
    dataset = inspection.levels
    names, n = np.array(dataset.names, dtype=object), dataset.n
    counts = [
        np.bincount(codes, minlength=arity)[:arity] for codes, arity in zip(dataset.codes, dataset.arity, strict=True)
    ]
    n_levels = np.array([np.count_nonzero(column) for column in counts])
    rarest = np.array([column[column > 0].min(initial=n) for column in counts])
    constant = n_levels <= 1
    id_like = ~constant & (n >= MIN_ROWS_OF_IDS) & (n_levels > DISTINCT_SHARE * n)
    many = ~constant & ~id_like & (n_levels * ROWS_PER_LEVEL > n)
    small = ~(constant | id_like | many) & (rarest < ROWS_PER_LEVEL)
    masks = (constant, id_like, many, small, small & (rarest == 1))
    return LevelCounts(counts, n_levels, *(tuple(names[mask]) for mask in masks))


@check("many_levels", needs_rows=True)
def many_levels(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns with few rows per level on average."""
    if inspection.levels is None:
        return []
    found, plan = inspection.once(level_counts), inspection.plan
    many = _left(inspection, found.many)
    if not many:
        return []
    most = max(int(found.n_levels[inspection.levels.index(name)]) for name in many)
    reason = say(
        "up to {n} levels in {columns} leave fewer than {rows} rows per level.",
        n=most,
        columns=columns_of(many),
        rows=ROWS_PER_LEVEL,
    )
    numeric = [name for name in many if _is_numeric(inspection, plan.column(name))]
    fixes = [into_bins(plan, numeric)] if numeric else []
    return [warning("many_levels", many, reason, *fixes, *merge_rare(inspection, many), leave_out(plan, many))]


@check("small_counts", needs_rows=True)
def small_counts(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns with a rare level."""
    if inspection.levels is None:
        return []
    found, plan = inspection.once(level_counts), inspection.plan
    small = tuple(name for name in _left(inspection, found.small) if _stays_rare(inspection, name))
    if not small:
        return []
    single = tuple(name for name in found.single if name in small)
    reason = paragraph(
        say(
            "the rarest level of {columns} has fewer than {rows} rows. Expected counts are tiny in every test with it.",
            columns=columns_of(small),
            rows=ROWS_PER_LEVEL,
        ),
        only_if(single, say("In {columns}, a level occurs in a single row.", columns=columns_of(single))),
    )
    return [warning("small_counts", small, reason, *merge_rare(inspection, small), leave_out(plan, small))]


def merge_rare(inspection: Inspection, names: Iterable[str]) -> list[Fix]:
    """Return the fix that merges rare levels, for columns with more than two levels that do not merge rare ones yet."""
    plan = inspection.plan
    names = [name for name in names if _can_merge(inspection, plan.column(name))]
    template = "merge the levels of {columns} that have fewer than {n} rows"
    label = phrase(template, columns=listed_or_counted(names), n=ROWS_PER_LEVEL)
    return [Fix(label, plan.change(*names, min_level_count=ROWS_PER_LEVEL))] if names else []


def _can_merge(inspection: Inspection, column: ColumnPlan) -> bool:
    levels = ~column.cells(inspection.table).among(column.missing)
    return column.min_level_count < ROWS_PER_LEVEL and bool(levels.sum() > 2)


def _is_numeric(inspection: Inspection, column: ColumnPlan) -> bool:
    cells = column.cells(inspection.table)
    return column.binning is None and not np.isnan(cells.numbers[~cells.among(column.missing)]).any()


def _left(inspection: Inspection, names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that stay categorical after the first fixes on texts."""
    losing = inspection.once(_losing_levels)
    return tuple(name for name in names if name not in losing)


def _losing_levels(inspection: Inspection) -> set[str]:
    """Return the columns that are no longer categorical once first fixes of findings on texts are applied."""
    plans, marked = _fixed_texts(inspection), inspection.once(_marked)
    losing = set()
    for own in inspection.plan.columns:
        if own.kind == "categorical":
            fixed = [column for plan in plans for column in plan.columns if column.name == own.name]
            becomes_numbers = own.name in marked and _becomes_numbers(inspection, marked[own.name])
            if becomes_numbers or any(column.kind != "categorical" for column in fixed):
                losing.add(own.name)
    return losing


def _fixed_texts(inspection: Inspection) -> list[Plan]:
    """Return the plan after the first fix of each finding on texts."""
    return [finding.fixes[0].plan for name in OF_TEXTS for finding in inspection.findings(name)]


def _marked(inspection: Inspection) -> dict[str, ColumnPlan]:
    """Return the categorical columns with texts that first fixes treat as missing, after all of these fixes."""
    plans, marked = _fixed_texts(inspection), {}
    for own in inspection.plan.columns:
        if own.kind == "categorical":
            fixed = [column for plan in plans for column in plan.columns if column.name == own.name]
            missing = tuple(dict.fromkeys(text for one in (own, *fixed) for text in one.missing))
            if missing != own.missing:
                marked[own.name] = replace(own, missing=missing)
    return marked


def _stays_rare(inspection: Inspection, name: str) -> bool:
    """Return True if a column still has a rare level once texts that may mean missing are treated as missing."""
    column = inspection.once(_marked).get(name)
    if column is None:
        return True
    cells = column.cells(inspection.table)
    counts = cells.counts[~cells.among(column.missing)]
    return bool(counts[counts > 0].min(initial=ROWS_PER_LEVEL) < ROWS_PER_LEVEL)


def _becomes_numbers(inspection: Inspection, column: ColumnPlan) -> bool:
    """Return True if the texts of a column, without missing ones, are numbers or amounts."""
    cells = column.cells(inspection.table)
    kind, _ = kind_of(cells, cells.among(column.missing))
    return kind == "continuous" or guess_amounts(cells, column, inspection.table.guess.decimal) is not None


@check("wide_levels", needs_rows=True)
def wide_levels(inspection: Inspection) -> list[Finding]:
    """Return a finding on the levels of a table that also has columns of numbers."""
    dataset, plan = inspection.dataset, inspection.plan
    if dataset.kind != "mixed":
        return []
    wide = too_wide(dataset)
    if wide:
        as_numbers = [
            finding.fixes[0]
            for name in CONVERTIBLE
            for finding in inspection.findings(name)
            if set(finding.columns) & set(wide)
        ]
        reason = say("{reason}.", reason=Message(describe_width(dataset, wide)))
        return [blocker("too_wide", wide, reason, *as_numbers, leave_out(plan, wide[:1]))]
    columns, categorical = np.array(widths(dataset)), np.array(dataset.kinds) == "categorical"
    if columns.sum() < dataset.n:
        return []
    left = _left(inspection, dataset.names)
    categorical &= np.array([name in left for name in dataset.names])
    columns[~categorical] = 1
    if columns.sum() < dataset.n:
        return []
    order = np.argsort(-columns * categorical, kind="stable")[:MAX_NAMED]
    most = tuple(dataset.names[j] for j in order if categorical[j])
    reason = paragraph(
        say(
            "with numbers in the table, the levels count as {n} columns, for {rows} rows.",
            n=int(columns.sum()),
            rows=dataset.n,
        ),
        say(
            "Tests and scores of many columns have too few rows; {columns} has the most levels."
            if len(most) == 1
            else "Tests and scores of many columns have too few rows; {columns} have the most levels.",
            columns=columns_of(most),
        ),
    )
    return [warning("columns_of_levels", most, reason, *merge_rare(inspection, most), leave_out(plan, most))]
