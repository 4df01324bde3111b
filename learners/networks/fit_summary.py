"""Precision of fitted parameters: row counts and intervals."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import betaincinv, softmax, stdtrit

from ..common.errors import DataError

JEFFREYS = 0.5  # prior count of a cell in draws from a table that was fitted without a prior
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

    def draws(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw (n, q, r) tables from the posterior; without a prior of the fit, from Jeffreys' prior.

        Imputed cells widen the distribution: the rows of a configuration count by their share of the information.
        """
        share = 1.0
        if self.information is not None:
            share = (self.probabilities * self.information).sum(axis=1, keepdims=True)
        mass = np.broadcast_to(self.counts * share + (self.prior or JEFFREYS), (n, *self.counts.shape))
        # In logarithms, because a gamma variable of shape 0.001 underflows: Γ(a) is distributed as Γ(a + 1) U^(1/a).
        return softmax(np.log(rng.standard_gamma(mass + 1.0)) + np.log1p(-rng.random(mass.shape)) / mass, axis=2)


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
    covariance : (q, d, d) float64 array, or None
        Covariance of the free coefficients, in the order of `estimate`: all of one number, those of all levels but the
        first otherwise. None if it would take too much memory.
    """

    rows: np.ndarray
    estimate: np.ndarray
    error: np.ndarray
    borrowed: np.ndarray
    dof: np.ndarray | None = None
    covariance: np.ndarray | None = None

    @property
    def few(self) -> np.ndarray:
        """(q,) bool: configurations with fewer than ten rows for each coefficient."""
        return self.borrowed | (self.rows < MIN_ROWS_PER_PARAMETER * self.estimate.shape[1])

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return (q, 1 + m, k) bounds of confidence intervals by Student's t."""
        dof = np.maximum(self.rows - self.estimate.shape[1], 1.0)[:, None, None]
        half = stdtrit(dof if self.dof is None else self.dof, (1 + level) / 2) * self.error
        return self.estimate - half, self.estimate + half

    def draws(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw coefficients, and noise variances of one number, from their posterior under a flat prior.

        Returns
        -------
        coefficients : (n, q, 1 + m, k) float64 array
        variance_ratio : (n, q) float64 array
            Drawn noise variance, in units of its maximum-likelihood estimate. Without meaning for levels.

        Raises
        ------
        DataError
            If there are too many coefficients for their covariance, or too few rows for their errors.
        """
        if self.covariance is None:
            raise DataError("a variable has too many coefficients for intervals of answers; use a sparser graph")
        if not np.isfinite(self.covariance).all():
            raise DataError("a variable has fewer rows than coefficients, so answers have no intervals; use more rows")
        q, m, k = self.estimate.shape
        rows = np.where(self.borrowed, self.rows.sum(), self.rows)
        dof = np.maximum(rows - m, 1.0)
        ratio = dof / rng.chisquare(dof, (n, q))
        # By correlations, because intercept and effects may differ by many orders of magnitude.
        error = np.sqrt(np.maximum(np.einsum("qaa->qa", self.covariance), 0.0))
        scale = np.where(error > 0, error, 1.0)
        values, vectors = np.linalg.eigh(self.covariance / (scale[:, :, None] * scale[:, None, :]))
        root = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
        step = np.einsum("qab,nqb->nqa", root, rng.standard_normal((n, q, root.shape[1]))) * error
        if k == 1:
            step *= np.sqrt(ratio)[:, :, None]
            return self.estimate + step[..., None], ratio * rows / dof
        moved = np.zeros((n, q, m, k))
        moved[..., 1:] = step.reshape(n, q, m, k - 1)
        return self.estimate + moved, ratio


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

    def with_fixed(self, fixed: Collection[int], amat: np.ndarray) -> FitSummary:
        """Return a copy for the network in which an intervention fixed some nodes.

        Parameters
        ----------
        fixed : collection of int
        amat : (p, p) bool array
            Edges that are left; entry [i, j] is i -> j.
        """
        nodes = tuple(None if j in fixed else node for j, node in enumerate(self.nodes))
        left = tuple((i, j) for i, j in self.open_edges if amat[i, j] or amat[j, i])
        return replace(self, nodes=nodes, open_edges=left)
