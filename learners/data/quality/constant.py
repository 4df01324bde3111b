"""Columns with a single value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...common.wording import quoted_columns
from .finding import Finding, blocker, leave_out
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check


@check("constant_numbers", needs_rows=True)
def constant_numbers(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the continuous columns with a single value."""
    if inspection.numbers is None:
        return []
    return _constant(inspection, np.array(inspection.numbers.names, dtype=object)[inspection.once(is_constant)])


@check("constant_levels", needs_rows=True)
def constant_levels(inspection: Inspection) -> list[Finding]:
    """Return a blocker for the categorical columns with a single level."""
    return [] if inspection.levels is None else _constant(inspection, inspection.once(level_counts).constant)


def is_constant(inspection: Inspection) -> np.ndarray:
    """Return a mask of the continuous columns: those with a single value."""
    values = inspection.numbers.values
    return np.nanmin(values, axis=0) == np.nanmax(values, axis=0)


def _constant(inspection: Inspection, columns: Sequence[str]) -> list[Finding]:
    if not len(columns) or inspection.dataset.n == 1:  # a single row has its own finding
        return []
    columns = tuple(columns)
    has, it = ("has", "it") if len(columns) == 1 else ("have", "them")
    reason = f"{quoted_columns(columns)} {has} a single value in all rows used. Nothing can depend on {it}."
    return [blocker("constant", columns, reason, leave_out(inspection.plan, columns))]
