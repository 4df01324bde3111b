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
    say("Complete rows are therefore not a random sample; learners correct for this by imputing the cells."),
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
    from scipy.special import chdtrc  # a slow import (0.1 s) that complete tables do not need

    grouped = [_groups(dataset, j) for j in range(dataset.p)]
    n = max(1, int(MAX_WORK / (len(incomplete) * dataset.p)))
    missing = {int(j): np.flatnonzero(~dataset.is_there(j)[:n]) for j in incomplete}
    tests = []
    for other, (groups, labels) in enumerate(grouped):
        total = _counts(groups[:n], len(labels))
        for j, rows in missing.items():
            absent = _counts(groups[rows], len(labels))
            if j != other and (statistic := _g2(absent, total)):
                tests.append((j, other, absent, total, labels, statistic))
    if not tests:
        return []
    g2, dof = np.array([test[-1] for test in tests]).T
    with np.errstate(divide="ignore"):  # a probability of 0 is below any threshold
        log_p = np.log(chdtrc(dof, g2))
    threshold = log_threshold(log_p, Q, "bh")
    return sorted(
        (_dependence(*test[:-1], float(p)) for test, p in zip(tests, log_p, strict=True) if p <= threshold),
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
    """Merge the groups with few expected missing cells into one at the end; also return the mask of these groups."""
    small = _expected(absent, total) < MIN_EXPECTED
    if small.any():
        absent, total = (np.append(counts[~small], counts[small].sum()) for counts in (absent, total))
    return absent, total, small


def _expected(absent: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the smaller of the expected numbers of missing and of present cells of each group."""
    n_absent, n = absent.sum(), total.sum()
    return total * min(n_absent, n - n_absent) / n


def _g2(absent: np.ndarray, total: np.ndarray) -> tuple[float, int] | None:
    """Return G² and its degrees of freedom; None unless two groups expect enough missing cells."""
    from scipy.special import xlogy

    n_absent, n = absent.sum(), total.sum()
    if not 0 < n_absent < n:
        return None
    absent, total, _ = _merged(absent, total)
    if (_expected(absent, total) >= MIN_EXPECTED).sum() < 2:
        return None
    table = np.array([absent, total - absent])
    expected = np.outer([n_absent, n - n_absent], total) / n
    terms = xlogy(table, np.divide(table, expected, out=np.ones_like(table), where=expected > 0))
    return 2 * float(terms.sum()), int((total > 0).sum()) - 1


def _dependence(
    column: int, other: int, absent: np.ndarray, total: np.ndarray, labels: list[str], log_p: float
) -> MissingnessDependence:
    absent, total, small = _merged(absent, total)
    if small.any():
        kept = [label for label, is_small in zip(labels, small, strict=True) if not is_small]
        labels = [*kept, "another value"]
    shares = np.where(_expected(absent, total) >= MIN_EXPECTED, absent / np.maximum(total, 1), -1)
    at = int(shares.argmax())
    elsewhere = (absent.sum() - absent[at]) / (total.sum() - total[at])
    return MissingnessDependence(column, other, labels[at], float(shares[at]), float(elsewhere), log_p)
