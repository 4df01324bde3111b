"""Callouts: the most notable observations on a run."""

from __future__ import annotations

from learners.results.result import LearnResult

from .kinds import kind_of

MAX_CALLOUTS = 3


def callouts(result: LearnResult) -> list[str]:
    """Return up to three sentences that the run supports, the most important first."""
    sentences = (callout(result) for callout in kind_of(result).callouts)
    return [sentence for sentence in sentences if sentence][:MAX_CALLOUTS]
