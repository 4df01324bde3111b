"""Measure the signs of hidden common causes and of other violated assumptions in a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data.dataset import Dataset
from ..families.latent.mag_search import MAGFound, mag_from_dag
from ..graphs.graph import PDAG
from ..graphs.pag import ARROW, PAG
from .edge_strengths import edge_strengths, separable_share, surprise_of_implications
from .hidden_factors import absolute_z, pure_quartets

MAX_MOVES = 20  # maximum number of moves of the search over MAGs


@dataclass(frozen=True, eq=False)
class TableSigns:
    """Signs of violated assumptions in a numeric table, given a DAG.

    Attributes
    ----------
    direct, smallest : (p, p) float64 array
        See `edge_strengths`.
    mag : PAG
        The MAG that `mag_from_dag` reaches from the DAG.
    gain : float
        Gain of its BIC over that of the DAG, on the scale of twice the log-likelihood.
    separable : float
        Share of the strong edges of the DAG that some set of neighbours nearly separates.
    bidirected : int
        Number of edges i <-> j of the MAG.
    implied : float
        -ln of the smallest p-value of the independences that the DAG implies, less ln of their number.
    serial : float
        Largest absolute correlation of ranks in neighbouring rows, times the square root of the number of rows.
    determined : float
        Largest share of the variance of a column that the others explain.
    correlated : float
        Largest absolute correlation.
    serial_column, determined_column, correlated_column : int
        Columns with these maxima.
    quartets : (m, 4) int64 array
        See `pure_quartets`.
    """

    direct: np.ndarray
    smallest: np.ndarray
    mag: PAG
    gain: float
    separable: float
    bidirected: int
    implied: float
    serial: float
    serial_column: int
    determined: float
    determined_column: int
    correlated: float
    correlated_column: int
    quartets: np.ndarray


def table_signs(dataset: Dataset, dag: PDAG, found: MAGFound | None = None) -> TableSigns:
    """Return the signs of a numeric table without missing cells.

    Parameters
    ----------
    dataset : Dataset
    dag : PDAG
        The best DAG of BOSS.
    found : MAGFound, optional
        Result of `mag_from_dag` from the DAG, if known.
    """
    n, corr = dataset.n, dataset.correlation
    found = found or mag_from_dag(dataset, dag, max_moves=MAX_MOVES)
    z = partial(absolute_z, corr, n)
    direct, smallest = edge_strengths(z, corr, dag.amat)
    precision = np.diag(np.linalg.pinv(corr + 1e-12 * np.eye(len(corr))))
    determined = 1.0 - 1.0 / np.maximum(precision, 1.0)
    serial, apart = serial_dependence(dataset.values), np.abs(corr - np.eye(len(corr)))
    marks = found.mag.marks
    return TableSigns(
        direct,
        smallest,
        found.mag,
        2.0 * found.gain,
        separable_share(direct, smallest, dag.amat),
        int(np.triu((marks == ARROW) & (marks.T == ARROW)).sum()),
        surprise_of_implications(z, dag),
        float(serial.max(initial=0.0)),
        int(serial.argmax()) if len(serial) else 0,
        float(determined.max(initial=0.0)),
        int(determined.argmax()) if len(determined) else 0,
        float(apart.max(initial=0.0)),
        int(apart.max(axis=0).argmax()),
        pure_quartets(corr, n),
    )


def serial_dependence(values: np.ndarray) -> np.ndarray:
    """Return |correlation| of the ranks in neighbouring rows, times the square root of n, (p,) float64.

    Parameters
    ----------
    values : (n, p) float64 array
        Without missing cells.
    """
    ranks = np.column_stack([_middle_ranks(column) for column in values.T])
    spread = (ranks - ranks.mean(axis=0)) / np.maximum(ranks.std(axis=0), 1e-9)
    return np.abs((spread[1:] * spread[:-1]).mean(axis=0)) * math.sqrt(len(spread))


def _middle_ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of numbers; equal numbers have the mean of their ranks."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(times) - (times - 1) / 2.0)[place]
