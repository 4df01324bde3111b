"""Report missing cells, how the plan treats them, and columns that are mostly empty."""

from __future__ import annotations

import numpy as np

from ...common.sentences import Listed, columns_of, only_if, paragraph, phrase, rows_of, say
from .finding import Finding, Fix, listed_or_counted, quoted_cells, warning
from .inspection import Inspection
from .registry import check

MAX_TEXTS = 5  # maximum number of missing-value texts that are listed
LABELS = {
    "available": "let learners handle missing cells",
    "drop": "drop rows with missing cells",
    "category": "make missing a separate level",
    "mode": "fill in the mode or median before learning",
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
    dropped = {"n": table.n - inspection.n, "rows": rows_of(table.n)}
    consequence = {
        "available": say("Learners use the other cells of these rows."),
        "drop": say("Therefore {n} of {rows} is dropped.", **dropped)
        if dropped["n"] == 1
        else say("Therefore {n} of {rows} are dropped.", **dropped),
        "category": say(
            "They become a level of their own, and {n} of {rows} is dropped for lack of a number."
            if dropped["n"] == 1
            else "They become a level of their own, and {n} of {rows} are dropped for lack of a number.",
            **dropped,
        ),
        "mode": say("They are imputed by the mode or median of their column."),
    }[plan.missing_policy]
    alone = len(counts) == 1  # the number of its cells is that of all
    listed = [
        say("{words}", words=quoted_cells([text])) if alone else say("{words} ({n})", words=quoted_cells([text]), n=n)
        for text, n in list(counts.items())[:MAX_TEXTS]
    ]
    written = say(
        "{n} cell of {columns} is missing, written as {texts}."
        if total == 1
        else "{n} cells of {columns} are missing, written as {texts}.",
        n=total,
        columns=columns_of(names),
        texts=Listed(listed),
    )
    sources = [plan.column(name).source for name in names if plan.column(name).source]
    counted = only_if(
        len(sources) > len(set(sources)), say("A cell that was split counts once in each column made of it.")
    )
    fixes = [
        Fix(phrase(label), plan.with_policy(policy))
        for policy, label in LABELS.items()
        if policy != plan.missing_policy
    ]
    return [warning("missing", names, paragraph(written, counted, consequence), *fixes)]


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
    where = say(
        "{columns} is empty in {n} of {rows}." if len(empty) == 1 else "{columns} are empty in up to {n} of {rows}.",
        columns=columns_of(empty),
        n=max(int(missing[name].sum()) for name in empty),
        rows=rows_of(table.n),
    )
    complete_with = {"rows": rows_of(complete), "n": left}
    if len(empty) == 1:
        template = "With it, {rows} is complete; without it, {n}."
        template = template if complete == 1 else "With it, {rows} are complete; without it, {n}."
    else:
        template = "With them, {rows} is complete; without them, {n}."
        template = template if complete == 1 else "With them, {rows} are complete; without them, {n}."
    matters = say("Complete rows matter only if rows with missing cells are dropped.")
    reason = paragraph(where, say(template, **complete_with), only_if(plan.missing_policy != "drop", matters))
    label = phrase("leave out {columns}", columns=listed_or_counted(empty))
    return [warning("mostly_empty", empty, reason, Fix(label, plan.change(*empty, kind="ignore")))]
