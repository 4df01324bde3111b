"""Find continuous columns that are skewed or have outliers."""

from __future__ import annotations

from ...common.sentences import Listed, columns_of, paragraph, phrase, say
from ..normal_scores import is_skewed, n_far_out
from .finding import Finding, Fix, listed_or_counted, warning
from .inspection import Inspection
from .registry import check


@check("skewness", needs_rows=True)
def skewness(inspection: Inspection) -> list[Finding]:
    """Return a warning for skewed columns and columns with outliers; the fix converts them to normal scores.

    Numbers that may be missing-value codes do not count: a single -99 makes any column look skewed. Columns that may
    weigh the rows are left out, since weights are used as they are.
    """
    dataset, plan = inspection.without_codes, inspection.plan
    weights = {name for finding in inspection.findings("suggested_weights") for name in finding.columns}
    skewed, outliers = [], {}
    for j, name in enumerate(dataset.names):
        if dataset.kinds[j] == "continuous" and name not in weights and not plan.column(name).normal_scores:
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
        template = "{columns} is skewed" if len(skewed) == 1 else "{columns} are skewed"
        clauses.append(say(template, columns=columns_of(skewed)))
    if outliers:
        template = "{columns} have outliers ({n} in all)"
        template = "{columns} has outliers ({n} in all)" if len(outliers) == 1 else template
        clauses.append(say(template, columns=columns_of(list(outliers)), n=sum(outliers.values())))
    reason = paragraph(
        say("{clauses}, so a few rows dominate correlations.", clauses=Listed(clauses, ", and ")),
        say("Normal scores replace the values by the normal quantiles of their ranks, so no row dominates."),
    )
    label = phrase("convert {columns} to normal scores", columns=listed_or_counted(names))
    fix = Fix(label, plan.change(*names, normal_scores=True))
    return [warning("skewed", names, reason, fix)]
