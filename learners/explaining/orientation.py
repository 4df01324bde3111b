"""Explanation of the direction of an edge, from the events of a trace."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..common.sentences import Listed, Node, Nodes, Number, Sentence, caveat, only_if, say
from ..graphs.rules import Rule
from ..results.events import Action, Event
from ..results.result import LearnResult

REFUSALS = {
    Rule.V_STRUCTURE_CONTRADICTED: say("one of its arrows contradicts an earlier direction"),
    Rule.V_STRUCTURE_CYCLIC: say("it would close a directed cycle"),
}


DISAGREE = (
    "Two v-structures may disagree on an edge by chance, or because {a} and {b} have a hidden common cause. "
    "FCI allows for hidden causes."
)


def why_directed(
    result: LearnResult, x: int, y: int, events: Sequence[Event], *, only_skeleton: bool = False
) -> list[Sentence]:
    """Explain the direction of the edge between x and y, or the reason why it is open.

    If `only_skeleton`, the explanation is that the run did not search for directions.
    """
    sentences: list[Sentence] = []
    for event in events:
        a, b = Node(event.i), Node(event.j)
        if event.action == Action.ORIENT:
            far = event.rule is Rule.R2 and not result.graph.amat[event.i, event.cond[0]]
            reason = orientation_reason(event, far=far)
            sentences.append(say("It points {a} → {b} because {reason}.", a=a, b=b, reason=reason))
        elif event.action == Action.UNORIENT and event.rule is Rule.PATTERN:
            sentences = [
                say("It pointed {a} → {b} earlier, but no v-structure of the final graph requires that.", a=a, b=b)
            ]
        elif event.action == Action.CONFLICT:
            sentences.append(say("The rules imply both directions, so the evidence conflicts and neither is taken."))
            sentences.append(caveat("The graph marks this with two hollow arrowheads and an exclamation mark."))
        elif event.action == Action.REFUSE:
            cd = only_if(not math.isnan(event.statistic), say(" (CD = {cd})", cd=Number(event.statistic)))
            sentences.append(
                say(
                    "The v-structure {a} → {b} ← {c} was proposed{cd} but rejected, because {reason}.",
                    a=a,
                    b=b,
                    c=Nodes(event.cond, braces=False),
                    cd=cd,
                    reason=REFUSALS[event.rule],
                )
            )
    if any(event.action == Action.REFUSE and event.rule is Rule.V_STRUCTURE_CONTRADICTED for event in events):
        sentences.append(caveat(DISAGREE, a=Node(min(x, y)), b=Node(max(x, y))))
    if only_skeleton and not sentences:
        return [say("This learner finds edges without directions.")]
    if result.graph.mark(x, y) == "undirected" and result.complete and not sentences:
        sentences.append(say("No test determines its direction."))
    return sentences


REASONS = {
    Rule.V_STRUCTURE: (
        "{i} and {k} are not adjacent, and {j} is not in their separating set, so both point at {j} (v-structure)"
    ),
    Rule.CHECKED_V_STRUCTURE: (
        "{i} and {k} are dependent given {j}, which their separating set lacks, so both point at {j} (v-structure)"
    ),
    Rule.TESTED_V_STRUCTURE: (
        "{i} and {k} are not adjacent, yet dependent given every tested set containing {j}, so both "
        "point at {j} (v-structure)"
    ),
    Rule.INDUCED: "{i} and {k} are not adjacent, and conditioning on {j} makes them dependent: CD = {cd} (v-structure)",
    Rule.SCORED_V_STRUCTURE: (
        "{i} and {k} are not adjacent, and in the best-scoring DAG found within the skeleton both point at {j} "
        "(v-structure)"
    ),
    Rule.R1: (
        "{k} points at {i} but is not adjacent to {j}, and {j} → {i} would form an unsupported v-structure (rule R1)"
    ),
    Rule.R2: "the path {i} → {k} → {j} would otherwise become a cycle (rule R2)",
    Rule.R3: "the arrows from {others} to {j} would otherwise force a cycle or a new v-structure (rule R3)",
    Rule.R4: "the arrows between {others} and {j} would otherwise force a cycle or a new v-structure (rule R4)",
    Rule.PATTERN: "the v-structures of the whole graph imply it",
    Rule.REQUIRED: "your background knowledge requires it",
}
BY_LONGER_PATH = "the path {i} → … → {k} → {j} would otherwise become a cycle (rule R2)"
BY_EXCLUSION = "your background knowledge excludes the other direction"


def orientation_reason(event: Event, *, far: bool = False) -> Sentence:
    """Return the reason of an arrow i -> j as a clause; `far` if rule R2 found a path of more than two arrows."""
    template = BY_LONGER_PATH if far else REASONS.get(event.rule, BY_EXCLUSION)
    others = [Node(k) for k in event.cond]
    return say(
        template,
        i=Node(event.i),
        j=Node(event.j),
        k=others[0] if others else "",
        others=Listed(others, " and "),
        cd=Number(event.statistic),
    )
