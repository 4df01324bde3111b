"""What a command line says about columns, as changes to a plan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...common.checks import check_choice
from ...common.errors import ParameterError
from ...common.wording import did_you_mean, quoted, shown_value
from ..columns import FEW_NUMBERS
from ..reading.table import Table
from .binning import Binning
from .column_roles import USES, with_use
from .plan import Plan, with_missing

KINDS = tuple(use.replace(" ", "-") for use in USES)


def with_kind(plan: Plan, wish: str) -> Plan:
    """The plan with ``COLUMN=KIND`` done."""
    name, kind = _split(plan, "--kind", wish)
    check_choice("kind", kind, KINDS)
    return with_use(plan, kind.replace("-", " "), name)


def with_bins(plan: Plan, wish: str) -> Plan:
    """The plan with ``COLUMN=N`` done, or ``N`` for all continuous columns: N bins of about equally many rows."""
    alone = "=" not in wish
    names = [one.name for one in plan.used if one.kind == "continuous"] if alone else [_split(plan, "--bins", wish)[0]]
    number = wish.rpartition("=")[2]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise ParameterError(f"--bins must be N or COLUMN=N with a whole number N, got {shown_value(wish)}")
    return plan.change(*names, kind="categorical", binning=Binning(bins=int(number)), normal_scores=False)


def with_mark(table: Table, plan: Plan, mark: str) -> Plan:
    """The plan with a text missing in all columns; those that it alone kept from being numbers become numbers."""
    columns = []
    for column in with_missing(plan, {one.name: [mark] for one in plan.columns}).columns:
        cells = column.cells(table)
        there = ~cells.among(column.missing)
        marked = cells.among((mark,))
        if np.isnan(cells.numbers[marked]).any() and there.any() and np.isfinite(cells.numbers[there]).all():
            many = np.unique(cells.numbers[there]).size > FEW_NUMBERS
            column = replace(column, kind="continuous" if many else "categorical")
        columns.append(column)
    return replace(plan, columns=tuple(columns))


def column_of(plan: Plan, option: str, name: str) -> str:
    """A name that an option gives, if the plan has it."""
    known = [one.name for one in plan.columns]
    if name not in known:
        raise ParameterError(f"{option} names {quoted([name])}, which is no column{did_you_mean(name, known[:20])}")
    return name


def _split(plan: Plan, option: str, wish: str) -> tuple[str, str]:
    """``COLUMN=VALUE``, whose column may hold equals signs itself."""
    name, equals, value = wish.rpartition("=")
    if not equals or not name:
        raise ParameterError(f"{option} must be COLUMN=VALUE, got {shown_value(wish)}")
    return column_of(plan, option, name), value
