"""Rows of an experiment as Markdown tables: mean and spread over networks, and the paper's claims held against them."""

from __future__ import annotations

import math

import pandas as pd

from .experiment import Claim, Experiment


def summary(experiment: Experiment, rows: pd.DataFrame) -> str:
    """One table for each metric, then one for the claims; a line for each cell."""
    rows = by_cell(experiment.derive(rows))
    parts = [_metric_table(experiment, metric, rows) for metric in rows["metric"].unique()]
    if experiment.claims:
        parts.append(_claim_table(experiment.claims, rows))
    return "\n\n".join(parts)


def by_cell(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with their piece taken apart into `cell` and `seed`."""
    return rows.assign(**rows["piece"].str.extract(r"^(?P<cell>.*) seed=(?P<seed>\d+)$"))


def margin(claim: Claim, rows: pd.DataFrame) -> tuple[float, float, int, int]:
    """By how much a claim holds in the rows of one cell, network by network.

    Returns
    -------
    mean, error : float
        Of the differences, and the standard error of that mean; NaN where there is no network, or only one.
    won, count : int
        Networks in which `better` is strictly better, of those where both have a figure.
    """
    values = rows[rows["metric"] == claim.metric].pivot(index="seed", columns="method", values="value")
    if not {claim.better, claim.worse} <= set(values.columns):
        return math.nan, math.nan, 0, 0
    differences = (values[claim.better] - values[claim.worse]).dropna()
    return differences.mean(), differences.sem(), int((differences > 0).sum()), len(differences)


def _metric_table(experiment: Experiment, metric: str, rows: pd.DataFrame) -> str:
    rows = rows[rows["metric"] == metric]
    methods = list(rows["method"].unique())
    lines = []
    for cell, inside in rows.groupby("cell", sort=False):
        texts = [str(cell)]
        for method in methods:
            said = experiment.printed.get((str(cell), method, metric))
            texts.append(
                _spread(inside.loc[inside["method"] == method, "value"]) + (f" (paper {said})" if said else "")
            )
        lines.append(texts)
    return _table([metric, *methods], lines)


def _claim_table(claims: tuple[Claim, ...], rows: pd.DataFrame) -> str:
    headings = [f"{claim.better} - {claim.worse}, {claim.metric}" for claim in claims]
    lines = []
    for cell, inside in rows.groupby("cell", sort=False):
        margins = [margin(claim, inside) for claim in claims]
        lines.append([str(cell), *(_margin_text(*figures) for figures in margins)])
    return _table(["claimed > 0", *headings], lines)


def _margin_text(mean: float, error: float, won: int, count: int) -> str:
    if not count:
        return "-"
    spread = f" ± {error:.3f}" if count > 1 else ""
    return f"{mean:+.3f}{spread} ({won} of {count})"


def _spread(values: pd.Series) -> str:
    """Mean ± standard deviation; in brackets how many networks have a figure, if not all."""
    known = values.dropna()
    if known.empty:
        return "-"
    text = f"{_rounded(known.mean())} ± {_rounded(known.std())}" if len(known) > 1 else _rounded(known.mean())
    return text if len(known) == len(values) else f"{text} [{len(known)} of {len(values)}]"


def _rounded(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def _table(headings: list[str], lines: list[list[str]]) -> str:
    ruler = ["---", *["--:"] * (len(headings) - 1)]
    return "\n".join("| " + " | ".join(texts) + " |" for texts in [headings, ruler, *lines])
