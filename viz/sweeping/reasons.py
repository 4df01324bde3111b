"""Why an edge differs between two runs: one sentence for each link of a chain."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import CUTS, INFORMATION
from learners.sweeping.links import PARTING, Cause, Link, Pair

from ..constraint_based.directions import orientation_reason
from ..kinds import kind_of
from ..text import ARROWS, format_number, format_p, format_set, shorten

NOTHING = "the run tells nothing of the pair"
Labels = tuple[str, str]


def chain_sentences(
    chain: Sequence[Link], before: LearnResult, after: LearnResult, labels: Labels = ("the first run", "the second run")
) -> list[str]:
    """A changed edge, and why it changed, in reading order; plain text, not markup.

    Parameters
    ----------
    chain : sequence of Link
        One of `learners.causes`.
    before, after : LearnResult
        The two results.
    labels : two str
        What the runs are called: "Significance level 0.01".
    """
    told = _Told(before, after, labels)
    return [told.change(chain[0].pair), *(told.link(link) for link in chain)]


class _Told:
    """Sentences on two runs."""

    def __init__(self, before: LearnResult, after: LearnResult, labels: Labels) -> None:
        self._results, self._labels, self._names = (before, after), labels, before.names
        self._say = {
            Cause.LINE: self._line,
            Cause.NUMBER: self._number,
            Cause.NOT_ASKED: self._not_asked,
            Cause.PREMISE: self._premise,
            Cause.SETS: self._sets,
            Cause.KNOWLEDGE: self._knowledge,
            Cause.EVENTS: self._events,
            Cause.RUNS_PART: self._runs_part,
        }

    def change(self, pair: Pair) -> str:
        """What became of an edge."""
        shown = [self._mark(result, pair) for result in self._results]
        return f"{shown[0]} with {self._labels[0]}; {shown[1]} with {self._labels[1]}."

    def link(self, link: Link) -> str:
        """What one link says."""
        return self._say[link.cause](link)

    def _mark(self, result: LearnResult, pair: Pair) -> str:
        a, b = self._both(pair)
        mark = result.graph.mark(*pair)
        return f"{a} and {b} are not joined" if mark == "none" else f"{a} {ARROWS[mark]} {b}"

    def _both(self, pair: Pair) -> tuple[str, str]:
        return shorten(self._names[pair[0]]), shorten(self._names[pair[1]])

    def _one(self, link: Link) -> tuple[int, Event]:
        """The run whose event the link is about, the one that parted the pair if both tell something, and the event."""
        known = [(k, event) for k, event in enumerate((link.before, link.after)) if event is not None]
        return next((one for one in known if one[1].action in PARTING), known[0])

    def _line(self, link: Link) -> str:
        """The number lies between what the two runs held it against."""
        k, event = self._one(link)
        own, other = self._labels[k], self._labels[1 - k]
        a, b = self._both(link.pair)
        if event.action in PARTING:
            return (
                f"{a} and {b} given {format_set(event.cond, self._names)}: {_number_of(event)}. With {own} that is "
                f"above the line {link.lines[k]:g}, so they count as independent; with {other} it is not above "
                f"{link.lines[1 - k]:g}, so they stay joined."
            )
        return (
            f"{a} and {b}: {_number_of(event)}. With {own} that reaches the line {link.lines[k]:g}, so they are "
            f"joined; with {other} it does not reach {link.lines[1 - k]:g}."
        )

    def _number(self, link: Link) -> str:
        a, b = self._both(link.pair)
        return (
            f"The same question, {a} and {b} given {format_set(link.before.cond, self._names)}, has another answer: "
            f"{_number_of(link.before)} with {self._labels[0]}, {_number_of(link.after)} with {self._labels[1]}."
        )

    def _not_asked(self, link: Link) -> str:
        k, event = self._one(link)
        a, b = self._both(link.pair)
        c, d = self._both(link.on)
        return (
            f"With {self._labels[k]}, {a} and {b} are independent given {format_set(event.cond, self._names)} "
            f"({_number_of(event)}). With {self._labels[1 - k]} this set was not tried, for {c} and {d} had been "
            "separated before."
        )

    def _premise(self, link: Link) -> str:
        k, event = self._one(link)
        return (
            f"With {self._labels[k]} {self._arrow(event)}. With {self._labels[1 - k]} that does not follow: there "
            f"{self._mark(self._results[1 - k], link.on)}, here {self._mark(self._results[k], link.on)}."
        )

    def _sets(self, link: Link) -> str:
        k, event = self._one(link)
        a, b = self._both(link.on)
        sets = [format_set(result.sepsets.between(*link.on), self._names) for result in self._results]
        return (
            f"With {self._labels[k]} {self._arrow(event)}. With {self._labels[1 - k]} that does not follow: {a} and "
            f"{b} were separated given {sets[1 - k]} there, and given {sets[k]} here."
        )

    def _arrow(self, event: Event) -> str:
        a, b = self._both((event.i, event.j))
        return f"{a} → {b}, because {orientation_reason(event, self._names)}"

    def _knowledge(self, link: Link) -> str:
        k, event = self._one(link)
        return f"Background knowledge says so with {self._labels[k]}: {self._sentence(k, event)}."

    def _events(self, link: Link) -> str:
        return f"{self._of_both(link)}."

    def _runs_part(self, link: Link) -> str:
        return f"The two runs first part here, and what follows differs: {self._of_both(link)}."

    def _of_both(self, link: Link) -> str:
        told = [NOTHING if e is None else self._sentence(k, e) for k, e in enumerate((link.before, link.after))]
        if told[0] == told[1]:
            return f"both runs tell: {told[0]}"
        return "; ".join(f"with {label}: {sentence}" for label, sentence in zip(self._labels, told, strict=True))

    def _sentence(self, k: int, event: Event) -> str:
        if event.action == Action.KEEP and event.n_tests:
            a, b = self._both((event.i, event.j))
            return f"{a} — {b} stays, {_number_of(event)} given {format_set(event.cond, self._names)}"
        return kind_of(self._results[k]).sentence(event, self._names)


def _number_of(event: Event) -> str:
    """What was held against a line."""
    if event.rule in INFORMATION | CUTS or math.isnan(event.log_p):
        return f"the number is {format_number(event.statistic)}"
    return f"p = {format_p(event.log_p)}"
