"""Plans as JSON files: written, read strictly, and adapted to a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...common.errors import DataError, ParameterError
from ...common.validation import validated
from ...common.wording import quoted, quoted_columns
from ..reading.json_file import JSONFormat
from ..reading.table import Table
from .plan import ColumnPlan, Plan, default_plan

PLAN = JSONFormat("plan", "edgewise_plan", 1)


@validated
def write_plan(plan: Plan) -> str:
    """Return the plan as the text of a plan file, without settings at their defaults."""
    return PLAN.written(stored_plan(plan))


def stored_plan(plan: Plan) -> dict[str, Any]:
    """Return the plan as a JSON object, without settings of columns at their defaults."""
    plain = ColumnPlan("name", "ignore")
    default = Plan((plain,)).to_dict()["columns"][0]
    stored = plan.to_dict()
    keep = ("name", "kind")
    columns = [{k: v for k, v in column.items() if k in keep or v != default[k]} for column in stored["columns"]]
    return {**stored, "columns": columns}


@validated
def read_plan(source: str | Path | bytes) -> Plan:
    """Read a plan file.

    Parameters
    ----------
    source : path, or the bytes of the file

    Raises
    ------
    DataError
        If the file cannot be read, or is not JSON.
    ParameterError
        If it is not a plan, or a setting is unknown or out of range. The message names the setting.
    """
    return plan_of(PLAN.read(source))


def plan_of(stored: Mapping[str, Any]) -> Plan:
    """Return the plan that `stored_plan` wrote; ParameterError if it is not a plan, or has a column twice."""
    plan = Plan.from_dict(stored)
    names = [column.name for column in plan.columns]
    if len(set(names)) < len(names):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise ParameterError(f"a plan must have each column once, found {quoted(twice)} again. Delete one of them")
    return plan


def fitted(plan: Plan, table: Table) -> tuple[Plan, tuple[str, ...]]:
    """Adapt a plan that was made for another table; return it with one sentence on each difference.

    Columns that the plan does not mention are left out.

    Raises
    ------
    DataError
        If the plan uses a column that the table does not have.
    """
    known = set(table.names)
    named = (plan.weights, plan.one_row_per, plan.resample_by)
    asked = [column for column in plan.columns if column.kind != "ignore" or column.name in named]
    lacking = [column.source or column.name for column in asked if (column.source or column.name) not in known]
    if lacking:
        raise DataError(
            f"the plan uses {quoted_columns(list(dict.fromkeys(lacking)))}, which the table lacks. It has "
            f"{quoted(table.names)}"
        )
    columns = [column for column in plan.columns if (column.source or column.name) in known]
    planned = {column.source or column.name for column in columns} | {column.name for column in columns}
    new = [name for name in table.names if name not in planned]
    columns += [replace(default_plan(table).column(name), kind="ignore") for name in new]
    stay = f"{quoted_columns(new)}, which {'is' if len(new) == 1 else 'are'} left out"
    notes = (f"the plan says nothing of {stay}",) if new else ()
    return replace(plan, columns=tuple(columns)), notes
