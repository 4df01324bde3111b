"""Estimate of the seconds of a search over MAGs from the number of pairs that depend given all other columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.dataset import Dataset
from ...scores.score import FamilyScore
from ...search.cost import cost_of_orders
from .mag_search import gaussian_columns

MIN_Z = 3.0  # |Fisher's z| of a partial correlation, given all other columns, from which a pair counts as dependent
# Measured on 26 tables of 8 to 100 columns (seeds 986 301 and 986 302): sparse graphs need a tenth of the seconds that
# `cost_of_orders` expects, dense ones three times as many, in proportion to the squared number of neighbours.
SHARE_OF_ORDERS = 0.015
FIRST_SECONDS = 0.05  # of the search over orders, however few the columns
SECONDS_OF_A_PAIR = 0.0005  # duration of the moves from the DAG


def cost_of_mags(dataset: Dataset, score: FamilyScore, **settings: Any) -> float:
    """Estimate the seconds of a search over orders and of the moves after it."""
    pairs = n_dependent_pairs(dataset)
    neighbours = 2.0 * pairs / dataset.p
    orders = FIRST_SECONDS + SHARE_OF_ORDERS * neighbours**2 * cost_of_orders(score, **settings)
    return orders + SECONDS_OF_A_PAIR * pairs


def n_dependent_pairs(dataset: Dataset) -> int:
    """Return the number of pairs of variables that are dependent given all others, by partial correlations.

    Parameters
    ----------
    dataset : Dataset
        Continuous or mixed, complete or completed.
    """
    columns = gaussian_columns(dataset)
    inverse = np.linalg.pinv(columns.corr, hermitian=True)
    scale = np.sqrt(np.maximum(np.diag(inverse), np.finfo(np.float64).tiny))
    partial = np.clip(inverse / np.outer(scale, scale), -1.0 + 1e-12, 1.0 - 1e-12)
    free = max(columns.n - len(columns.corr) - 1.0, 1.0)
    dependent = np.abs(np.arctanh(partial)) * np.sqrt(free) > MIN_Z
    first = columns.first[:-1]
    pairs = np.logical_or.reduceat(np.logical_or.reduceat(dependent, first, axis=0), first, axis=1)
    return int(np.triu(pairs, 1).sum())
