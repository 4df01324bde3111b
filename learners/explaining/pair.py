"""A pair of variables to explain, and the events of a run on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..common.sentences import Sentence
from ..results.events import Action, Event
from ..results.result import LearnResult

if TYPE_CHECKING:
    from ..data.dataset import Dataset

MAX_TESTS = 50  # maximum number of tests listed as evidence; a pair of a small network has far fewer


@dataclass(frozen=True)
class Pair:
    """A pair of variables x and y whose adjacency or separation is to be explained.

    Attributes
    ----------
    result : LearnResult
    x, y : int
    events : tuple of Event
        Every event about the two, oldest first.
    dataset : Dataset, optional
        Data of the run; they show which of the two variables a conditioning set determines.
    """

    result: LearnResult
    x: int
    y: int
    events: tuple[Event, ...]
    dataset: Dataset | None = None

    @property
    def mark(self) -> str:
        """Mark of the edge in the result."""
        return self.result.graph.mark(self.x, self.y)

    @property
    def names(self) -> Sequence[str]:
        """Names of all variables."""
        return self.result.names


@dataclass(frozen=True)
class Reasons:
    """Reasons that one family of learners gives.

    Attributes
    ----------
    sentences : sequence of Sentence
        In reading order.
    decisive : Event or None
        The test that decided whether the pair is adjacent.
    tests : tuple of Event
        See `hardest_first`.
    states_information : bool
        True if the sentences give the mutual information by the estimate that the learner used.
    claim : Sentence, optional
        The headline, if the run did not search for an edge between the two.
    """

    sentences: Sequence[Sentence]
    decisive: Event | None = None
    tests: tuple[Event, ...] = ()
    states_information: bool = False
    claim: Sentence | None = None


@dataclass(frozen=True)
class Explainer:
    """Explanation functions for runs of one kind.

    Attributes
    ----------
    why : callable
        Returns the reasons of a pair.
    event : callable
        Returns the sentence of one event of the trace.
    chosen : callable
        Returns the sentence on what the run itself chose or found because a setting asked for it, or None.
    """

    why: Callable[[Pair], Reasons]
    event: Callable[[Event], Sentence]
    chosen: Callable[[LearnResult], Sentence | None] = lambda _result: None


def hardest_first(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that summarize tests, in descending order of p; at most `MAX_TESTS`."""
    return tuple(sorted((e for e in events if e.n_tests), key=lambda e: -e.log_p)[:MAX_TESTS])


def separations(events: Iterable[Event], passing: Collection = ()) -> list[Event]:
    """Return the events that separated the pair, without the temporary removals of the rules `passing`."""
    return [e for e in events if e.action == Action.APART or (e.action == Action.REMOVE and e.rule not in passing)]


def clearest(separating: Iterable[Event]) -> Event | None:
    """Return the event with the largest p among those that separated a pair."""
    return max(separating, key=lambda e: -math.inf if math.isnan(e.log_p) else e.log_p, default=None)


def last_removal(events: Sequence[Event]) -> Event | None:
    """Return the event that removed the edge for the last time."""
    return next((e for e in reversed(events) if e.action == Action.REMOVE), None)
