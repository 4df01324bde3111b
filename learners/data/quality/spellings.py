"""Find levels that differ only in case and blanks."""

from __future__ import annotations

from ...common.sentences import Quoted, columns_of, phrase, say
from ..plan.conversion import Treatment, variants
from ..plan.conversion_guess import MAX_COMPARED
from .finding import Finding, Fix, warning
from .inspection import Inspection
from .registry import check


@check("spellings")
def spellings(inspection: Inspection) -> list[Finding]:
    """Return a warning for categorical columns with several spellings of a level."""
    plan, names, texts = inspection.plan, [], []
    for column in plan.columns:
        if column.kind != "categorical" or column.binning is not None or column.treatment is not None:
            continue
        cells = column.cells(inspection.table)
        groups = variants(cells, ~cells.among(column.missing)) if len(cells.texts) <= MAX_COMPARED else []
        if groups:
            names.append(column.name)
            texts += [cells.texts[k].as_py() for k in groups[0]]
    if not names:
        return []
    reason = say(
        "levels of {columns} differ only in case and blanks, such as {examples}.",
        columns=columns_of(names),
        examples=Quoted(texts),
    )
    fix = Fix(phrase("merge the spellings of each level"), plan.change(*names, treatment=Treatment("spelling")))
    return [warning("spellings", names, reason, fix)]
