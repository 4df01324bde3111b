"""Precision of fitted parameters: row counts and intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import betaincinv, stdtrit

MIN_ROWS_PER_PARAMETER = 10.0  # minimum number of rows per fitted parameter; parameters with fewer are marked


@dataclass(frozen=True, eq=False)
class TableFit:
    """Counts from which a probability table was estimated.

    Attributes
    ----------
    counts : (q, r) float64 array
        Weighted number of rows by configuration of the parents and level.
    prior : float
        Prior count of each cell; 0 for maximum likelihood.
    information : (q, r) float64 array, or None
        If cells were imputed: share of the information of complete rows that is left, above 0, at most 1. `counts`
        are then means over the imputed tables.
    """

    counts: np.ndarray
    prior: float
    information: np.ndarray | None = None

    @property
    def rows(self) -> np.ndarray:
        """(q,) weighted number of rows of each configuration."""
        return self.counts.sum(axis=1)

    @property
    def probabilities(self) -> np.ndarray:
        """(q, r) posterior means; configurations without data get equal probabilities."""
        mass = self.counts + self.prior
        total = mass.sum(axis=1, keepdims=True)
        return np.where(total > 0, mass / np.where(total > 0, total, 1.0), 1.0 / mass.shape[1])

    @property
    def few(self) -> np.ndarray:
        """(q,) bool: configurations with fewer than ten rows."""
        return self.rows < MIN_ROWS_PER_PARAMETER

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return the (q, r) limits of posterior intervals or, without a prior, of Clopper-Pearson intervals (1934)."""
        share = 1.0 if self.information is None else self.information
        tail, counts, rest = (1 - level) / 2, self.counts * share, (self.rows[:, None] - self.counts) * share
        if self.prior > 0:
            a, b = counts + self.prior, rest + self.prior * (counts.shape[1] - 1)
            if counts.shape[1] == 1:
                return np.ones_like(a), np.ones_like(a)
            return betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)
        low = np.where(counts > 0, betaincinv(np.maximum(counts, 1e-300), rest + 1, tail), 0.0)
        high = np.where(rest > 0, betaincinv(counts + 1, np.maximum(rest, 1e-300), 1 - tail), 1.0)
        return low, high


@dataclass(frozen=True, eq=False)
class RegressionFit:
    """Rows and standard errors of regressions, one for each configuration of the categorical parents.

    Attributes
    ----------
    rows : (q,) float64 array
        Weighted number of rows of each configuration.
    estimate, error : (q, 1 + m, k) float64 arrays
        Intercept and m effects, for k levels or one number, and their standard errors.
    borrowed : (q,) bool array
        Configurations with too few rows for their own regression, which use that of all rows.
    dof : (q, 1 + m, k) float64 array, or None
        Degrees of freedom of intervals with cells that were filled; None: those of the rows. The other arrays are then
        pooled over the imputed tables.
    """

    rows: np.ndarray
    estimate: np.ndarray
    error: np.ndarray
    borrowed: np.ndarray
    dof: np.ndarray | None = None

    @property
    def few(self) -> np.ndarray:
        """(q,) bool: configurations with fewer than ten rows for each coefficient."""
        return self.borrowed | (self.rows < MIN_ROWS_PER_PARAMETER * self.estimate.shape[1])

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return (q, 1 + m, k) bounds of confidence intervals by Student's t."""
        dof = np.maximum(self.rows - self.estimate.shape[1], 1.0)[:, None, None]
        half = stdtrit(dof if self.dof is None else self.dof, (1 + level) / 2) * self.error
        return self.estimate - half, self.estimate + half


@dataclass(frozen=True, eq=False)
class FitSummary:
    """Precision of the parameters of a network.

    Attributes
    ----------
    nodes : tuple of TableFit, RegressionFit or None
        By node; None for a table that was edited by hand.
    ess : float
        Equivalent sample size of the prior of each table; 0 for maximum likelihood.
    member : bool
        True if the graph represented several DAGs, one of which was fitted.
    tables : int
        Number of imputed tables over which parameters were averaged; 0 if no cell was imputed.
    open_edges : tuple of (int, int)
        Undirected edges of the graph that was fitted, as i < j. The DAG chose their directions.
    """

    nodes: tuple[TableFit | RegressionFit | None, ...]
    ess: float
    member: bool
    tables: int = 0
    open_edges: tuple[tuple[int, int], ...] = ()

    def without(self, j: int) -> FitSummary:
        """Return a copy without the entry of one node."""
        return replace(self, nodes=(*self.nodes[:j], None, *self.nodes[j + 1 :]))
