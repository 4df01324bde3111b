"""Degenerate Gaussian test that can be repeated on resamples of the rows."""

from __future__ import annotations

import numpy as np

from ..common.arrays import frozen_copy
from ..common.errors import DataError
from ..common.validation import Seed, Threads, validated
from ..data.dataset import Dataset
from ..data.embedded_rows import EmbeddedRows
from ..data.embedding import sample_of
from ..data.resampling import once
from .ci_test import KernelTest
from .degenerate_gaussian import DegenerateGaussian


@validated
class ResampledGaussian(DegenerateGaussian):
    """The test of `DegenerateGaussian` on all rows, and on resamples of them, with χ² for two numbers as well.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, complete or with completed moments; missing cells are then drawn given the others in their
        row. Row weights count.
    seed : int, default 0
        Seed of these draws.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Attributes
    ----------
    dataset : Dataset
    settings : dict
        Settings of the test other than data and threads.

    Raises
    ------
    DataError
        If cells are missing and not completed, or there are too few rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import ResampledGaussian, load_sample
    >>> wine = load_sample("wine").dataset
    >>> test = ResampledGaussian(wine)
    >>> twice = test.resampled(np.full(wine.n_rows, 2), np.arange(wine.p))
    >>> bool(np.allclose(twice.sample.corr, test.in_kernels().sample.corr))
    True
    """

    def __init__(self, dataset: Dataset, *, seed: Seed = 0, threads: Threads | None = None) -> None:
        if not dataset.complete and dataset.completion is None:
            raise DataError("tests of resamples need every cell, found some missing; impute or drop them")
        super().__init__(dataset, threads=threads)
        self.dataset, self.settings = dataset, {"seed": seed}
        self._rows = EmbeddedRows(dataset, seed)
        correlations = self._rows.correlations(once(dataset), np.arange(self.p))
        numbers = np.zeros(self.p, dtype=bool)  # no variable counts as continuous, so that each test uses χ²
        self._sample = sample_of(correlations, self._rows.first, numbers, self._sample.n)
        self.rows_vary = False

    def resampled(self, weights: np.ndarray, nodes: np.ndarray) -> KernelTest:
        """Return the test in kernel form on rows repeated by `weights`, for tests among `nodes` only.

        Parameters
        ----------
        weights : (n_rows,) int64 array
        nodes : int64 array
        """
        corr = frozen_copy(self._rows.correlations(weights, nodes), np.float64)
        return KernelTest(self._sample._replace(corr=corr), self._scratch)
