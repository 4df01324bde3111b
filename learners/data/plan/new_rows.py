"""Further rows for a prepared data set, converted by the same plan."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd
import pyarrow as pa

from ...common.errors import DataError
from ...common.wording import quoted
from ..column_types.cells import Cells
from ..reading.table import Table
from .conversion import treated
from .plan import ColumnPlan, Plan, default_plan
from .preparation import MISSING_CODE, kept_rows, levels_of_texts, missing_level
from .scales import PLAIN, scales


def convert_rows(table: Table, plan: Plan, rows: Table, names: Collection[str]) -> pd.DataFrame:
    """Convert the cells of further rows by the plan of a table.

    Parameters
    ----------
    table : Table
        The table that the data set was prepared from. Levels, bins, ranks and the first day come from its rows.
    plan : Plan
    rows : Table
        Rows with some of its columns, under the same names.
    names : collection of str
        Variables to convert; variables without a column in `rows` are left out.

    Returns
    -------
    DataFrame
        One column per variable: names of levels, or numbers as in the data set. None where a cell is missing, unless
        missing is a level.

    Raises
    ------
    DataError
        If a cell is not a number where one is needed, or a level that the table does not have.
    """
    keep, known = np.flatnonzero(kept_rows(table, plan)), scales(table, plan)
    found = {}
    for column in plan.used:
        if column.name in names and (column.source or column.name) in rows.names:
            cells = _read_together(column, table, rows)
            own = cells.codes[table.n :]
            if column.kind == "continuous":
                found[column.name] = known.get(column.name, PLAIN).in_data(_numbers(cells, column, own, table.n))
            else:
                found[column.name] = _levels(cells, column, keep, own, plan.missing_policy == "category")
    return pd.DataFrame(found, index=range(rows.n))


def convert_rows_without_plan(rows: Table, names: Collection[str], of_numbers: Collection[str]) -> pd.DataFrame:
    """Convert rows without a plan: texts are names of levels, except in the columns `of_numbers`."""
    found, plan = {}, default_plan(rows)
    for name in [name for name in rows.names if name in names]:
        cells = rows.column(name)
        if name in of_numbers:
            column = plan.column(name)
            found[name] = _numbers(cells, column, cells.codes, rows.n)
        else:
            found[name] = np.array([text or None for text in cells.texts.to_pylist()], dtype=object)[cells.codes]
    return pd.DataFrame(found, index=range(rows.n))


def _read_together(column: ColumnPlan, table: Table, rows: Table) -> Cells:
    """Append the cells of further rows to the table; counts cover the original rows only."""
    first, then = column.raw(table), column.raw(rows)
    places = {text: k for k, text in enumerate(first.texts.to_pylist())}
    texts = then.texts.to_pylist()
    new = [k for k, text in enumerate(texts) if text not in places]
    places |= {texts[k]: len(first.texts) + at for at, k in enumerate(new)}
    own = np.array([places[text] for text in texts], dtype=np.int64)[then.codes]
    cells = Cells(
        np.concatenate([first.codes.astype(np.int64), own]),
        pa.concat_arrays([first.texts, then.texts.take(pa.array(new, pa.int64()))]),
        np.concatenate([first.counts, np.zeros(len(new), dtype=np.int64)]),
        np.concatenate([first.numbers, then.numbers[new]]),
    )
    return cells if column.treatment is None else treated(cells, column.treatment, column.missing)


def _numbers(cells: Cells, column: ColumnPlan, own: np.ndarray, n: int) -> np.ndarray:
    missing = cells.among(column.missing)
    _refuse(column, cells, own, ~missing & ~np.isfinite(cells.numbers), "must hold finite numbers")
    numbers = np.where(missing, np.nan, cells.numbers)
    if column.treatment is not None and (column.treatment.how, column.treatment.part) == ("date", "days"):
        # Count days from the earliest day of the first n rows; new rows may be earlier.
        numbers = numbers - np.floor(np.nanmin(numbers[cells.codes[:n]]))
    return numbers[own]


def _levels(cells: Cells, column: ColumnPlan, keep: np.ndarray, own: np.ndarray, has_missing: bool) -> np.ndarray:
    missing = cells.among(column.missing)
    if column.binning:
        _refuse(column, cells, own, ~missing & np.isnan(cells.numbers), "must hold numbers")
    counts = np.bincount(cells.codes[keep], minlength=len(cells.texts))
    to_level, levels = levels_of_texts(cells, column, counts, [])
    _refuse(column, cells, own, ~missing & (to_level == MISSING_CODE), f"has the levels {quoted(levels[:20])}")
    missing_name = missing_level(levels) if has_missing and counts[missing].any() else None
    called = np.array([*levels, missing_name], dtype=object)  # `MISSING_CODE` selects the last one
    return called[to_level[own]]


def _refuse(column: ColumnPlan, cells: Cells, own: np.ndarray, wrong: np.ndarray, problem: str) -> None:
    """Raise DataError for the first of the further rows with a text in the mask `wrong` (m,)."""
    at = np.flatnonzero(wrong[own])
    if len(at):
        text = cells.texts[int(own[at[0]])].as_py()
        raise DataError(
            f"row {at[0] + 1:,}: column {quoted([column.name])} {problem}, found {text!r}. Leave the cell empty if it "
            "is not known"
        )
