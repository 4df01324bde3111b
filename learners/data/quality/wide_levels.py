"""Levels beside numbers: more than a test of two columns can take, or more than there are rows."""

from __future__ import annotations

import numpy as np

from ...common.wording import quoted_columns
from ..embedding import said_of_width, too_wide, widths
from .finding import Finding, blocker, leave_out, warning
from .inspection import Inspection
from .level_counts import merge_rare
from .registry import check

MAX_NAMED = 5  # columns with the most levels that are named
CONVERTIBLE = ("amounts", "thousands", "dates")  # checks whose fixes turn levels into numbers


@check("wide_levels", needs_rows=True)
def wide_levels(inspection: Inspection) -> list[Finding]:
    """Return a finding on the levels of a table that has columns of numbers, too."""
    dataset, plan = inspection.dataset, inspection.plan
    if dataset.kind != "mixed":
        return []
    wide = too_wide(dataset)
    if wide:
        as_numbers = [
            finding.fixes[0]
            for name in CONVERTIBLE
            for finding in inspection.findings(name)
            if set(finding.columns) & set(wide)
        ]
        return [blocker("too_wide", wide, said_of_width(dataset, wide), *as_numbers, leave_out(plan, wide[:1]))]
    columns, categorical = np.array(widths(dataset)), np.array(dataset.kinds) == "categorical"
    if columns.sum() < dataset.n:
        return []
    order = np.argsort(-columns * categorical, kind="stable")[:MAX_NAMED]
    most = tuple(dataset.names[j] for j in order if categorical[j])
    reason = (
        f"beside numbers the levels count as columns, {columns.sum():,} in all, and there are {dataset.n:,} rows: what "
        f"asks for many columns at once has too few rows; most are of {quoted_columns(list(most))}"
    )
    return [warning("columns_of_levels", most, reason, *merge_rare(inspection, most), leave_out(plan, most))]
