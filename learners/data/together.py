"""Pairs of columns that are never seen together, as missing cells have it, and pairs of levels that never are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .dataset import Dataset

FEWEST = 10  # rows that have both, for a test to tell anything
EXPECTED = 10.0  # rows that two levels would share by chance, for it to be told that they share none
MOST_WORK = 2e8  # cells looked at; of larger tables nothing is said


@dataclass(frozen=True)
class Apart:
    """A pair of columns that no test can judge.

    Attributes
    ----------
    column, other : int
    rows : int
        How many rows have both.
    constant : bool
        Whether `column` has a single value in them; else they are too few.
    """

    column: int
    other: int
    rows: int
    constant: bool


def apart(dataset: Dataset) -> list[Apart]:
    """All such pairs, where a column alone would have enough rows and values."""
    holes = np.flatnonzero(dataset.incomplete)
    if len(holes) * dataset.p * dataset.n_rows > MOST_WORK:
        return []
    there = np.array([dataset.is_there(j) for j in range(dataset.p)])
    varies = [_varies(dataset, j, there[j]) for j in range(dataset.p)]
    found = {}
    for other in holes:
        for column in range(dataset.p):
            rows = there[other] & there[column]
            n, pair = int(rows.sum()), (min(column, other), max(column, other))
            if column == other or pair in found or not (varies[column] and varies[other]):
                continue
            if n < FEWEST:
                found[pair] = Apart(int(pair[0]), int(pair[1]), n, constant=False)
            elif not _varies(dataset, column, rows):
                found[pair] = Apart(int(column), int(other), n, constant=True)
    return list(found.values())


@dataclass(frozen=True)
class Never:
    """Two levels that no row has both of.

    Attributes
    ----------
    column, level, other, other_level : int
    expected : float
        Rows that would have both, were the two columns unrelated.
    """

    column: int
    level: int
    other: int
    other_level: int
    expected: float


def never_together(dataset: Dataset) -> list[Never]:
    """All such levels of two categorical columns, those most missed first."""
    columns = [j for j in range(dataset.p) if dataset.kinds[j] == "categorical"]
    if len(columns) ** 2 * dataset.n_rows > MOST_WORK:
        return []
    found = []
    for x, y in combinations(columns, 2):
        table = _counts(dataset, x, y)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)
        hits = np.argwhere((table == 0) & (expected >= EXPECTED)).tolist()
        found += [Never(x, a, y, b, float(expected[a, b])) for a, b in hits]
    return sorted(found, key=lambda one: -one.expected)


def _counts(dataset: Dataset, x: int, y: int) -> np.ndarray:
    """(r_x, r_y): rows by level, of those that have both."""
    r, s = (int(dataset.arity[dataset.place[j]]) for j in (x, y))
    rows = dataset.is_there(x) & dataset.is_there(y)
    a, b = (dataset.codes[dataset.place[j]][rows].astype(np.int64) for j in (x, y))
    return np.bincount(a * s + b, minlength=r * s).reshape(r, s)


def _varies(dataset: Dataset, j: int, rows: np.ndarray) -> bool:
    k = dataset.place[j]
    own = (dataset.codes[k] if dataset.kinds[j] == "categorical" else dataset.values[:, k])[rows]
    return bool(len(own)) and bool((own != own[0]).any())
