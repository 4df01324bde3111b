"""Phases of a run as text."""

from __future__ import annotations

from learners.results.phases import Phase, Stage

from .text import count

WHERE = {
    Stage.WITHIN_CLUSTERS: "by a test within its cluster",
    Stage.FIRST_SCREEN: "by the first screen between clusters",
    Stage.SECOND_SCREEN: "by the second screen between clusters",
    Stage.COMPLETION: "in the completion, which runs the tests postponed by the clusters",
    Stage.WITHIN_BLANKETS: "within the Markov blankets",
}


def phase_name(phase: Phase) -> str:
    """Return the name of a phase, such as "level 2"."""
    return str(phase)


def when(phase: Phase) -> str:
    """Return where in a run a test was done, for readers who do not know the phases: "at level 2"."""
    if phase.stage not in WHERE:
        return f"at {phase_name(phase)}"
    sets = f" (given {count(phase.size, 'variable')})" if phase.size is not None else ""
    return WHERE[phase.stage] + sets
