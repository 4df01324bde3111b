"""Describe the phases of a run in words."""

from __future__ import annotations

from ..results.phases import Phase, Stage
from .record import Sentence, say

WHERE = {
    Stage.WITHIN_CLUSTERS: "by a test within a cluster",
    Stage.FIRST_SCREEN: "by the first screen between clusters",
    Stage.SECOND_SCREEN: "by the second screen between clusters",
    Stage.COMPLETION: "in the completion, which runs the tests that the clusters postponed",
    Stage.WITHIN_BLANKETS: "within the Markov blankets",
}


def phase_clause(phase: Phase) -> Sentence:
    """Return the name of a phase as a record."""
    last = say(phase.last.label) if phase.last else None
    fields = {"size": phase.size, "round": phase.round, "last": last}
    return say(phase.stage.label, **{name: value for name, value in fields.items() if value is not None})


def when(phase: Phase) -> Sentence:
    """Return the time of a test in a run, in words that need no knowledge of the phases: "at level 2"."""
    return say(WHERE[phase.stage]) if phase.stage in WHERE else say("at {phase}", phase=phase_clause(phase))
