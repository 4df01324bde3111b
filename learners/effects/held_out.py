"""Calibration of a fitted network on held-out rows: each variable is predicted from its parents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ..data.dataset import Dataset
from ..data.resampling import held_out
from ..graphs.graph import PDAG
from ..networks.fitting import fit
from ..networks.inference.likelihood_weighting import Conditional
from ..networks.network import DiscreteNetwork, GaussianNetwork, configurations
from ..networks.regression_network import RegressionNetwork

Fittable = DiscreteNetwork | GaussianNetwork | RegressionNetwork
BINS = 10
INTERVALS = np.arange(1, BINS) / BINS
HELD_OUT_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class HeldOutCalibration:
    """Predicted and observed frequencies on held-out rows.

    Attributes
    ----------
    said : (m,) float64 array
        Predicted: for levels, the mean of the probabilities in each tenth of [0, 1]; then, for numbers, the coverage of
        central intervals.
    came : (m,) float64 array
        Observed frequency.
    n : (m,) float64 array
        Number of predictions per frequency.
    log_likelihood : float
        Mean log-likelihood of a row, in nats.
    """

    said: np.ndarray
    came: np.ndarray
    n: np.ndarray
    log_likelihood: float

    @property
    def error(self) -> float:
        """Mean absolute difference of predicted and observed frequencies, weighted by n."""
        return float(np.average(np.abs(self.said - self.came), weights=self.n))


def held_out_calibration(
    graph: PDAG, dataset: Dataset, *, share: float = HELD_OUT_SHARE, seed: int = 0
) -> HeldOutCalibration:
    """Fit the network to a part of the rows and compare its predictions with the held-out rows.

    Parameters
    ----------
    graph : PDAG
        A DAG or a graph that represents some; one of them is fitted.
    dataset : Dataset
        Each variable is predicted in the rows where it and its parents are observed.
    share : float, default 0.2
        Share of held-out rows.
    seed : int, default 0

    Raises
    ------
    DataError
        If there are too few rows.
    ParameterError
        If the graph does not fit the columns, or `share` or `seed` is out of range.
    """
    train, new = held_out(dataset, share, seed)
    return _calibration(fit(graph, train), new)


def _rows(network: Fittable, new: Dataset, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows where a variable and its parents are observed, and their weights."""
    there = np.logical_and.reduce([new.is_there(k) for k in (j, *network.dag.parents(j))])
    weights = np.ones(new.n_rows) if new.shares is None else new.shares
    return np.flatnonzero(there), weights[there]


def _conditional(network: Fittable, new: Dataset, j: int, rows: np.ndarray) -> Conditional:
    """Predict variable j in some rows: (n, r) probabilities, or (n,) means and variances."""
    parents = list(network.dag.parents(j))
    if isinstance(network, GaussianNetwork):
        mean = network.intercept[j] + new.values[np.ix_(rows, parents)] @ network.weights[parents, j]
        return mean, np.full(len(rows), network.noise_variance[j])
    if isinstance(network, DiscreteNetwork):
        return network.cpts[j][configurations(new.codes[parents][:, rows], network.arity[parents])] if parents else (
            np.repeat(network.cpts[j], len(rows), axis=0)
        )  # fmt: skip
    columns = np.zeros((network.p, len(rows)))
    for i in parents:
        columns[i] = _column(new, i)[rows]
    return network.conditional(j, columns)


def _column(new: Dataset, j: int) -> np.ndarray:
    return new.codes[new.place[j]] if new.kinds[j] == "categorical" else new.values[:, new.place[j]]


def _calibration(network: Fittable, new: Dataset) -> HeldOutCalibration:
    """Compare the predictions of all variables: levels by bins of probability, numbers by central intervals."""
    sums, inside, n_numbers, log_likelihood = np.zeros((3, BINS)), np.zeros(BINS - 1), 0.0, 0.0
    for j in range(network.p):
        rows, weights = _rows(network, new, j)
        predicted, own = _conditional(network, new, j, rows), _column(new, j)[rows]
        if isinstance(predicted, tuple):
            spread = np.sqrt(predicted[1])
            off = (own - predicted[0]) / spread
            inside += weights @ (np.abs(2.0 * ndtr(off) - 1.0)[:, None] <= INTERVALS)
            n_numbers += weights.sum()
            log_likelihood += _mean(-0.5 * off**2 - np.log(np.sqrt(2.0 * np.pi) * spread), weights)
        else:
            true = own[:, None] == np.arange(predicted.shape[1])
            bins = np.minimum((predicted * BINS).astype(np.int64), BINS - 1).ravel()
            weighed = np.repeat(weights, predicted.shape[1])
            for part, what in zip(sums, (1.0, predicted.ravel(), true.ravel()), strict=True):
                part += np.bincount(bins, weighed * what, minlength=BINS)
            log_likelihood += _mean(np.log(predicted[true]), weights)
    n, total, came = sums[:, sums[0] > 0]
    intervals = INTERVALS if n_numbers else INTERVALS[:0]
    return HeldOutCalibration(
        np.append(total / n, intervals),
        np.append(came / n, inside[: len(intervals)] / max(n_numbers, 1.0)),
        np.append(n, np.full(len(intervals), n_numbers)),
        log_likelihood,
    )


def _mean(values: np.ndarray, weights: np.ndarray) -> float:
    return float(weights @ values / weights.sum()) if weights.sum() > 0 else 0.0
