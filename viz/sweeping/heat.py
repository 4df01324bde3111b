"""A number over two parameters as a heat map."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from learners.common.wording import format_number
from learners.sweeping.curves import Curve

from ..figures import axis_labels, named_axis, plain
from .strip import Axis

SQUARE, MIN_SQUARE = 26, 10  # pixels from one square to the next, and their minimum
AROUND = 110  # pixels for axes and title


def heat_figure(curve: Curve, first: Axis, second: Axis, here: int | None) -> tuple[go.Figure, str]:
    """Draw the squares; `customdata` is the position in row-major order. Return the figure and a text.

    Parameters
    ----------
    curve : Curve
        One number for each pair of values, row after row; NaN where it is not known (yet).
    first, second : Axis
        Axes of the rows and of the columns.
    here : int, optional
        Position of the run on screen, marked by a ring. A star marks the best value, if one end is better.
    """
    rows, columns = len(first.texts), len(second.texts)
    at, known = np.arange(rows * columns), ~np.isnan(curve.values)
    texts = [f"{plain(a)}, {plain(b)}" for a in first.texts for b in second.texts]
    best = curve.best_position()
    figure = go.Figure(
        go.Scatter(
            x=(at // columns)[known],
            y=(at % columns)[known],
            customdata=at[known],
            mode="markers",
            marker={
                "symbol": "square",
                "size": max(MIN_SQUARE, SQUARE - 6),
                "color": curve.values[known],
                "colorscale": "Viridis",
                **_shades(curve, known),
                "showscale": True,
            },
            text=[f"{texts[k]}: {format_number(curve.values[k])}" for k in at[known].tolist()],
            hoverinfo="text",
        )
    )
    for position, symbol, colour in ((best, "star", "#D55E00"), (here, "circle-open", "#D55E00")):
        if position is not None:
            figure.add_scatter(
                x=[position // columns], y=[position % columns], mode="markers", hoverinfo="skip",
                marker={"symbol": symbol, "size": 14, "color": colour, "line": {"width": 3}},
            )  # fmt: skip
    figure.update_xaxes(title=plain(first.label), **named_axis(axis_labels(first.texts)), range=[-0.6, rows - 0.4])
    figure.update_yaxes(title=plain(second.label), **named_axis(axis_labels(second.texts)), range=[-0.6, columns - 0.4])
    figure.update_layout(
        showlegend=False, height=AROUND + SQUARE * max(4, columns), margin={"l": 10, "r": 10, "t": 10, "b": 10}
    )
    description = (
        f"{curve.label} along {first.label} and {second.label}: {int(known.sum())} of {len(known)} pairs of values"
    )
    return figure, description if best is None else f"{description}, best at {texts[best]}"


def _shades(curve: Curve, known: np.ndarray) -> dict[str, float]:
    """Return colour limits at which a few extreme values at the bad end do not hide the other differences."""
    if not known.any():
        return {}
    low, few, many, high = np.quantile(curve.values[known], (0.0, 0.25, 0.75, 1.0)).tolist()
    return {"cmin": few if curve.best == "max" else low, "cmax": many if curve.best == "min" else high}
