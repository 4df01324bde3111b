"""Tests that had nothing to see, for the conditioning set determines one of the pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.data.dataset import Dataset
from learners.results.events import Event

from ..text import format_set, shorten


def nothing_to_see(removal: Event, names: Sequence[str], dataset: Dataset | None) -> str:
    """What a test without degrees of freedom means, and which of the pair the set determines."""
    pair = [k for k in (removal.i, removal.j) if dataset is not None and _is_fixed(dataset, k, removal.cond)]
    which = " and ".join(shorten(names[k]) for k in pair)
    fixed = f"{which} {'does' if len(pair) == 1 else 'do'} not vary" if pair else "one of the two does not vary"
    within = f"within the groups of {format_set(removal.cond, names)}" if removal.cond else "in these rows"
    return (
        f"But {within} {fixed}, so the test had nothing to see (dof 0): "
        "this removal says nothing about whether the two are linked."
    )


def _is_fixed(dataset: Dataset, k: int, cond: Sequence[int]) -> bool:
    """Whether column k holds one level within each group of `cond`, all of them categorical."""
    if any(dataset.kinds[j] != "categorical" for j in (k, *cond)):
        return False
    dataset, k, cond = dataset.available((k, *cond)), 0, range(1, 1 + len(cond))
    group = np.zeros(dataset.n_rows, dtype=np.int64)
    for c in cond:
        # Numbered anew at each variable, or many levels of many variables would overflow.
        group = np.unique(group * int(dataset.arity[c]) + dataset.codes[c], return_inverse=True)[1]
    groups = int(group.max(initial=0)) + 1
    first = np.zeros(groups, dtype=np.int64)
    first[group] = dataset.codes[k]  # any row of the group will do
    return bool((first[group] == dataset.codes[k]).all())
