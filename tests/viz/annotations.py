"""Annotations of figures whose place lies outside the values that the figure shows."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go


def annotations_outside(figure: go.Figure) -> list[str]:
    """Return the texts of annotations that would widen an axis beyond its traces and lines.

    On a logarithmic axis Plotly takes the place of an annotation as a power of ten, but that of a line as a value.
    """
    found = []
    for name in ("x", "y"):
        values = [np.asarray(trace[name], dtype=float) for trace in figure.data if trace[name] is not None]
        lines = [
            line[end] for line in figure.layout.shapes if line[f"{name}ref"] == name for end in (f"{name}0", f"{name}1")
        ]
        shown = np.concatenate([*values, np.asarray(lines, dtype=float)])
        axis = figure.layout[f"{name}axis"]
        if axis.type == "log":
            shown = np.log10(shown[shown > 0])
        if axis.range is not None:
            shown = np.array(axis.range, dtype=float)
        for one in figure.layout.annotations:
            at = one[name]
            if (
                one[f"{name}ref"] in (None, name)
                and at is not None
                and not shown.min() - 0.5 <= at <= shown.max() + 0.5
            ):
                found.append(one.text)
    return found
