"""Delete cells of complete data, at random or depending on values."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from scipy.special import expit

from ..common.checks import check_choice, check_number
from ..common.errors import DataError
from ..common.validation import Seed, validated
from ..data.dataset import Dataset

Mechanism = Literal["mcar", "mar", "mnar"]
MAX_SHARE = 0.9  # maximum share of deleted cells
SLOPE = 2.0  # log odds of a deletion per standard deviation of its cause
COMPLETE_EVERY = 3  # one of this many columns stays complete under "mar"
HALVINGS = 60


@validated
def with_missing_cells(dataset: Dataset, share: float, mechanism: Mechanism = "mcar", *, seed: Seed) -> Dataset:
    """Return the same rows with missing cells.

    Parameters
    ----------
    dataset : Dataset
        Without missing cells and row weights.
    share : float
        Expected share of deleted cells in each column that loses any; in [0, 0.9].
    mechanism : "mcar", "mar" or "mnar"
        Rubin's mechanisms. Missing completely at random: each cell independently. Missing at random: a random third of
        the columns, rounded up, stays complete, and the deletions in each other column depend on one of them. Missing
        not at random: deletions depend on the deleted value, high values more often.
    seed : int
        At least 0.

    Returns
    -------
    Dataset

    Raises
    ------
    ParameterError
        If an argument is out of range.
    DataError
        If cells are missing already, or rows are weighted.

    References
    ----------
    Rubin (1976), Inference and missing data, Biometrika 63.
    """
    check_number("share", share, 0.0, MAX_SHARE)
    check_choice("mechanism", mechanism, get_args(Mechanism))
    if not dataset.complete or dataset.weights is not None:
        raise DataError("missing cells can only be made in complete data without row weights; start from complete data")
    if share == 0.0:
        return dataset
    # Other streams than in `sample`, because deletions must not depend on values drawn with the same seed.
    own, *streams = map(np.random.default_rng, np.random.SeedSequence([seed, 2]).spawn(dataset.p + 1))
    cause = _causes(dataset.p, mechanism, own)
    there = np.ones((dataset.p, dataset.n_rows), dtype=bool)
    for j, rng in enumerate(streams):
        if cause[j] is None or cause[j] >= 0:
            chance = share if cause[j] is None else _probabilities(dataset, cause[j], share)
            uniform = rng.random(dataset.n_rows)
            there[j] = uniform >= chance
            there[j, uniform.argmax()] = True  # keep at least one cell of each column
    return _without(dataset, there)


def with_gaps_of(dataset: Dataset, other: Dataset) -> Dataset:
    """Return complete data without the cells that are missing in another data set of the same columns and size."""
    if other.complete:
        return dataset
    there = np.array([other.is_there(j) for j in range(other.p)])
    return _without(dataset, there if other.weights is None else np.repeat(there, other.weights, axis=1))


def _causes(p: int, mechanism: Mechanism, rng: np.random.Generator) -> list[int | None]:
    """Return for each column the index of its cause; None for deletions at random, -1 for none."""
    if mechanism == "mcar":
        return [None] * p
    if mechanism == "mnar":
        return list(range(p))
    complete = rng.permutation(p)[: -(-p // COMPLETE_EVERY)]
    drawn = rng.choice(complete, p).tolist()
    return [-1 if j in complete else drawn[j] for j in range(p)]


def _probabilities(dataset: Dataset, j: int, share: float) -> np.ndarray:
    """Return the (n,) probabilities of a deletion, which depend on column j and have the mean `share`."""
    k = dataset.place[j]
    column = dataset.values[:, k] if dataset.kinds[j] == "continuous" else dataset.codes[k].astype(np.float64)
    spread = column.std()
    score = SLOPE * (column - column.mean()) / (spread if spread > 0 else 1.0)
    low, high = -50.0 - np.abs(score).max(), 50.0 + np.abs(score).max()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(score + middle).mean() < share else (low, middle)
    return expit(score + low)


def _without(dataset: Dataset, there: np.ndarray) -> Dataset:
    """Return the data set without the deleted cells."""
    parts = []
    for kind in dict.fromkeys(dataset.kinds):
        part = [j for j in range(dataset.p) if dataset.kinds[j] == kind]
        own = dataset.select(part)
        if kind == "continuous":
            parts.append(Dataset.from_values(np.where(there[part].T, own.values, np.nan), own.names))
        else:
            codes = np.where(there[part], own.codes.astype(np.int64), -1)
            parts.append(Dataset.from_codes(codes, own.arity, own.names, own.levels))
    return Dataset.joined(dataset.names, *parts)
