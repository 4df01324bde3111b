"""Calibration on simulated tables: a chart, and every probability before and after recalibration."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from learners.families.averaging.calibration import OwnCalibration

from .truth import calibration_chart


def own_figure(found: OwnCalibration) -> tuple[go.Figure, str]:
    """Draw predicted against observed shares of all pairs, with the recalibration curve; return figure and text."""
    figure, alt = calibration_chart(found.bins, "tables like this one")
    grid = np.linspace(0.0, 1.0, 101)
    figure.add_scatter(
        x=grid, y=found.recalibrated(grid), mode="lines", name="recalibrated", line={"dash": "dot", "width": 2},
        hovertemplate="stated %{x:.2f}<br>recalibrated %{y:.2f}<extra></extra>",
    )  # fmt: skip
    return figure, alt


def error_sentence(found: OwnCalibration) -> str:
    """State the calibration error with its spread, and the error after recalibration."""
    if found.n_tables < 2:
        return f"{found.error:.4f}"
    return (
        f"{found.error:.4f}, ± {found.spread:.4f} from table to table; {found.recalibrated_error:.4f} once each is "
        "recalibrated by the others"
    )


def recalibrated_table(predicted: np.ndarray, found: OwnCalibration, names: Sequence[str]) -> pd.DataFrame:
    """Return a row for each pair with P > 0, the most probable first: P as predicted and as recalibrated."""
    i, j = np.nonzero(np.triu(predicted, 1))
    order = np.argsort(-predicted[i, j], kind="stable")
    i, j = i[order], j[order]
    return pd.DataFrame(
        {
            "x": [names[k] for k in i.tolist()],
            "y": [names[k] for k in j.tolist()],
            "P stated": predicted[i, j],
            "P recalibrated": found.recalibrated(predicted[i, j]),
        }
    )
