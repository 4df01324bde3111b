"""Report missing cells, how the plan treats them, and columns that are mostly empty."""

from __future__ import annotations

import numpy as np

from ...common.wording import count, quoted, quoted_columns
from .finding import Finding, Fix, quoted_cells, warning
from .inspection import Inspection
from .registry import check

MAX_TEXTS = 5  # maximum number of missing-value texts that are listed
LABELS = {
    "available": "let learners complete missing cells",
    "drop": "drop rows with missing cells",
    "category": "make missing a separate level",
    "mode": "fill missing cells with the mode or median",
}
MIN_EMPTY = 0.5  # share of the rows above which a column with missing cells is mostly empty


@check("missing_cells")
def missing_cells(inspection: Inspection) -> list[Finding]:
    """Return a warning with the number of missing cells, their markers and their treatment."""
    table, plan = inspection.table, inspection.plan
    names, total, counts = [], 0, {}
    for column in inspection.usable:
        if column.kind == "categorical" and column.missing_level:
            continue
        cells = column.cells(table)
        missing = cells.among(column.missing)
        if missing.any():
            names.append(column.name)
            total += int(cells.counts[missing].sum())
            texts = (text for text, is_missing in zip(cells.texts.to_pylist(), missing, strict=True) if is_missing)
            for text, number in zip(texts, cells.counts[missing].tolist(), strict=True):
                counts[text] = counts.get(text, 0) + number
    if not names:
        return []
    n_dropped = table.n - inspection.n
    dropped = f"{n_dropped:,} of {count(table.n, 'row')} {'is' if n_dropped == 1 else 'are'} dropped"
    consequence = {
        "available": "Learners complete them",
        "drop": f"Therefore {dropped}",
        "category": f"They become a level of their own, and {dropped} for lack of a number",
        "mode": "They are filled with the mode or median of their column",
    }[plan.missing_policy]
    listed = ", ".join(f"{quoted_cells([text])} ({number:,})" for text, number in list(counts.items())[:MAX_TEXTS])
    cells_are = "cell of {} is" if total == 1 else "cells of {} are"
    fixes = [Fix(label, plan.with_policy(policy)) for policy, label in LABELS.items() if policy != plan.missing_policy]
    reason = f"{total:,} {cells_are.format(quoted_columns(names))} missing, written as {listed}. {consequence}."
    return [warning("missing", names, reason, *fixes)]


@check("mostly_empty", needs_rows=True)
def mostly_empty(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns without a value in most rows; it counts the complete rows with and without them."""
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
