"""Charts of CImap: p-values against the line of the FDR control, power, and the order of visits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from learners.common.false_discovery import Method, log_line, log_threshold
from learners.common.wording import format_setting
from learners.families.cimap.evidence import InformationEvidence
from learners.families.cimap.levels import Level

from ..figures import BLUE, ORANGE, axis_labels, named_axis
from ..text import LN10, count, format_p

GREY = "#999999"
BELOW = 3.0  # powers of ten that the axis extends below the line
MAX_BARS = 80
MIN_MBIT = 1e-3  # minimum information drawn on a logarithmic axis


def family_figure(log_p: np.ndarray, q: float, method: Method) -> tuple[go.Figure, str]:
    """Draw the sorted p-values of a family and the line k q / m, and mark their cut; return the figure and a text.

    Parameters
    ----------
    log_p : (m,) float64 array
        ln p, in any order.
    q : float
        In (0, 1).
    method : "bh" or "by"
    """
    ordered = np.sort(log_p)
    cut = log_threshold(ordered, q, method)
    rejected = 0 if math.isnan(cut) else int((ordered <= cut).sum())
    rank, line = np.arange(1, len(ordered) + 1), log_line(len(ordered), q, method)
    # The picture is about the crossing, so a p of 1e-200 must not stretch the axis.
    lowest = line[0] / LN10 - BELOW
    figure = go.Figure()
    for part, colour, symbol, name in (
        (slice(0, rejected), BLUE, "circle", "rejected: edge stays"),
        (slice(rejected, None), ORANGE, "circle-open", "not rejected"),
    ):
        figure.add_scatter(
            x=rank[part], y=np.maximum(ordered[part] / LN10, lowest), mode="markers", name=name,
            marker={
                "color": colour, "size": 7,
                "symbol": np.where(ordered[part] / LN10 < lowest, "triangle-down", symbol),
            },
            customdata=[format_p(v) for v in ordered[part]],
            hovertemplate="rank %{x}<br>p = %{customdata}<extra></extra>",
        )  # fmt: skip
    figure.add_scatter(
        x=rank, y=line / LN10, mode="lines", name="the line k q ÷ m" + (" ÷ H" if method == "by" else ""),
        line={"color": GREY, "dash": "dash", "width": 2}, hoverinfo="skip",
    )  # fmt: skip
    if rejected:
        figure.add_vline(x=rejected + 0.5, line={"color": GREY, "dash": "dot"})
    _frame(figure, "rank k of the p-value", "log10 p (▼: smaller still)", 320)
    limit = f"p up to {format_p(cut)}" if rejected else "none"
    return figure, f"{count(len(ordered), 'p-value')} sorted against the line: {rejected:,} rejected, {limit}"


def power_figure(evidence: InformationEvidence) -> tuple[go.Figure, str]:
    """Draw power against degrees of freedom, the requested power and the bound; return the figure and a text."""
    dof, power = evidence.power_curve()
    wanted = 1 - evidence.settings.beta
    figure = go.Figure(
        go.Scatter(
            x=dof, y=power, mode="lines", line={"color": BLUE, "width": 2.5},
            hovertemplate="%{x} degrees of freedom<br>power %{y:.3f}<extra></extra>",
        )
    )  # fmt: skip
    figure.add_hline(
        y=wanted, line={"color": GREY, "dash": "dash"}, annotation_text=f"asked for: {format_setting(wanted)}"
    )
    if evidence.bound:
        figure.add_vline(x=evidence.bound, line={"color": ORANGE}, annotation_text=f"bound: {evidence.bound:,}")
    _frame(figure, "degrees of freedom of a test", "power", 280)
    figure.update_yaxes(range=[-0.02, 1.05])
    figure.update_layout(showlegend=False)
    bound = f"tests of at most {evidence.bound:,}" if evidence.bound else "no test at all"
    return (
        figure,
        f"Power falls as degrees of freedom rise: {bound} degrees of freedom leave a power of {format_setting(wanted)}",
    )


def visits_figure(level: Level, names: Sequence[str], fell: np.ndarray) -> tuple[go.Figure, str]:
    """Draw the strength of the nodes in visiting order and the edges lost at each; return the figure and a text.

    Parameters
    ----------
    level : Level
    names : sequence of str
    fell : (m,) int array
        Number of edges removed at the turn of each of `level.nodes`.
    """
    nodes, lost = level.nodes[:MAX_BARS], fell[:MAX_BARS]
    labels = axis_labels([f"{turn}. {names[k]}" for turn, k in enumerate(nodes.tolist(), 1)])
    figure = go.Figure(
        go.Bar(
            x=list(range(len(labels))), y=level.strength[nodes],
            marker_color=[ORANGE if n else BLUE for n in lost.tolist()],
            text=[f"−{n}" if n else "" for n in lost.tolist()], textposition="outside", cliponaxis=False,
            hovertemplate="%{x}<br>σ = %{y:.3g} mbit<extra></extra>",
        )
    )  # fmt: skip
    _frame(figure, "", "strength σ in mbit", 320)
    figure.update_xaxes(**named_axis(labels))
    total = int(fell.sum())
    return figure, (
        f"{count(len(level.nodes), 'variable')} in the order of their turns; {count(total, 'edge')} removed at this "
        f"order"
    )


def _frame(figure: go.Figure, x: str, y: str, height: int) -> None:
    figure.update_xaxes(title=x)
    figure.update_yaxes(title=y)
    figure.update_layout(
        height=height, margin={"l": 10, "r": 20, "t": 30, "b": 10}, legend={"orientation": "h", "y": 1.15}
    )


def information_figure(values: np.ndarray, cut: float, label: str) -> tuple[go.Figure, str]:
    """Draw the sorted information of the pairs and a cut; return the figure and a text.

    Parameters
    ----------
    values : (m,) float64 array
        In mbit, in any order.
    cut : float
    label : str
        Meaning of a value.
    """
    ordered = np.sort(values)[::-1]
    kept = int((ordered >= cut).sum())
    rank = np.arange(1, len(ordered) + 1)
    figure = go.Figure()
    for part, colour, symbol, name in (
        (slice(0, kept), BLUE, "circle", "above the cut: edge stays"),
        (slice(kept, None), ORANGE, "circle-open", "below"),
    ):
        figure.add_scatter(
            x=rank[part], y=np.maximum(ordered[part], MIN_MBIT), mode="markers", name=name,
            marker={"color": colour, "symbol": symbol, "size": 7},
            hovertemplate="rank %{x}<br>%{y:.3g} mbit<extra></extra>",
        )  # fmt: skip
    line = max(cut, MIN_MBIT)
    figure.add_hline(y=line, line={"color": GREY, "dash": "dash"})
    # On a logarithmic axis an annotation, unlike a line, is placed by its power of ten.
    figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=math.log10(line),
        yanchor="bottom",
        text=f"μ = {format_setting(cut)} mbit",
        showarrow=False,
    )
    _frame(figure, "rank of the pair", f"{label}, mbit", 320)
    figure.update_yaxes(type="log")
    return (
        figure,
        f"{count(len(ordered), 'pair')} by their {label}: {kept:,} at or above μ = {format_setting(cut)} mbit",
    )
