"""Tables that compare published values and claims with ours."""

from __future__ import annotations

import math
import re

import pandas as pd

from .experiment import Experiment
from .notes import OPEN, note_on
from .summary import by_cell, margin

WITHIN, BEYOND, UNKNOWN = "within the spread", "beyond the spread", "one data set: spread unknown"
HOLDS, TIE, AGAINST, NO_FIGURES = "holds", "no clear difference", "the other way", "no figures"
DIFFER = (BEYOND, AGAINST)
CLEAR = 2.0  # standard errors from 0 beyond which a difference is clear
PRINTED = re.compile(r"(?P<mean>[-+]?[\d.]+)(?: ± (?P<spread>[\d.]+))?(?P<minutes> min)?")
KEY = ["cell", "method", "metric"]


def compared(experiment: Experiment, rows: pd.DataFrame) -> pd.DataFrame:
    """Return a line for each cell, method and metric.

    Returns
    -------
    DataFrame
        `cell`, `method`, `metric`; `ours` and `spread`, mean and standard deviation over `networks` data sets; `paper`
        and `paper's spread` as printed, in the same units; `verdict`, empty without a comparison; and a
        `note` where our values differ. A difference is beyond the spread if it is larger than both standard
        deviations together.
    """
    rows = by_cell(experiment.derive(rows))
    ours = rows.groupby(KEY, sort=False)["value"].agg(ours="mean", spread="std", networks="count")
    said = pd.DataFrame(
        [(*key, *printed_numbers(text)) for key, text in experiment.printed.items()],
        columns=[*KEY, "paper", "paper's spread"],
    ).set_index(KEY)
    # First our values in the order of their rows, then the values that only the paper has.
    table = ours.join(said).reset_index()
    rest = said.loc[~said.index.isin(ours.index)].reset_index()
    if len(rest):
        table = pd.concat([table, rest.assign(networks=0)], ignore_index=True) if len(table) else rest.assign(
            ours=math.nan, spread=math.nan, networks=0
        )  # fmt: skip
    table["networks"] = table["networks"].astype(int)
    table["verdict"] = [_verdict(*one) for one in table[["ours", "spread", "paper", "paper's spread"]].to_numpy(float)]
    table["note"] = _notes(experiment, table)
    return table[[*KEY, "ours", "spread", "networks", "paper", "paper's spread", "verdict", "note"]]


def held(experiment: Experiment, rows: pd.DataFrame) -> pd.DataFrame:
    """Return a line for each claim and cell: its margin over networks, `verdict`, and a `note` if it fails.

    A difference is clear if its mean is more than `CLEAR` standard errors from 0.
    """
    rows = by_cell(experiment.derive(rows))
    lines = []
    for cell, inside in rows.groupby("cell", sort=False):
        for claim in (one for one in experiment.claims if one.where in str(cell)):
            mean, error, won, count = margin(claim, inside)
            verdict = _claim_verdict(mean, error, count)
            method = f"{claim.better} - {claim.worse}"
            lines.append((str(cell), method, claim.metric, mean, error, f"{won} of {count}", verdict))
    table = pd.DataFrame(lines, columns=[*KEY, "difference", "standard error", "above 0", "verdict"])
    return table.assign(note=_notes(experiment, table))


def printed_numbers(text: str) -> tuple[float, float]:
    """Return mean and spread (NaN if not printed) of a printed figure; minutes as seconds."""
    found = PRINTED.fullmatch(text)
    unit = 60.0 if found["minutes"] else 1.0
    return unit * float(found["mean"]), unit * float(found["spread"] or math.nan)


def _notes(experiment: Experiment, table: pd.DataFrame) -> list[str]:
    """Return the reason for each difference from the paper, or the known facts if the reason is unknown."""
    notes = []
    for one in table.itertuples():
        known = note_on(experiment.name, one.cell, one.method, one.metric)
        notes.append((known or OPEN) if one.verdict in DIFFER else known if one.verdict == UNKNOWN else "")
    return notes


def _verdict(ours: float, spread: float, paper: float, its_spread: float) -> str:
    if math.isnan(ours) or math.isnan(paper):
        return ""
    if math.isnan(spread) and math.isnan(its_spread):
        return UNKNOWN
    room = sum(one for one in (spread, its_spread) if not math.isnan(one))
    return WITHIN if abs(ours - paper) <= room else BEYOND


def _claim_verdict(mean: float, error: float, count: int) -> str:
    if not count:
        return NO_FIGURES
    if count == 1:
        return UNKNOWN
    if abs(mean) <= CLEAR * error:
        return TIE
    return HOLDS if mean > 0 else AGAINST
