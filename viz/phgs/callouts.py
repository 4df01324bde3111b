"""What is worth noticing in a solution path."""

from __future__ import annotations

from learners.phgs.path_steps import path_of
from learners.results.result import LearnResult

from ..text import count
from .words import format_alpha, is_search, score_name


def path_callout(result: LearnResult) -> str:
    """One plain sentence for a newcomer: how many graphs one run gave, and which was chosen."""
    path = path_of(result).path
    first, last = (format_alpha(float(path.log_alphas[k])) for k in (0, -1))
    chosen = format_alpha(float(path.log_alphas[path.choice]))
    then = "; the search begins there" if is_search(result) else ""
    return (
        f"One run of tests, read at {count(len(path.graphs), 'level')} of alpha from {first} to {last}: the stricter, "
        f"the fewer edges. The graph at alpha = {chosen} has the best {score_name(result)}{then}."
    )
