"""Quality of feature probabilities against the truth: calibration and ROC.

The truth may leave directions open. Then a feature holds in a share of the DAGs of the true class; it counts as true by
that share, and as false by the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .curves import Roc


@dataclass(frozen=True, eq=False)
class Calibration:
    """Binned probabilities and observed frequencies.

    Attributes
    ----------
    edges : (b + 1,) float64 array
        Edges of the bins; each bin except the last excludes its upper edge.
    said, came_true : (b,) float64 arrays
        Mean probability and mean truth; NaN in an empty bin.
    n : (b,) int64 array
        Number of features in each bin.
    """

    edges: np.ndarray
    said: np.ndarray
    came_true: np.ndarray
    n: np.ndarray


def pairs_of(values: np.ndarray, *, symmetric: bool) -> np.ndarray:
    """Return the values of all ordered pairs, or of all unordered ones if `symmetric`, as one array."""
    p = len(values)
    return values[np.triu_indices(p, 1)] if symmetric else values[~np.eye(p, dtype=bool)]


def calibration(probability: np.ndarray, truth: np.ndarray, bins: int = 10) -> Calibration:
    """Bin the probabilities into bins of equal width and compare them with the truth.

    Parameters
    ----------
    probability, truth : (m,) float64 arrays
        In [0, 1].
    bins : int, default 10
    """
    edges = np.linspace(0.0, 1.0, bins + 1)
    at = np.clip(np.searchsorted(edges, probability, side="right") - 1, 0, bins - 1)
    n = np.bincount(at, minlength=bins)
    with np.errstate(invalid="ignore"):
        said, came_true = (np.bincount(at, values, bins) / n for values in (probability, truth))
    return Calibration(edges, said, came_true, n)


def feature_roc(probability: np.ndarray, truth: np.ndarray) -> tuple[Roc, np.ndarray]:
    """Return the ROC of the features over all thresholds, and the (m,) threshold of each corner.

    The threshold at (0, 0) is infinite; equal probabilities enter together.
    """
    cuts = np.unique(probability)[::-1]
    at = np.searchsorted(-cuts, -probability)
    with np.errstate(invalid="ignore"):
        tpr, fpr = (
            np.concatenate([[0.0], np.cumsum(np.bincount(at, mass, len(cuts)))]) / mass.sum()
            for mass in (truth, 1.0 - truth)
        )
    return Roc(fpr, tpr), np.concatenate([[np.inf], cuts])


def area_under(curve: Roc) -> float:
    """Return the area under the curve: 1 is perfect, 0.5 chance; NaN if all features, or none, are true."""
    return float(np.trapezoid(curve.tpr, curve.fpr))
