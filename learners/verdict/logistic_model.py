"""Logistic regression with stored coefficients."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """A logistic regression on standardized features.

    Attributes
    ----------
    names : tuple of str
        The features.
    mean, scale, weights : (k,) float64 array
        Features are standardized by mean and scale before they are weighted.
    intercept : float
    """

    names: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    intercept: float

    def probability(self, features: np.ndarray) -> np.ndarray:
        """Return the probability of each row of features, (m,) float64."""
        return 1.0 / (1.0 + np.exp(-((features - self.mean) / self.scale @ self.weights + self.intercept)))

    def parts(self, features: np.ndarray) -> np.ndarray:
        """Return the contribution of each feature to the log odds, (m, k) float64."""
        return (features - self.mean) / self.scale * self.weights

    @classmethod
    def from_dict(cls, stored: dict) -> LogisticModel:
        """Return the model that `to_dict` wrote."""
        arrays = (np.array(stored[name], dtype=np.float64) for name in ("mean", "scale", "weights"))
        return cls(tuple(stored["names"]), *arrays, float(stored["intercept"]))

    def to_dict(self) -> dict:
        """Return the model as plain numbers of four digits."""
        arrays = {name: [float(f"{x:.4g}") for x in getattr(self, name)] for name in ("mean", "scale", "weights")}
        return {"names": list(self.names), **arrays, "intercept": float(f"{self.intercept:.4g}")}


@cache
def stored(name: str) -> dict:
    """Return the content of a file of coefficients in this folder."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
