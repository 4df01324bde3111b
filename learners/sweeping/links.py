"""Links of causal chains between two runs, and the events of a run about a pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from ..graphs.rules import Rule
from ..results.events import Action, Event
from ..results.result import LearnResult

SEPARATING = (Action.REMOVE, Action.APART)
Pair = tuple[int, int]


class Cause(Enum):
    """The cause stated by a link; the first three lead to another pair, the rest end the chain."""

    NOT_ASKED = "not asked"  # the other run did not test it, since a variable of the set was no longer a neighbour
    PREMISE = "premise"  # the arrow follows from another edge that differs
    SETS = "sets"  # other sets separated the ends of a v-structure
    LINE = "line"  # the same number, with another threshold
    NUMBER = "number"  # the same test, with another number
    KNOWLEDGE = "knowledge"
    EVENTS = "events"  # the last events of the pair in both runs
    RUNS_PART = "runs part"  # the first difference between the runs, of any pair


@dataclass(frozen=True)
class Link:
    """One link of a chain.

    Attributes
    ----------
    cause : Cause
    pair : (int, int)
        The pair of the link, the smaller node first.
    before, after : Event or None
        The events of the first and of the second run.
    lines : (float, float)
        Thresholds of the event in the two runs, for `Cause.LINE`.
    on : (int, int) or None
        The pair with which the chain continues.
    """

    cause: Cause
    pair: Pair
    before: Event | None = None
    after: Event | None = None
    lines: tuple[float, float] = (math.nan, math.nan)
    on: Pair | None = None


class Side:
    """The events of one of the two runs, by pair."""

    def __init__(self, result: LearnResult) -> None:
        self.result = result
        self._of: dict[Pair, list[Event]] = {}

    def events(self, pair: Pair) -> list[Event]:
        """Return all events of the pair, the oldest first."""
        if pair not in self._of:
            self._of[pair] = self.result.trace.of_pair(*pair)
        return self._of[pair]

    def adjacent(self, pair: Pair) -> bool:
        """Return True if the pair is adjacent in the result."""
        return bool(self.result.graph.skeleton[pair])

    def separation(self, pair: Pair) -> Event | None:
        """Return the event that permanently separated the pair, if any."""
        if self.adjacent(pair):
            return None
        found = [event for event in reversed(self.events(pair)) if event.action in SEPARATING]
        return next((event for event in found if event.rule is Rule.FORBIDDEN), found[0] if found else None)

    def last_change(self, pair: Pair) -> Event | None:
        """Return the event that gave the pair its edge or mark; else its last event."""
        events = self.events(pair)
        return next((event for event in reversed(events) if event.action < Action.KEEP), events[-1] if events else None)

    @cached_property
    def _lines(self) -> dict[Rule, float]:
        trace = self.result.trace
        known = ~np.isnan(trace.threshold)
        return {
            rule: float(trace.threshold[at[-1]])
            for k, rule in enumerate(trace.rules)
            if len(at := np.flatnonzero(known & (trace.rule == k)))
        }

    def line(self, event: Event) -> float:
        """Return the threshold of such events in this run, or NaN."""
        return self._lines.get(event.rule, math.nan)
