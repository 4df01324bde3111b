"""What is said of an experiment: its cells by name, how ours compare, and why they differ."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from ..text import count

MOST_NAMED = 4
ALONE = ("kind", "network")  # parameters whose values say enough
MEANINGS = {
    "TPR": "true positive rate: the share of the true edges that were found, in a CPDAG with their direction",
    "FPR": "false positive rate: the share of the pairs not joined in the truth that were joined",
    "auROC": "area under the curve of TPR by FPR up to the FPR named, divided by the most it can be",
    "JI": "Jaccard index: edges that are right, directions included, divided by those that either graph has",
    "SHD": "structural Hamming distance: pairs whose edge differs between two graphs",
    "Brier": "Brier score: mean squared distance of probabilities from the truth, 0 is best",
    "average precision": "mean over the true edges of the share of true ones among the pairs ranked up to each",
    "HGI": "hybrid greedy initialization: the skeleton oriented greedily by the score, to start a search from",
    "HC": "hill climbing",
    "GSC": "hill climbing within the skeleton, from no edge",
    "CIG": "conditional independence graph: pairs that are dependent given all others",
}


def cell_label(cell: str) -> str:
    """A cell's parameters for a reader: "network=alarm n=500" as "alarm, n = 500"."""
    parts = (part.partition("=") for part in cell.split())
    return ", ".join(value if name in ALONE else f"{name} = {value}" for name, _, value in parts)


def meanings(names: str) -> str:
    """What the abbreviations in some names stand for; empty if there are none."""
    told = (f"{short}, {meaning}" for short, meaning in MEANINGS.items() if re.search(rf"\b{short}\b", names))
    return "; ".join(told)


def tally(verdicts: pd.Series) -> str:
    """How often each verdict was reached, in the order of their number; empty without any."""
    counts = verdicts[verdicts != ""].value_counts()
    return ", ".join(f"{number:,} {verdict}" for verdict, number in counts.items())


def reasons(table: pd.DataFrame) -> list[str]:
    """One text for each note of a table with `cell`, `method`, `metric` and `note`: whom it is about, then the note."""
    told = table[table["note"] != ""]
    return [f"{_about(inside)}: {note}" for note, inside in told.groupby("note", sort=False)]


def _about(told: pd.DataFrame) -> str:
    metrics = _named(told["metric"].unique())
    methods, cells = _named(told["method"].unique()), _named([cell_label(cell) for cell in told["cell"].unique()])
    return f"{count(len(told), 'figure')}, {metrics} of {methods} ({cells})"


def _named(names: Sequence[str]) -> str:
    shown = "; ".join(names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"
