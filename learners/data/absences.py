"""Cells that are missing more often beside some values than beside others, which no test on the rest can see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy
from scipy.stats import chi2

from ..common.false_discovery import log_threshold
from .cuts import bin_labels, cut_points
from .dataset import Dataset
from .plan import Binning

Q = 0.05  # share of false findings that is accepted (Benjamini and Hochberg)
GROUPS = 4  # numbers are compared between their quarters
LEAST_EXPECTED = 5.0  # missing cells expected in a group; smaller groups are taken together (Cochran 1954)
MOST_WORK = 2e9  # products of sums; beyond, the first rows alone are looked at


@dataclass(frozen=True)
class Absence:
    """A column whose missing cells go with the values of another.

    Attributes
    ----------
    column, other : int
        Positions of the two in the data set.
    where : str
        The value, or range of numbers, of the other at which most cells are missing.
    share, elsewhere : float
        Of the cells there, and of all others, that are missing.
    log_p : float
        ln p of the G² test that missing cells do not depend on the other column.
    """

    column: int
    other: int
    where: str
    share: float
    elsewhere: float
    log_p: float


def absences(dataset: Dataset) -> list[Absence]:
    """What missing cells depend on, of all pairs of columns; the clearest first.

    Notes
    -----
    G² of "is missing" against the values of each other column, in the rows that have it; false findings are bounded by
    Benjamini and Hochberg at q = 0.05.
    """
    holes = np.flatnonzero(dataset.incomplete)
    grouped = [_groups(dataset, j) for j in range(dataset.p)]
    n_groups = sum(len(labels) for _, labels in grouped)
    if not len(holes) or not n_groups:
        return []
    rows = slice(0, max(1, int(MOST_WORK / (len(holes) * n_groups))))
    missing = np.array([~dataset.is_there(j)[rows] for j in holes], dtype=np.float32)
    found = []
    for other, (groups, labels) in enumerate(grouped):
        member = (groups[rows] == np.arange(len(labels))[:, None]).astype(np.float32)
        gone, all_ = missing @ member.T, member.sum(axis=1)
        found += [
            _tested(int(j), other, gone[k].astype(float), all_.astype(float), labels)
            for k, j in enumerate(holes)
            if j != other
        ]
    tested = [one for one in found if one is not None]
    cut = log_threshold(np.array([one.log_p for one in tested]), Q, "bh") if tested else np.nan
    return sorted((one for one in tested if one.log_p <= cut), key=lambda one: one.log_p)


def _groups(dataset: Dataset, j: int) -> tuple[np.ndarray, list[str]]:
    """(n_rows,) the group of each row by the values of a column, -1 where it is missing; and what they are called."""
    k, there = dataset.place[j], dataset.is_there(j)
    if dataset.kinds[j] == "categorical":
        labels = [repr(level) for level in dataset.levels[k]]
        return np.where(there, dataset.codes[k].astype(np.int64), -1), labels
    values = dataset.values[:, k]
    cuts = cut_points(values, Binning(bins=GROUPS))
    return np.where(there, np.searchsorted(cuts, values, side="right"), -1), bin_labels(cuts, least_digits=4)


def _tested(column: int, other: int, gone: np.ndarray, all_: np.ndarray, labels: list[str]) -> Absence | None:
    """The test in the groups that expect enough missing cells; None if these are not two."""
    total, rows = gone.sum(), all_.sum()
    if not 0 < total < rows:
        return None
    small = all_ * min(total, rows - total) / rows < LEAST_EXPECTED
    if small.any():
        keep = ~small
        gone, all_ = np.append(gone[keep], gone[small].sum()), np.append(all_[keep], all_[small].sum())
        labels = [label for label, kept in zip(labels, keep, strict=True) if kept] + ["another value"]
    occupied = all_ * min(total, rows - total) / rows >= LEAST_EXPECTED
    if occupied.sum() < 2:
        return None
    table = np.array([gone, all_ - gone])
    expected = np.outer([total, rows - total], all_) / rows
    terms = xlogy(table, np.divide(table, expected, out=np.ones_like(table), where=expected > 0))
    g2, dof = 2 * float(terms.sum()), int((all_ > 0).sum()) - 1
    shares = np.where(occupied, gone / np.maximum(all_, 1), -1)
    at = int(shares.argmax())
    rest = (total - gone[at]) / (rows - all_[at])
    return Absence(column, other, labels[at], float(shares[at]), float(rest), float(chi2.logsf(g2, dof)))
