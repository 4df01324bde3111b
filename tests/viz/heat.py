"""Reader for the cells of a heat map."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go


def cells_of(figure: go.Figure) -> np.ndarray:
    """Return the cells as displayed, as a (rows, columns) float array with NaN in empty cells."""
    heat = figure.data[0]
    values = np.full([len(figure.layout[axis].categoryarray) for axis in ("yaxis", "xaxis")], np.nan)
    for x, y, z in zip(heat.x.tolist(), heat.y.tolist(), heat.z.tolist(), strict=True):
        values[y, x] = z
    return values
