"""What the numbers of a data set are in the table: normal scores read back, and days told from which one on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .normal_scores import normal_scores
from .plan import ColumnPlan, Plan
from .prepare import kept_rows, numbers_of_rows
from .tables import Table
from .treatments import MADE


@dataclass(frozen=True, eq=False)
class Scale:
    """How the numbers of one variable are read.

    Attributes
    ----------
    unit : str
        What a number of the table is, such as "days since the first, 01.05.2023"; empty if nothing needs to be said.
    numbers, scores : (k,) float64 arrays
        The distinct numbers of the rows, ascending, and the normal score of each, where the data hold scores.
    """

    unit: str = ""
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0))
    scores: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def by_ranks(self) -> bool:
        """Whether the data hold normal scores."""
        return len(self.numbers) > 0

    @property
    def of_data(self) -> str:
        """What a number of the data is."""
        return "normal score" if self.by_ranks else self.unit

    def in_table(self, value: float | np.ndarray) -> float | np.ndarray:
        """The number of the table for one of the data: between two ranks in proportion, and never beyond the last."""
        return np.interp(value, self.scores, self.numbers) if self.by_ranks else value

    def in_data(self, number: float | np.ndarray) -> float | np.ndarray:
        """The number of the data for one of the table."""
        return np.interp(number, self.numbers, self.scores) if self.by_ranks else number


PLAIN = Scale()  # of numbers that stand in the table as they are


def scales(table: Table, plan: Plan) -> dict[str, Scale]:
    """The scales of those variables whose numbers need one, by name.

    Parameters
    ----------
    table : Table
    plan : Plan
        One that `prepare` takes.
    """
    keep = kept_rows(table, plan)
    found = {column.name: _scale(table, plan, column, keep) for column in plan.used if column.kind == "continuous"}
    return {name: one for name, one in found.items() if one.unit or one.by_ranks}


def _scale(table: Table, plan: Plan, column: ColumnPlan, keep: np.ndarray) -> Scale:
    unit = _unit(table, column)
    if not column.normal_scores:
        return Scale(unit)
    values = numbers_of_rows(column.cells(table), column, np.flatnonzero(keep), plan.missing_policy, [])
    values = values[~np.isnan(values)]
    numbers, first = np.unique(values, return_index=True)
    return Scale(unit, numbers, normal_scores(values)[first])


def _unit(table: Table, column: ColumnPlan) -> str:
    if column.treatment is None or column.treatment.how != "date":
        return ""
    made = MADE[column.treatment.part]
    first = np.flatnonzero(column.cells(table).numbers == 0)
    if column.treatment.part != "days" or not len(first):
        return made
    return f"{made}, {column.raw(table).texts[int(first[0])].as_py()}"
