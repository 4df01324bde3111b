"""Side-by-side evidence on one pair from several runs on the same table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from learners.common.sentences import Edge
from learners.explaining.explanation import explanation
from learners.results.result import LearnResult

from ..figures import BLUE, ORANGE, axis_labels
from ..kinds import kind_of
from ..text import format_p, format_probability
from .features import EDGE, calibrated_values, pair_shares
from .words import EdgeMeasure, draws_of

PROBABILITY, P_VALUE, NONE = "P(edge)", "largest p", "no number"
COLUMNS = (
    *("run", "number", "value", "exactly", "95% from", "to at most", "calibrated", "forward", "backward"),
    "in its graph",
)


def side_by_side(runs: Sequence[tuple[str, LearnResult]], a: str, b: str) -> pd.DataFrame:
    """Return a row for each run: its number for the pair a, b with an interval, and the mark in its graph.

    Parameters
    ----------
    runs : sequence of (str, LearnResult)
        Titles and results; each has both variables.
    a, b : str
    """
    return pd.DataFrame([_row(title, result, a, b) for title, result in runs], columns=list(COLUMNS))


def _row(title: str, result: LearnResult, a: str, b: str) -> dict[str, str | float]:
    x, y = result.names.index(a), result.names.index(b)
    row = dict.fromkeys(COLUMNS, np.nan) | {"run": title, "in its graph": _mark(result, x, y)}
    posterior = result.posterior
    if posterior is not None:
        value = float(posterior.adjacent[x, y])
        unlimited = (np.nan, np.nan) if draws_of(result.extra) is None else (value, value)
        limits = result.strengths.limits
        low, high = unlimited if limits is None else (float(one[x, y]) for one in limits)
        calibrated = calibrated_values(EDGE, posterior, result)
        number, shares = kind_of(result).special_part(EdgeMeasure, result), pair_shares(posterior, x, y)
        named = PROBABILITY if number.symbol == "P" else number.name
        return row | {
            "number": named,
            "value": value,
            "exactly": format_probability(value),
            "95% from": low,
            "to at most": high,
            "calibrated": np.nan if calibrated is None else float(calibrated[x, y]),
            "forward": shares.get("->", np.nan),
            "backward": shares.get("<-", np.nan),
        }
    decisive = explanation(result, (x, y)).decisive
    if decisive is None or np.isnan(decisive.log_p):
        return row | {"number": NONE, "exactly": ""}
    return row | {"number": P_VALUE, "exactly": format_p(decisive.log_p)}


def _mark(result: LearnResult, x: int, y: int) -> str:
    mark = result.graph.mark(x, y)
    return "no edge" if mark == "none" else Edge(0, mark, 1).text(("x", "y"))


def evidence_figure(table: pd.DataFrame) -> tuple[go.Figure, str]:
    """Draw P(edge) with its 95% interval for each run that gives one; return the figure and a text with every row."""
    some = table[table["value"].notna()].iloc[::-1]
    labels = axis_labels(some["run"].tolist())
    figure = go.Figure(
        go.Scatter(
            x=some["value"], y=labels, mode="markers", marker={"size": 11, "color": BLUE},
            error_x={
                "array": some["to at most"] - some["value"], "arrayminus": some["value"] - some["95% from"],
                "color": ORANGE, "thickness": 3,
            },
            customdata=some["exactly"], hovertemplate="%{y}<br>P = %{customdata}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(range=[-0.03, 1.03], title="P(edge), or share of resamples")
    figure.update_layout(height=90 + 34 * len(some), margin={"l": 10, "r": 14, "t": 10, "b": 10}, showlegend=False)
    sentences = (
        f"{row['run']}: {row['number']} {row['exactly']}, {row['in its graph']}" for _, row in table.iterrows()
    )
    return figure, "; ".join(sentences)
