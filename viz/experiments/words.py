"""Sentences about an experiment: cell names, abbreviations, verdicts and reasons for differences."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from ..text import count

MAX_NAMED = 4
WITHOUT_NAME = ("kind", "network")  # parameters of which only the value is shown
MEANINGS = {
    "TPR": "true positive rate: share of the true edges that are found (in a CPDAG with their direction)",
    "FPR": "false positive rate: share of the truly non-adjacent pairs that are found adjacent",
    "auROC": "area under the curve of TPR by FPR up to the given FPR, divided by its maximum",
    "JI": "Jaccard index: correct edges (with direction) divided by the edges of either graph",
    "SHD": "structural Hamming distance: number of pairs whose edge differs between two graphs",
    "Brier": "Brier score: mean squared error of the probabilities, 0 is best",
    "average precision": "mean precision at each true edge of the ranking",
    "HGI": "hybrid greedy initialization: the skeleton oriented greedily by the score, as the start of a search",
    "HC": "hill climbing",
    "GSC": "hill climbing within the skeleton, starting from the empty graph",
    "CIG": "conditional independence graph: pairs that are dependent given all other variables",
}


def cell_label(cell: str) -> str:
    """Return the parameters of a cell as text: "network=alarm n=500" becomes "alarm, n = 500"."""
    parts = (part.partition("=") for part in cell.split())
    return ", ".join(value if name in WITHOUT_NAME else f"{name} = {value}" for name, _, value in parts)


def meanings(names: str) -> str:
    """Return the meanings of the abbreviations in `names`, or ""."""
    found = (f"{short}, {meaning}" for short, meaning in MEANINGS.items() if re.search(rf"\b{short}\b", names))
    return "; ".join(found)


def tally(verdicts: pd.Series) -> dict[str, int]:
    """Return the number of cases of each verdict, the most frequent first."""
    counts = verdicts[verdicts != ""].value_counts()
    return {str(verdict): int(number) for verdict, number in counts.items()}


def reasons(table: pd.DataFrame) -> list[str]:
    """Return one text for each note of a table with `cell`, `method`, `metric` and `note`: the cases, then the note."""
    noted = table[table["note"] != ""]
    return [f"{_cases(inside)}: {note}" for note, inside in noted.groupby("note", sort=False)]


def _cases(rows: pd.DataFrame) -> str:
    metrics = _named(rows["metric"].unique())
    methods, cells = _named(rows["method"].unique()), _named([cell_label(cell) for cell in rows["cell"].unique()])
    return f"{count(len(rows), 'value')}, {metrics} of {methods} ({cells})"


def _named(names: Sequence[str]) -> str:
    shown = "; ".join(names[:MAX_NAMED])
    return shown if len(names) <= MAX_NAMED else f"{shown} and {len(names) - MAX_NAMED} more"
