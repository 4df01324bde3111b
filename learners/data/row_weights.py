"""Row weights: integer counts, or survey weights, each the number of units of a population that a row represents.

Survey weights are scaled so that their sum is the effective sample size (Kish 1965): the number of equal rows that
estimate a mean as precisely as these. Tests and scores use the weighted counts and moments of that many rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.arrays import as_array, frozen_copy
from ..common.errors import DataError
from ..common.mapped_arrays import BLOCK_ROWS, counted, empty
from ..common.memory import CELL_BYTES, check_memory
from ..common.wording import count, quoted_columns

MAX_WEIGHT = 2**53  # maximum weight; integers up to it are exact as floats
SAMPLE_ROWS = 1_024  # number of rows examined before merging
MAX_DISTINCT_SHARE = 0.75  # share of distinct rows above which merging is not tried
UNITS = 2**45  # total of all survey weights in integer units; sums of such weights fit into 63 bits


def as_counts(weights: np.ndarray) -> np.ndarray:
    """Return weights as int64 if all are integers, else unchanged."""
    whole = bool((weights == np.floor(weights)).all()) and weights.max(initial=0) <= MAX_WEIGHT
    return weights.astype(np.int64) if whole else weights


def checked_weights(weights: Sequence[float] | None, n: int) -> np.ndarray | None:
    """Return validated weights, (n,) int64 or float64, read-only; DataError unless they are n nonnegative numbers."""
    if weights is None:
        return None
    weights = as_array("weights", weights, "iuf", f"{n} numbers of at least 0")
    wrong = weights.shape != (n,) or weights.dtype.kind not in "iuf"
    if wrong or not (np.isfinite(weights).all() and (weights >= 0).all() and (weights <= MAX_WEIGHT).all()):
        raise DataError(f"weights must be {n} numbers from 0 to 2^53, one per row")
    checked = as_counts(np.array(weights))
    checked.flags.writeable = False
    return checked


def repeated(counts: np.ndarray, p: int) -> np.ndarray:
    """Return the index of each row, repeated by its count; DataError if this takes too much memory."""
    total = int(counts.sum(dtype=np.float64))
    check_memory(
        CELL_BYTES * float(total) * p,
        f"{count(total, 'row')} of {count(p, 'column')}, each as often as it counts,",
        "lower the weights",
    )
    return np.repeat(np.arange(len(counts)), counts)


def sample_size(weights: np.ndarray) -> int:
    """Return the sum of counts, or the effective sample size (Σ w)² / Σ w² of survey weights, rounded."""
    if weights.dtype.kind == "i":
        return int(weights.sum())
    # Prevents overflow and underflow of the squares.
    shares = weights / max(float(weights.max(initial=0.0)), np.finfo(float).tiny)
    return round(float(shares.sum() ** 2 / max(float(shares @ shares), np.finfo(float).tiny)))


def describe_weights(column: str, weights: np.ndarray) -> str:
    """Return a sentence on how the weights of a column count the rows."""
    n, rows = sample_size(weights), count(len(weights), "row")
    if weights.dtype.kind == "i":
        return f"each row counts as often as {quoted_columns([column])} says: {rows} as {n:,}"
    return (
        f"rows are weighed by {quoted_columns([column])}, as survey weights: {rows} carry as much information as "
        f"{n:,} of equal weight (Kish), which is the sample size of every test and score"
    )


def in_units(weights: np.ndarray | None, n: int, copies: int = 1) -> tuple[np.ndarray, float]:
    """Convert weights to integer multiples of a unit, for kernels that count.

    Parameters
    ----------
    weights : (n_rows,) array, or None
    n : int
        Sample size.
    copies : int, default 1
        Number of imputed tables among the rows: a row of weight 1 stands for one of that many parts.

    Returns
    -------
    counts : (n_rows,) int64 array
        Empty if each row counts once.
    unit : float
        G² and log-likelihoods of the counts times this unit are those of weights with the sum `n`.
    """
    if weights is None or weights.dtype.kind == "i":
        whole = np.empty(0, dtype=np.int64) if weights is None else weights
        unit = 1.0 / copies
    else:
        whole = np.rint(weights / weights.sum() * UNITS).astype(np.int64)
        unit = n / float(whole.sum())
    whole.flags.writeable = False
    return whole, unit


def distinct_rows(codes: np.ndarray, states: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the first position of each distinct row, in order of appearance, and the total weight of its copies.

    Parameters
    ----------
    codes : (p, n) unsigned array
    states : (p,) int64 array
        Number of codes of each variable.
    weights : (n,) int64 array, or None
    """
    label, q = _labels(codes, states)
    first = np.empty(q, dtype=np.int64)
    for at in reversed(range(0, len(label), BLOCK_ROWS)):  # from the end, so that the first row of a label is kept
        own = label[at : at + BLOCK_ROWS]
        first[own[::-1]] = np.arange(at, at + len(own))[::-1]
    return first, counted(label, q) if weights is None else np.bincount(label, weights=weights, minlength=q)[:q]


def mostly_distinct(codes: np.ndarray, states: np.ndarray) -> bool:
    """Return True if most rows of a sample are distinct, or there are too few rows to merge."""
    if codes.shape[1] < 2 * SAMPLE_ROWS:
        return True
    sample = frozen_copy(codes[:, :: codes.shape[1] // SAMPLE_ROWS], codes.dtype)
    return _labels(sample, states)[1] > MAX_DISTINCT_SHARE * sample.shape[1]


def _labels(codes: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, int]:
    """Return (n,) numbers that are equal for equal rows, in order of appearance, and how many there are."""
    from ..kernels.scores.configurations import label_rows  # compiled code, which most readers of data do not need

    label = empty([codes.shape[1]], np.int32)
    return label, label_rows(codes, states, np.arange(len(codes)), label)
