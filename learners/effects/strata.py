"""Effect on a categorical variable by strata of categorical columns: shares, averaged over the strata."""

from __future__ import annotations

import numpy as np

from ..common.errors import DataError
from ..common.memory import CELL_BYTES, check_memory
from ..common.wording import quoted
from ..data.dataset import Dataset
from ..data.pooling import MAX_DOF
from .pooled_estimate import Estimate


def counted(own: Dataset) -> Estimate:
    """Average the shares of y at each level of x over the strata of the adjustment set."""
    counts = counts_by_stratum(own)
    r_y = counts.shape[2]
    rows = counts.sum(axis=2)  # (m, r_x) rows by stratum and level
    share = rows.sum(axis=1, keepdims=True) / rows.sum()
    weight = np.where(rows > 0, share, 0.0)
    covered = weight.sum(axis=0)
    weight = np.divide(weight, covered, out=np.full_like(weight, np.nan), where=covered > 0)
    within = counts / np.maximum(rows, 1e-300)[:, :, None]
    values = (weight[:, :, None] * within).sum(axis=0)
    # A share of 0 or 1 has no empirical variance, so one pseudo-row is spread evenly over the levels.
    smooth = (counts + 1.0 / r_y) / (rows + 1.0)[:, :, None]
    noise = (weight[:, :, None] ** 2 * smooth * (1.0 - smooth) / np.maximum(rows, 1.0)[:, :, None]).sum(axis=0)
    between = (weight[:, :, None] * (within - values) ** 2).sum(axis=0) / rows.sum()
    return Estimate("shares", values, noise + between, MAX_DOF, covered)


def counts_by_stratum(own: Dataset) -> np.ndarray:
    """Return the (m, r_x, r_y) weighted counts in the m strata of the adjustment set."""
    r_x, r_y = (int(r) for r in own.arity[:2])
    stratum = np.zeros(own.n_rows, dtype=np.int64)
    for codes in own.codes[2:]:
        stratum = np.unique(stratum * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    m = int(stratum.max(initial=-1)) + 1
    check_memory(4 * CELL_BYTES * float(m) * r_x * r_y, f"the counts of {quoted(own.names)}", "adjust for fewer")
    cell = (stratum * r_x + own.codes[0]) * r_y + own.codes[1]
    return np.bincount(cell, own.shares, minlength=m * r_x * r_y).reshape(m, r_x, r_y)


def stratified_difference(own: Dataset, levels: tuple[int, int], of: int) -> Estimate:
    """Average the differences within the strata that have rows at both levels."""
    counts = counts_by_stratum(own)
    rows = counts.sum(axis=2)[:, list(levels)]  # (m, 2) rows by stratum and level
    both = (rows > 0).all(axis=1)
    if not both.any():
        raise DataError(f"no rows differ only in {quoted(own.names[:1])}; adjust for fewer columns")
    counts, rows, n_all = counts[both], rows[both], float(counts.sum())
    weight = counts.sum(axis=(1, 2)) / counts.sum()
    hits = counts[:, list(levels), of]
    each = hits[:, 1] / rows[:, 1] - hits[:, 0] / rows[:, 0]
    smooth = (hits + 1.0 / counts.shape[2]) / (rows + 1.0)
    value = weight @ each
    noise = weight**2 @ (smooth * (1.0 - smooth) / rows).sum(axis=1)
    between = weight @ (each - value) ** 2 / counts.sum()
    return Estimate("slope", np.array(value), np.array(noise + between), MAX_DOF, np.array(counts.sum() / n_all))
