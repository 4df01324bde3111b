"""The table or the equation of a node, to look at and to edit."""

from __future__ import annotations

from itertools import product

import pandas as pd

from learners.networks.draft import Draft


def editable(draft: Draft, name: str) -> pd.DataFrame | None:
    """A row for each configuration of the categorical parents, with what `Draft.with_table` takes.

    Of levels their probabilities, of a number its intercept, the effects of its parents and the variance of its noise;
    None where neither table nor equation holds what the strengths make: of levels with a number among their parents.
    """
    numbers = draft.table(name)
    if numbers is None:
        return None
    parents = draft.parents(name)
    levels = [one for one in parents if draft.nodes[one]]
    columns = list(draft.nodes[name]) or [
        "intercept", *(f"effect of {one}" for one in parents if not draft.nodes[one]), "variance",
    ]  # fmt: skip
    rows = [
        ", ".join(f"{one} = {level}" for one, level in zip(levels, row, strict=True)) or "-"
        for row in product(*(draft.nodes[one] for one in levels))
    ]
    return pd.DataFrame(numbers, columns=columns, index=pd.Index(rows, name="given"))
