"""What the numbers of a data set are in the table: normal scores read back, and days told from which one on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ..normal_scores import normal_scores
from ..reading.table import Table
from .conversion import MADE, first_day
from .plan import ColumnPlan, Plan
from .preparation import kept_rows, numbers_of_rows


@dataclass(frozen=True, eq=False)
class Scale:
    """How the numbers of one variable are read.

    Attributes
    ----------
    unit : str
        What a number of the table is, such as "days since 01.05.2023"; empty if nothing needs to be said.
    ranks : callable, optional
        Gives `numbers` and `scores`, where the data hold normal scores; called once, and only if they are asked for.
    """

    unit: str = ""
    ranks: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def by_ranks(self) -> bool:
        """Whether the data hold normal scores."""
        return self.ranks is not None

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        return self.ranks()

    @property
    def numbers(self) -> np.ndarray:
        """(k,) float64: the distinct numbers of the rows, ascending."""
        return self._ranked[0]

    @property
    def scores(self) -> np.ndarray:
        """(k,) float64: the normal score of each."""
        return self._ranked[1]

    @property
    def of_data(self) -> str:
        """What a number of the data is."""
        return "normal score" if self.by_ranks else self.unit

    def in_table(self, value: float | np.ndarray) -> float | np.ndarray:
        """The number of the table for one of the data: between two ranks in proportion, and never beyond the last."""
        return np.interp(value, self.scores, self.numbers) if self.by_ranks else value

    def in_data(self, number: float | np.ndarray) -> float | np.ndarray:
        """The number of the data for one of the table; beyond the last rank that of the last."""
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
    return Scale(unit, partial(_ranks, table, plan, column, keep) if column.normal_scores else None)


def _ranks(table: Table, plan: Plan, column: ColumnPlan, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values = numbers_of_rows(column.cells(table), column, np.flatnonzero(keep), plan.missing_policy, [])
    values = values[~np.isnan(values)]
    numbers, first = np.unique(values, return_index=True)
    return numbers, normal_scores(values)[first]


def _unit(table: Table, column: ColumnPlan) -> str:
    if column.treatment is None or column.treatment.how != "date":
        return ""
    if column.treatment.part != "days":
        return MADE[column.treatment.part]
    return f"days since {first_day(column.treatment, column.raw(table), column.cells(table))}"
