"""Calibration for one table: predictions of a learner on simulated tables like it, whose network is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...common.errors import DataError, ParameterError
from ...common.parallel import ordered_map
from ...common.progress import Tick, silent
from ...data.dataset import Dataset
from ...evaluation.feature_calibration import Calibration, calibration
from ...graphs.consistent_extension import consistent_extension
from ...graphs.graph import PDAG
from ...networks.fitting import fit
from ...networks.missing_cells import with_gaps_of
from ...networks.sampling import sample
from ...results.result import LearnResult

LearnTable = Callable[[Dataset, int, Tick], LearnResult]


@dataclass(frozen=True, eq=False)
class OwnCalibration:
    """Predicted probabilities of the pairs of simulated tables, and the truth.

    Attributes
    ----------
    said : (m,) float64 array
        Predicted P(adjacent) of each pair of each table.
    came_true : (m,) float64 array
        1 if the pair is adjacent in the network of the table, else 0.
    n_tables : int
    """

    said: np.ndarray
    came_true: np.ndarray
    n_tables: int

    @property
    def bins(self) -> Calibration:
        """Predicted and observed frequencies in ten bins."""
        return calibration(self.said, self.came_true)

    @property
    def brier(self) -> float:
        """Mean squared error of the predictions (Brier score)."""
        return float(np.mean((self.said - self.came_true) ** 2))

    @property
    def error(self) -> float:
        """Mean absolute difference of predicted and observed frequencies over the bins, weighted by their pairs."""
        return _error(self.said, self.came_true)

    @property
    def spread(self) -> float:
        """Standard deviation of the error over the tables; NaN with one table."""
        errors = [_error(*table) for table in self._by_table]
        return float(np.std(errors, ddof=1)) if len(errors) > 1 else math.nan

    @cached_property
    def recalibrated_error(self) -> float:
        """Error after recalibrating each table with all other tables; NaN with one table."""
        if self.n_tables < 2:
            return math.nan
        predicted, came_true = (np.array(column) for column in zip(*self._by_table, strict=True))
        recalibrated = [
            np.interp(predicted[t], *isotonic(np.delete(predicted, t, 0).ravel(), np.delete(came_true, t, 0).ravel()))
            for t in range(self.n_tables)
        ]
        return _error(np.concatenate(recalibrated), self.came_true)

    @property
    def _by_table(self) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = (np.split(column, self.n_tables) for column in (self.said, self.came_true))
        return list(zip(*columns, strict=True))

    @cached_property
    def _steps(self) -> tuple[np.ndarray, np.ndarray]:
        return isotonic(self.said, self.came_true)

    def recalibrated(self, values: np.ndarray) -> np.ndarray:
        """Return calibrated probabilities in the same order, by isotonic regression."""
        return np.where(np.isnan(values), np.nan, np.interp(values, *self._steps))


def _error(predicted: np.ndarray, came_true: np.ndarray) -> float:
    found = calibration(predicted, came_true)
    some = found.n > 0
    return float(np.abs(found.said - found.came_true)[some] @ found.n[some] / found.n.sum())


def calibrated(
    dataset: Dataset,
    graph: PDAG,
    learn_table: LearnTable,
    *,
    tables: int = 20,
    seed: int = 0,
    threads: int | None = None,
    tick: Tick = silent,
) -> OwnCalibration:
    """Fit a network to the graph, simulate tables like the data, and learn from each.

    Parameters
    ----------
    dataset : Dataset
        Without survey weights. If cells are missing, the same cells are missing in every simulated table, so that
        their deletion does not depend on values.
    graph : PDAG
        The learned graph; if no DAG has its arrows, a DAG near it is fitted.
    learn_table : callable
        ``learn_table(dataset, t, tick) -> LearnResult`` with a posterior.
    tables : int, default 20
        Number of simulated tables.
    seed : int, default 0
        Seed of the tables.
    threads : int, optional
        Default: the available cores. The result does not depend on it.
    tick : Tick, optional
        Progress listener. If it returns False, only the finished tables count.

    Raises
    ------
    DataError
        If no network can be fitted to the data.
    ParameterError
        If the run was cancelled before the first table was finished.

    References
    ----------
    Zadrozny and Elkan (2002), Transforming classifier scores into accurate multiclass probability estimates. KDD.
    """
    if dataset.surveyed:
        raise DataError(
            "simulated rows count once and are independent, found survey weights or dependent rows. Calibrate a run "
            "without weights"
        )
    dag = consistent_extension(graph).dag
    network = fit(dag, dataset)
    above = np.triu_indices(dataset.p, 1)

    def one(t: int, goes_on: Callable[[], bool]) -> np.ndarray | None:
        table = with_gaps_of(sample(network, dataset.n, seed=seed + t), dataset)
        result = learn_table(table, t, lambda *_: goes_on())
        return result.posterior.adjacent[above] if result.complete and result.posterior is not None else None

    predictions = ordered_map(one, tables, phase="tables", tick=tick, threads=threads)
    if not predictions:
        raise ParameterError("the calibration was cancelled before its first table was done; let it run")
    return OwnCalibration(
        np.concatenate(predictions), np.tile(dag.skeleton[above].astype(np.float64), len(predictions)), len(predictions)
    )


def isotonic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return interpolation points of the increasing step function that pooling adjacent violators fits to y.

    Returns
    -------
    x, y : (2 k,) float64 arrays
        Both ends of each of k pools, and the mean of y in the pool, twice.

    Examples
    --------
    >>> isotonic(np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0]))[1].tolist()
    [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    """
    pools: list[tuple[float, int, float, float]] = []  # sum of y, its number of values, and the ends
    levels, at = np.unique(x, return_inverse=True)
    for level, total, n in zip(levels.tolist(), np.bincount(at, y).tolist(), np.bincount(at).tolist(), strict=True):
        pools.append((total, n, level, level))
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            last = pools.pop()
            pools[-1] = (pools[-1][0] + last[0], pools[-1][1] + last[1], pools[-1][2], last[3])
    found = np.array(pools)
    return found[:, 2:].ravel(), np.repeat(found[:, 0] / found[:, 1], 2)
