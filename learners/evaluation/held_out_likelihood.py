"""How likely a graph makes rows that it was not learnt from: of columns of any kinds, cells missing or not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import log_softmax

from ..common.errors import DataError
from ..data.columns import read_only
from ..data.dataset import Dataset
from ..graphs.cpdags import consistent_extension
from ..graphs.graph import PDAG
from .categorical_likelihood import log_probabilities

RIDGE = 1.0  # rows that the prior of a regression is worth
ESS = 1.0  # and that of a table


def held_out_log_likelihood(graph: PDAG, train: Dataset, new: Dataset) -> float:
    """ln of the likelihood of new rows, each variable given its parents, with parameters that `train` tells.

    Parameters
    ----------
    graph : PDAG
        Any DAG that it stands for foretells the same, nearly so where columns are of both kinds; where no DAG has its
        arrows, one that stands in is taken.
    train, new : Dataset
        With the same columns and levels; row weights count.

    Returns
    -------
    float
        In nats a row, numbers in standard deviations of `train`.

    Raises
    ------
    DataError
        If the data sets do not match, or there are no new rows.

    Notes
    -----
    Categorical variables with categorical parents by their table, under a uniform Dirichlet prior worth one row; with
    numbers among them by multinomial logistic regression; numbers by linear regression, both with a ridge worth one
    row. Where cells are missing, a variable alone counts in all rows that have it, and its parents by what they add to
    that in the rows that have them all.

    Examples
    --------
    >>> from learners import load_sample
    >>> asia = load_sample("asia")
    >>> train, new = asia.dataset.take(range(4_000)), asia.dataset.take(range(4_000, 5_000))
    >>> round(held_out_log_likelihood(asia.truth, train, new), 2)
    -2.26
    """
    return HeldOutRows(train, new).log_likelihood(graph)


class HeldOutRows:
    """Score many graphs on the same held-out rows, computing shared terms once; see `held_out_log_likelihood`."""

    def __init__(self, train: Dataset, new: Dataset) -> None:
        if (train.names, train.kinds, train.levels) != (new.names, new.kinds, new.levels) or not new.n_rows:
            raise DataError("both data sets must have rows, and the same columns and levels; prepare them alike")
        self._train, self._new = _standardized(train, train), _standardized(new, train)
        self._rows = float(_weights(new).sum())
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def log_likelihood(self, graph: PDAG) -> float:
        """In nats a row."""
        dag = consistent_extension(graph).dag
        return sum(self._of(j, dag.parents(j)) for j in range(dag.p)) / self._rows

    def _of(self, j: int, parents: tuple[int, ...]) -> float:
        if (j, parents) not in self._known:
            self._known[j, parents] = _of_variable(j, parents, self._train, self._new)
        return self._known[j, parents]


def _standardized(data: Dataset, of: Dataset) -> Dataset:
    """The numbers in standard deviations of another data set."""
    if of.values is None:
        return data
    spread = np.nanstd(of.values, axis=0)
    return replace(data, values=read_only(data.values / np.where(spread > 0, spread, 1.0), np.float64))


def _weights(data: Dataset) -> np.ndarray:
    return np.ones(data.n_rows) if data.shares is None else data.shares


def _of_variable(j: int, parents: tuple[int, ...], train: Dataset, new: Dataset) -> float:
    """Of the rows that have it, and what its parents add in those that have all of them."""
    seen, aside = train.available([j, *parents]), new.available([j, *parents])
    given = _likelihood(seen, aside)
    if (seen.n_rows, aside.n_rows) == (train.n_rows, new.n_rows):
        return given
    alone = _likelihood(train.available([j]), new.available([j]))
    return alone + given - _likelihood(seen.select([0]), aside.select([0]))


def _likelihood(train: Dataset, new: Dataset) -> float:
    """Of the first variable given the others."""
    if not new.n_rows:
        return 0.0
    if train.kind == "categorical":
        each = log_probabilities(0, tuple(range(1, train.p)), train, new, ESS)
    elif train.kinds[0] == "continuous":
        each = _linear_log_density(train, new)
    else:
        each = _logistic_log_probability(train, new)
    return float(_weights(new) @ each)


def _linear_log_density(train: Dataset, new: Dataset) -> np.ndarray:
    """ln of normal densities around a line."""
    seen, weights = _design(train, train), _weights(train)
    y, n = train.values[:, 0], weights.sum()
    ridge = RIDGE * np.diag(np.arange(seen.shape[1]) > 0)
    found = np.linalg.lstsq(seen.T @ (weights[:, None] * seen) + ridge, seen.T @ (weights * y), rcond=None)[0]
    variance = (weights @ (y - seen @ found) ** 2 + RIDGE) / (n + RIDGE)
    return -0.5 * (np.log(2 * np.pi * variance) + (new.values[:, 0] - _design(new, train) @ found) ** 2 / variance)


def _logistic_log_probability(train: Dataset, new: Dataset) -> np.ndarray:
    """ln of probabilities by multinomial logistic regression."""
    from scipy.optimize import minimize  # half a second, for which no start should wait

    seen, weights, r = _design(train, train), _weights(train), int(train.arity[0])
    hit = np.eye(r)[train.codes[0].astype(np.int64)]
    counted = (np.arange(seen.shape[1]) > 0)[:, None]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        each = flat.reshape(-1, r)
        told = log_softmax(seen @ each, axis=1)
        gradient = seen.T @ (weights[:, None] * (np.exp(told) - hit)) + RIDGE * counted * each
        return -float(weights @ (told * hit).sum(axis=1)) + RIDGE / 2 * float(
            (counted * each**2).sum()
        ), gradient.ravel()

    found = minimize(loss, np.zeros(seen.shape[1] * r), jac=True, method="L-BFGS-B").x.reshape(-1, r)
    told = log_softmax(_design(new, train) @ found, axis=1)
    return told[np.arange(new.n_rows), new.codes[0].astype(np.int64)]


def _design(data: Dataset, train: Dataset) -> np.ndarray:
    """(n, q): ones, then numbers around their means in `train` and indicators of all levels but the first."""
    parts = [np.ones((data.n_rows, 1))]
    for k in range(1, data.p):
        at = data.place[k]
        if data.kinds[k] == "continuous":
            parts.append((data.values[:, at] - train.values[:, at].sum() / max(train.n_rows, 1))[:, None])
        else:
            parts.append(data.codes[at][:, None] == np.arange(1, data.arity[at]))
    return np.concatenate(parts, axis=1).astype(np.float64)
