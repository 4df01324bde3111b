"""Mutual information of two variables of any types, in bits per row."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..data.columns import MAX_COPIED_BYTES
from ..data.dataset import Dataset

MIN_RESIDUAL = 1e-12  # minimum share of unexplained variance; less is rounding


def mutual_information_bits(dataset: Dataset, x: int, y: int) -> float:
    """Estimate the mutual information of two variables.

    Parameters
    ----------
    dataset : Dataset
    x, y : int

    Returns
    -------
    float
        Bits per row, at least 0, from the rows where both are observed.

    Notes
    -----
    For two categorical variables the estimate is G² / (2 n ln 2) from the counts. With a numeric variable it is -½ log2
    of the share of its variance that a line, or the means of the levels, leave unexplained. The mean under
    independence, df / (2 n ln 2), is subtracted (Miller 1955).
    """
    if dataset.kind == "continuous" and dataset.complete and dataset.values.nbytes > MAX_COPIED_BYTES:
        nats = _nats(float(dataset.correlation[x, y]) ** 2)  # known from the run, so the rows are not read again
        return max(0.0, (nats - 1 / (2 * dataset.n)) / math.log(2))
    pair = dataset.select([x, y]) if dataset.complete else dataset.available([x, y])
    weights = np.ones(pair.n_rows) if pair.shares is None else pair.shares
    n = float(weights.sum())
    if n == 0:
        return 0.0
    measure = {"categorical": _of_levels, "continuous": _of_numbers, "mixed": _of_both}[pair.kind]
    nats, dof = measure(pair, weights)
    return max(0.0, (float(nats) - int(dof) / (2 * n)) / math.log(2))


def conditional_information_bits(dataset: Dataset, x: int, y: int, given: Sequence[int]) -> float:
    """Estimate the mutual information of two variables given others.

    Parameters
    ----------
    dataset : Dataset
    x, y : int
    given : sequence of int

    Returns
    -------
    float
        Bits per row, at least 0, from the rows where all are observed; NaN for two categorical ones given a number.

    Notes
    -----
    The estimate is that of `mutual_information_bits`, from the counts in each group of levels, or from the variance
    that `given` leaves unexplained.
    """
    columns = [x, y, *given]
    rows = dataset.select(columns) if dataset.complete else dataset.available(columns)
    weights = np.ones(rows.n_rows) if rows.shares is None else rows.shares
    n, kinds = float(weights.sum()), rows.kinds
    if n == 0:
        return 0.0
    if kinds[0] == kinds[1] == "categorical":
        if "continuous" in kinds:
            return math.nan
        nats, dof = _of_groups(rows, weights)
    else:
        nats, dof = _of_residuals(rows, weights)
    return max(0.0, (nats - dof / (2 * n)) / math.log(2))


def _of_groups(rows: Dataset, weights: np.ndarray) -> tuple[float, int]:
    """Return the information of the first two columns in nats, and its degrees of freedom, within groups of levels."""
    from scipy.special import xlogy

    group = np.zeros(rows.n_rows, dtype=np.int64)
    for codes, arity in zip(rows.codes[2:], rows.arity[2:], strict=True):
        group = np.unique(group * int(arity) + codes, return_inverse=True)[1]
    x, y = rows.codes[:2].astype(np.int64)
    r, c = (int(a) for a in rows.arity[:2])
    cells, place = np.unique((group * r + x) * c + y, return_inverse=True)
    ends = {"xyz": cells, "xz": cells // c, "yz": cells // (r * c) * c + cells % c, "z": cells // (r * c)}
    counts = np.bincount(place, weights)
    terms, levels = {}, {}
    for name, key in ends.items():
        own, at = np.unique(key, return_inverse=True)
        terms[name], levels[name] = float(xlogy(total := np.bincount(at, counts), total).sum()), own
    nats = (terms["xyz"] + terms["z"] - terms["xz"] - terms["yz"]) / weights.sum()
    n_x = np.bincount(levels["xz"] // r, minlength=int(group.max()) + 1)
    n_y = np.bincount(levels["yz"] // c, minlength=int(group.max()) + 1)
    return nats, int(((n_x - 1) * (n_y - 1))[np.unique(levels["z"])].sum())


def _of_residuals(rows: Dataset, weights: np.ndarray) -> tuple[float, int]:
    """Return the information and its degrees of freedom, from the variance that only the other variable explains."""
    number, other = (0, 1) if rows.kinds[0] == "continuous" else (1, 0)
    root = np.sqrt(weights)[:, None]
    before = np.hstack([np.ones((rows.n_rows, 1)), *(_design(rows, j) for j in range(2, rows.p))])
    after = np.hstack([before, _design(rows, other)])
    target = root[:, 0] * _centred(rows.values[:, rows.place[number]], weights)
    left, rank = zip(*(_residual(root * design, target) for design in (before, after)), strict=True)
    total = float(target @ target)
    if left[0] <= MIN_RESIDUAL * total:
        return 0.0, 0  # the other variables determine it
    return _nats(1 - left[1] / left[0]), rank[1] - rank[0]


def _design(rows: Dataset, j: int) -> np.ndarray:
    """Return the columns that represent a variable in a regression."""
    k = rows.place[j]
    if rows.kinds[j] == "continuous":
        return _centred(rows.values[:, k], np.ones(rows.n_rows))[:, None]
    return (rows.codes[k][:, None] == np.arange(1, int(rows.arity[k]))).astype(np.float64)


def _residual(design: np.ndarray, target: np.ndarray) -> tuple[float, int]:
    weights, _, rank, _ = np.linalg.lstsq(design, target, rcond=None)
    rest = target - design @ weights
    return float(rest @ rest), int(rank)


def _of_levels(pair: Dataset, weights: np.ndarray) -> tuple[float, int]:
    x, y = pair.codes.astype(np.int64)
    rows, columns = (int(r) for r in pair.arity)
    share = np.bincount(x * columns + y, weights, rows * columns).reshape(rows, columns) / weights.sum()
    of_x, of_y = share.sum(axis=1), share.sum(axis=0)
    nats = _entropy(of_x) + _entropy(of_y) - _entropy(share)
    return nats, (np.count_nonzero(of_x) - 1) * (np.count_nonzero(of_y) - 1)


def _entropy(shares: np.ndarray) -> float:
    """Return the entropy in nats; `scipy.special.entr` would make each run on the command line import SciPy."""
    some = shares[shares > 0]
    return -float(some @ np.log(some))


def _of_numbers(pair: Dataset, weights: np.ndarray) -> tuple[float, int]:
    x, y = (_centred(column, weights) for column in pair.values.T)
    spread = math.sqrt(float(weights @ x**2) * float(weights @ y**2))
    return (_nats(float(weights @ (x * y)) ** 2 / spread**2), 1) if spread > 0 else (0.0, 0)


def _of_both(pair: Dataset, weights: np.ndarray) -> tuple[float, int]:
    value, codes = _centred(pair.values[:, 0], weights), pair.codes[0].astype(np.int64)
    rows, sums = np.bincount(codes, weights), np.bincount(codes, weights * value)
    between, total = float((sums[rows > 0] ** 2 / rows[rows > 0]).sum()), float(weights @ value**2)
    return (_nats(between / total), np.count_nonzero(rows) - 1) if total > 0 else (0.0, 0)


def _nats(explained: float) -> float:
    return -0.5 * math.log(max(1 - explained, MIN_RESIDUAL))


def _centred(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return deviations from the mean, scaled by a power of two so that squares neither vanish nor overflow."""
    values = np.ldexp(values, -int(np.frexp(np.abs(values).max(initial=0.0))[1]))
    centred = values - weights @ values / weights.sum()
    flat = np.abs(centred).max(initial=0.0) <= 1e-13
    return np.zeros_like(centred) if flat else centred / np.abs(centred).max()
