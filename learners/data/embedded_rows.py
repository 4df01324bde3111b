"""Rows of the embedded columns, as numbers without missing cells, and the correlations of resamples of them."""

from __future__ import annotations

import numpy as np

from ..common.memory import check_memory
from .completed_data import completed_moments
from .dataset import Dataset
from .embedding import embedded_columns

CELL_BYTES = 8
MIN_VARIANCE = 1e-12  # a standardized column with a smaller variance in a resample counts as constant in it


class EmbeddedRows:
    """Standardized embedded columns of a data set, for correlations of its resamples.

    Parameters
    ----------
    dataset : Dataset
        Complete, or with completed moments: missing cells are then drawn given the others in their row.
    seed : int
        Seed of these draws.

    Attributes
    ----------
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``.
    """

    def __init__(self, dataset: Dataset, seed: int = 0) -> None:
        columns, self.first = embedded_columns(dataset)
        check_memory(CELL_BYTES * float(columns.size), "the rows of all columns", "use fewer rows or columns")
        self.columns = _standardized(columns)
        if completed := completed_moments(dataset):
            self.columns = drawn_cells(self.columns, completed.correlation, np.random.default_rng(seed))
        self._q = self.columns.shape[1]
        self._shares = dataset.shares if dataset.surveyed else None  # the draws already include integer weights

    def correlations(self, weights: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Return (q, q) correlations of rows repeated by `weights`; 0 outside the columns of `nodes`.

        Parameters
        ----------
        weights : (n_rows,) int64 array
        nodes : int64 array
        """
        keep = np.flatnonzero(weights)
        own = np.concatenate([np.arange(self.first[v], self.first[v + 1]) for v in np.sort(nodes)])
        weight = weights[keep].astype(np.float64)
        if self._shares is not None:
            weight = weight * self._shares[keep]
        weight /= weight.sum()
        rows = self.columns[np.ix_(keep, own)]
        rows = rows - weight @ rows
        covariance = (rows * weight[:, None]).T @ rows
        covariance = (covariance + covariance.T) / 2
        scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        varies = scale > np.sqrt(MIN_VARIANCE)
        scale[~varies] = 1.0
        own_corr = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
        own_corr[~varies] = own_corr[:, ~varies] = 0.0
        np.fill_diagonal(own_corr, varies.astype(np.float64))
        corr = np.zeros((self._q, self._q))
        corr[np.ix_(own, own)] = own_corr
        return corr


def _standardized(columns: np.ndarray) -> np.ndarray:
    """Scale columns to mean 0 and variance 1 of their present cells."""
    scaled = np.ldexp(columns, -np.frexp(np.nanmax(np.abs(columns), axis=0, initial=0.0))[1])
    scaled = scaled - np.nanmean(scaled, axis=0)
    return scaled / np.sqrt(np.nanmean(scaled * scaled, axis=0))


def drawn_cells(columns: np.ndarray, corr: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return columns whose missing cells are drawn from their normal distribution given the others in the row.

    Parameters
    ----------
    columns : (n, q) float64 array
        Standardized, NaN where a cell is missing.
    corr : (q, q) float64 array
    rng : numpy.random.Generator
    """
    filled, absent = columns.copy(), np.isnan(columns)
    noise = rng.standard_normal(columns.shape)
    patterns, which = np.unique(absent, axis=0, return_inverse=True)
    for k, lacks in enumerate(patterns):
        if not lacks.any():
            continue
        rows, there = np.flatnonzero(which.ravel() == k), ~lacks
        slope = np.linalg.pinv(corr[np.ix_(there, there)]) @ corr[np.ix_(there, lacks)]
        rest = corr[np.ix_(lacks, lacks)] - corr[np.ix_(lacks, there)] @ slope
        values, vectors = np.linalg.eigh((rest + rest.T) / 2)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        filled[np.ix_(rows, lacks)] = columns[np.ix_(rows, there)] @ slope + noise[np.ix_(rows, lacks)] @ root.T
    return filled
