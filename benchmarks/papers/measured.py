"""Measured accuracy for Recommend, from the rows of the experiment `accuracy`: ``python -m benchmarks measured``."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from learners.choosing.benchmark_results import COLUMNS, PATH

from .accuracy import ACCURACY, KINDS, OURS, takes, variables_of
from .archive import stored_rows
from .experiment import Piece, label
from .summary import by_cell

METRICS = {"JI": "graph", "average precision": "ranking", "Brier": "probabilities", "seconds": "seconds"}


def main(_argv: Sequence[str] | None = None) -> None:
    """Write the table to the folder of the library module that reads it."""
    PATH.write_text(measured(stored_rows(ACCURACY.name)))
    print(f"{PATH.name}: {len(PATH.read_text().splitlines()) - 1} lines")


def measured(rows: pd.DataFrame) -> str:
    """Return CSV: a line for each cell and each of our learners that ran on its samples.

    Cells with missing values are left out, because their runs were stored before learners imputed cells: each test or
    score used the rows complete for its columns.
    """
    rows = by_cell(ACCURACY.derive(rows))
    rows = rows[rows["method"].isin([one.name for one in OURS]) & rows["metric"].isin(METRICS)]
    lines = [
        line
        for cell in ACCURACY.cells
        if "missing" not in cell
        for line in _of_cell(cell, rows[rows["cell"] == label(cell)])
    ]
    return pd.DataFrame(lines, columns=COLUMNS).to_csv(index=False, float_format="%.4g", lineterminator="\n")


def _of_cell(cell: Piece, rows: pd.DataFrame) -> list[dict]:
    """Return means over the samples that all learners completed; an unfinished run is missing for all of them.

    A learner without any run in the cell, because it did not accept such tables when the runs were stored, is left out.
    """
    wanted = {one.name for one in OURS if takes(one, cell)} & set(rows["method"])
    done = rows.groupby("seed")["method"].agg(set)
    seeds = [seed for seed, methods in done.items() if methods >= wanted]
    rows = rows[rows["seed"].isin(seeds)]
    if not seeds:
        return []
    means = rows.groupby(["method", "metric"])["value"].agg(lambda values: values.mean(skipna=False)).unstack()
    shape = {"table": label(cell), "kind": KINDS[cell["kind"]], "columns": variables_of(cell), "rows": cell["n"]}
    shape |= {"missing": 0.0, "samples": len(seeds)}
    return [
        {**shape, "learner": one.name, **{name: means.at[one.name, metric] for metric, name in METRICS.items()}}
        for one in OURS
        if one.name in wanted
    ]
