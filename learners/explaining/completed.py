"""Effect of completed cells on a pair of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..results.result import LearnResult
from .record import Count, Sentence, caveat, say

if TYPE_CHECKING:
    from ..data.dataset import Dataset


def completed_sentences(result: LearnResult, x: int, y: int, dataset: Dataset | None) -> list[Sentence]:
    """Return sentences on missing cells of two variables; none if no cell of theirs was completed."""
    completed = result.completed
    if completed is None or not completed.missing[[x, y]].any():
        return []
    found = []
    if dataset is not None:
        both = int((dataset.is_there(x) & dataset.is_there(y)).sum())
        found.append(
            say(
                "{both} of {rows} have both values; missing cells were completed.",
                both=both,
                rows=Count(dataset.n_rows, "row"),
            )
        )
    if completed.adjacent is not None:
        m = completed.networks
        k = round(float(completed.adjacent[x, y]) * m)
        found.append(say("Of the {m} learned for the completion, {k} have this edge.", m=Count(m, "network"), k=k))
    found.append(
        caveat(
            "This assumes that missingness depends only on observed cells (missing at random). The data cannot "
            "verify it."
        )
    )
    return found
