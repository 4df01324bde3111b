"""What is said of an experiment: its cells by name, how ours compare, and why they differ."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..text import count

MOST_NAMED = 4


def cell_label(cell: str) -> str:
    """A cell's parameters for a reader: "network=alarm n=500" as "alarm, n = 500"."""
    parts = (part.partition("=") for part in cell.split())
    return ", ".join(value if name == "network" else f"{name} = {value}" for name, _, value in parts)


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
