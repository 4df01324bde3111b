"""Likelihood of held-out rows under a learned graph, for any column types and with missing values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import log_softmax

from ..common.arrays import frozen_copy
from ..common.errors import DataError
from ..data.dataset import Dataset
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from .categorical_likelihood import log_probabilities

RIDGE = 1.0  # weight of the prior of a regression, in rows
ESS = 1.0  # weight of the Dirichlet prior of a table, in rows


class RowwiseMean(float):
    """Mean of a number over rows, in nats per row, with the contributions of the rows.

    Attributes
    ----------
    rows : (n,) float array
        Contributions, whose sum is the mean.
    """

    rows: np.ndarray

    def __new__(cls, rows: np.ndarray) -> RowwiseMean:
        """Add up the contributions."""
        made = super().__new__(cls, rows.sum())
        made.rows = rows
        return made

    def __getnewargs__(self) -> tuple[np.ndarray]:
        """Return the contributions, for pickling."""
        return (self.rows,)

    def error_of_difference(self, other: RowwiseMean) -> float:
        """Return the standard error of the difference from another mean over the same rows."""
        difference = self.rows - other.rows
        return float(np.std(difference, ddof=1) * np.sqrt(len(difference))) if len(difference) > 1 else math.inf


def held_out_log_likelihood(graph: PDAG, train: Dataset, new: Dataset) -> float:
    """Return the log-likelihood of new rows, each variable given its parents, with parameters fitted to `train`.

    Parameters
    ----------
    graph : PDAG
        All DAGs of its class give the same value, approximately so for mixed columns. If its directions contradict one
        another, a substitute DAG is used.
    train, new : Dataset
        With the same columns and levels; row weights count.

    Returns
    -------
    float
        Mean in nats per row, with numeric columns in standard deviations of `train`.

    Raises
    ------
    DataError
        If the data sets do not match, or there are no new rows.

    Notes
    -----
    Categorical variables with categorical parents use a probability table with a uniform Dirichlet prior worth one row;
    with a numeric parent, multinomial logistic regression; numeric variables use linear regression. Both regressions
    have a ridge penalty worth one row. With missing values, a variable counts marginally in all rows where it is
    observed, plus the gain from its parents in the rows where all of them are observed.

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
        self._known: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}

    def log_likelihood(self, graph: PDAG) -> RowwiseMean:
        """Return the mean log-likelihood in nats per row."""
        dag = consistent_extension(graph).dag
        return RowwiseMean(sum(self._of(j, dag.parents(j)) for j in range(dag.p)) / self._rows)

    def _of(self, j: int, parents: tuple[int, ...]) -> np.ndarray:
        if (j, parents) not in self._known:
            self._known[j, parents] = _of_variable(j, parents, self._train, self._new)
        return self._known[j, parents]


def _standardized(data: Dataset, of: Dataset) -> Dataset:
    """Scale the numeric columns by the standard deviations in another data set."""
    if of.values is None:
        return data
    spread = np.nanstd(of.values, axis=0)
    return replace(data, values=frozen_copy(data.values / np.where(spread > 0, spread, 1.0), np.float64))


def _weights(data: Dataset) -> np.ndarray:
    return np.ones(data.n_rows) if data.shares is None else data.shares


def _of_variable(j: int, parents: tuple[int, ...], train: Dataset, new: Dataset) -> np.ndarray:
    """Return the log-likelihood of a variable in its observed rows, plus the gain from its observed parents, by row."""
    seen, aside = train.available([j, *parents]), new.available([j, *parents])
    given = _likelihood(seen, aside)
    if (seen.n_rows, aside.n_rows) == (train.n_rows, new.n_rows):
        return given
    there = new.is_there(j)
    found = np.zeros(new.n_rows)
    found[there] = _likelihood(train.available([j]), new.available([j]))
    whole = np.logical_and.reduce([there, *(new.is_there(k) for k in parents)])
    found[whole] += given - _likelihood(seen.select([0]), aside.select([0]))
    return found


def _likelihood(train: Dataset, new: Dataset) -> np.ndarray:
    """Return the log-likelihood of the first variable given the others, by row."""
    if not new.n_rows:
        return np.zeros(0)
    if train.kind == "categorical":
        each = log_probabilities(0, tuple(range(1, train.p)), train, new, ESS)
    elif train.kinds[0] == "continuous":
        each = _linear_log_density(train, new)
    else:
        each = _logistic_log_probability(train, new)
    return _weights(new) * each


def _linear_log_density(train: Dataset, new: Dataset) -> np.ndarray:
    """Return the log density of each row under a linear regression."""
    seen, weights = _design(train, train), _weights(train)
    y, n = train.values[:, 0], weights.sum()
    ridge = RIDGE * np.diag(np.arange(seen.shape[1]) > 0)
    found = np.linalg.lstsq(seen.T @ (weights[:, None] * seen) + ridge, seen.T @ (weights * y), rcond=None)[0]
    variance = (weights @ (y - seen @ found) ** 2 + RIDGE) / (n + RIDGE)
    return -0.5 * (np.log(2 * np.pi * variance) + (new.values[:, 0] - _design(new, train) @ found) ** 2 / variance)


def _logistic_log_probability(train: Dataset, new: Dataset) -> np.ndarray:
    """Return the log probability of each row under a multinomial logistic regression."""
    from scipy.optimize import minimize  # a slow import (0.5 s)

    seen, weights, r = _design(train, train), _weights(train), int(train.arity[0])
    hit = np.eye(r)[train.codes[0].astype(np.int64)]
    counted = (np.arange(seen.shape[1]) > 0)[:, None]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        each = flat.reshape(-1, r)
        log_probabilities = log_softmax(seen @ each, axis=1)
        gradient = seen.T @ (weights[:, None] * (np.exp(log_probabilities) - hit)) + RIDGE * counted * each
        return -float(weights @ (log_probabilities * hit).sum(axis=1)) + RIDGE / 2 * float(
            (counted * each**2).sum()
        ), gradient.ravel()

    found = minimize(loss, np.zeros(seen.shape[1] * r), jac=True, method="L-BFGS-B").x.reshape(-1, r)
    log_probabilities = log_softmax(_design(new, train) @ found, axis=1)
    return log_probabilities[np.arange(new.n_rows), new.codes[0].astype(np.int64)]


def _design(data: Dataset, train: Dataset) -> np.ndarray:
    """Return the (n, q) design matrix: ones, numbers centred by `train`, indicators of all levels but the first."""
    parts = [np.ones((data.n_rows, 1))]
    for k in range(1, data.p):
        at = data.place[k]
        if data.kinds[k] == "continuous":
            parts.append((data.values[:, at] - train.values[:, at].sum() / max(train.n_rows, 1))[:, None])
        else:
            parts.append(data.codes[at][:, None] == np.arange(1, data.arity[at]))
    return np.concatenate(parts, axis=1).astype(np.float64)
