"""Reference implementations for mixed data and data with missing cells."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners import Dataset


def embedded(frame: pd.DataFrame) -> np.ndarray:
    """Return numbers unchanged, and an indicator of each observed level except the first."""
    parts = [np.empty((len(frame), 0))]
    for name in frame:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            seen = [level for level in column.cat.categories if (column == level).any()]
            parts.append(np.column_stack([np.empty((len(frame), 0)), *(column == level for level in seen[1:])]))
        else:
            parts.append(column.to_numpy(float)[:, None])
    return np.column_stack(parts)


def log_volume(columns: np.ndarray) -> tuple[float, int]:
    """Return (ln of the product of the positive eigenvalues, their number) of the correlations of varying columns."""
    columns = columns[:, np.ptp(columns, axis=0) > 0] if columns.size else columns[:, :0]
    if not columns.shape[1]:
        return 0.0, 0
    values = np.linalg.eigvalsh(np.atleast_2d(np.corrcoef(columns.T)))
    above = values[values > 1e-9]
    return float(np.log(above).sum()), len(above)


def degenerate(data: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[float, float, int]:
    """Return (-m ln Λ, degrees of freedom, rows) by four determinants, on the rows complete for x, y and the set.

    No column of the set, x and y may be determined by others; these determinants are wrong in that case.
    """
    frame = data.to_frame().iloc[:, [x, y, *cond]].dropna()
    a, b, z = embedded(frame.iloc[:, :1]), embedded(frame.iloc[:, 1:2]), embedded(frame.iloc[:, 2:])
    (abz, _), (only, rank), (az, rank_a), (bz, rank_b) = (
        log_volume(np.column_stack(parts)) for parts in ((a, b, z), (z,), (a, z), (b, z))
    )
    dx, dy = rank_a - rank, rank_b - rank
    log_lambda = abz + only - az - bz
    m = len(frame) - 1 - rank - (dx + dy + 1) / 2
    return -m * log_lambda, dx * dy, len(frame)


def with_holes(data: Dataset, share: float | Sequence[float], seed: int) -> Dataset:
    """Return the same rows with the given share of the cells of each column missing completely at random."""
    rng = np.random.default_rng(seed)
    frame = data.to_frame()
    shares = np.broadcast_to(share, data.p)
    for j, name in enumerate(frame):
        frame[name] = frame[name].mask(rng.random(len(frame)) < shares[j])
    return Dataset.from_frame(frame, dict(zip(data.names, data.kinds, strict=True)))


def mixed_rows(p: int, n: int, seed: int, arity: Sequence[int] = (2, 3, 4)) -> Dataset:
    """Return rows of a noisy chain, with every second variable cut into levels."""
    rng = np.random.default_rng(seed)
    columns, before = {}, rng.normal(size=n)
    for k in range(p):
        value = 0.7 * before + rng.normal(size=n)
        if k % 2:
            r = arity[k // 2 % len(arity)]
            codes = np.searchsorted(np.quantile(value, np.arange(1, r) / r), value)
            columns[f"v{k}"] = pd.Categorical.from_codes(codes, [f"L{c}" for c in range(r)])
            before = (codes - codes.mean()) / codes.std()
        else:
            columns[f"v{k}"] = before = value
    return Dataset.from_frame(pd.DataFrame(columns))


def chi2_sf(statistic: float, dof: float) -> float:
    """Return P(χ² >= statistic)."""
    from scipy.stats import chi2

    return float(chi2.sf(statistic, dof)) if dof > 0 else 1.0


def fisher_z(rho: float, n: int, size: int) -> float:
    """Return atanh(ρ) √(n - |Z| - 3)."""
    return math.atanh(rho) * math.sqrt(n - size - 3)


def logistic_likelihood(target: pd.Series, columns: np.ndarray) -> float:
    """Return the maximum log-likelihood of multinomial logistic regression, by a general optimiser."""
    from scipy.optimize import minimize

    levels = [level for level in target.cat.categories if (target == level).any()]
    hits = np.column_stack([target == level for level in levels]).astype(float)
    scale = columns.std(axis=0)
    design = np.column_stack([np.ones(len(target)), (columns - columns.mean(axis=0)) / np.where(scale > 0, scale, 1)])

    def lost(flat: np.ndarray) -> tuple[float, np.ndarray]:
        odds = design @ np.column_stack([flat.reshape(design.shape[1], -1), np.zeros(design.shape[1])])
        log_shares = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
        return -(hits * log_shares).sum(), (design.T @ (np.exp(log_shares) - hits)[:, :-1]).ravel()

    start = np.zeros(design.shape[1] * (len(levels) - 1))
    return -minimize(lost, start, jac=True, method="L-BFGS-B", options={"maxiter": 5_000, "ftol": 1e-14}).fun


def logistic_ratio(data: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[float, int]:
    """Return (Bartlett-corrected likelihood ratio, rows) for the variable with fewer levels, on complete rows."""
    frame = data.to_frame().iloc[:, [x, y, *cond]].dropna()
    if len(frame.iloc[:, 1].cat.categories) < len(frame.iloc[:, 0].cat.categories):
        frame = frame.iloc[:, [1, 0, *range(2, frame.shape[1])]]
    own, other, z = (embedded(frame.iloc[:, part]) for part in (slice(0, 1), slice(1, 2), slice(2, None)))
    with_other = logistic_likelihood(frame.iloc[:, 0], np.column_stack([z, other]))
    without = logistic_likelihood(frame.iloc[:, 0], z)
    m = len(frame) - 1 - z.shape[1] - (own.shape[1] + other.shape[1] + 1) / 2
    return 2 * (with_other - without) * m / len(frame), len(frame)
