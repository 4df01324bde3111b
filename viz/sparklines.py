"""Sparklines: the distribution of a column as bars in a table cell."""

from __future__ import annotations

import numpy as np

from learners.data.arrow_arrays import to_arrow
from learners.data.column_types.cells import Cells
from learners.data.normal_scores import normal_scores
from learners.data.plan.binning import cut_points
from learners.data.plan.plan import ColumnPlan
from learners.data.plan.preparation import natural_order

BARS = 12
MAX_RANKED = 20_000  # maximum number of cells for which normal scores are drawn; the bell looks the same with more


def bar_heights(cells: Cells, column: ColumnPlan) -> list[float]:
    """Return up to `BARS` bar heights, scaled to 1, of a column as its plan uses it; [] if it is ignored or empty.

    Numbers are sorted by value, levels by their order, or by frequency if they have none.
    """
    if column.kind == "ignore":
        return []
    kept = ~cells.among(column.missing)
    if column.kind == "continuous" or column.binning is not None:
        kept &= np.isfinite(cells.numbers)
        heights = _of_numbers(cells.numbers[kept], cells.counts[kept], column)
    elif column.ordered:
        order = natural_order(cells.texts.filter(to_arrow(kept)).to_pylist(), cells.numbers[kept], column.order)
        heights = cells.counts[kept][order][:BARS]
    else:
        heights = np.sort(cells.counts[kept])[::-1][:BARS]
    return (heights / heights.max()).round(3).tolist() if len(heights) else []


def missing_share(cells: Cells, column: ColumnPlan) -> float:
    """Return the share of missing cells."""
    return float(cells.counts[cells.among(column.missing)].sum() / max(len(cells.codes), 1))


def n_values(cells: Cells, column: ColumnPlan) -> int:
    """Return the number of different values without missing cells; equal numbers in different texts count once."""
    there = ~cells.among(column.missing)
    return len(np.unique(cells.numbers[there])) if column.kind == "continuous" else int(there.sum())


def _of_numbers(numbers: np.ndarray, counts: np.ndarray, column: ColumnPlan) -> np.ndarray:
    if not len(numbers):
        return np.empty(0)
    if column.binning is not None:
        cuts = cut_points(np.repeat(numbers, counts), column.binning)
        return np.bincount(np.searchsorted(cuts, numbers, side="right"), counts)[:BARS]
    if column.normal_scores and counts.sum() <= MAX_RANKED:
        numbers, counts = normal_scores(np.repeat(numbers, counts)), None
    # Halved, because the range of the numbers may overflow.
    return np.histogram(numbers / 2, BARS, weights=counts)[0]
