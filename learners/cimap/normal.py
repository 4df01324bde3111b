"""The normal approximation of mutual information, Bacciu, Etchells, Lisboa and Whittaker (2013), section 3.4."""

from __future__ import annotations

import numpy as np


def deviations(bits: np.ndarray, spread: np.ndarray, cut: float) -> np.ndarray:
    """z = (m - μ) / s of the normal approximation; without spread, all that is above the cut is infinitely far so."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (bits - cut) / spread
    return np.where(spread > 0, z, np.where(bits > cut, np.inf, -np.inf))
