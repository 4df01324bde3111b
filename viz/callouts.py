"""What is worth noticing in a run, said before the user asks."""

from __future__ import annotations

from learners.results.result import LearnResult

from .kinds import kind_of

MOST = 3


def callouts(result: LearnResult) -> list[str]:
    """Up to three plain sentences for a newcomer; none that the run does not bear out."""
    told = (callout(result) for callout in kind_of(result).callouts)
    return [sentence for sentence in told if sentence][:MOST]
