"""Find pairs of levels that never occur in the same row."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...common.sentences import NOTHING, say
from ..dataset import Dataset
from .finding import Finding, warning
from .inspection import Inspection
from .registry import check

MIN_EXPECTED = 10.0  # minimum number of rows expected under independence for an absent combination to be reported
MAX_CELLS = 2e8  # maximum number of cells examined; larger tables are not checked


@dataclass(frozen=True)
class AbsentCombination:
    """Two levels without a joint row.

    Attributes
    ----------
    column, level, other, other_level : int
    expected : float
        Joint rows expected if the two columns were independent.
    """

    column: int
    level: int
    other: int
    other_level: int
    expected: float


@check("absent_combinations", needs_rows=True)
def absent_combinations(inspection: Inspection) -> list[Finding]:
    """Return a warning for mixed data, where regression models may fail to converge on absent combinations."""
    dataset = inspection.dataset
    pairs = combinations_without_rows(dataset) if dataset.kind == "mixed" else []
    if not pairs:
        return []
    pair, rest = pairs[0], len(pairs) - 1
    names = dataset.names[pair.column], dataset.names[pair.other]
    level, other = (
        repr(dataset.levels[dataset.place[j]][k])
        for j, k in ((pair.column, pair.level), (pair.other, pair.other_level))
    )
    others = NOTHING
    if rest:
        others = say(
            "; {n} more pair of levels never occurs" if rest == 1 else "; {n} more pairs of levels never occur", n=rest
        )
    reason = say(
        "no row has {level} in column {column} and {other_level} in {other}; under independence, {rows} would be "
        "expected{others}. A test by regression may not converge there.",
        level=level,
        column=repr(names[0]),
        other_level=other,
        other=repr(names[1]),
        rows=round(pair.expected),
        others=others,
    )
    return [warning("never_together", names, reason)]


def combinations_without_rows(dataset: Dataset) -> list[AbsentCombination]:
    """Return the absent combinations of levels of two categorical columns, by decreasing expected number of rows."""
    columns = [j for j in range(dataset.p) if dataset.kinds[j] == "categorical"]
    if len(columns) ** 2 * dataset.n_rows > MAX_CELLS:
        return []
    found = []
    for x, y in combinations(columns, 2):
        table = _contingency_table(dataset, x, y)
        if _determines(table) or _determines(table.T):  # another finding names such pairs
            continue
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)
        hits = np.argwhere((table == 0) & (expected >= MIN_EXPECTED)).tolist()
        found += [AbsentCombination(x, a, y, b, float(expected[a, b])) for a, b in hits]
    return sorted(found, key=lambda pair: -pair.expected)


def _determines(table: np.ndarray) -> bool:
    """Return True if the level of the rows of a contingency table determines that of its columns."""
    return bool((np.count_nonzero(table, axis=1) <= 1).all())


def _contingency_table(dataset: Dataset, x: int, y: int) -> np.ndarray:
    """Count the rows without missing cells by the levels of both columns, (r_x, r_y)."""
    r, s = (int(dataset.arity[dataset.place[j]]) for j in (x, y))
    rows = dataset.is_there(x) & dataset.is_there(y)
    a, b = (dataset.codes[dataset.place[j]][rows].astype(np.int64) for j in (x, y))
    return np.bincount(a * s + b, minlength=r * s).reshape(r, s)
