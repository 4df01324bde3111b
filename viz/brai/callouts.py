"""What is worth noticing in runs of RAI, B-RAI and the bootstrap."""

from __future__ import annotations

import numpy as np

from learners.results.result import LearnResult

from ..averaging.words import has_probabilities, is_autonomous, is_brai
from ..text import count, format_probability, shorten

OPEN = (0.05, 0.95)  # between these nothing is settled
CAP = 100  # classes counted


def autonomy_callouts(result: LearnResult) -> list[str | None]:
    """What is unsettled, how many graphs there are, and where the recursion first splits."""
    return [
        _unsettled(result) if has_probabilities(result) else None,
        _graphs(result) if is_brai(result) else None,
        _split(result) if is_autonomous(result) else None,
    ]


def _unsettled(result: LearnResult) -> str | None:
    """The pair whose number is nearest to one half."""
    values = np.triu(np.nan_to_num(result.strengths.values), 1)
    i, j = np.unravel_index(np.abs(values - 0.5).argmin(), values.shape)
    value = float(values[i, j])
    if not OPEN[0] < value < OPEN[1]:
        return None
    a, b = shorten(result.names[i]), shorten(result.names[j])
    if is_brai(result):
        return f"Whether {a} and {b} are joined is open: P = {format_probability(value)}. Drag the line to ask more."
    return f"{a} and {b} are joined in only {value:.0%} of the resamples: another sample might not join them."


def _graphs(result: LearnResult) -> str:
    n = result.extra.n_classes(CAP)
    if n == 1:
        return "All resamples lead to one and the same graph."
    more = "at least " if n >= CAP else ""
    return f"The resamples lead to {more}{count(n, 'different graph')}; probabilities are averages over the best."


def _split(result: LearnResult) -> str | None:
    """The first call that found more than one group."""
    call = next((call for call in result.extra.calls if len(call.groups) > 1), None)
    if call is None:
        return None
    sizes = ", ".join(str(len(group)) for group in call.groups[:-1])
    given = count(call.size, "variable") if call.size else "nothing"
    ancestors = "a group" if len(call.groups) == 2 else f"{len(call.groups) - 1} groups"
    return (
        f"After the tests given {given} the graph falls into {ancestors} of {sizes} and their descendants, "
        f"{len(call.groups[-1])}: each is refined alone, given its parents, which saves tests."
    )
