"""One move of a score-based search as a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.phases import Stage
from learners.results.rules import BEGINNINGS, Rule
from learners.search.order_walk import Placements

from ..text import count, format_set, shorten

NO_GAIN = 1e-6  # of the score: what rounding makes of 0
VERBS = {
    Rule.ADD: "add",
    Rule.DELETE: "delete",
    Rule.REVERSE: "reverse",
    Rule.INSERT: "insert",
    Rule.TURN: "turn",
}
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


def placement_sentence(placed: Placements, q: int, names: Sequence[str]) -> str:
    """The variable that a search over orders puts elsewhere: "smoke goes 3 places back in the order, score +31.2"."""
    steps = int(placed.places[q] - placed.homes[q])
    way = "back" if steps > 0 else "forward"
    name = shorten(names[int(placed.nodes[q])])
    return f"{name} goes {count(abs(steps), 'place')} {way} in the order{_change(float(placed.gains[q]))}"


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


def _beside(event: Event, names: Sequence[str]) -> str:
    """What an insertion into a class of graphs, or a turn, makes parents of the second node too."""
    if event.rule not in (Rule.INSERT, Rule.TURN) or not event.cond:
        return ""
    return f" next to {format_set(event.cond, names)}"


def _gain(event: Event) -> str:
    return _change(event.statistic)


def _change(gain: float) -> str:
    if math.isnan(gain):
        return ""
    return ", score unchanged" if abs(gain) < NO_GAIN else f", score {gain:+.4g}"
