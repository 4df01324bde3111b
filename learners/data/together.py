"""Pairs of columns whose missing cells leave a test nothing to see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .dataset import Dataset

FEWEST = 10  # rows that have both, for a test to tell anything
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


def _varies(dataset: Dataset, j: int, rows: np.ndarray) -> bool:
    k = dataset.place[j]
    own = (dataset.codes[k] if dataset.kinds[j] == "categorical" else dataset.values[:, k])[rows]
    return bool(len(own)) and bool((own != own[0]).any())
