"""Two variables that are asked about, and what a run did to them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from learners.data.dataset import Dataset
from learners.results.events import Action, Event
from learners.results.result import LearnResult

MOST_TESTS = 50  # rows of evidence shown; a pair of a small network has far fewer


@dataclass(frozen=True)
class Pair:
    """The question why x and y are joined, or not.

    Attributes
    ----------
    result : LearnResult
    x, y : int
    events : tuple of Event
        Every event about the two, oldest first.
    dataset : Dataset, optional
        Tells which of them a conditioning set determines.
    """

    result: LearnResult
    x: int
    y: int
    events: tuple[Event, ...]
    dataset: Dataset | None = None

    @property
    def mark(self) -> str:
        """Of the edge in the result."""
        return self.result.graph.mark(self.x, self.y)

    @property
    def names(self) -> Sequence[str]:
        """Those of all variables."""
        return self.result.names


@dataclass(frozen=True)
class Story:
    """The answer that a kind of run gives.

    Attributes
    ----------
    sentences : sequence of str
        In reading order.
    decisive : Event or None
        The test that settled whether the pair is joined.
    tests : tuple of Event
        See `hardest_first`.
    """

    sentences: Sequence[str]
    decisive: Event | None
    tests: tuple[Event, ...] = ()


def hardest_first(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events that sum up tests, the largest p first; at most `MOST_TESTS`."""
    return tuple(sorted((e for e in events if e.n_tests), key=lambda e: -e.log_p)[:MOST_TESTS])


def partings_of(events: Iterable[Event], passing: Collection[str] = ()) -> list[Event]:
    """The events that separated the pair; those of the rules `passing` did not do so for good."""
    return [e for e in events if e.action == Action.APART or (e.action == Action.REMOVE and e.rule not in passing)]


def surest(partings: Iterable[Event]) -> Event | None:
    """Of the events that separated a pair the one with the largest p."""
    return max(partings, key=lambda e: -math.inf if math.isnan(e.log_p) else e.log_p, default=None)


def last_removal(events: Sequence[Event]) -> Event | None:
    """The event that took the edge out for the last time."""
    return next((e for e in reversed(events) if e.action == Action.REMOVE), None)
