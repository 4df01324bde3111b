"""Find continuous columns that are skewed or have outliers."""

from __future__ import annotations

from ...common.wording import quoted_columns
from ..normal_scores import is_skewed, n_far_out
from .finding import Finding, Fix, warning
from .inspection import Inspection
from .registry import check


@check("skewness", needs_rows=True)
def skewness(inspection: Inspection) -> list[Finding]:
    """Return a warning for skewed columns and columns with outliers; the fix converts them to normal scores."""
    dataset, plan = inspection.dataset, inspection.plan
    skewed, outliers = [], {}
    for j, name in enumerate(dataset.names):
        if dataset.kinds[j] == "continuous" and not plan.column(name).normal_scores:
            values = dataset.values[:, dataset.place[j]]
            far_out = n_far_out(values)
            if is_skewed(values):
                skewed.append(name)
            elif far_out:
                outliers[name] = far_out
    names = [name for name in dataset.names if name in outliers or name in skewed]
    if not names:
        return []
    clauses = []
    if skewed:
        clauses.append(f"{quoted_columns(skewed)} {'is' if len(skewed) == 1 else 'are'} skewed")
    if outliers:
        has = "has" if len(outliers) == 1 else "have"
        number = sum(outliers.values())
        clauses.append(f"{quoted_columns(list(outliers))} {has} outliers ({number:,} in all)")
    reason = (
        f"{', and '.join(clauses)}, so a few rows dominate correlations. Normal scores of the ranks weigh rows alike."
    )
    fix = Fix(f"convert {quoted_columns(names)} to normal scores", plan.change(*names, normal_scores=True))
    return [warning("skewed", names, reason, fix)]
