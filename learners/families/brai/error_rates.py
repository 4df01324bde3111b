"""False positive rates of the tests of B-RAI on the data and on a resample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import chdtrc, chdtri

from ...kernels.ci.evidence import LOG_P, PER_DOF, Threshold
from .rai import cut_of, resampled_cut

RESAMPLED_SCALE = 2.0  # G² on a resample in multiples of χ²: 1 from sampling, 1 from resampling


def independence_levels(params: Mapping[str, Any], n: int, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the significance levels of the tests of a run.

    Parameters
    ----------
    params : mapping
        Parameters of B-RAI: `cut`, `c1_factor`, `mi_bits`, `alpha` and `resample_factor`.
    n : int
        Number of rows.
    dof : float array
        Degrees of freedom.

    Returns
    -------
    on_data, on_resample : float64 arrays
        Shaped like `dof`: the probability that an independent pair is found dependent, for many rows.

    Examples
    --------
    >>> params = {"cut": "alpha", "alpha": 0.01, "c1_factor": 1.0, "mi_bits": 0.03, "resample_factor": 1.0}
    >>> [levels.round(2).tolist() for levels in independence_levels(params, 1_000, np.array([1, 4, 9, 36]))]
    [[0.01, 0.01, 0.01, 0.01], [0.07, 0.16, 0.29, 0.78]]
    """
    # Tests of continuous and mixed data use a level only, so their runs record no other cut.
    cut = cut_of(params.get("cut", "alpha"), params.get("c1_factor", 1.0), params.get("mi_bits", 1.0), params["alpha"])
    dof = np.asarray(dof, dtype=np.float64)
    on_resample = resampled_cut(cut, params["resample_factor"])
    return _level(cut, n, dof, 1.0), _level(on_resample, n, dof, RESAMPLED_SCALE)


def _level(cut: Threshold, n: int, dof: np.ndarray, scale: float) -> np.ndarray:
    """Return P(`scale` χ² exceeds the statistic that the cut requires)."""
    if cut.kind == LOG_P:
        min_statistic = cut.excess * chdtri(dof, math.exp(cut.limit))
    elif cut.kind == PER_DOF:
        min_statistic = -cut.limit * dof
    else:
        min_statistic = -cut.limit * 2.0 * n * math.log(2.0) + (cut.excess - 1.0) * dof
    return chdtrc(dof, min_statistic / scale)
