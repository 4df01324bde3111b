"""How well a fitted network foretells rows that it was not fitted to: each variable given its parents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from ..common.errors import DataError
from ..data.dataset import Dataset
from ..evaluation.comparison import held_out
from ..graphs.graph import PDAG
from ..networks.configurations import configurations
from ..networks.fitting import fit
from ..networks.network import DiscreteNetwork, GaussianNetwork

BINS = 10
ASIDE = 0.2


@dataclass(frozen=True, eq=False)
class KeptAside:
    """Said against came true, on rows kept aside.

    Attributes
    ----------
    said : (m,) float64 array
        Levels: mean of the probabilities between k / 10 and (k + 1) / 10. Numbers: the share of rows that an interval
        around the mean should hold.
    came : (m,) float64 array
        How often it came true.
    n : (m,) float64 array
        Statements behind each.
    log_likelihood : float
        ln of the probability, or density, of a row, on average.
    """

    said: np.ndarray
    came: np.ndarray
    n: np.ndarray
    log_likelihood: float

    @property
    def error(self) -> float:
        """Mean distance of said and came, weighed by n."""
        return float(np.average(np.abs(self.said - self.came), weights=self.n))


def on_rows_aside(graph: PDAG, dataset: Dataset, *, share: float = ASIDE, seed: int = 0) -> KeptAside:
    """Fit the network to some rows and hold what it says against the others.

    Parameters
    ----------
    graph : PDAG
        A DAG, or one that stands for some: one of them is fitted.
    dataset : Dataset
        Categorical or continuous. Each variable is foretold in the rows that have it and its parents.
    share : float, default 0.2
        Of the rows kept aside.
    seed : int, default 0

    Raises
    ------
    DataError
        If the columns are of both kinds, or rows are too few.
    ParameterError
        If the graph does not fit the columns, or `share` or `seed` is out of range.
    """
    if dataset.kind == "mixed":
        raise DataError("calibration is told for columns of one kind, found both; bin the numbers")
    train, new = held_out(dataset, share, seed)
    network = fit(graph, train)
    return _of_levels(network, new) if isinstance(network, DiscreteNetwork) else _of_numbers(network, new)


def _rows(network: DiscreteNetwork | GaussianNetwork, new: Dataset, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that have a variable and its parents, and what each counts."""
    there = np.logical_and.reduce([new.is_there(k) for k in (j, *network.dag.parents(j))])
    weights = np.ones(new.n_rows) if new.shares is None else new.shares
    return np.flatnonzero(there), weights[there]


def _of_levels(network: DiscreteNetwork, new: Dataset) -> KeptAside:
    sums = np.zeros((3, BINS))
    told = 0.0
    for j in range(network.p):
        rows, weights = _rows(network, new, j)
        parents = list(network.dag.parents(j))
        at = (
            configurations(new.codes[parents][:, rows], network.arity[parents]) if parents else np.zeros(len(rows), int)
        )
        p, own = network.cpts[j][at], new.codes[j][rows]
        true = own[:, None] == np.arange(p.shape[1])
        bins = np.minimum((p * BINS).astype(np.int64), BINS - 1).ravel()
        weighed = np.repeat(weights, p.shape[1])
        for part, what in zip(sums, (1.0, p.ravel(), true.ravel()), strict=True):
            part += np.bincount(bins, weighed * what, minlength=BINS)
        told += _mean(np.log(p[true]), weights)
    n, said, came = sums[:, sums[0] > 0]
    return KeptAside(said / n, came / n, n, told)


def _of_numbers(network: GaussianNetwork, new: Dataset) -> KeptAside:
    said = np.arange(1, BINS) / BINS
    came, n, told = np.zeros(BINS - 1), 0.0, 0.0
    for j in range(network.p):
        rows, weights = _rows(network, new, j)
        parents = list(network.dag.parents(j))
        mean = network.intercept[j] + new.values[np.ix_(rows, parents)] @ network.weights[parents, j]
        spread = np.sqrt(network.noise_variance[j])
        off = (new.values[rows, j] - mean) / spread
        came += weights @ (np.abs(2.0 * norm.cdf(off) - 1.0)[:, None] <= said)
        n += weights.sum()
        told += _mean(norm.logpdf(off) - np.log(spread), weights)
    return KeptAside(said, came / n, np.full(BINS - 1, n), told)


def _mean(values: np.ndarray, weights: np.ndarray) -> float:
    return float(weights @ values / weights.sum()) if weights.sum() > 0 else 0.0
