"""Probabilities of pairs and of v-structures in tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.evaluation.frequencies import wilson

from ..text import format_probability, shorten
from .features import Feature

MAX_ROWS = 2_000
CALIBRATED = "calibrated"
LIMITS = ("95% from", "to at most")


def feature_table(
    feature: Feature,
    values: np.ndarray,
    names: Sequence[str],
    truth: np.ndarray | None,
    draws: int | None,
    calibrated: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return a row for each pair that may have the feature, the most probable first; positions as ``i`` and ``j``.

    Parameters
    ----------
    feature : Feature
    values : (p, p) float64 array
    names : sequence of str
    truth : (p, p) float64 array, optional
        Values of the feature in the true graph.
    draws : int or None
        Number of trees, resamples or draws over which the values are averaged; 0 if they are exact, None if they have
        no interval.
    calibrated : (p, p) float64 array, optional
        Calibrated probabilities of the feature.
    """
    i, j = np.nonzero(np.triu(values, 1) if feature.symmetric else values)
    order = np.argsort(-values[i, j], kind="stable")[:MAX_ROWS]
    i, j = i[order], j[order]
    rows = {
        "x": [shorten(names[k]) for k in i.tolist()],
        "y": [shorten(names[k]) for k in j.tolist()],
        "P": values[i, j],
        "exactly": [format_probability(value) for value in values[i, j].tolist()],
        **_limits(np.clip(values[i, j], 0.0, 1.0), draws),
        **({} if calibrated is None else {CALIBRATED: calibrated[i, j]}),
        **({} if truth is None else {"in truth": [format_probability(value) for value in truth[i, j].tolist()]}),
        "i": i,
        "j": j,
    }
    return pd.DataFrame(rows)


def _limits(values: np.ndarray, draws: int | None) -> dict[str, np.ndarray]:
    """Return columns with the 95% intervals; none for exact numbers and without draws."""
    return dict(zip(LIMITS, wilson(values, draws), strict=True)) if draws else {}


def v_structure_table(
    found: dict[tuple[int, int, int], float], names: Sequence[str], truth: set, draws: int | None
) -> pd.DataFrame:
    """Return a row for each v-structure of any class, the most probable first; its first pair as ``i`` and ``j``.

    Parameters
    ----------
    found : dict of (i, k, j) to float
        As `Posterior.v_structures`.
    names : sequence of str
    truth : set of (i, k, j)
        V-structures of the true graph; empty if it is unknown.
    draws : int or None
        As for `feature_table`.
    """
    rows = [
        {
            "v-structure": f"{shorten(names[i])} → {shorten(names[k])} ← {shorten(names[j])}",
            "P": min(value, 1.0),
            "exactly": format_probability(value),
            **{name: float(one[0]) for name, one in _limits(np.array([min(value, 1.0)]), draws).items()},
            **({"in truth": "yes" if (i, k, j) in truth else "no"} if truth else {}),
            "i": i,
            "j": k,
        }
        for (i, k, j), value in list(found.items())[:MAX_ROWS]
    ]
    return pd.DataFrame(rows, columns=None if rows else ["v-structure", "P", "exactly", *LIMITS, "i", "j"])
