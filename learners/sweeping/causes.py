"""Causes of the differences between two runs: for each changed edge a chain to its first cause."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cached_property
from itertools import chain, combinations, zip_longest

from ..common.checks import check_positions
from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.pag import same_ends
from ..graphs.rules import MOVES, Rule
from ..results.events import Action, Event
from ..results.result import LearnResult
from .changes import changes
from .links import Cause, Link, Pair, Side

FROM_KNOWLEDGE = frozenset({Rule.REQUIRED, Rule.FORBIDDEN, Rule.KNOWN})
V_STRUCTURES = frozenset(
    {Rule.V_STRUCTURE, Rule.TESTED_V_STRUCTURE, Rule.CHECKED_V_STRUCTURE, Rule.SCORED_V_STRUCTURE, Rule.INDUCED}
)
OF_ORDER = frozenset({Cause.EVENTS, Cause.RUNS_PART})  # causes that compare the order of events
IMPLIED = frozenset({Rule.R1, Rule.R2, Rule.R3, Rule.R4})


@validated
def causes(
    before: LearnResult, after: LearnResult, among: Collection[Pair] | None = None
) -> dict[Pair, tuple[Link, ...]]:
    """Explain each edge that differs between two results over the same variables.

    Parameters
    ----------
    before, after : LearnResult
        Results of any learners and parameters; chains are most informative for two runs of one learner.
    among : collection of (int, int), optional
        Pairs of nodes to explain. Default: all.

    Returns
    -------
    dict of (int, int) to tuple of Link
        Pairs i < j whose edges differ, each with its chain: the first link is about the pair itself, and the last is
        the first cause. Of two learners, pairs without a cause that concerns both are left out.

    Raises
    ------
    ParameterError
        If the results have different variables, or `among` has an unknown node.

    Notes
    -----
    Each link is an event of a trace, or a comparison of two events. If the rules of a learner lead from one pair to
    another, the chain follows them back: a set separated an edge in one run only, because it was not tested in the
    other; an arrow follows from a v-structure or from other arrows. Other chains end at the first difference between
    the runs.

    Examples
    --------
    >>> from learners import causes, learn, load_sample
    >>> asia = load_sample("asia").dataset
    >>> few, many = (learn("pc", asia, alpha=alpha, max_cond_size=0) for alpha in (1e-6, 0.05))
    >>> [[link.cause.value for link in chain] for chain in causes(few, many).values()][:2]
    [['premise', 'line'], ['premise', 'line']]
    """
    if before.names != after.names:
        raise ParameterError("both results must have the same variables in the same order; learn from the same columns")
    found = changes(before.graph, after.graph)
    if among is not None:
        check_positions("a node of among", chain.from_iterable(among), len(before.names))
        among = {_pair(*pair) for pair in among}
    chains = CauseChains(Side(before), Side(after))
    changed = sorted((*found.more, *found.fewer, *found.turned))
    explained = {pair: chains.of(pair) for pair in changed if among is None or pair in among}
    if before.method != after.method:
        for pair, links in explained.items():
            explained[pair] = tuple(link for link in links if link.cause not in OF_ORDER)
    return {pair: links for pair, links in explained.items() if links}


class CauseChains:
    """Chains of causes that explain the differences between two runs."""

    def __init__(self, before: Side, after: Side) -> None:
        self.before, self.after = before, after

    def of(self, pair: Pair) -> tuple[Link, ...]:
        """Return the chain of causes for a pair whose edge differs between the runs."""
        return tuple(self._follow(pair, frozenset()))

    def _follow(self, pair: Pair, seen: frozenset[Pair]) -> list[Link]:
        seen |= {pair}
        if self.before.adjacent(pair) == self.after.adjacent(pair):
            return self._turned(pair, seen)
        separated, joined = (self.after, self.before) if self.before.adjacent(pair) else (self.before, self.after)
        event = separated.separation(pair)
        return self._removed(pair, event, separated, joined, seen) if event else self._added(pair, separated, joined)

    def _removed(self, pair: Pair, event: Event, separated: Side, other: Side, seen: frozenset[Pair]) -> list[Link]:
        """Explain why `event` separated the pair in one run but not in the other."""
        if event.rule in FROM_KNOWLEDGE:
            return [self._link(Cause.KNOWLEDGE, pair, separated, event, other.last_change(pair))]
        if event.rule in MOVES:  # a deletion of a search by score, which tests no set
            return self._events(pair)
        counterpart = next((one for one in other.events(pair) if _same_request(one, event)), None)
        if counterpart is not None and not _same_number(counterpart, event):
            return [self._link(Cause.NUMBER, pair, separated, event, counterpart)]
        line = other.line(event)
        if _keeps(event, line):
            lines = (event.threshold, line) if separated is self.before else (line, event.threshold)
            return [self._link(Cause.LINE, pair, separated, event, counterpart, lines=lines)]
        lacking = self._lacking(event, separated, other, seen)
        if lacking is not None:
            on, earlier = lacking
            link = self._link(Cause.NOT_ASKED, pair, separated, event, None, on=on)
            return [link, *self._removed(on, earlier, other, separated, seen | {on})]
        return self._events(pair)

    def _lacking(self, event: Event, separated: Side, other: Side, seen: frozenset[Pair]) -> tuple[Pair, Event] | None:
        """Return an edge to a member of the set that a test of the other run alone had removed, and that event."""
        found = []
        for end in (event.i, event.j):
            for k in event.cond:
                pair = _pair(end, k)
                gone, here = other.separation(pair), separated.separation(pair)
                if pair in seen or gone is None or gone.rule in MOVES:
                    continue
                if here is not None and _same_separation(gone, here):
                    continue
                found.append((len(gone.cond), pair, gone))
        if not found:
            return None
        _, pair, gone = min(found, key=lambda one: one[:2])
        return pair, gone

    def _added(self, pair: Pair, separated: Side, joined: Side) -> list[Link]:
        """Explain an edge that only one run added."""
        event = joined.last_change(pair)
        if event is None:
            return self._events(pair)
        counterpart = next((one for one in separated.events(pair) if _same_request(one, event)), None)
        if event.rule in FROM_KNOWLEDGE:
            return [self._link(Cause.KNOWLEDGE, pair, joined, event, counterpart)]
        line = separated.line(event)
        own, others = event.threshold, line if counterpart is None else counterpart.threshold
        if not math.isnan(event.statistic) and math.isnan(event.log_p) and own <= event.statistic < others:
            lines = (own, others) if joined is self.before else (others, own)
            return [self._link(Cause.LINE, pair, joined, event, counterpart, lines=lines)]
        return self._events(pair)

    def _turned(self, pair: Pair, seen: frozenset[Pair]) -> list[Link]:
        """Explain an edge of both runs that has different marks."""
        for side, other in ((self.after, self.before), (self.before, self.after)):
            event = next((one for one in reversed(side.events(pair)) if one.action == Action.ORIENT), None)
            if event is None:
                continue
            if event.rule in FROM_KNOWLEDGE:
                return [self._link(Cause.KNOWLEDGE, pair, side, event, other.last_change(pair))]
            if event.rule in V_STRUCTURES and event.cond:
                found = self._v_structure(pair, event, side, other, seen)
            else:
                found = self._premise(pair, event, side, seen) if event.rule in IMPLIED else []
            if found:
                return found
        return self._events(pair)

    def _v_structure(self, pair: Pair, event: Event, side: Side, other: Side, seen: frozenset[Pair]) -> list[Link]:
        """Explain a v-structure that the other run lacks; return no links if its premises hold in that run."""
        middle, ends = event.j, _pair(event.i, event.cond[0])
        for part in (_pair(middle, event.cond[0]), ends):
            if part not in seen and side.adjacent(part) != other.adjacent(part):
                return [self._link(Cause.PREMISE, pair, side, event, None, on=part), *self._follow(part, seen)]
        own, theirs = (one.result.sepsets.between(*ends) for one in (side, other))
        separation = side.separation(ends)
        if ends in seen or own is None or theirs is None or separation is None or (middle in own) == (middle in theirs):
            return []
        link = self._link(Cause.SETS, pair, side, event, None, on=ends)
        return [link, *self._removed(ends, separation, side, other, seen | {ends})]

    def _premise(self, pair: Pair, event: Event, side: Side, seen: frozenset[Pair]) -> list[Link]:
        """Return the first edge in the premise of one of Meek's rules that differs."""
        nodes = sorted({event.i, event.j, *event.cond})
        own, theirs = self.before.result.graph, self.after.result.graph
        for part in combinations(nodes, 2):
            if part not in seen and not same_ends(own, theirs, *part):
                return [self._link(Cause.PREMISE, pair, side, event, None, on=part), *self._follow(part, seen)]
        return []

    def _events(self, pair: Pair) -> list[Link]:
        """Return the last events of the pair in both runs, and the first difference between the runs."""
        own = Link(Cause.EVENTS, pair, self.before.last_change(pair), self.after.last_change(pair))
        first = self._first_difference
        if first is None or first.pair == pair:
            return [own]
        return [own, first]

    @cached_property
    def _first_difference(self) -> Link | None:
        """The first difference between the traces; None if they are equal."""
        for one, other in zip_longest(self.before.result.trace, self.after.result.trace):
            if one is None or other is None or not _same_event(one, other):
                known = one or other
                return Link(Cause.RUNS_PART, _pair(known.i, known.j), one, other)
        return None

    def _link(
        self,
        cause: Cause,
        pair: Pair,
        side: Side,
        own: Event | None,
        theirs: Event | None,
        *,
        lines: tuple[float, float] = (math.nan, math.nan),
        on: Pair | None = None,
    ) -> Link:
        """Return a link between the event `own` of `side` and the event `theirs` of the other run."""
        before, after = (own, theirs) if side is self.before else (theirs, own)
        return Link(cause, pair, before, after, lines, on)


def _pair(i: int, j: int) -> Pair:
    return (min(i, j), max(i, j))


def _same_request(one: Event, other: Event) -> bool:
    """Return True if two events are the same test of their pair."""
    return (
        one.rule is other.rule
        and one.phase.stage is other.phase.stage
        and set(one.cond) == set(other.cond)
        and one.n_tests > 0
        and other.n_tests > 0
    )


def _same_number(one: Event, other: Event) -> bool:
    return all(
        a == b or (math.isnan(a) and math.isnan(b))
        for a, b in ((one.statistic, other.statistic), (one.log_p, other.log_p))
    )


def _same_separation(one: Event, other: Event) -> bool:
    return one.phase == other.phase and set(one.cond) == set(other.cond)


def _same_event(one: Event, other: Event) -> bool:
    """Return True if two events are the same, except for their thresholds."""
    return (one.action, one.i, one.j, one.rule, one.phase, one.cond) == (
        other.action, other.i, other.j, other.rule, other.phase, other.cond
    ) and _same_number(one, other)  # fmt: skip


def _keeps(event: Event, line: float) -> bool:
    """Return True if a pair separated by `event` would stay adjacent at the threshold `line`."""
    if math.isnan(line) or math.isnan(event.log_p) or math.isnan(event.threshold) or line <= event.threshold:
        return False
    return math.log(event.threshold) < event.log_p <= math.log(line)
