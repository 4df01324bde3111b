"""Detect missing cells whose frequency depends on another column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...common.false_discovery import log_threshold
from ...common.sentences import Sentence, columns_of, only_if, paragraph, percent, say
from ..dataset import Dataset
from ..plan.binning import Binning, bin_labels, cut_points
from .finding import Finding, warning
from .inspection import Inspection
from .registry import check

Q = 0.05  # false discovery rate (Benjamini and Hochberg)
GROUPS = 4  # number of groups of a continuous column, by its quartiles
MIN_EXPECTED = 5.0  # minimum number of missing cells expected in a group; smaller groups are merged (Cochran 1954)
MAX_WORK = 2e9  # maximum number of rows times pairs; in larger tables only the first rows are examined
MAX_NAMED = 5  # maximum number of columns with a separate finding
CONSEQUENCE = paragraph(
    say("Complete rows are therefore not a random sample."),
    say("Learners that use all observed cells correct for this if missingness depends only on observed cells."),
    say("If a cell is missing because of its own value, this can be neither detected nor corrected."),
)


@dataclass(frozen=True)
class MissingnessDependence:
    """A column whose missing cells depend on the values of another.

    Attributes
    ----------
    column, other : int
        Positions of the two in the data set.
    where : str
        Level, or range of numbers, of `other` with the highest share of missing cells.
    share, elsewhere : float
        Shares of missing cells there and in all other rows.
    log_p : float
        ln p of the G² test of independence of missingness and `other`.
    """

    column: int
    other: int
    where: str
    share: float
    elsewhere: float
    log_p: float


@check("dependent_missingness", needs_rows=True)
def dependent_missingness(inspection: Inspection) -> list[Finding]:
    """Return a warning for each column whose missing cells depend on others, with the strongest dependence.

    Columns that are missing in the same rows, such as those made from one column, have one warning.
    """
    data = inspection.in_own_units
    by_column: dict[int, list[MissingnessDependence]] = defaultdict(list)
    for dependence in missingness_dependences(data):
        by_column[dependence.column].append(dependence)
    same_rows: dict[bytes, list[int]] = defaultdict(list)
    for column in by_column:
        same_rows[np.packbits(data.is_there(column)).tobytes()].append(column)
    groups, found = list(same_rows.values()), []
    for columns in groups[:MAX_NAMED]:
        dependences, names = by_column[columns[0]], [data.names[column] for column in columns]
        reason = paragraph(_where(data, names, dependences), only_if(not found, CONSEQUENCE))
        found.append(warning("dependent_holes", names, reason))
    rest = [data.names[column] for columns in groups[MAX_NAMED:] for column in columns]
    if rest:
        reason = say("whether cells of {columns} are missing depends on other columns.", columns=columns_of(rest))
        found.append(warning("dependent_holes", rest, reason))
    return found


def _where(data: Dataset, names: Sequence[str], dependences: Sequence[MissingnessDependence]) -> Sentence:
    """Return sentences on the strongest dependence of columns that are missing in the same rows."""
    first, more, one = dependences[0], [data.names[other.other] for other in dependences[1:]], len(names) == 1
    where = say(
        "{columns} has missing cells in {share} of the rows where {other} is {level}, and in {elsewhere} of the others."
        if one
        else "{columns} have missing cells together, in {share} of the rows where {other} is {level}, and in "
        "{elsewhere} of the others.",
        columns=columns_of(names),
        share=percent(first.share),
        other=repr(data.names[first.other]),
        level=say(first.where),
        elsewhere=percent(first.elsewhere),
    )
    others = say(
        "Its missing cells also depend on {columns}." if one else "Their missing cells also depend on {columns}.",
        columns=columns_of(more),
    )
    return paragraph(where, only_if(more, others))


def missingness_dependences(dataset: Dataset) -> list[MissingnessDependence]:
    """Test all pairs of columns for missing cells of one that depend on the other.

    Returns
    -------
    list of MissingnessDependence
        The dependences found, smallest p-value first.

    Notes
    -----
    Each test is a G² test of "is missing" against the groups of the other column, in the rows that have it. The false
    discovery rate is controlled at 0.05 by Benjamini and Hochberg's procedure.
    """
    incomplete = np.flatnonzero(dataset.incomplete)
    if not len(incomplete):
        return []
    grouped = [_groups(dataset, j) for j in range(dataset.p)]
    n = max(1, int(MAX_WORK / (len(incomplete) * dataset.p)))
    missing = {int(j): np.flatnonzero(~dataset.is_there(j)[:n]) for j in incomplete}
    tests, log_ps = [], []
    for other, (groups, labels) in enumerate(grouped):
        total = _counts(groups[:n], len(labels))
        absent = np.array([_counts(groups[rows], len(labels)) for rows in missing.values()])
        is_tested, log_p = _log_p(absent, total)
        for k, j in enumerate(missing):
            if j != other and is_tested[k]:
                tests.append((j, other, absent[k], total, labels))
                log_ps.append(log_p[k])
    if not tests:
        return []
    log_p = np.array(log_ps)
    threshold = log_threshold(log_p, Q, "bh")
    return sorted(
        (_dependence(*test, float(p)) for test, p in zip(tests, log_p, strict=True) if p <= threshold),
        key=lambda dependence: dependence.log_p,
    )


def _counts(groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return (n_groups,) counts: the number of rows in each group; rows of group -1 do not count."""
    return np.bincount(groups + 1, minlength=n_groups + 1)[1:].astype(float)


def _groups(dataset: Dataset, j: int) -> tuple[np.ndarray, list[str]]:
    """Group the rows by the values of column j; return the (n_rows,) group of each, -1 if missing, and the labels."""
    k, present = dataset.place[j], dataset.is_there(j)
    if dataset.kinds[j] == "categorical":
        labels = [repr(level) for level in dataset.levels[k]]
        return np.where(present, dataset.codes[k].astype(np.int64), -1), labels
    values = dataset.values[:, k]
    cuts = cut_points(values, Binning(bins=GROUPS))
    return np.where(present, np.searchsorted(cuts, values, side="right"), -1), bin_labels(cuts, least_digits=4)


def _merged(absent: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Merge the groups with few expected missing cells into one at the end, by column.

    Parameters
    ----------
    absent : (m, r) float array
        Missing cells of m columns in r groups.
    total : (r,) float array
        Rows of the groups.

    Returns
    -------
    absent, total : (m, r + 1) float arrays
        0 in the merged groups.
    small : (m, r) bool array
        The merged groups.
    """
    small = _expected(absent, total) < MIN_EXPECTED
    merged = [
        np.column_stack([np.where(small, 0.0, counts), np.where(small, counts, 0.0).sum(axis=1)])
        for counts in (absent, total)
    ]
    return *merged, small


def _expected(absent: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the smaller of the expected numbers of missing and of present cells, by column and group."""
    n_absent, n = absent.sum(axis=1, keepdims=True), total.sum(axis=-1, keepdims=True)
    return total * np.minimum(n_absent, n - n_absent) / np.maximum(n, 1.0)


def _log_p(absent: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return if each of m columns is tested, i.e. two groups expect enough missing cells, and ln p of its G² test.

    Parameters
    ----------
    absent, total
        As in `_merged`.
    """
    from scipy.special import chdtrc, xlogy  # a slow import (0.1 s) that complete tables do not need

    n_absent, n = absent.sum(axis=1, keepdims=True), max(total.sum(), 1.0)
    absent, total, _ = _merged(absent, total)
    is_tested = (_expected(absent, total) >= MIN_EXPECTED).sum(axis=1) >= 2
    g2 = np.zeros(len(absent))
    for cells, of_all in ((absent, n_absent), (total - absent, n - n_absent)):
        expected = of_all * total / n
        ratio = np.divide(cells, expected, out=np.ones_like(cells), where=expected > 0)
        g2 += 2.0 * xlogy(cells, ratio).sum(axis=1)
    with np.errstate(divide="ignore"):  # a probability of 0 is below any threshold
        return is_tested, np.log(chdtrc(np.maximum((total > 0).sum(axis=1) - 1, 1), g2))


def _dependence(
    column: int, other: int, absent: np.ndarray, total: np.ndarray, labels: list[str], log_p: float
) -> MissingnessDependence:
    merged_absent, merged_total, _ = _merged(absent[None], total)
    is_large = _expected(merged_absent, merged_total)[0] >= MIN_EXPECTED
    absent, total, labels = merged_absent[0], merged_total[0], [*labels, "another value"]
    shares = np.where(is_large, absent / np.maximum(total, 1), -1)
    at = int(shares.argmax())
    elsewhere = (absent.sum() - absent[at]) / (total.sum() - total[at])
    return MissingnessDependence(column, other, labels[at], float(shares[at]), float(elsewhere), log_p)
