"""Categorical columns that two others determine, such as their sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from ...common.wording import quoted
from ..column_types.guess import ROWS_PER_LEVEL
from ..dataset import Dataset
from .finding import Finding, leave_out, warning
from .inspection import Inspection
from .level_counts import level_counts
from .registry import check
from .sample_size import MIN_ROWS

MAX_COLUMNS = 30  # columns up to which pairs that determine a third are searched
HEAD_ROWS = 500  # rows that rule out nearly every such pair


@check("determined", needs_rows=True)
def determined(inspection: Inspection) -> list[Finding]:
    """Return a warning for each column that two others determine; tests given these two are uninformative."""
    dataset = inspection.levels
    if dataset is None:
        return []
    counts = inspection.once(level_counts)
    without = {*counts.constant, *counts.id_like, *counts.many}
    columns = [j for j, name in enumerate(dataset.names) if name not in without]
    if len(columns) > MAX_COLUMNS or dataset.n_rows < MIN_ROWS:
        return []
    found = []
    for target, pair in determined_columns(dataset, columns):
        name, causes = dataset.names[target], [dataset.names[k] for k in pair]
        reason = (
            f"column {quoted([name])} is determined by {quoted(causes)}. Tests given both have no information about "
            "it, and may miss its links."
        )
        found.append(warning("determined", (name,), reason, leave_out(inspection.plan, (name,))))
    return found


def determined_columns(dataset: Dataset, columns: Sequence[int]) -> list[tuple[int, tuple[int, int]]]:
    """Return the columns that two others determine together but not alone, each with the first such pair.

    Parameters
    ----------
    dataset : Dataset
        Categorical.
    columns : sequence of int
        Columns that are compared.
    """
    codes = dataset.codes[columns].astype(np.int64)
    head, size = codes[:, :HEAD_ROWS], [int(dataset.states[j]) for j in columns]
    by_one = {(a, c) for a, c in permutations(range(len(columns)), 2) if _fixes(codes[a], codes[c], size[a], size[c])}
    found: dict[int, tuple[int, int]] = {}
    for a, b in combinations(range(len(columns)), 2):
        groups = size[a] * size[b]
        # Groups of one or two rows are constant by chance.
        if groups * ROWS_PER_LEVEL > dataset.n_rows:
            continue
        group = head[a] * size[b] + head[b]
        for c in range(len(columns)):
            if c in found or c in (a, b) or (a, c) in by_one or (b, c) in by_one:
                continue
            # The first rows decide nearly every case.
            if _fixes(group, head[c], groups, size[c]):
                whole = codes[a] * size[b] + codes[b]
                if _fixes(whole, codes[c], groups, size[c]):
                    found[c] = (a, b)
    return [(int(columns[c]), (int(columns[a]), int(columns[b]))) for c, (a, b) in sorted(found.items())]


def _fixes(group: np.ndarray, codes: np.ndarray, n_groups: int, arity: int) -> bool:
    """Return True if `codes` has at most one level in each group."""
    cells = np.bincount(group * arity + codes, minlength=n_groups * arity).reshape(n_groups, arity)
    return bool((np.count_nonzero(cells, axis=1) <= 1).all())
