"""An estimate with its variance, pooled over imputed tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import stdtrit

from ..common.errors import DataError
from ..common.wording import quoted
from ..data.completed_data import drawn_tables
from ..data.dataset import Dataset
from ..data.pooling import pooled

Measure = Literal["slope", "means", "shares", "slopes"]


class Estimate(NamedTuple):
    """Estimates with their variances, degrees of freedom of their intervals, and the covered share of the rows."""

    measure: Measure
    values: np.ndarray
    variance: np.ndarray
    dof: np.ndarray | float
    covered: np.ndarray

    def interval(self, confidence: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the confidence intervals; those of shares lie within 0 and 1."""
        far = stdtrit(self.dof, (1.0 + confidence) / 2.0) * np.sqrt(self.variance)
        low, high = self.values - far, self.values + far
        return (np.maximum(low, 0.0), np.minimum(high, 1.0)) if self.measure == "shares" else (low, high)


def estimated(
    dataset: Dataset, columns: Sequence[int], estimate: Callable[[Dataset], Estimate]
) -> tuple[Estimate, int, int]:
    """Return an estimate from some columns, the number of rows that have them all, and that of pooled tables."""
    own = dataset.available(columns)
    tables = () if own.n_rows == dataset.n_rows else drawn_tables(dataset)
    if not tables and not own.n_rows:
        raise DataError(f"no row has a value in all of the columns {quoted(own.names)}; adjust for fewer")
    if len(tables) < 2:
        return estimate(tables[0].select(columns) if tables else own), own.n, len(tables)
    found = [estimate(table.select(columns)) for table in tables]
    all_ = pooled(
        np.array([one.values for one in found]),
        np.array([one.variance for one in found]),
        np.mean([one.dof for one in found], axis=0),
    )
    covered = np.mean([one.covered for one in found], axis=0)
    return Estimate(found[0].measure, all_.estimate, all_.variance, all_.dof, covered), own.n, len(tables)


def weights_of(own: Dataset) -> np.ndarray:
    """Return the (n,) weight of each row, 1 without row weights."""
    return np.ones(own.n_rows) if own.shares is None else own.shares
