"""Mutual information of two variables of any types, in bits per row."""

from __future__ import annotations

import math

import numpy as np

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
    For two categorical variables, G² / (2 n ln 2) from the counts. With a numeric variable, -½ log2 of the share of its
    variance that a line, or the means of the levels, leave unexplained. The mean under independence, df / (2 n ln 2),
    is subtracted (Miller 1955).
    """
    pair = dataset.select([x, y]) if dataset.complete else dataset.available([x, y])
    weights = np.ones(pair.n_rows) if pair.shares is None else pair.shares
    n = float(weights.sum())
    if n == 0:
        return 0.0
    measure = {"categorical": _of_levels, "continuous": _of_numbers, "mixed": _of_both}[pair.kind]
    nats, dof = measure(pair, weights)
    return max(0.0, (float(nats) - int(dof) / (2 * n)) / math.log(2))


def _of_levels(pair: Dataset, weights: np.ndarray) -> tuple[float, int]:
    from scipy.special import xlogy

    x, y = pair.codes.astype(np.int64)
    rows, columns = (int(r) for r in pair.arity)
    share = np.bincount(x * columns + y, weights, rows * columns).reshape(rows, columns) / weights.sum()
    of_x, of_y = share.sum(axis=1), share.sum(axis=0)
    nats = xlogy(share, share).sum() - xlogy(of_x, of_x).sum() - xlogy(of_y, of_y).sum()
    return float(nats), (np.count_nonzero(of_x) - 1) * (np.count_nonzero(of_y) - 1)


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
