"""The outcome of an optimal search within a skeleton."""

from __future__ import annotations

from ..common.sentences import Number, Sentence, say
from ..results.result import LearnResult


def optimum_sentence(result: LearnResult) -> Sentence | None:
    """State what an optimal search covered, and what it gained over the tabu search; None without such a search."""
    found = getattr(result.extra, "optimum", None)
    if found is None:
        return None
    template = (
        "The optimal search raised the score of the tabu search by {gain}. No DAG within the skeleton has a higher one."
        if found.gain
        else "The tabu search had found the optimum: no DAG within the skeleton has a higher score."
    )
    if found.n_left_out:
        template = (
            "The optimal search covered {n} variables and raised the score by {gain}. It left {rest} out, in parts of "
            "the skeleton that are too large."
        )
    return say(template, n=found.n_searched, rest=found.n_left_out, gain=Number(found.gain))
