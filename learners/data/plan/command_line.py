"""Options of the command line that change a plan."""

from __future__ import annotations

import re
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

NO_ORDER = "none"
KINDS = tuple(use.replace(" ", "-") for use in USES)


def with_kind(plan: Plan, wish: str) -> Plan:
    """Apply the option ``--kind COLUMN=KIND``."""
    name, kind = _split(plan, "--kind", wish)
    check_choice("kind", kind, KINDS)
    return with_use(plan, kind.replace("-", " "), name)


def with_bins(plan: Plan, wish: str) -> Plan:
    """Apply ``--bins COLUMN=N``, or ``--bins N`` to all continuous columns: N bins of about equally many rows."""
    for_all = "=" not in wish
    names = (
        [column.name for column in plan.used if column.kind == "continuous"]
        if for_all
        else [_split(plan, "--bins", wish)[0]]
    )
    number = wish.rpartition("=")[2]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise ParameterError(f"--bins must be N or COLUMN=N with a whole number N, got {shown_value(wish)}")
    return plan.change(
        *names, kind="categorical", binning=Binning(bins=int(number)), normal_scores=False, ordered=True, order=()
    )


def with_order(plan: Plan, wish: str) -> Plan:
    """Apply ``--order COLUMN=LOWEST<...<HIGHEST``, or ``--order COLUMN=none`` for levels without an order."""
    name, levels = _split(plan, "--order", wish)
    if levels == NO_ORDER:
        return plan.change(name, ordered=False)
    listed = listed_levels(levels)
    if len(listed) < 2:
        raise ParameterError(f"--order must list at least two levels, such as low<medium<high, got {shown_value(wish)}")
    return plan.change(name, kind="categorical", binning=None, normal_scores=False, ordered=True, order=listed)


def listed_levels(text: str) -> tuple[str, ...]:
    """Return the levels of a text such as ``low < medium < high``, or ``low<high`` without blanks around any sign."""
    return tuple(level.strip() for level in re.split(r"\s+<\s+" if re.search(r"\s<\s", text) else "<", text))


def with_mark(table: Table, plan: Plan, mark: str) -> Plan:
    """Treat a text as missing in all columns; columns that only this text kept from being numeric become numeric."""
    columns = []
    for column in with_missing(table, plan, {column.name: [mark] for column in plan.columns}).columns:
        cells = column.cells(table)
        there = ~cells.among(column.missing)
        marked = cells.among((mark,))
        if np.isnan(cells.numbers[marked]).any() and there.any() and np.isfinite(cells.numbers[there]).all():
            many = np.unique(cells.numbers[there]).size > FEW_NUMBERS
            column = replace(column, kind="continuous" if many else "categorical")
        columns.append(column)
    return replace(plan, columns=tuple(columns))


def with_row_range(plan: Plan, text: str) -> Plan:
    """Apply ``--use-rows FIRST-LAST``."""
    found = re.fullmatch(r"([0-9]{1,15})-([0-9]{1,15})", text.strip())
    if found is None:
        raise ParameterError(f"--use-rows must be FIRST-LAST such as 1-1000, got {shown_value(text)}")
    return plan.with_rows(int(found[1]), int(found[2]))


def column_of(plan: Plan, option: str, name: str) -> str:
    """Return the column name of an option; ParameterError if the plan has no such column."""
    known = [column.name for column in plan.columns]
    if name not in known:
        raise ParameterError(f"{option} names {quoted([name])}, which is not a column{did_you_mean(name, known[:20])}")
    return name


def _split(plan: Plan, option: str, wish: str) -> tuple[str, str]:
    """Split ``COLUMN=VALUE`` at its last equals sign."""
    name, equals, value = wish.rpartition("=")
    if not equals or not name:
        raise ParameterError(f"{option} must be COLUMN=VALUE, got {shown_value(wish)}")
    return column_of(plan, option, name), value
