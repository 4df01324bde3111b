"""Callouts of searches within a skeleton."""

from __future__ import annotations

import numpy as np

from learners.graphs.rules import Rule
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..text import count


def polish(result: LearnResult) -> str | None:
    """State how many steps the final GES made and what they gained."""
    trace, scores = result.trace, result.extra.scores
    polishing = trace.in_phase(Phase(Stage.POLISH_FORWARD)) | trace.in_phase(Phase(Stage.POLISH_BACKWARD))
    steps = np.flatnonzero(polishing[trace.changes])
    if not len(steps):
        return None
    inserted, deleted = (int((polishing & trace.made_by({rule})).sum()) for rule in (Rule.INSERT, Rule.DELETE))
    moves = [count(n, word) for n, word in ((inserted, "insertion"), (deleted, "deletion")) if n]
    return (
        f"A final GES, which may add any edge, made {' and '.join(moves)}: score "
        f"+{scores[steps[-1] + 1] - scores[steps[0]]:,.1f}."
    )
