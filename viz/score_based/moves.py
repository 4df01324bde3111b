"""What a score-based search did to a pair, in sentences read off its moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.result import LearnResult
from learners.results.rules import BEGINNINGS, LEFT_OUT, MOVES, Rule
from learners.score_based.equivalence import EquivalenceSearch

from ..phases import phase_name
from ..phgs.adaptive import is_adaptive
from ..text import format_number, format_set, shorten

MOST_TOLD = 4  # moves of one pair; a tabu search may make dozens
NO_GAIN = 1e-6  # of the score: what rounding makes of 0
VERBS = {Rule.ADD: "add", Rule.DELETE: "delete", Rule.REVERSE: "reverse", Rule.INSERT: "insert"}
REASONS = {
    Rule.SINK: "no edge has to leave {b}",
    Rule.IMPLIED: "the arrows so far imply its direction",
    Rule.KNOWN: "your background knowledge excludes the other direction",
}


def move_sentence(event: Event, names: Sequence[str]) -> str:
    """One change of a search, for the line below the scrubber: "add smoke → bronc, score +31.2"."""
    a, b = shorten(names[event.i]), shorten(names[event.j])
    if event.rule is Rule.EQUIVALENT:
        return f"{a} — {b}: either direction scores the same"
    if event.rule is Rule.COMPELLED:
        return f"{a} → {b}: all graphs that score the same as this one now have it so"
    if event.rule in BEGINNINGS:
        return _beginning(event, names)
    if event.rule not in VERBS:
        return f"{a} → {b}: your background knowledge settles it{_gain(event)}"
    arrow = "→" if event.action == Action.ORIENT else "—"
    way = "back to the best graph: " if event.phase.stage is Stage.BACK_TO_BEST else ""
    return f"{way}{VERBS[event.rule]} {a} {arrow} {b}{_beside(event, names)}{_gain(event)}"


def _beginning(event: Event, names: Sequence[str]) -> str:
    """One step towards the graph that a search begins with."""
    a, b, *others = (shorten(names[k]) for k in (event.i, event.j, *event.cond))
    if event.rule is Rule.UNSETTLED:
        return f"leave {a} — {b} out: no rule gives it a direction"
    if event.rule is Rule.NO_GAIN:
        ruled_out = "a cycle or the limit on parents is in the way"
        with_it = f"with {a} → {b}{_gain(event)}" if math.isfinite(event.statistic) else ruled_out
        return f"leave {a} — {b} out: {with_it}"
    if event.rule is Rule.COLLIDER_BEGUN:
        return f"add {a} → {b} ← {others[0]}{_gain(event)}: first {a} → {b}"
    if event.rule is Rule.COLLIDER:
        return f"add {others[0]} → {b} ← {a}{_gain(event)}"
    if event.rule is Rule.COLLIDER_COMPLETED:
        return f"add {a} → {b}{_gain(event)}: with {others[0]} → {b} a v-structure"
    return f"add {a} → {b}{_gain(event)}: {REASONS[event.rule].format(b=b)}"


def why_by_score(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """Why the pair is joined, or not, at the end of a search."""
    names, mark = result.names, result.graph.mark(x, y)
    own = [e for e in events if e.rule in MOVES | BEGINNINGS]
    told = [_told(e, names) for e in own]
    if len(told) > MOST_TOLD:
        between = f"{len(told) - 2:,} more moves of this edge came in between, as the search looked for ways on."
        told = [told[0], between, told[-1]]
    if mark == "none":
        never = all(e.rule in LEFT_OUT for e in own)
        lead = "No move joined them." if never else "The search tried the edge and took it out again."
        return [lead, *told, *_why_not_added(result, never)]
    lost = result.strengths.values[x, y]
    kept = [f"Without it the final score would be {format_number(lost)} lower."] if math.isfinite(lost) else []
    if mark == "undirected":
        direction = "Its direction is open: either way the best score is the same."
    else:
        direction = "It points this way in every graph that scores the same and has the same independences."
    return [*told, *kept, direction]


def _told(event: Event, names: Sequence[str]) -> str:
    """A move as a sentence that says in which part of the run it was made."""
    sentence = move_sentence(event, names)
    if event.phase.stage is not Stage.BACK_TO_BEST:
        part = "The search" if event.phase.stage is Stage.MOVES else phase_name(event.phase)
        sentence = f"{part}: {sentence}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def _why_not_added(result: LearnResult, never: bool) -> list[str]:
    """What adding the pair would have done where the search had its last chance to."""
    if not isinstance(result.extra, EquivalenceSearch):
        return [
            "In the graph where the search ended, adding it would not have raised the score, or is ruled out: by a "
            "cycle, by the limit on parents, or by your background knowledge."
        ]
    if not never:
        return []
    tests = "the tests, " if is_adaptive(result) else ""
    return [
        "When the insertions ended, adding it to any graph of the class would not have raised the score, or is ruled "
        f"out: by {tests}the limit on parents or by your background knowledge."
    ]


def _beside(event: Event, names: Sequence[str]) -> str:
    """What an insertion into a class of graphs makes parents of the second node too."""
    if event.rule is not Rule.INSERT or not event.cond:
        return ""
    return f" next to {format_set(event.cond, names)}"


def _gain(event: Event) -> str:
    if math.isnan(event.statistic):
        return ""
    return ", score unchanged" if abs(event.statistic) < NO_GAIN else f", score {event.statistic:+.4g}"
