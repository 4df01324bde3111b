"""Marks that background knowledge and rules set at the ends of edges, as events of a run."""

from __future__ import annotations

import numpy as np

from ...common.run_warning import RunWarning
from ...common.sentences import Count, say
from ...graphs.knowledge import BoundKnowledge
from ...graphs.pag import TAIL
from ...graphs.pag_orientation import EndMark, Orientation
from ...graphs.rules import Rule
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.trace import TraceBuilder
from ...search.skeleton_levels import KNOWLEDGE

COLLIDERS_PHASE, RULES_PHASE = Phase(Stage.COLLIDERS), Phase(Stage.END_RULES)


def set_known_ends(orientation: Orientation, skeleton: np.ndarray, knowledge: BoundKnowledge) -> None:
    """Make required edges causes, and put an arrowhead where the knowledge excludes a cause."""
    known = np.argwhere(knowledge.directions & skeleton).tolist()
    for i, j in known:
        if knowledge.required[i, j]:
            orientation.set_cause(Rule.REQUIRED, i, j)
    for i, j in known:
        orientation.set_arrowhead(Rule.FORBIDDEN, i, j)


PHASES = {Rule.REQUIRED: KNOWLEDGE, Rule.FORBIDDEN: KNOWLEDGE, Rule.COLLIDER_ENDS: COLLIDERS_PHASE}


def record_ends(trace: TraceBuilder, steps: list[EndMark]) -> None:
    """Record the applications of rules."""
    for step in steps:
        action = Action.REFUSE if step.refused else action_of(step)
        trace.add(PHASES.get(step.rule, RULES_PHASE), action, step.i, step.j, step.others, rule=step.rule)


def action_of(step: EndMark) -> Action:
    """Return the action of an event that sets these marks."""
    if step.at_i == TAIL:
        return Action.ORIENT
    return Action.BIDIRECT if step.rule is Rule.ENDS_R4_COLLIDER else Action.POINT


def refusal_warning(refused: list[EndMark]) -> tuple[RunWarning, ...]:
    """Return a warning if the evidence on directions contradicts itself, or an empty tuple."""
    pairs = {frozenset((step.i, step.j)) for step in refused}
    if not pairs:
        return ()
    sentence = say(
        "the evidence on directions contradicts itself at {edges}; the mark that came first stays, so read these edges "
        "with care",
        edges=Count(len(pairs), "edge"),
    )
    return (RunWarning("refused_ends", sentence),)
