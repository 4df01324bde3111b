"""Find columns that are empty exactly where another column has one level: questions that these cases were not asked."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ...common.sentences import columns_of, paragraph, phrase, say
from ..dataset import Dataset
from .finding import Finding, Fix, listed_or_counted, warning
from .inspection import Inspection
from .registry import check

MIN_ROWS = 5  # minimum number of missing cells, and of present cells, of a column
MAX_WORK = 1e9  # maximum number of rows times pairs of columns; larger tables are not checked


def _explains(inspection: Inspection, finding: Finding) -> bool:
    """Return True if a finding of dependent missing cells concerns only questions that were not asked."""
    explained = {name for own in inspection.findings("not_asked") for name in own.columns}
    return finding.code == "dependent_holes" and explained.issuperset(finding.columns)


@check("not_asked", needs_rows=True, replaces=_explains)
def not_asked(inspection: Inspection) -> list[Finding]:
    """Return a warning for each level of a column at which exactly the cells of others are missing."""
    data, found = inspection.all_rows, defaultdict(list)
    for column, other, level in skipped_questions(data):
        found[other, level].append(column)
    return [_finding(inspection, *at, columns) for at, columns in found.items()]


def skipped_questions(dataset: Dataset) -> list[tuple[int, int, int]]:
    """Return (column, other column, level) for each column missing exactly where the other column has the level."""
    incomplete = np.flatnonzero(dataset.incomplete)
    if len(incomplete) * dataset.p * dataset.n_rows > MAX_WORK:
        return []
    found = []
    for j in incomplete.tolist():
        missing = ~dataset.is_there(j)
        if not MIN_ROWS <= missing.sum() <= dataset.n_rows - MIN_ROWS:
            continue
        row = int(missing.argmax())
        for k in range(dataset.p):
            if k == j or dataset.kinds[k] != "categorical":
                continue
            codes = dataset.codes[dataset.place[k]]
            level = int(codes[row])
            if level < dataset.arity[dataset.place[k]] and np.array_equal(codes == level, missing):
                found.append((j, k, level))
                break
    return found


def _finding(inspection: Inspection, other: int, level: int, columns: list[int]) -> Finding:
    data, plan = inspection.all_rows, inspection.plan
    names = [data.names[j] for j in columns]
    categorical = [data.names[j] for j in columns if data.kinds[j] == "categorical"]
    reason = paragraph(
        say(
            "{columns} is empty exactly where {other} is {level}, as if not asked there."
            if len(names) == 1
            else "{columns} are empty exactly where {other} is {level}, as if not asked there.",
            columns=columns_of(names),
            other=repr(data.names[other]),
            level=repr(data.levels[data.place[other]][level]),
        ),
        say("Such cells have no true value that could be imputed."),
    )
    if not categorical:
        return warning("not_asked", names, reason)
    label = phrase("make missing a level of {columns}", columns=listed_or_counted(categorical))
    return warning("not_asked", names, reason, Fix(label, plan.change(*categorical, missing_level=True)))
