"""Callouts of RAI and B-RAI."""

from __future__ import annotations

from learners.results.result import LearnResult

from ..text import count

CAP = 100  # maximum number of classes counted


def graphs_callout(result: LearnResult) -> str:
    """Count the graphs of the tree."""
    n = result.extra.n_classes(CAP)
    if n == 1:
        return "All resamples give the same graph."
    more = "at least " if n >= CAP else ""
    return f"The resamples give {more}{count(n, 'different graph')}; probabilities are averages over the best."


def split_callout(result: LearnResult) -> str | None:
    """Describe the first call with more than one group."""
    call = next((call for call in result.extra.calls if len(call.groups) > 1), None)
    if call is None:
        return None
    sizes = ", ".join(str(len(group)) for group in call.groups[:-1])
    given = count(call.size, "variable") if call.size else "nothing"
    ancestors = "a group" if len(call.groups) == 2 else f"{len(call.groups) - 1} groups"
    return (
        f"After the tests given {given}, the graph splits into {ancestors} of {sizes} and their descendants, "
        f"{len(call.groups[-1])}; each is refined separately, which saves tests."
    )
