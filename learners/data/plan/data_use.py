"""Share of a table that a run uses, stored with its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...common.sentences import Count, Phrase, Sentence, cells_of, only_if, phrase, say

if TYPE_CHECKING:
    from ..dataset import Dataset
    from ..reading.table import Table
    from .plan import Plan


@dataclass(frozen=True)
class DataUse:
    """Numbers of rows, columns and cells in the table, and of those that a run uses.

    Attributes
    ----------
    rows, rows_of : int
    columns, columns_of : int
        Columns of the table, also if several variables come from one column.
    cells, cells_of : int
        Present cells, and all cells of the rows and variables used.
    sample_size : int, optional
        Effective sample size of weighted rows; None if each row counts once.
    variables : int, optional
        Variables made from the columns; None if there are as many as columns.
    """

    rows: int
    rows_of: int
    columns: int
    columns_of: int
    cells: int
    cells_of: int
    sample_size: int | None = None
    variables: int | None = None

    @property
    def is_whole(self) -> bool:
        """True if all rows, columns and cells are used, and each row counts once."""
        used, whole = (self.rows, self.columns, self.cells), (self.rows_of, self.columns_of, self.cells_of)
        return used == whole and self.sample_size is None

    @property
    def sentence(self) -> Phrase:
        """A clause such as ``uses 333 of 344 rows and 8 columns; 8 of 2,664 cells are missing``."""
        columns = _of(self.columns, self.columns_of, "column")
        if self.variables is not None:
            columns = say("{variables} from {columns}", variables=Count(self.variables, "variable"), columns=columns)
        n_missing = self.cells_of - self.cells
        template = "; {n} of {cells} is missing" if n_missing == 1 else "; {n} of {cells} are missing"
        return phrase(
            "uses {rows} and {columns}{weighed}{missing}",
            rows=_of(self.rows, self.rows_of, "row"),
            columns=columns,
            weighed=only_if(self.sample_size, say(", weighed to a sample size of {n}", n=self.sample_size)),
            missing=only_if(n_missing, say(template, n=n_missing, cells=cells_of(self.cells_of))),
        )


def use_of(dataset: Dataset, table: Table | None = None, plan: Plan | None = None) -> DataUse:
    """Count the rows, columns and cells of a data set, and those of its original table."""
    rows, p = dataset.n_rows, dataset.p
    columns = p if plan is None else len({column.source or column.name for column in plan.used})
    return DataUse(
        rows=rows,
        rows_of=rows if table is None else table.n,
        columns=columns,
        columns_of=columns if table is None else table.p,
        cells=rows * p - int(dataset.n_missing.sum()),
        cells_of=rows * p,
        sample_size=None if dataset.weights is None else dataset.n,
        variables=None if p == columns else p,
    )


def _of(part: int, whole: int, what: str) -> Count | Sentence:
    all_ = Count(whole, what)
    return all_ if part == whole else say("{n} of {all}", n=part, all=all_)
