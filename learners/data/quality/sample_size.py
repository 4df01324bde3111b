"""Too few columns or rows to learn from, or few rows for the columns."""

from __future__ import annotations

from ...common.sentences import paragraph, phrase, say
from ..reading.table import Table
from .finding import Finding, Fix, blocker, warning
from .inspection import Inspection
from .registry import check

MIN_COLUMNS = 2
MIN_ROWS = 10
ROWS_PER_COLUMN = 5
ACROSS = (
    "If the {columns} columns are cases, transpose the table: Import options on Data, --transpose on the command line."
)


def may_lie_across(table: Table) -> bool:
    """Return True if the table has too few rows, and enough columns to be the rows of the transposed table."""
    return table.n < MIN_ROWS <= table.p


@check("sample_size")
def sample_size(inspection: Inspection) -> list[Finding]:
    """Return findings on the numbers of used columns and rows."""
    plan, n, p = inspection.plan, inspection.n, len(inspection.plan.used)
    found = []
    if p < MIN_COLUMNS:
        reason = say("learning needs at least {least} columns, found {p}. Use more of them.", least=MIN_COLUMNS, p=p)
        found.append(blocker("few_columns", (), reason))
    if n < MIN_ROWS <= inspection.table.n:
        reason = say(
            "learning needs at least {least} rows without a missing cell, found {n} of {rows}.",
            least=MIN_ROWS,
            n=n,
            rows=inspection.table.n,
        )
        fix = Fix(phrase("let learners handle missing cells"), plan.with_policy("available"))
        found.append(blocker("few_rows", (), reason, fix))
    elif n < MIN_ROWS:
        reason = say("learning needs at least {least} rows, found {n}. Add rows.", least=MIN_ROWS, n=n)
        if may_lie_across(inspection.table):
            reason = paragraph(reason, say(ACROSS, columns=inspection.table.p))
        found.append(blocker("few_rows", (), reason))
    elif n < ROWS_PER_COLUMN * p:
        reason = say(
            "{n} rows are few for {p} columns, so many edges will be missed. Add rows, or leave out columns.", n=n, p=p
        )
        found.append(warning("n_against_p", (), reason))
    return found
