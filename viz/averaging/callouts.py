"""Callouts of probabilities and shares of resamples."""

from __future__ import annotations

import numpy as np

from learners.families.averaging.order_mcmc import ChainsRun
from learners.results.result import LearnResult

from ..text import format_percent, format_probability, shorten

OPEN = (0.05, 0.95)  # probabilities between these are undecided


def open_pair(result: LearnResult) -> str | None:
    """Name the pair whose probability is nearest to one half."""
    if not np.isfinite(result.strengths.values).any():
        return None
    a, b, value = _nearest_to_half(result)
    if not OPEN[0] < value < OPEN[1]:
        return None
    return f"The edge {a} — {b} is uncertain: P = {format_probability(value)}. Drag the line to set a threshold."


def agreement_callout(result: LearnResult) -> str | None:
    """Warn about chains that disagree."""
    run = result.extra
    if not isinstance(run, ChainsRun) or run.agreement is None or run.converged:
        return None
    return f"The chains differ by up to {run.agreement.difference:.2f} in a probability; try more moves."


def shaky_pair(result: LearnResult) -> str | None:
    """Name the pair whose share of resamples is nearest to one half."""
    if not result.extra.n:
        return None
    a, b, value = _nearest_to_half(result)
    if not OPEN[0] < value < OPEN[1]:
        return None
    return f"The edge {a} — {b} is uncertain: {format_percent(value)} of the resamples have it."


def _nearest_to_half(result: LearnResult) -> tuple[str, str, float]:
    values = np.triu(np.nan_to_num(result.strengths.values), 1)
    i, j = np.unravel_index(np.abs(values - 0.5).argmin(), values.shape)
    return shorten(result.names[i]), shorten(result.names[j]), float(values[i, j])
