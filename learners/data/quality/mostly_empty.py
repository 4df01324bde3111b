"""Columns that are mostly empty, with the rows that they cost."""

from __future__ import annotations

import numpy as np

from ...common.wording import count, quoted, quoted_columns
from .finding import Finding, Fix, warning
from .inspection import Inspection
from .registry import check

MIN_EMPTY = 0.5  # share of the rows


@check("mostly_empty", needs_rows=True)
def mostly_empty(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns without a value in most rows, with the complete rows with and without them."""
    table, plan = inspection.table, inspection.plan
    missing = {}
    for column in inspection.usable:
        cells = column.cells(table)
        if (texts := cells.among(column.missing)).any():
            missing[column.name] = texts[cells.codes]
    empty = [name for name, rows in missing.items() if rows.mean() > MIN_EMPTY]
    if not empty or len(empty) >= len(inspection.usable) - 1:
        return []
    none = np.zeros(table.n, dtype=bool)
    complete = int((~np.any([none, *missing.values()], axis=0)).sum())
    others = [rows for name, rows in missing.items() if name not in empty]
    left = int((~np.any([none, *others], axis=0)).sum())
    if left == complete:
        return []
    is_empty = "is empty in" if len(empty) == 1 else "are empty in up to"
    most = max(int(missing[name].sum()) for name in empty)
    reason = (
        f"{quoted_columns(empty)} {is_empty} {most:,} of {count(table.n, 'row')}. With "
        f"{'it' if len(empty) == 1 else 'them'}, {count(complete, 'row')} {'is' if complete == 1 else 'are'} complete; "
        f"without, {left:,}."
    )
    label = f"leave out {quoted(empty)}, so that {left:,} of {count(table.n, 'row')} are complete"
    return [warning("mostly_empty", empty, reason, Fix(label, plan.change(*empty, kind="ignore")))]
