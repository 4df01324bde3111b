"""A plan as a JSON file: written by the Data page and `write_plan`, read strictly, fitted to the table at hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..common.checks import quoted, quoted_columns
from ..common.errors import DataError, ParameterError
from .plan import ColumnPlan, Plan, default_plan
from .sniff import read_bytes
from .tables import Table

MAX_BYTES = 16 * 1024**2
FORMAT = "edgewise_plan"
VERSION = 1


def write_plan(plan: Plan) -> str:
    """The plan as text; of each column what is not at its default."""
    plain = ColumnPlan("name", "ignore")
    default = Plan((plain,)).to_dict()["columns"][0]
    stored = plan.to_dict()
    keep = ("name", "kind")
    columns = [{k: v for k, v in one.items() if k in keep or v != default[k]} for one in stored["columns"]]
    body = {FORMAT: VERSION, **{k: v for k, v in stored.items() if k != "columns"}, "columns": columns}
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


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
    raw = read_bytes(source, most=MAX_BYTES, way_out="export the plan again")
    try:
        stored = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise DataError(f"a plan must be JSON, line {error.lineno} is not ({error.msg}); export it again") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise DataError("a plan must be JSON in UTF-8, this file is not; export it again") from error
    if not isinstance(stored, dict) or stored.pop(FORMAT, None) != VERSION:
        raise ParameterError(f"a plan file must say {FORMAT!r}: {VERSION}, this one does not; export it again")
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


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(f"a plan must say each thing once, found {quoted([twice])} again; export it again")
    return found


def _no_number(text: str) -> float:
    raise ParameterError(f"a plan must hold finite numbers, found {text}; export it again")
