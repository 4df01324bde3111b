"""A table under a plan as the checks see it: data sets and intermediate results, computed when a check needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TypeVar

import numpy as np

from ..column_types.cells import Cells
from ..column_types.number_cells import NumberCells
from ..dataset import Dataset
from ..plan.plan import ColumnPlan, Plan
from ..plan.preparation import build, first_rows, kept_rows
from ..reading.table import Table
from ..resampling import rows_in_runs
from .finding import Finding
from .registry import checks, column_checks

Result = TypeVar("Result")
MAX_INSPECTED = 20_000  # maximum number of rows of a long table in neighbouring runs that are checked
MAX_TEXTS, ROWS_OF_TEXT = 20, 5  # number of texts per column, and of rows per text, that are checked in addition


class Inspection:
    """A table under a plan during one run of all checks.

    Parameters
    ----------
    table : Table
    plan : Plan

    Attributes
    ----------
    table : Table
        The rows that the checks see and count: those in the range of the plan, without the copies and repeated groups
        that it leaves out. All rows if none is left. Of a long table it has a part, see `inspected`.
    plan_of_rows : Plan
        The plan without its range, in which `table` lies.
    n_chosen : int
        Number of rows that the plan chooses, of which `table` has all or a part.
    """

    def __init__(self, table: Table, plan: Plan) -> None:
        chosen = first_rows(table, plan)
        self.table, self.plan = inspected(table, plan, chosen), plan
        self.plan_of_rows, self.n_chosen = replace(plan, rows=None), int(chosen.sum())
        self._results: dict[object, object] = {}

    def once(self, compute: Callable[[Inspection], Result]) -> Result:
        """Return ``compute(self)``, computed at the first call."""
        if compute not in self._results:
            self._results[compute] = compute(self)
        return self._results[compute]

    def findings(self, name: str) -> Sequence[Finding]:
        """Return the findings of a registered check."""
        return self.once(checks()[name].find)

    @cached_property
    def undecided(self) -> list[tuple[ColumnPlan, Cells]]:
        """Columns that are not continuous by guess, and that the plan leaves as guessed, with their cells."""
        found = []
        for guess in self.table.guess.columns:
            column = self.plan.column(guess.name)
            as_guessed = column.kind == guess.kind and column.kind != "continuous"
            if as_guessed and column.binning is None and column.treatment is None:
                found.append((column, column.cells(self.table)))
        return found

    @cached_property
    def unusable(self) -> list[Finding]:
        """One blocker for each used column that cannot be prepared."""
        found = []
        for column in self.plan.used:
            blockers = filter(None, (check(self, column) for check in column_checks()))
            found += islice(blockers, 1)  # checks stop at the first failure
        return found

    @cached_property
    def usable(self) -> list[ColumnPlan]:
        """The used columns without a blocker."""
        names = {name for finding in self.unusable for name in finding.columns}
        return [column for column in self.plan.used if column.name not in names]

    @cached_property
    def weights_are_valid(self) -> bool:
        """True if the plan has no weight column, or one that can be used."""
        return all(finding.severity != "blocker" for finding in self.findings("weights"))

    @cached_property
    def keep(self) -> np.ndarray:
        """(n_rows,) bool: the rows that a run would use, ignoring unusable columns."""
        columns = list(self.usable)
        if self.plan.weights:
            columns.append(self.plan.column(self.plan.weights))
        if self.plan.one_row_per and all(column.name != self.plan.one_row_per for column in columns):
            columns.append(replace(self.plan.column(self.plan.one_row_per), kind="ignore"))
        weights = self.plan.weights if self.weights_are_valid else ""
        plan = replace(self.plan_of_rows, columns=tuple(columns), weights=weights)
        return kept_rows(self.table, plan) & (self.n_chosen > 0)

    @cached_property
    def n(self) -> int:
        """Number of rows that a run would use."""
        return int(self.keep.sum())

    @cached_property
    def dataset(self) -> Dataset | None:
        """The usable columns in the kept rows, without weights; None if there is no such row or column."""
        if not self.n or not self.usable:
            return None
        return build(self.table, self.usable, self.keep, self.plan.missing_policy, [])

    @cached_property
    def all_rows(self) -> Dataset:
        """The usable columns in all rows, with their missing cells."""
        if self.plan.missing_policy == "available":
            return self.dataset
        return build(self.table, self.usable, np.ones(self.table.n, dtype=bool), "available", [])

    @cached_property
    def in_own_units(self) -> Dataset:
        """The data of `all_rows`, with original numbers in columns that the plan transforms to normal scores."""
        if not any(column.normal_scores for column in self.usable):
            return self.all_rows
        columns = [replace(column, normal_scores=False) for column in self.usable]
        return build(self.table, columns, np.ones(self.table.n, dtype=bool), "available", [])

    @cached_property
    def without_codes(self) -> Dataset | None:
        """The data of `dataset`, with missing cells in place of numbers that may be missing-value codes."""
        fixed = {
            name: finding.fixes[0].plan.column(name)
            for kind in ("missing_codes", "possible_codes")
            for finding in self.findings(kind)
            for name in finding.columns
        }
        if self.dataset is None or not fixed:
            return self.dataset
        return build(self.table, [fixed.get(one.name, one) for one in self.usable], self.keep, "available", [])

    @cached_property
    def numbers(self) -> Dataset | None:
        """The continuous columns of `dataset`; None if it has none."""
        return self._of_kind("continuous")

    @cached_property
    def levels(self) -> Dataset | None:
        """The categorical columns of `dataset`; None if it has none."""
        return self._of_kind("categorical")

    def _of_kind(self, kind: str) -> Dataset | None:
        columns = [j for j in range(self.dataset.p) if self.dataset.kinds[j] == kind]
        return self.dataset.select(columns) if columns else None


def inspected(table: Table, plan: Plan, chosen: np.ndarray) -> Table:
    """Return the rows of a table that are checked, cached in the table.

    These are the chosen ones, (n,) bool, or all if none is chosen. If the table `is_long`, they are runs of
    neighbouring rows, and some rows of each of the first texts of each column, so that no column seems constant.
    """
    if plan.one_row_per:
        key = ("inspected", plan.rows, plan.drop_copies, plan.column(plan.one_row_per))
    else:
        key = ("inspected", plan.rows, plan.drop_copies)
    if key not in table.read_as:
        some = table if chosen.all() or not chosen.any() else table.take(np.flatnonzero(chosen))
        table.read_as[key] = _in_runs(some) if table.is_long and some.n > MAX_INSPECTED else some
    return table.read_as[key]


def _in_runs(table: Table) -> Table:
    rows = [rows_in_runs(table.n, MAX_INSPECTED)]
    for cells in table.cells:
        if not isinstance(cells, NumberCells):
            few = min(len(cells.texts), MAX_TEXTS)
            # Copied, because a view keeps the positions of all rows in memory.
            rows += [np.flatnonzero(cells.codes == k)[:ROWS_OF_TEXT].copy() for k in range(few)]
    return table.take(np.unique(np.concatenate(rows)))
