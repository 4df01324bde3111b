"""A plan as a JSON file: written by the Data page and `write_plan`, read strictly, fitted to the table at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...common.errors import DataError, ParameterError
from ...common.validation import validated
from ...common.wording import quoted, quoted_columns
from ..reading.json_file import Format
from ..reading.table import Table
from .plan import ColumnPlan, Plan, default_plan

PLAN = Format("plan", "edgewise_plan", 1)


@validated
def write_plan(plan: Plan) -> str:
    """The plan as text; of each column what is not at its default."""
    return PLAN.written(stored_plan(plan))


def stored_plan(plan: Plan) -> dict[str, Any]:
    """The plan as plain JSON; of each column what is not at its default."""
    plain = ColumnPlan("name", "ignore")
    default = Plan((plain,)).to_dict()["columns"][0]
    stored = plan.to_dict()
    keep = ("name", "kind")
    columns = [{k: v for k, v in one.items() if k in keep or v != default[k]} for one in stored["columns"]]
    return {**stored, "columns": columns}


@validated
def read_plan(source: str | Path | bytes) -> Plan:
    """The plan that a file holds.

    Parameters
    ----------
    source : path, or the bytes of the file

    Raises
    ------
    DataError
        If the file cannot be read, or is no JSON.
    ParameterError
        If it is no plan, or a setting of it is unknown or out of range. The sentence names it.
    """
    return plan_of(PLAN.read(source))


def plan_of(stored: Mapping[str, Any]) -> Plan:
    """The plan that `stored_plan` told, each column once; ParameterError if it is none."""
    plan = Plan.from_dict(stored)
    names = [column.name for column in plan.columns]
    if len(set(names)) < len(names):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise ParameterError(f"a plan must have each column once, found {quoted(twice)} again; delete one of them")
    return plan


def fitted(plan: Plan, table: Table) -> tuple[Plan, tuple[str, ...]]:
    """A plan made for another table of the same columns, and one sentence on each difference.

    Columns that the plan does not know are left out.

    Raises
    ------
    DataError
        If the plan uses a column that the table does not have.
    """
    known = set(table.names)
    asked = [one for one in plan.columns if one.kind != "ignore" or one.name == plan.weights]
    lacking = [one.source or one.name for one in asked if (one.source or one.name) not in known]
    if lacking:
        raise DataError(
            f"the plan uses {quoted_columns(list(dict.fromkeys(lacking)))}, which the table lacks; it has "
            f"{quoted(table.names)}"
        )
    columns = [one for one in plan.columns if (one.source or one.name) in known]
    told = {one.source or one.name for one in columns} | {one.name for one in columns}
    new = [name for name in table.names if name not in told]
    columns += [replace(default_plan(table).column(name), kind="ignore") for name in new]
    stay = f"{quoted_columns(new)}, which {'is' if len(new) == 1 else 'are'} left out"
    notes = (f"the plan says nothing of {stay}",) if new else ()
    return replace(plan, columns=tuple(columns)), notes
