"""Tests without degrees of freedom, because the conditioning set determines one of the two variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..results.events import Event
from .record import Caveat, Listed, Node, Nodes, caveat, say

if TYPE_CHECKING:
    from ..data.dataset import Dataset


def without_freedom(removal: Event, dataset: Dataset | None) -> Caveat:
    """Explain a test without degrees of freedom, and name the variable that the set determines."""
    pair = [k for k in (removal.i, removal.j) if dataset is not None and _is_determined(dataset, k, removal.cond)]
    within = say("Within the groups of {set}", set=Nodes(removal.cond)) if removal.cond else say("In these rows")
    verb = {0: "one of the two does not vary", 1: "{which} does not vary", 2: "{which} do not vary"}[len(pair)]
    which = Listed([Node(k) for k in pair], " and ")
    return caveat(
        "{within}, {fixed} (dof 0), so this test is uninformative.",
        within=within,
        fixed=say(verb, which=which),
    )


def _is_determined(dataset: Dataset, k: int, cond: Sequence[int]) -> bool:
    """Return True if column k has one level in each group of `cond`, all of them categorical."""
    if any(dataset.kinds[j] != "categorical" for j in (k, *cond)):
        return False
    dataset, k, cond = dataset.available((k, *cond)), 0, range(1, 1 + len(cond))
    group = np.zeros(dataset.n_rows, dtype=np.int64)
    for c in cond:
        # Renumbered at each variable, because many levels of many variables would overflow.
        group = np.unique(group * int(dataset.arity[c]) + dataset.codes[c], return_inverse=True)[1]
    groups = int(group.max(initial=0)) + 1
    first = np.zeros(groups, dtype=np.int64)
    first[group] = dataset.codes[k]  # an arbitrary row of the group
    return bool((first[group] == dataset.codes[k]).all())
