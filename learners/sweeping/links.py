"""Links of the chains that say why the graphs of two runs differ, and what a run tells of a pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from ..results.events import Action, Event
from ..results.result import LearnResult
from ..results.rules import Rule

PARTING = (Action.REMOVE, Action.APART)
Pair = tuple[int, int]


class Cause(Enum):
    """What a link of a chain says. The first three lead on to another pair; the others end the chain."""

    NOT_ASKED = "not asked"  # a test was not done in the other run, for a variable of its set was no neighbour any more
    PREMISE = "premise"  # an arrow follows from another edge, which differs
    SETS = "sets"  # the ends of a v-structure were separated by other sets
    LINE = "line"  # the same number, held against another line
    NUMBER = "number"  # the same request, another number
    KNOWLEDGE = "knowledge"
    EVENTS = "events"  # what each run tells of the pair
    RUNS_PART = "runs part"  # where two runs first differ, of whatever pair

    @property
    def leads_on(self) -> bool:
        """Whether another link must follow."""
        return self in (Cause.NOT_ASKED, Cause.PREMISE, Cause.SETS)


@dataclass(frozen=True)
class Link:
    """One link of a chain.

    Attributes
    ----------
    cause : Cause
    pair : (int, int)
        What it is about, smaller node first.
    before, after : Event or None
        What the first and the second run tell of it.
    lines : (float, float)
        Of `Cause.LINE`: what the number of the event was held against in the two runs.
    on : (int, int) or None
        The pair that the chain goes on with.
    """

    cause: Cause
    pair: Pair
    before: Event | None = None
    after: Event | None = None
    lines: tuple[float, float] = (math.nan, math.nan)
    on: Pair | None = None


class Side:
    """One of the two runs, asked for what it tells of a pair."""

    def __init__(self, result: LearnResult) -> None:
        self.result = result
        self._of: dict[Pair, list[Event]] = {}

    def events(self, pair: Pair) -> list[Event]:
        """All about the pair, oldest first."""
        if pair not in self._of:
            self._of[pair] = self.result.trace.of_pair(*pair)
        return self._of[pair]

    def joined(self, pair: Pair) -> bool:
        """Whether the result joins it."""
        return bool(self.result.graph.skeleton[pair])

    def parting(self, pair: Pair) -> Event | None:
        """What took it apart for good."""
        if self.joined(pair):
            return None
        return next((event for event in reversed(self.events(pair)) if event.action in PARTING), None)

    def last_change(self, pair: Pair) -> Event | None:
        """What gave the pair its edge, or its mark; else what was last said of it."""
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
        """What this run holds such numbers against; NaN if it does not say."""
        return self._lines.get(event.rule, math.nan)
