"""Figures as a table on screen and as rows of results.csv."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results.csv"
COLUMNS = (
    *("date", "measurement", "contender", "version", "python", "cpu", "cores", "threads", "load", "n", "p"),
    *(
        "seconds",
        "fastest",
        "cpu_seconds",
        "repeats",
        "ratio",
        "peak_mb",
        "n_tests",
        "edges",
        "same",
        "tp",
        "fp",
        "fn",
        "ji",
        "score",
        "note",
    ),
)
SHOWN = {  # heading -> (column, format)
    "program": ("contender", "{}"),
    "version": ("version", "{}"),
    "seconds": ("seconds", "{:#.3g}"),
    "on a core": ("cpu_seconds", "{:#.3g}"),
    "ratio": ("ratio", "{:#.3g}"),
    "MB": ("peak_mb", "{:.0f}"),
    "tests": ("n_tests", "{:,}"),
    "edges": ("edges", "{}"),
    "same": ("same", "{:.3f}"),
    "TP": ("tp", "{}"),
    "FP": ("fp", "{}"),
    "FN": ("fn", "{}"),
    "JI": ("ji", "{:.3f}"),
    "BIC": ("score", "{:.1f}"),
    "note": ("note", "{}"),
}
LEFT = ("program", "version", "note")


def table(rows: list[Mapping[str, Any]]) -> str:
    """Return the rows of one measurement without the columns that are empty in all of them."""
    cells = {heading: [_cell(row, *shown) for row in rows] for heading, shown in SHOWN.items()}
    cells = {heading: texts for heading, texts in cells.items() if any(texts)}
    lines = [list(cells), *map(list, zip(*cells.values(), strict=True))]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    sides = ["<" if heading in LEFT else ">" for heading in cells]
    return "\n".join(
        "  ".join(f"{text:{side}{width}}" for text, side, width in zip(line, sides, widths, strict=True)).rstrip()
        for line in lines
    )


def _cell(row: Mapping[str, Any], column: str, form: str) -> str:
    value = row.get(column)
    if value is None or value == "":
        return ""
    return str(value) if isinstance(value, str) else form.format(value)


def append(rows: list[Mapping[str, Any]], path: Path = RESULTS) -> None:
    """Append rows to the file, whose first line contains the column names.

    Raises
    ------
    ValueError
        If the file has other columns.
    """
    new = not path.exists()
    if not new and path.read_text(encoding="utf-8").split("\n", 1)[0].strip() != ",".join(COLUMNS):
        raise ValueError(f"{path.name} must have the columns {', '.join(COLUMNS)}; rename the old file")
    with path.open("a", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS)
        if new:
            writer.writeheader()
        writer.writerows([{key: _stored(value) for key, value in row.items()} for row in rows])


def _stored(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value
