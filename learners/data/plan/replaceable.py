"""Find ignored columns that could replace used ones, such as a sum that is left out because of its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...common.errors import DataError
from ..column_types.number_cells import NumberCells
from ..dataset import Dataset, LeftOut
from ..determination import MAX_CHECK_ROWS, MAX_NUMBERS, MIN_ROWS, DeterminedGroup, determined_groups
from ..reading.table import Table
from .plan import ColumnPlan, Plan, Policy

Build = Callable[[Table, Sequence[ColumnPlan], np.ndarray, Policy, list[str]], Dataset]
MAX_MISSING = 0.5  # maximum share of missing cells of an ignored column that is examined


def left_out_columns(table: Table, plan: Plan, keep: np.ndarray, build: Build) -> tuple[LeftOut, ...]:
    """Return the ignored columns of numbers that the used ones determine, and that could replace each of these.

    Parameters
    ----------
    table : Table
    plan : Plan
    keep : (n,) bool array
        The rows of the data set; at most 50,000 of them are examined.
    build : callable
        Builds the data set of some columns and rows: `preparation.build`.
    """
    key = ("left out", plan)
    if key not in table.read_as:
        table.read_as[key] = _found(table, plan, keep, build)
    return table.read_as[key]


def _found(table: Table, plan: Plan, keep: np.ndarray, build: Build) -> tuple[LeftOut, ...]:
    roles = {plan.weights, plan.one_row_per, plan.resample_by}
    ignored = [column for column in plan.columns if column.kind == "ignore" and column.name not in roles]
    ignored = [
        replace(column, kind="continuous", normal_scores=False) for column in ignored if _has_numbers(table, column)
    ]
    if not ignored or len(ignored) + len(plan.used) > MAX_NUMBERS:
        return ()
    rows = np.flatnonzero(keep)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), MAX_CHECK_ROWS)).astype(np.int64)]
    sample = np.zeros(table.n, dtype=bool)
    sample[rows] = True
    try:
        whole = build(table, [*plan.used, *ignored], sample, "available", [])
    except DataError:  # a column has no cell in the sample
        return ()
    names = [column.name for column in ignored]
    candidates = [name for name in names if any(name in members for members in _exchangeable(whole))]
    found = []
    for name in candidates:
        others = set(names) - {name}
        part = whole.select([j for j, column in enumerate(whole.names) if column not in others])
        found += [
            LeftOut(name, tuple(k for k in part.names if k in own and k != name))
            for own in _exchangeable(part)
            if name in own
        ]
    return tuple(found)


def _exchangeable(dataset: Dataset) -> list[set[str]]:
    """Return the sets of three columns or more in which each is determined by the others."""
    groups: Sequence[DeterminedGroup] = determined_groups(dataset)
    return [
        {dataset.names[k] for k in (group.target, *group.by)} for group in groups if group.mutual and len(group.by) > 1
    ]


def _has_numbers(table: Table, column: ColumnPlan) -> bool:
    """Return True if a column has enough numbers of two values or more, and nothing else."""
    cells = column.cells(table)
    if isinstance(cells, NumberCells):
        values = cells.values[~cells.rows_among(column.missing)]  # its texts would take far more memory
        varies = len(values) >= max(MIN_ROWS, 2) and np.isfinite(values).all() and values.min() < values.max()
        return bool(varies) and table.n - len(values) <= MAX_MISSING * table.n
    missing = cells.among(column.missing)
    numbers = cells.numbers[~missing]
    if len(numbers) < 2 or not np.isfinite(numbers).all():
        return False
    n_missing = int(cells.counts[missing].sum())
    return n_missing <= MAX_MISSING * table.n and table.n - n_missing >= MIN_ROWS
