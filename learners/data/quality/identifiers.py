"""Columns that only name or count the rows."""

from __future__ import annotations

import numpy as np

from ...common.wording import quoted_columns
from .constant import is_constant
from .finding import Finding, leave_out, warning
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check
from .sample_size import MIN_ROWS


@check("counters", needs_rows=True)
def counters(inspection: Inspection) -> list[Finding]:
    """Return a warning for continuous columns that grow by the same step from row to row."""
    if inspection.numbers is None or inspection.dataset.n < MIN_ROWS:
        return []
    with np.errstate(over="ignore"):  # the step of a counter is finite
        steps = np.diff(inspection.numbers.values, axis=0)
    counter = ~inspection.once(is_constant) & (steps == steps[0]).all(axis=0) & np.isfinite(steps[0])
    columns = tuple(np.array(inspection.numbers.names, dtype=object)[counter])
    reason = f"the numbers of {quoted_columns(columns)} increase by the same step. They only count the rows."
    return _id_like(inspection, columns, reason)


@check("identifiers", needs_rows=True)
def identifiers(inspection: Inspection) -> list[Finding]:
    """Return a warning for categorical columns with a different level in nearly every row."""
    if inspection.levels is None:
        return []
    columns = inspection.once(level_counts).id_like
    reason = f"nearly every row has its own value in {quoted_columns(columns)}. Such values look like IDs."
    return _id_like(inspection, columns, reason)


def _id_like(inspection: Inspection, columns: tuple[str, ...], reason: str) -> list[Finding]:
    return [warning("id_like", columns, reason, leave_out(inspection.plan, columns))] if columns else []
