"""Sentences on the support of the direction of an arrow."""

from __future__ import annotations

import math

from ..results.directions import MAX_SURE_STEPS, STRONG_EVIDENCE, SURE_SHARE, Direction, Premise, Support
from ..results.result import LearnResult
from .record import Count, Node, Sentence, only_if, percent, say

MAX_LOG_ODDS = math.log(999_500)  # above this, no number is shown
LEADS = {
    Support.CLEAR: "Its direction is strongly supported: {reason}.",
    Support.WEAK: "Its direction is weakly supported: {reason}.",
    Support.CONTESTED: "The evidence on its direction conflicts: {reason}.",
}


def support_sentences(result: LearnResult, i: int, j: int) -> list[Sentence]:
    """Return the support of the direction between i and j and the evidence for it."""
    direction = direction_of(result, i, j, result.graph.mark(i, j))
    if direction is None or direction.support is Support.KNOWN:
        return []
    if direction.support is Support.UNTOLD:
        return [say("The support of its direction cannot be assessed for these data.")]
    return [say(LEADS[direction.support], reason=support_reason(direction))]


def direction_of(result: LearnResult, i: int, j: int, mark: str) -> Direction | None:
    """Return the direction record of an edge, or None if it is not drawn as in the result."""
    if mark not in ("forward", "backward") or result.graph.mark(i, j) != mark:
        return None
    return result.directions.get((i, j) if mark == "forward" else (j, i))


def support_reason(direction: Direction) -> Sentence:
    """Return the evidence for or against a direction, as a clause."""
    if direction.share is not None:
        below = direction.support is not Support.CLEAR
        return say(
            "{share} of the resamples with this edge have this direction{limit}",
            share=percent(direction.share),
            limit=only_if(below, say(" (less than {limit})", limit=percent(SURE_SHARE))),
        )
    if direction.is_refused_otherwise:
        return say("a v-structure with the opposite direction was also found, and rejected")
    if direction.premise is None:
        return say("no v-structure of the graph implies it")
    if direction.support is Support.WEAK and direction.premise.evidence > STRONG_EVIDENCE:
        return say(
            "it follows from other arrows over {steps} (more than {few}), and errors accumulate",
            steps=Count(direction.steps, "step"),
            few=MAX_SURE_STEPS,
        )
    return say("{basis} ({odds})", basis=_basis(direction), odds=_odds(direction.premise))


def _basis(direction: Direction) -> Sentence:
    premise = direction.premise
    values = {"i": Node(premise.i), "k": Node(premise.k), "j": Node(premise.j)}
    lead = "implied by other arrows, the weakest based on" if direction.steps else "based on"
    if premise.collider:
        return say(f"{lead} the v-structure {{i}} → {{k}} ← {{j}}", **values)
    return say(f"{lead} no v-structure at {{k}} between {{i}} and {{j}}", **values)


def _odds(premise: Premise) -> Sentence:
    """Return the Bayes factor as odds with three significant digits, or as overwhelming beyond a million."""
    found = premise.evidence
    side = "in favour" if found >= 0 else "against"
    if abs(found) >= MAX_LOG_ODDS:
        return say(f"overwhelming odds {side}")
    odds = f"{float(f'{math.exp(abs(found)):.3g}'):,g}"
    template = f"odds {{odds}} to 1 {side}"
    return say(template if abs(found) > STRONG_EVIDENCE else f"{template}; 20 to 1 is strong", odds=odds)
