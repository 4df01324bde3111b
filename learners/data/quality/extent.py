"""Count the cells and rows that a change of a plan touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.wording import count
from ..column_types.cells import Cells
from ..plan.plan import ColumnPlan, Plan
from ..plan.preparation import first_rows
from ..reading.table import Table


@dataclass(frozen=True)
class Extent:
    """The cells that a change touches, and the rows that have one of them, among the rows that the plan chooses.

    Attributes
    ----------
    n_missing, n_left_out, n_converted : int
        Filled cells that become missing, that are left out with their column, and that are read differently.
    n_rows : int
        Rows with a cell that becomes missing or, if there is none, with any of the others.
    """

    n_missing: int
    n_left_out: int
    n_converted: int
    n_rows: int

    @property
    def sentence(self) -> str:
        """The counts in words, such as ``3 cells in 2 rows become missing``; empty if nothing is touched."""
        rows = count(self.n_rows, "row")
        for number, one, many in (
            (self.n_missing, "becomes missing", "become missing"),
            (self.n_left_out, "is left out", "are left out"),
            (self.n_converted, "is read differently", "are read differently"),
        ):
            if number:
                return f"{count(number, 'cell')} in {rows} {one if number == 1 else many}"
        return ""


def changed_columns(before: Plan, after: Plan) -> tuple[str, ...]:
    """Return the columns of a plan that another plan treats differently."""
    own = {column.name: column for column in after.columns}
    return tuple(column.name for column in before.columns if own.get(column.name) != column)


def extent(table: Table, before: Plan, after: Plan) -> Extent:
    """Return the extent of a change of the plan, cached in the table."""
    key = ("extent", before, after)
    if key not in table.read_as:
        table.read_as[key] = _extent(table, before, after)
    return table.read_as[key]


def _extent(table: Table, before: Plan, after: Plan) -> Extent:
    own = {column.name: column for column in after.columns}
    split = {column.source for column in after.columns if column.source}
    kinds = ("missing", "left out", "converted")
    chosen = np.flatnonzero(first_rows(table, before))
    n_cells, rows = dict.fromkeys(kinds, 0), {kind: np.zeros(len(chosen), dtype=bool) for kind in kinds}
    for column in before.columns:
        changed = own.get(column.name, column)
        if changed == column or column.kind == changed.kind == "ignore":
            continue
        cells = column.raw(table) if len(chosen) == table.n else column.raw(table).take(chosen)
        for kind, touched in _touched(cells, column, changed, is_split=column.name in split).items():
            n_cells[kind] += int(cells.counts[touched].sum())
            rows[kind] |= touched[cells.codes]
    first = next((kind for kind in kinds if n_cells[kind]), "missing")
    return Extent(n_cells["missing"], n_cells["left out"], n_cells["converted"], int(rows[first].sum()))


def _touched(cells: Cells, before: ColumnPlan, after: ColumnPlan, *, is_split: bool) -> dict[str, np.ndarray]:
    """Return masks of the distinct texts of a column: those that become missing, are left out or are converted."""
    filled = ~cells.among(before.missing) & ~cells.blank
    if after.kind == "ignore":
        return {"converted" if is_split else "left out": filled}
    missing = filled & cells.among(after.missing)
    if before.min_level_count != after.min_level_count:
        return {"missing": missing, "converted": filled & ~missing & (cells.counts < after.min_level_count)}
    return {"missing": missing, "converted": filled & ~missing}
