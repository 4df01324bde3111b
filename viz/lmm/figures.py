"""Figures of LMM: the likelihood of its prior, and the dependence that v-structures induce."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from learners.common.wording import format_number
from learners.independence.dependence import Prior

from ..figures import BLUE, ORANGE, named_axis, plain
from ..text import distinct_labels

BAR = 22  # height of one v-structure in pixels
ROOM = 0.12  # free space at either end of the axis, relative to the range
FATES = {
    "accepted": {"color": BLUE, "pattern_shape": ""},
    "replaced by a more certain one": {"color": ORANGE, "pattern_shape": "/"},
    "CD not above 0": {"color": "#999999", "pattern_shape": "."},
}


def prior_curve(prior: Prior) -> tuple[go.Figure, str]:
    """Draw the log-likelihood of each share of dependent pairs and mark the used one; return the figure and a text."""
    used = 2 * prior.dependent
    figure = go.Figure(
        go.Scatter(
            x=prior.shares,
            y=prior.log_likelihood,
            mode="lines",
            line={"color": BLUE, "width": 2.5},
            hovertemplate="share %{x:.3g}<br>log-likelihood %{y:.1f}<extra></extra>",
        )
    )
    word = "π̂" if prior.estimated else "as set: π"
    label = f"{word} = {format_number(used)}"
    if prior.shares[0] * 0.999 <= used <= prior.shares[-1] * 1.001:
        figure.add_vline(x=used, line={"color": ORANGE, "dash": "dash", "width": 2})
        figure.add_annotation(
            x=math.log10(used),
            y=1,
            yref="paper",
            text=label,
            showarrow=False,
            xanchor="right",
            xshift=-6,
            yanchor="top",
        )
    figure.update_xaxes(type="log", range=[math.log10(0.00095), math.log10(0.21)], tickvals=list(TICKS), tickangle=0)
    figure.update_xaxes(title="share π of dependent pairs")
    figure.update_yaxes(title="log-likelihood")
    figure.update_layout(height=300, margin={"l": 10, "r": 20, "t": 30, "b": 10})
    return figure, f"Log-likelihood of the share of dependent pairs between 0.001 and 0.2; {label}"


TICKS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2)


def prior_sentence(prior: Prior, n_pairs: int, *, tested: bool = False) -> str:
    """Explain the prior; `tested` is True if the joint CPPD is not a probability."""
    if not prior.estimated:
        return (
            f"You set the prior: before seeing the data any two variables depend on one another with probability "
            f"{format_number(prior.dependent)}. The curve shows which shares the data favour."
        )
    share = 2 * prior.dependent
    pairs = f"π̂ = {format_number(share)} of the {n_pairs:,} pairs, about {share * n_pairs:,.0f}"
    where = ""
    if share >= prior.shares[-1] * 0.999:
        where = " (the highest share that is tried)"
    elif share <= prior.shares[0] * 1.001:
        where = " (the lowest share that is tried)"
    source, value = ("tests", "margin") if tested else ("correlations", "CPPD")
    return (
        f"The {source} look most like a table in which {pairs}, depend on one another{where}. The dependence may be "
        f"direct or through others. Half of that, {format_number(prior.dependent)}, is the prior probability of a "
        f"dependence, from which each {value} starts."
    )


def cd_bars(table: pd.DataFrame) -> go.Figure:
    """Draw CD as horizontal bars, one per row of `v_structure_table`, coloured by fate; `customdata` is ``t``."""
    labels = [plain(text, 60) for text in distinct_labels(table["v-structure"].tolist(), 60)]
    figure = go.Figure()
    for fate, look in FATES.items():
        mine = (table["fate"] == fate).to_numpy()
        if not mine.any():
            continue
        hover = [f"lost to {plain(lost, 80)}" if lost else "" for lost in table.loc[mine, "lost to"]]
        if set(HOVERED) <= set(table):  # the table has these columns only for numeric data
            parts = table.loc[mine, [*HOVERED]].itertuples(index=False)
            hover = [
                f"with the middle {format_number(one)}, without {format_number(other)}"
                + (f"<br>{lost}" if lost else "")
                for (one, other), lost in zip(parts, hover, strict=True)
            ]
        values = table.loc[mine, "CD"]
        figure.add_bar(
            x=values,
            y=np.flatnonzero(mine),
            orientation="h",
            name=fate,
            marker={"color": look["color"], "line": {"color": look["color"], "width": 1.5}},
            marker_pattern_shape=look["pattern_shape"],
            text=[format_number(value) for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertext=hover,
            customdata=table.loc[mine, "t"],
            hovertemplate="%{y}<br>CD %{x:.3g}<br>%{hovertext}<extra>" + fate + "</extra>",
        )
    figure.update_yaxes(**named_axis(labels), autorange="reversed", automargin=True, dtick=1)
    # Leave space beside the longest bars for their numbers.
    least, most = min(table["CD"].min(), -0.1), max(table["CD"].max(), 0.1)
    figure.update_xaxes(range=[least - ROOM * (most - least), most + ROOM * (most - least)], zeroline=True)
    figure.update_xaxes(title="CD: dependence that the middle variable induces", zerolinewidth=2)
    figure.update_layout(
        height=110 + BAR * len(labels),
        margin={"l": 10, "r": 16, "t": 40, "b": 10},
        barmode="overlay",
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0},
        clickmode="event+select",
    )
    return figure


HOVERED = ("joint CPPD with the middle", "and without")
