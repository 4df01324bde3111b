"""What is said of the missing cells of a data set."""

from __future__ import annotations

import numpy as np

from ..common.wording import quoted_columns
from .dataset import Dataset


def said_of_holes(dataset: Dataset) -> str:
    """How many cells are missing, where, and how many rows have all."""
    holes = [~dataset.is_there(j) for j in range(dataset.p)]
    names = [name for name, some in zip(dataset.names, dataset.incomplete, strict=True) if some]
    cells = int(np.sum(holes))
    whole = int((~np.any(holes, axis=0)).sum())
    return (
        f"{cells:,} cell{'s' * (cells > 1)} of {quoted_columns(names)} {'are' if cells > 1 else 'is'} left missing: "
        f"each test uses the rows that have its columns; {whole:,} of {dataset.n:,} rows have all"
    )
