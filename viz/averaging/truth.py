"""Probabilities compared with a known true graph: calibration and ROC."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from learners.evaluation.feature_calibration import Calibration, area_under, calibration, feature_roc, pairs_of
from learners.evaluation.frequencies import Frequencies
from learners.evaluation.posterior import Posterior

from ..figures import BLUE, ORANGE
from ..text import count, format_probability
from .features import Feature, values_of

GREY = "#999999"


def calibration_figure(feature: Feature, evidence: Posterior | Frequencies, truth: Posterior) -> tuple[go.Figure, str]:
    """Draw the observed frequency of features by probability; return the figure and a text.

    Larger points represent more features.
    """
    return calibration_chart(calibration(*_both(feature, evidence, truth)), "this run")


def calibration_chart(found: Calibration, name: str) -> tuple[go.Figure, str]:
    """Draw the nonempty bins under a name in the legend; return the figure and a text."""
    some = found.n > 0
    figure = go.Figure(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", line={"color": GREY, "dash": "dash"}, name="perfect calibration",
            hoverinfo="skip",
        )
    )  # fmt: skip
    figure.add_scatter(
        x=found.said[some], y=found.came_true[some], mode="lines+markers+text", name=name,
        line={"color": BLUE, "width": 1.5}, marker={"size": 7 + 4 * np.log10(found.n[some]), "color": BLUE},
        text=[f"{n:,}" for n in found.n[some]],
        customdata=[count(n, "pair") for n in found.n[some].tolist()], textposition="bottom right", cliponaxis=False,
        hovertemplate="stated %{x:.3f}<br>observed %{y:.3f}<br>%{customdata}<extra></extra>",
    )  # fmt: skip
    _frame(figure, "stated probability", "observed frequency")
    sentences = [
        f"{count(n, 'pair')} stated {x:.2f}: observed {y:.2f}"
        for n, x, y in zip(found.n[some].tolist(), found.said[some], found.came_true[some], strict=True)
    ]
    return figure, ". ".join(sentences)


def roc_figure(
    feature: Feature, evidence: Posterior | Frequencies, truth: Posterior, cut: float
) -> tuple[go.Figure, str]:
    """Draw true against false positive rates at every cut and mark the cut on screen; return the figure and a text."""
    predicted, true = _both(feature, evidence, truth)
    curve, cuts = feature_roc(predicted, true)
    area = area_under(curve)
    if math.isnan(area):
        return go.Figure(), "The true graph has this feature nowhere, or everywhere, so there is no curve"
    figure = go.Figure(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", line={"color": GREY, "dash": "dash"}, name="chance", hoverinfo="skip"
        )
    )
    figure.add_scatter(
        x=curve.fpr, y=curve.tpr, mode="lines+markers", name="this run", line={"color": BLUE, "width": 2.5},
        marker={"size": 4}, customdata=[format_probability(float(min(c, 1.0))) for c in cuts],
        hovertemplate="P ≥ %{customdata}<br>false positives %{x:.3f}<br>true positives %{y:.3f}<extra></extra>",
    )  # fmt: skip
    at = int((cuts >= cut).sum()) - 1
    figure.add_scatter(
        x=curve.fpr[[at]], y=curve.tpr[[at]], mode="markers", name=f"P ≥ {format_probability(cut)}",
        marker={"size": 13, "color": ORANGE, "symbol": "diamond"}, hoverinfo="skip",
    )  # fmt: skip
    _frame(figure, "false positives, of all that are false", "true positives, of all that are true")
    return figure, (
        f"Area under the curve {area:.3f}; at P ≥ {format_probability(cut)} {curve.tpr[at]:.0%} of what is true and "
        f"{curve.fpr[at]:.1%} of what is false"
    )


def _both(feature: Feature, evidence: Posterior | Frequencies, truth: Posterior) -> tuple[np.ndarray, np.ndarray]:
    values, true = values_of(feature, evidence), values_of(feature, truth)
    return pairs_of(values, symmetric=feature.symmetric), pairs_of(true, symmetric=feature.symmetric)


def _frame(figure: go.Figure, x: str, y: str) -> None:
    figure.update_xaxes(title=x, range=[-0.03, 1.03])
    figure.update_yaxes(title=y, range=[-0.03, 1.06])
    figure.update_layout(
        height=340, margin={"l": 10, "r": 20, "t": 30, "b": 10}, legend={"orientation": "h", "y": 1.12}
    )
