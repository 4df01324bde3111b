"""Find columns that repeat another column, and rows that repeat another row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ...common.sentences import Phrase, Quoted, columns_of, paragraph, phrase, rows_of, say
from ..dataset import Dataset
from ..plan.preparation import copies_of_rows
from .constant import is_constant
from .finding import Finding, Fix, leave_out, warning
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check

MIN_ROWS = 50  # minimum number of rows for copies to be reported
MAX_EXPECTED = 0.1  # maximum number of copies expected for independent columns, as a share of the copies found
MIN_DISTINCT = 0.5  # minimum number of distinct values of some column, as a share of the rows; else copies are expected


@check("duplicate_numbers", needs_rows=True)
def duplicate_numbers(inspection: Inspection) -> list[Finding]:
    """Return a blocker for continuous columns that repeat the numbers of another column."""
    if inspection.numbers is None:
        return []
    return _duplicates(inspection, "blocker", inspection.numbers, inspection.once(groups_of_numbers))


@check("duplicate_levels", needs_rows=True)
def duplicate_levels(inspection: Inspection) -> list[Finding]:
    """Return a warning for categorical columns that equal another up to the names of their levels."""
    if inspection.levels is None:
        return []
    found = inspection.once(level_counts)
    same_counts = defaultdict(list)
    for j, name in enumerate(inspection.levels.names):
        if name not in found.constant and name not in found.id_like:
            counts = found.counts[j]
            same_counts[np.sort(counts[counts > 0]).tobytes()].append(j)
    groups = defaultdict(list)
    for group in same_counts.values():
        if len(group) > 1:
            for j in group:
                groups[_in_order_of_appearance(inspection.levels.codes[j]).tobytes()].append(j)
    return _duplicates(inspection, "warning", inspection.levels, list(groups.values()))


def groups_of_numbers(inspection: Inspection) -> list[list[int]]:
    """Group the continuous columns that are not constant by their numbers."""
    values, groups = inspection.numbers.values, defaultdict(list)
    for j in np.flatnonzero(~inspection.once(is_constant)):
        groups[(values[:, j] + 0.0).tobytes()].append(j)  # + 0.0 makes -0 equal to 0
    return list(groups.values())


def _in_order_of_appearance(codes: np.ndarray) -> np.ndarray:
    """Renumber codes by first appearance, so that columns that differ in the names of levels become equal."""
    present, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(present), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(present))
    return rank[inverse]


def _duplicates(
    inspection: Inspection, severity: Literal["blocker", "warning"], dataset: Dataset, groups: Sequence[list[int]]
) -> list[Finding]:
    groups = sorted(group for group in groups if len(group) > 1)
    if not groups:
        return []
    copies = tuple(dataset.names[j] for group in groups for j in group[1:])
    first, copy = dataset.names[groups[0][0]], dataset.names[groups[0][1]]
    repeats = say(
        "{columns} repeats another column." if len(copies) == 1 else "{columns} repeat other columns.",
        columns=columns_of(copies),
    )
    same = say(
        "{copy} has the same numbers as {first}."
        if dataset is inspection.numbers
        else "{copy} has the same levels as {first}."
        if _have_same_names(dataset, groups[0])
        else "{copy} has the same levels under other names as {first}.",
        copy=Quoted([copy]),
        first=Quoted([first]),
    )
    reason = Phrase(paragraph(repeats, same))
    return [Finding(severity, "duplicate", copies, reason, (leave_out(inspection.plan, copies),))]


def _have_same_names(dataset: Dataset, group: Sequence[int]) -> bool:
    """Return True if the first two columns of a group of copies have the same level, also by name, in each row."""
    codes = [dataset.codes[dataset.place[j]] for j in group[:2]]
    own, other = (dataset.levels[dataset.place[j]] for j in group[:2])
    pairs = set(zip(*(np.unique(np.stack(codes), axis=1).tolist()), strict=True))
    return all(own[a] == other[b] for a, b in pairs if a < len(own) and b < len(other))  # others are missing


@check("repeated_rows", needs_rows=True)
def repeated_rows(inspection: Inspection) -> list[Finding]:
    """Return a warning for exact copies of rows in a table with a column of nearly distinct values."""
    table, plan = inspection.table, inspection.plan
    if table.n < MIN_ROWS or plan.weights or plan.one_row_per or plan.drop_copies or plan.count_copies:
        return []
    if table.p < 2 or max(len(cells.texts) for cells in table.cells) < MIN_DISTINCT * table.n:
        return []
    n_copies = int(copies_of_rows(table).sum())
    shares = [float(((cells.counts / table.n) ** 2).sum()) for cells in table.cells]
    expected = table.n**2 / 2 * float(np.prod(shares))
    if not n_copies or expected > MAX_EXPECTED * n_copies:
        return []
    reason = paragraph(
        say(
            "{n} of {rows} is an exact copy of an earlier row."
            if n_copies == 1
            else "{n} of {rows} are exact copies of an earlier row.",
            n=n_copies,
            rows=rows_of(table.n),
        ),
        say("If they were entered twice, p-values are too small. If they are different cases, keep them."),
    )
    once = Fix(phrase("use each row once"), plan.with_drop_copies(True))
    counted = Fix(phrase("treat the copies as separate cases"), plan.with_count_copies(True))
    return [warning("repeated_rows", (), reason, once, counted)]
