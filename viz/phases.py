"""Phases of a run in words."""

from __future__ import annotations

from learners.results.phases import Phase, Stage

from .text import count

WHERE = {
    Stage.WITHIN_CLUSTERS: "by a test within its cluster",
    Stage.FIRST_SCREEN: "by the first screen between clusters",
    Stage.SECOND_SCREEN: "by the second screen between clusters",
    Stage.COMPLETION: "in the completion, which does the tests that clusters had put off",
    Stage.WITHIN_BLANKETS: "at within blankets",
}


def phase_name(phase: Phase) -> str:
    """The phase in a table, below a slider, or in brackets: "level 2"."""
    return str(phase)


def when(phase: Phase) -> str:
    """Where in a run a test was done, for a reader who has not seen the names of its phases: "at level 2"."""
    if phase.stage not in WHERE:
        return f"at {phase_name(phase)}"
    sets = f" (given {count(phase.size, 'variable')})" if phase.size is not None else ""
    return WHERE[phase.stage] + sets
