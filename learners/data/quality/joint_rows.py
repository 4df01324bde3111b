"""Pairs of columns with too few common rows to be tested, or with a constant column in these rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...common.sentences import Count, columns_of, paragraph, rows_of, say
from ..dataset import Dataset
from .finding import Finding, warning
from .inspection import Inspection
from .registry import check

MIN_JOINT_ROWS = 10  # minimum number of rows with both columns for an informative test
MAX_CELLS = 2e8  # maximum number of cells examined; larger tables are not checked
MAX_NAMED = 5  # maximum number of pairs with a separate finding


@dataclass(frozen=True)
class UntestablePair:
    """A pair of columns that no test can judge.

    Attributes
    ----------
    column, other : int
    rows : int
        Rows that have both columns.
    constant : bool
        True if `column` has a single value in these rows; else the rows are too few.
    """

    column: int
    other: int
    rows: int
    constant: bool


@check("joint_rows", needs_rows=True)
def joint_rows(inspection: Inspection) -> list[Finding]:
    """Return a warning for each pair of columns that no test can judge."""
    pairs, names = untestable_pairs(inspection.dataset), inspection.dataset.names
    found = []
    for pair in pairs[:MAX_NAMED]:
        both = (names[pair.column], names[pair.other])
        if pair.constant:
            why = say(
                "column {column} has a single value in the {n} rows that have {other}.",
                column=repr(both[0]),
                n=pair.rows,
                other=repr(both[1]),
            )
        else:
            why = say("{columns} are both present in only {rows}.", columns=columns_of(both), rows=rows_of(pair.rows))
        reason = paragraph(why, say("No test can judge this pair, and a score may link it by chance."))
        found.append(warning("apart", both, reason))
    if pairs[MAX_NAMED:]:
        rest = tuple(dict.fromkeys(names[k] for pair in pairs[MAX_NAMED:] for k in (pair.column, pair.other)))
        more = Count(len(pairs) - MAX_NAMED, "more pair")
        reason = say("{pairs} of {columns} cannot be judged either.", pairs=more, columns=columns_of(rest))
        found.append(warning("apart", rest, reason))
    return found


def untestable_pairs(dataset: Dataset) -> list[UntestablePair]:
    """Return the pairs of columns that no test can judge although each column alone varies."""
    incomplete = np.flatnonzero(dataset.incomplete)
    if len(incomplete) * dataset.p * dataset.n_rows > MAX_CELLS:
        return []
    present = np.array([dataset.is_there(j) for j in range(dataset.p)])
    changing = [varies(dataset, j, present[j]) for j in range(dataset.p)]
    found = {}
    for other in incomplete:
        for column in range(dataset.p):
            rows = present[other] & present[column]
            n, pair = int(rows.sum()), (min(column, other), max(column, other))
            if column == other or pair in found or not (changing[column] and changing[other]):
                continue
            if n < MIN_JOINT_ROWS:
                found[pair] = UntestablePair(int(pair[0]), int(pair[1]), n, constant=False)
            elif not varies(dataset, column, rows):
                found[pair] = UntestablePair(int(column), int(other), n, constant=True)
    return list(found.values())


def varies(dataset: Dataset, j: int, rows: np.ndarray) -> bool:
    """Return True if column j has more than one value in the rows."""
    k = dataset.place[j]
    values = (dataset.codes[k] if dataset.kinds[j] == "categorical" else dataset.values[:, k])[rows]
    return bool(len(values)) and bool((values != values[0]).any())
