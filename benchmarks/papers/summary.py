"""Rows of an experiment as Markdown tables: mean and spread over networks, and tests of the paper's claims."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd

from .experiment import Claim, Experiment, MetricCurve


def summary(experiment: Experiment, rows: pd.DataFrame) -> str:
    """Return a table for each curve and metric, by the values of `Experiment.apart`, then one for the claims."""
    rows = by_cell(experiment.derive(rows))
    parts = []
    for inside in _apart(experiment.apart, rows):
        grids = (_curve_grid(curve, inside) for curve in experiment.curves)
        parts += [_table(grid) for grid in grids if len(grid) > 1]  # older rows may lack a curve
        metrics = [one for one in inside["metric"].unique() if not is_point(experiment, one)]
        grids = [_metric_grid(experiment, metric, inside) for metric in metrics]
        if experiment.claims:
            grids.append(_claim_grid(experiment.claims, inside))
        parts += [_table(_turned(grid) if experiment.apart else grid) for grid in grids]
    return "\n\n".join(parts)


def is_point(experiment: Experiment, metric: str) -> bool:
    """Return True if a metric is shown as part of a curve."""
    return any(not math.isnan(curve.place(metric)) for curve in experiment.curves)


def by_cell(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with their piece split into `cell` and `seed`."""
    return rows.assign(**rows["piece"].str.extract(r"^(?P<cell>.*) seed=(?P<seed>\d+)$"))


def margin(claim: Claim, rows: pd.DataFrame) -> tuple[float, float, int, int]:
    """Return the margin of a claim in the rows of one cell, network by network.

    Returns
    -------
    mean, error : float
        Mean of the differences and its standard error; NaN without a network, the error also with a single one.
    won, count : int
        Networks in which `better` is strictly better, and networks in which both have a figure.
    """
    values = rows[rows["metric"] == claim.metric].pivot(index="seed", columns="method", values="value")
    if not {claim.better, claim.worse} <= set(values.columns):
        return math.nan, math.nan, 0, 0
    differences = (values[claim.better] - values[claim.worse]).dropna()
    return differences.mean(), differences.sem(), int((differences > 0).sum()), len(differences)


def _apart(parameter: str, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the rows of each value of a parameter, or all rows without a parameter."""
    if not parameter:
        yield rows
        return
    values = rows["cell"].str.extract(rf"\b{parameter}=(\S+)", expand=False)
    for value in values.unique():
        yield rows[values == value]


def _metric_grid(experiment: Experiment, metric: str, rows: pd.DataFrame) -> list[list[str]]:
    rows = rows[rows["metric"] == metric]
    methods = list(rows["method"].unique())
    grid = [[metric, *methods]]
    for cell, inside in rows.groupby("cell", sort=False):
        texts = [str(cell)]
        for method in methods:
            printed = experiment.printed.get((str(cell), method, metric))
            texts.append(
                _spread(inside.loc[inside["method"] == method, "value"]) + (f" (paper {printed})" if printed else "")
            )
        grid.append(texts)
    return grid


def _curve_grid(curve: MetricCurve, rows: pd.DataFrame) -> list[list[str]]:
    """Return means: a line for each cell and method, a column for each point."""
    rows = rows.assign(at=[curve.place(metric) for metric in rows["metric"]]).dropna(subset="at")
    places = sorted(rows["at"].unique())
    grid = [[curve.title, *(f"{place:g}" for place in places)]]
    for (cell, method), inside in rows.groupby(["cell", "method"], sort=False):
        points = (_mean(inside.loc[inside["at"] == place, "value"]) for place in places)
        grid.append([f"{cell}: {method}", *points])
    return grid


def _claim_grid(claims: tuple[Claim, ...], rows: pd.DataFrame) -> list[list[str]]:
    grid = [["claimed > 0", *(f"{claim.better} - {claim.worse}, {claim.metric}" for claim in claims)]]
    for cell, inside in rows.groupby("cell", sort=False):
        texts = (_margin_text(*margin(claim, inside)) if claim.where in str(cell) else "" for claim in claims)
        grid.append([str(cell), *texts])
    return grid


def _margin_text(mean: float, error: float, won: int, count: int) -> str:
    if not count:
        return "-"
    spread = f" ± {error:.3f}" if count > 1 else ""
    return f"{mean:+.3f}{spread} ({won} of {count})"


def _spread(values: pd.Series) -> str:
    """Format mean ± standard deviation, with the number of networks in brackets if some have no figure."""
    known = values.dropna()
    if len(known) < 2:
        return _mean(values)
    return f"{_rounded(known.mean())} ± {_rounded(known.std())}{_share(values)}"


def _mean(values: pd.Series) -> str:
    """Format the mean without its spread."""
    known = values.dropna()
    return "-" if known.empty else _rounded(known.mean()) + _share(values)


def _share(values: pd.Series) -> str:
    known = values.notna().sum()
    return "" if known == len(values) else f" [{known} of {len(values)}]"


def _rounded(value: float) -> str:
    if 0.00005 <= abs(value) < 0.01:
        return f"{value:.4f}"
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def _turned(grid: list[list[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*grid, strict=True)]


def _table(grid: list[list[str]]) -> str:
    headings, *lines = grid
    ruler = ["---", *["--:"] * (len(headings) - 1)]
    return "\n".join("| " + " | ".join(texts) + " |" for texts in [headings, ruler, *lines])
