"""Cells that are missing more often beside some values than beside others, which no test on the rest can see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.false_discovery import log_threshold
from .cuts import bin_labels, cut_points
from .dataset import Dataset
from .plan import Binning

Q = 0.05  # share of false findings that is accepted (Benjamini and Hochberg)
GROUPS = 4  # numbers are compared between their quarters
LEAST_EXPECTED = 5.0  # missing cells expected in a group; smaller groups are taken together (Cochran 1954)
MOST_WORK = 2e9  # rows times pairs; beyond, the first rows alone are looked at


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
    if not len(holes):
        return []
    from scipy.special import chdtrc  # a tenth of a second that complete tables need not wait

    grouped = [_groups(dataset, j) for j in range(dataset.p)]
    n = max(1, int(MOST_WORK / (len(holes) * dataset.p)))
    missing = {int(j): np.flatnonzero(~dataset.is_there(j)[:n]) for j in holes}
    found = []
    for other, (groups, labels) in enumerate(grouped):
        all_ = _counts(groups[:n], len(labels))
        for j, rows in missing.items():
            gone = _counts(groups[rows], len(labels))
            if j != other and (compared := _compared(gone, all_)):
                found.append((j, other, gone, all_, labels, compared))
    if not found:
        return []
    g2, dof = np.array([one[-1] for one in found]).T
    with np.errstate(divide="ignore"):  # a probability of 0 is below any cut
        log_p = np.log(chdtrc(dof, g2))
    cut = log_threshold(log_p, Q, "bh")
    return sorted(
        (_told(*one[:-1], float(its)) for one, its in zip(found, log_p, strict=True) if its <= cut),
        key=lambda one: one.log_p,
    )


def _counts(groups: np.ndarray, n_groups: int) -> np.ndarray:
    """(n_groups,) rows in each group; those that are in none do not count."""
    return np.bincount(groups + 1, minlength=n_groups + 1)[1:].astype(float)


def _groups(dataset: Dataset, j: int) -> tuple[np.ndarray, list[str]]:
    """(n_rows,) the group of each row by the values of a column, -1 where it is missing; and what they are called."""
    k, there = dataset.place[j], dataset.is_there(j)
    if dataset.kinds[j] == "categorical":
        labels = [repr(level) for level in dataset.levels[k]]
        return np.where(there, dataset.codes[k].astype(np.int64), -1), labels
    values = dataset.values[:, k]
    cuts = cut_points(values, Binning(bins=GROUPS))
    return np.where(there, np.searchsorted(cuts, values, side="right"), -1), bin_labels(cuts, least_digits=4)


def _taken_together(gone: np.ndarray, all_: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The groups with the small ones as one, after the others; and which are small."""
    total, rows = gone.sum(), all_.sum()
    small = all_ * min(total, rows - total) / rows < LEAST_EXPECTED
    if small.any():
        gone, all_ = (np.append(counts[~small], counts[small].sum()) for counts in (gone, all_))
    return gone, all_, small


def _occupied(gone: np.ndarray, all_: np.ndarray) -> np.ndarray:
    total, rows = gone.sum(), all_.sum()
    return all_ * min(total, rows - total) / rows >= LEAST_EXPECTED


def _compared(gone: np.ndarray, all_: np.ndarray) -> tuple[float, int] | None:
    """G² and its degrees of freedom in the groups that expect enough missing cells; None if these are not two."""
    from scipy.special import xlogy

    total, rows = gone.sum(), all_.sum()
    if not 0 < total < rows:
        return None
    gone, all_, _ = _taken_together(gone, all_)
    if _occupied(gone, all_).sum() < 2:
        return None
    table = np.array([gone, all_ - gone])
    expected = np.outer([total, rows - total], all_) / rows
    terms = xlogy(table, np.divide(table, expected, out=np.ones_like(table), where=expected > 0))
    return 2 * float(terms.sum()), int((all_ > 0).sum()) - 1


def _told(column: int, other: int, gone: np.ndarray, all_: np.ndarray, labels: list[str], log_p: float) -> Absence:
    gone, all_, small = _taken_together(gone, all_)
    if small.any():
        labels = [label for label, one in zip(labels, small, strict=True) if not one] + ["another value"]
    shares = np.where(_occupied(gone, all_), gone / np.maximum(all_, 1), -1)
    at = int(shares.argmax())
    rest = (gone.sum() - gone[at]) / (all_.sum() - all_[at])
    return Absence(column, other, labels[at], float(shares[at]), float(rest), log_p)
