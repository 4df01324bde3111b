"""The rows of a data set, for a file that includes them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from learners.data.dataset import Dataset
from learners.io.edge_csv import guarded


def data_pack(dataset: Dataset) -> dict[str, str]:
    """Return the columns that the run used as the text of a CSV file, guarded against formulas.

    Weights of the rows follow as a last column without a name.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([guarded(name) for name in dataset.names] + ([] if dataset.weights is None else [""]))
    columns = [_cells(dataset, j) for j in range(dataset.p)]
    columns += [] if dataset.weights is None else [map(repr, dataset.weights.tolist())]
    writer.writerows(zip(*columns, strict=True))
    return {"csv": target.getvalue()}


def _cells(dataset: Dataset, j: int) -> Iterator[str]:
    """Yield the cells of a column as text; a missing cell is empty."""
    place = dataset.place[j]
    values = dataset.codes[place] if dataset.kinds[j] == "categorical" else dataset.values[:, place]
    levels = dataset.levels[place] if dataset.kinds[j] == "categorical" else None
    for value, there in zip(values.tolist(), dataset.is_there(j).tolist(), strict=True):
        yield "" if not there else repr(value) if levels is None else guarded(levels[value])
