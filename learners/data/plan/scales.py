"""Scales of continuous variables: normal scores and days converted back to the numbers of the table."""

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
    """Relation between the numbers of a variable in the data set and in the table.

    Attributes
    ----------
    unit : str
        Unit of the numbers in the table, such as "days since 01.05.2023"; empty if there is none.
    ranks : callable, optional
        Returns `numbers` and `scores` if the data set has normal scores; called once, when they are needed.
    """

    unit: str = ""
    ranks: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def by_ranks(self) -> bool:
        """True if the data set has normal scores."""
        return self.ranks is not None

    @cached_property
    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        return self.ranks()

    @property
    def numbers(self) -> np.ndarray:
        """(k,) float64: the distinct numbers of the table, ascending."""
        return self._ranked[0]

    @property
    def scores(self) -> np.ndarray:
        """(k,) float64: the normal score of each number."""
        return self._ranked[1]

    @property
    def of_data(self) -> str:
        """Unit of the numbers in the data set."""
        return "normal score" if self.by_ranks else self.unit

    def in_table(self, value: float | np.ndarray) -> float | np.ndarray:
        """Convert from data set to table: linear between ranks, and constant beyond the first and last."""
        return np.interp(value, self.scores, self.numbers) if self.by_ranks else value

    def in_data(self, number: float | np.ndarray) -> float | np.ndarray:
        """Convert from table to data set: linear between ranks, and constant beyond the first and last."""
        return np.interp(number, self.numbers, self.scores) if self.by_ranks else number


PLAIN = Scale()  # scale of numbers that are not converted


def scales(table: Table, plan: Plan) -> dict[str, Scale]:
    """Return the scales of the variables that have a unit or normal scores, by name.

    Parameters
    ----------
    table : Table
    plan : Plan
        Valid for `prepare`.
    """
    keep = kept_rows(table, plan)
    found = {column.name: _scale(table, plan, column, keep) for column in plan.used if column.kind == "continuous"}
    return {name: scale for name, scale in found.items() if scale.unit or scale.by_ranks}


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
