"""Explanations of an edge that differs between two runs: one sentence for each link of a chain of causes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..common.sentences import Capitalized, Edge, Listed, Node, Nodes, Number, Sentence, p_of, say, setting
from ..explaining.clauses import statistic_value
from ..explaining.explanation import event_sentence
from ..explaining.explanation_record import Explanation
from ..explaining.orientation import orientation_reason
from ..graphs.rules import CUTS, IN_MBIT, INFORMATION
from ..results.events import Action, Event
from ..results.result import LearnResult
from .links import SEPARATING, Cause, Link, Pair

NOTHING_RECORDED = say("the run recorded nothing for the pair")
Labels = tuple[str, str]


def difference(
    chain: Sequence[Link], before: LearnResult, after: LearnResult, labels: Labels = ("the first run", "the second run")
) -> Explanation:
    """Explain why an edge differs between two runs.

    Parameters
    ----------
    chain : sequence of Link
        One of `learners.causes`.
    before, after : LearnResult
        The two results.
    labels : two str
        Names of the runs: "Significance level 0.01".

    Returns
    -------
    Explanation
        The claim is the change of the edge, the evidence one sentence for each link.
    """
    writer = _Writer(before, after, labels)
    decisive = chain[-1].before or chain[-1].after
    return Explanation(
        names=before.names,
        claim=writer.change(chain[0].pair),
        evidence=tuple(writer.link(link) for link in chain),
        rule=decisive.rule if decisive else None,
        decisive=decisive,
    )


class _Writer:
    """Writes sentences about two runs."""

    def __init__(self, before: LearnResult, after: LearnResult, labels: Labels) -> None:
        self._results, self._labels = (before, after), labels
        self._write = {
            Cause.LINE: self._line,
            Cause.NUMBER: self._number,
            Cause.NOT_ASKED: self._not_asked,
            Cause.PREMISE: self._premise,
            Cause.SETS: self._sets,
            Cause.KNOWLEDGE: self._knowledge,
            Cause.EVENTS: self._events,
            Cause.RUNS_PART: self._runs_part,
        }

    def change(self, pair: Pair) -> Sentence:
        """State the difference of the edge."""
        one, other = (self._mark(result, pair) for result in self._results)
        if self._results[0].graph.mark(*pair) == "none":
            one = Capitalized(one)
        template = "{one} with {label}; {other} with {other_label}."
        return say(template, one=one, other=other, label=self._labels[0], other_label=self._labels[1])

    def link(self, link: Link) -> Sentence:
        """Write the sentence of one link."""
        return self._write[link.cause](link)

    def _mark(self, result: LearnResult, pair: Pair) -> Sentence:
        mark = result.graph.mark(*pair)
        if mark == "none":
            return say("no edge between {a} and {b}", a=Node(pair[0]), b=Node(pair[1]))
        return say("{edge}", edge=Edge(pair[0], mark, pair[1]))

    def _event_of(self, link: Link) -> tuple[int, Event]:
        """Return the run and the event that the link is about; of two events, the one that separated the pair."""
        known = [(k, event) for k, event in enumerate((link.before, link.after)) if event is not None]
        return next((one for one in known if one[1].action in SEPARATING), known[0])

    def _values(self, k: int, event: Event, pair: Pair) -> dict:
        return {
            "a": Node(pair[0]), "b": Node(pair[1]), "set": Nodes(event.cond),
            "number": _number_of(self._results[k], event),
            "own": self._labels[k], "other": self._labels[1 - k],
        }  # fmt: skip

    def _line(self, link: Link) -> Sentence:
        """State that the number lies between the thresholds of the two runs."""
        k, event = self._event_of(link)
        values = self._values(k, event, link.pair)
        values |= {"line": setting(link.lines[k]), "other_line": setting(link.lines[1 - k])}
        if event.action in SEPARATING:
            return say(
                "For {a} and {b} given {set}, {number} lies between the thresholds {line} ({own}) and {other_line} "
                "({other}). Only {own} separates them.",
                **values,
            )
        return say(
            "For {a} and {b}, {number} lies between the thresholds {line} ({own}) and {other_line} ({other}). Only "
            "{own} adds the edge.",
            **values,
        )

    def _number(self, link: Link) -> Sentence:
        values = self._values(0, link.before, link.pair)
        return say(
            "The same test, {a} and {b} given {set}, has another result: {number} with {own}, {after} with {other}.",
            after=_number_of(self._results[1], link.after),
            **values,
        )

    def _not_asked(self, link: Link) -> Sentence:
        k, event = self._event_of(link)
        return say(
            "With {own}, no dependence of {a} and {b} given {set} was found ({number}). With {other} this set was not "
            "tested, because {c} and {d} had been separated before.",
            c=Node(link.on[0]),
            d=Node(link.on[1]),
            **self._values(k, event, link.pair),
        )

    def _premise(self, link: Link) -> Sentence:
        k, event = self._event_of(link)
        return say(
            "With {own}, {arrow}. With {other} this does not follow, because there is {there} instead of {here}.",
            arrow=self._arrow(event),
            there=self._mark(self._results[1 - k], link.on),
            here=self._mark(self._results[k], link.on),
            own=self._labels[k],
            other=self._labels[1 - k],
        )

    def _sets(self, link: Link) -> Sentence:
        k, event = self._event_of(link)
        sets = [Nodes(result.sepsets.between(*link.on)) for result in self._results]
        return say(
            "With {own}, {arrow}. With {other} this does not follow, because {a} and {b} were separated given {there} "
            "instead of {here}.",
            arrow=self._arrow(event),
            a=Node(link.on[0]),
            b=Node(link.on[1]),
            there=sets[1 - k],
            here=sets[k],
            own=self._labels[k],
            other=self._labels[1 - k],
        )

    def _arrow(self, event: Event) -> Sentence:
        edge = Edge(event.i, "forward", event.j)
        return say("{edge}, because {reason}", edge=edge, reason=orientation_reason(event))

    def _knowledge(self, link: Link) -> Sentence:
        k, event = self._event_of(link)
        event_clause = self._event(k, event)
        return say("Background knowledge with {own}: {event}.", own=self._labels[k], event=event_clause)

    def _events(self, link: Link) -> Sentence:
        return say("{both}.", both=Capitalized(self._of_both(link)))

    def _runs_part(self, link: Link) -> Sentence:
        return say("The first difference between the two runs: {both}.", both=self._of_both(link))

    def _of_both(self, link: Link) -> Sentence:
        one, other = (
            NOTHING_RECORDED if e is None else self._event(k, e) for k, e in enumerate((link.before, link.after))
        )
        if one.text(self._results[0].names) == other.text(self._results[0].names):
            return say("in both runs, {event}", event=one)
        parts = [
            say("with {label}, {event}", label=label, event=event)
            for label, event in zip(self._labels, (one, other), strict=True)
        ]
        return say("{parts}", parts=Listed(parts, "; "))

    def _event(self, k: int, event: Event) -> Sentence:
        if event.action == Action.KEEP and event.n_tests:
            edge = Edge(event.i, "undirected", event.j)
            number = _number_of(self._results[k], event)
            return say("{edge} kept, {number} given {set}", edge=edge, number=number, set=Nodes(event.cond))
        return event_sentence(self._results[k], event)


def _number_of(result: LearnResult, event: Event) -> Sentence:
    """Name the number of an event that was compared with a threshold."""
    if result.kind == "lmm":
        return say("margin {number}", number=Number(event.statistic))
    if event.rule in IN_MBIT:
        return say("information {number}", number=statistic_value(event))
    if event.rule in CUTS:
        return say("G² = {number}", number=Number(event.statistic))
    if event.rule in INFORMATION or math.isnan(event.log_p):
        return say("statistic {number}", number=Number(event.statistic))
    return say("p = {p}", p=p_of(event.log_p))
