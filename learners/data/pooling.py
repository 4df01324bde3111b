"""Estimates of several imputed tables, pooled by Rubin's rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_DOF = 1e9  # degrees of freedom from which t is treated as normal


class Pooled(NamedTuple):
    """Pooled estimates, (...) float64 each.

    Attributes
    ----------
    estimate : float64 array
        Mean over the tables.
    variance : float64 array
        Mean variance within the tables, plus 1 + 1 / m times that between them.
    dof : float64 array
        Degrees of freedom of Student's t.
    information : float64 array
        Share of the variance that is within the tables; 1 where they agree.
    """

    estimate: np.ndarray
    variance: np.ndarray
    dof: np.ndarray
    information: np.ndarray


def pooled(estimates: np.ndarray, variances: np.ndarray, dof: np.ndarray | float = MAX_DOF) -> Pooled:
    """Pool estimates of m imputed tables.

    Parameters
    ----------
    estimates, variances : (m, ...) float64 arrays
        By table; at least two.
    dof : float64 array or float
        Degrees of freedom of a complete table.

    Notes
    -----
    With degrees of freedom ν of a complete table and λ the share of the variance that is between the tables, they are
    1 / (1 / ν_m + 1 / ν_o), with ν_m = (m - 1) / λ² and ν_o = ν (ν + 1) / (ν + 3) (1 - λ).

    References
    ----------
    Rubin (1987), Multiple imputation for nonresponse in surveys, chapter 3. Barnard and Rubin (1999), Small-sample
    degrees of freedom with multiple imputation, Biometrika 86.
    """
    m = len(estimates)
    within, between = variances.mean(axis=0), (1.0 + 1.0 / m) * estimates.var(axis=0, ddof=1)
    total = within + between
    share = np.divide(between, total, out=np.zeros_like(total), where=total > 0)
    of_tables = (m - 1) / np.maximum(share, 1e-6) ** 2
    of_rows = np.maximum((dof + 1.0) / (dof + 3.0) * dof * (1.0 - share), 1.0)
    return Pooled(estimates.mean(axis=0), total, 1.0 / (1.0 / of_tables + 1.0 / of_rows), 1.0 - share)
