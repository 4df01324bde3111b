"""Figures of the alpha path: scores, the levels at which an edge is present, and the heat map of Φ."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.common.sentences import Count, Phrase, phrase, say
from learners.common.wording import format_setting
from learners.families.phgs.alpha_steps import AlphaSteps, path_of
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..figures import BLUE, ORANGE, axis_labels, plain
from ..pair_map import MapCells, add_borders, colour_bar, pair_map
from ..text import LN10, count, format_p, format_set
from .timeline import marks_of, shd_by_step
from .words import Solutions, format_level, format_score, score_name, solution_sentences

SYMBOLS = {"dot": "circle", "hollow": "circle-open", "star": "star", "hollow star": "star-open"}
MEANINGS = {"dot": "a DAG fits", "hollow": "no DAG fits", "star": "chosen", "hollow star": "chosen, though no DAG fits"}
TICKS = 6  # maximum number of ticks on an axis of alpha
FAINTEST = -15.0  # log10 Φ at the end of the colour scale of a heat map


class AlphaAxis:
    """Positions on an axis of log10 alpha that decreases to the right; alpha = 0 has a separate position."""

    def __init__(self, log_alphas: Sequence[float]) -> None:
        places = [value / LN10 for value in log_alphas if math.isfinite(value)]
        self.high, self.low = max(places, default=0.0), min(places, default=-1.0)
        self.has_zero = any(not math.isfinite(value) for value in log_alphas)
        self.room = max(self.high - self.low, 0.5)
        self.zero = self.low - 0.15 * self.room

    def at(self, log_alpha: float) -> float:
        """Return the position of a level; levels beyond the last one are placed at the end."""
        end = self.zero if self.has_zero else self.low - 0.08 * self.room
        return max(log_alpha / LN10, end) if math.isfinite(log_alpha) else end

    def apply(self, figure: go.Figure, **where: int) -> None:
        """Set the axis of a figure."""
        step = max(1, math.ceil((self.high - self.low) / (TICKS - 1)))
        values = list(range(math.floor(self.high), math.floor(self.low) - 1, -step)) or [round(self.high)]
        values = [value for value in values if value >= self.low - 0.05 * self.room]
        texts = [format_level(value * LN10) for value in values]
        if self.has_zero:
            values, texts = [*values, self.zero], [*texts, "0"]
        span = [self.high + 0.06 * self.room, (self.zero if self.has_zero else self.low) - 0.1 * self.room]
        figure.update_xaxes(range=span, tickvals=values, ticktext=texts, tickangle=0, zeroline=False, **where)


def path_figure(
    result: LearnResult, steps: AlphaSteps, solutions: Solutions, truth: PDAG | None, shown: float | None
) -> tuple[go.Figure, str]:
    """Draw the score of each solution against alpha, and the distance from the truth; return the figure and a text.

    `customdata` of a point is the number of its step, from 1; `shown` is ln of the alpha on screen.
    """
    path, name = path_of(result).path, score_name(result)
    axis = AlphaAxis(path.log_alphas.tolist())
    x = [axis.at(log_alpha) for log_alpha in path.log_alphas.tolist()]
    curves = [(name, [float(score) for score in path.scores])]
    if truth is not None:
        curves.append(("SHD", shd_by_step(steps, truth)))
    figure = make_subplots(len(curves), 1, shared_xaxes=True, vertical_spacing=0.08)
    words, marks = solution_sentences(result, solutions), marks_of(result)
    for row, (label, values) in enumerate(curves, start=1):
        figure.add_scatter(
            x=x, y=values, mode="lines", line={"color": BLUE, "width": 2}, hoverinfo="skip", showlegend=False,
            row=row, col=1,
        )  # fmt: skip
        for mark, symbol in SYMBOLS.items():
            own = [k for k, one in enumerate(marks) if one == mark]
            if not own:
                continue
            star = "star" in mark
            figure.add_scatter(
                x=[x[k] for k in own],
                y=[values[k] for k in own],
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": 16 if star else 10,
                    "color": ORANGE if star else BLUE,
                    "line": {"width": 2, "color": ORANGE if star else BLUE},
                },
                name=MEANINGS[mark],
                showlegend=row == 1,
                customdata=[k + 1 for k in own],
                text=[f"step {k + 1}: {words[k]}, {count(int((steps.codes(k) > 0).sum()), 'edge')}" for k in own],
                hovertemplate=("SHD %{y}<br>" if label == "SHD" else "") + "%{text}<extra></extra>",
                row=row,
                col=1,
            )
        figure.update_yaxes(title=label, row=row, col=1)
    if shown is not None:
        figure.add_vline(x=axis.at(shown), line={"color": "#999999", "dash": "dot", "width": 2})
    axis.apply(figure)
    figure.update_xaxes(title="significance level alpha (stricter to the right)", row=len(curves), col=1)
    figure.update_layout(
        height=200 + 130 * len(curves),
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0, "itemsizing": "constant"},
        clickmode="event+select",
    )
    best = path.choice
    best_score = format_score(float(path.scores[best]))
    alt = f"{name} of {count(len(x), 'solution')}; chosen is step {best + 1} with {best_score}"
    hollow = [str(k + 1) for k, valid in enumerate(path.valid.tolist()) if not valid]
    return figure, alt + (f"; no DAG fits step{'s' * (len(hollow) > 1)} {', '.join(hollow)}" if hollow else "")


def survival_bar(result: LearnResult, x: int, y: int, shown: float | None) -> tuple[go.Figure, Phrase]:
    """Draw the levels at which a pair is adjacent, with a tick for each solution; return the figure and a text.

    `shown` is ln of the alpha on screen.
    """
    evidence = path_of(result)
    path, log_phi, top = evidence.path, float(evidence.log_phi[x, y]), math.log(result.params["alpha"])
    log_alphas = path.log_alphas.tolist()
    near = [log_phi] if math.isfinite(log_phi) and -20 * LN10 < log_phi < top else []
    axis = AlphaAxis([*log_alphas, *near])
    stays = bool(path.graphs[0].skeleton[x, y]) if math.isnan(log_phi) else log_phi <= top
    figure = go.Figure()
    start, end = axis.at(top), axis.at(-math.inf)
    figure.add_bar(x=[end - start], base=start, y=[""], orientation="h", width=0.5, **_bar("#999999", 0.25))
    top_text, phi_text = format_level(top), format_level(log_phi)
    text = say("Absent at every level of this run")
    if stays:
        last = end if math.isnan(log_phi) else axis.at(log_phi)
        figure.add_bar(x=[last - start], base=start, y=[""], orientation="h", width=0.5, **_bar(BLUE, 1.0))
        text = (
            say("Present at every level")
            if math.isnan(log_phi)
            else say("Present from alpha = {top} down to {low}", top=top_text, low=phi_text)
        )
    for step, (log_alpha, mark) in enumerate(zip(log_alphas, marks_of(result), strict=True), start=1):
        figure.add_scatter(
            x=[axis.at(log_alpha)], y=[""], mode="markers", showlegend=False,
            marker={
                "symbol": SYMBOLS[mark] if "star" in mark else "line-ns-open",
                "size": 15 if "star" in mark else 20,
                "color": ORANGE,
                "line": {"width": 2, "color": ORANGE},
            },
            hovertemplate=f"solution {step}, alpha = {format_level(log_alpha)}<extra></extra>",
        )  # fmt: skip
    if shown is not None:
        figure.add_vline(x=axis.at(shown), line={"color": "#999999", "dash": "dot", "width": 2})
    axis.apply(figure)
    figure.update_xaxes(title="alpha (stricter to the right)")
    figure.update_yaxes(visible=False)
    figure.update_layout(barmode="overlay", height=110, margin={"l": 4, "r": 4, "t": 4, "b": 4}, showlegend=False)
    return figure, phrase(
        "{text}; the path has {solutions} from {top} to {low}",
        text=text,
        solutions=Count(len(log_alphas), "solution"),
        top=top_text,
        low=format_level(log_alphas[-1]),
    )


def _bar(color: str, opacity: float) -> dict:
    return {"marker": {"color": color, "opacity": opacity}, "hoverinfo": "skip", "showlegend": False}


def phi_heat_map(result: LearnResult, rows: Sequence[int], columns: Sequence[int]) -> tuple[go.Figure, str]:
    """Draw log10 Φ of each pair: light for independent pairs, dark for pairs that no set separates.

    `customdata` of a cell is ``row * p + column``. Lines separate the clusters.
    """
    evidence, alpha = path_of(result), math.log10(result.params["alpha"])
    rows, columns = np.array(rows), np.array(columns)
    labels = axis_labels(result.names)
    i, j = (one.ravel() for one in np.meshgrid(rows, columns, indexing="ij"))
    i, j = i[i != j], j[i != j]
    values = evidence.log_phi[i, j] / LN10
    words = [_cell(result, labels, a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True)]
    figure = pair_map(
        MapCells(i, j, np.clip(values, FAINTEST, 0.0), words),
        labels,
        rows,
        columns,
        zmin=FAINTEST,
        zmax=0.0,
        # The colours change at alpha, because pairs above it are separated.
        colorscale=[
            [0.0, "#08306b"],
            [max(0.01, 0.7 * _share(alpha)), "#4292c6"],
            [_share(alpha), "#9ecae1"],
            [min(0.999, _share(alpha) + 1e-6), "#f3e3c3"],
            [1.0, "#fbf6ea"],
        ],
        colorbar=colour_bar("Φ, largest p")
        | {
            "tickvals": [0, alpha, -5, -10, FAINTEST],
            "ticktext": ["1", format_setting(result.params["alpha"]), "1e-5", "1e-10", "1e-15 or less"],
        },
    )
    add_borders(figure, evidence.labels[rows], evidence.labels[columns])
    n_kept = int((values <= alpha).sum())
    alt = f"Heat map of the largest p of each pair, {len(rows)} by {len(columns)} variables in the order of clusters; "
    return figure, alt + f"{n_kept} of its cells are at most alpha"


def _share(log10: float) -> float:
    return 1 - log10 / FAINTEST


def _cell(result: LearnResult, labels: Sequence[str], i: int, j: int) -> str:
    evidence = path_of(result)
    cond, log_phi = evidence.hardest.between(i, j), float(evidence.log_phi[i, j])
    pair = f"{labels[i]} and {labels[j]}"
    if math.isnan(log_phi) or cond is None:
        return f"{pair}<br>not tested: set by your knowledge"
    verdict = "adjacent" if log_phi <= math.log(result.params["alpha"]) else "separated"
    given = plain(format_set(cond, result.names), 80)
    return f"{pair}<br>Φ = {format_p(log_phi)}, given {given}<br>{verdict} at the level of the run"
