"""Probability that hidden common causes disturb a numeric table, from the signs in it."""

from __future__ import annotations

import math

import numpy as np

from .logistic_model import LogisticModel, stored
from .table_signs import TableSigns

MIN_QUARTETS = 2
FEATURES = (
    "gain of the MAG",
    "separable edges",
    "edges of two arrowheads",
    "implied independences",
    "ln rows",
    "ln columns",
    "edges a column",
)


def hidden_cause_features(signs: TableSigns, n: int, p: int) -> np.ndarray:
    """Return the features of `FEATURES`, (1, 7) float64."""
    edges = int((signs.direct > 0).sum()) // 2
    values = (
        math.log1p(max(signs.gain, 0.0)),
        signs.separable,
        math.log1p(signs.bidirected),
        math.log1p(max(signs.implied, 0.0)),
        math.log(n),
        math.log(p),
        edges / p,
    )
    return np.array([values])


def suspects_hidden_causes(signs: TableSigns, n: int, p: int) -> bool:
    """Return True if hidden common causes are likely; about one in 40 clean tables is suspected."""
    coefficients = stored("hidden_causes")
    found = LogisticModel.from_dict(coefficients["model"]).probability(hidden_cause_features(signs, n, p))
    return bool(found[0] > threshold(coefficients["thresholds"], p))


def threshold(known: list[list[float]], p: int) -> float:
    """Return the probability from which a table of p columns is suspected, interpolated from `known` in ln p."""
    columns, values = np.array(known).T
    return float(np.interp(math.log(p), np.log(columns), values))


def shows_hidden_factors(signs: TableSigns, p: int) -> bool:
    """Return True if there are more pure quartets than in about 99 of 100 tables without hidden factors."""
    return len(signs.quartets) >= min_quartets(stored("hidden_causes")["quartets a column"], p)


def min_quartets(share: float, p: int) -> int:
    """Return the minimum number of pure quartets among p columns that shows hidden factors."""
    return max(MIN_QUARTETS, math.ceil(share * p))
