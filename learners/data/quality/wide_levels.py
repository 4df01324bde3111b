"""Categorical columns with too many levels for a test with a numeric column, or more levels than rows."""

from __future__ import annotations

import numpy as np

from ...common.wording import quoted_columns
from ..embedding import describe_width, too_wide, widths
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
        return [blocker("too_wide", wide, f"{describe_width(dataset, wide)}.", *as_numbers, leave_out(plan, wide[:1]))]
    columns, categorical = np.array(widths(dataset)), np.array(dataset.kinds) == "categorical"
    if columns.sum() < dataset.n:
        return []
    order = np.argsort(-columns * categorical, kind="stable")[:MAX_NAMED]
    most = tuple(dataset.names[j] for j in order if categorical[j])
    has = "has" if len(most) == 1 else "have"
    reason = (
        f"with numbers in the table, the levels count as {columns.sum():,} columns, for {dataset.n:,} rows. Tests and "
        f"scores of many columns have too few rows; {quoted_columns(list(most))} {has} the most levels."
    )
    return [warning("columns_of_levels", most, reason, *merge_rare(inspection, most), leave_out(plan, most))]
