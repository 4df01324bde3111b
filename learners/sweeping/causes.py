"""Why the graphs of two runs differ: of each changed edge a chain to its first cause, from the two traces."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cached_property
from itertools import chain, combinations, zip_longest

from ..common.checks import check_positions
from ..common.errors import ParameterError
from ..common.validation import validated
from ..results.events import Action, Event
from ..results.result import LearnResult
from ..results.rules import Rule
from .changes import changes
from .links import Cause, Link, Pair, Side

FROM_KNOWLEDGE = frozenset({Rule.REQUIRED, Rule.FORBIDDEN, Rule.KNOWN})
V_STRUCTURES = frozenset({Rule.V_STRUCTURE, Rule.TESTED_V_STRUCTURE, Rule.CHECKED_V_STRUCTURE, Rule.INDUCED})
IMPLIED = frozenset({Rule.R1, Rule.R2, Rule.R3, Rule.R4})


@validated
def causes(
    before: LearnResult, after: LearnResult, among: Collection[Pair] | None = None
) -> dict[Pair, tuple[Link, ...]]:
    """Why each edge differs that differs between two results over the same variables.

    Parameters
    ----------
    before, after : LearnResult
        Of any learners, at any parameters; chains say most where both are of one learner.
    among : collection of (int, int), optional
        Pairs of nodes that are asked about. Default: all.

    Returns
    -------
    dict of (int, int) to tuple of Link
        Pairs i < j whose edges differ, each with its chain: the first link is about the pair itself, and the last is
        the first cause.

    Raises
    ------
    ParameterError
        If the results are of other variables, or `among` has a node that they have not.

    Notes
    -----
    Whatever a link says is an event of a trace, or two of them held against one another. Where rules of a learner lead
    from one pair to another, the chain follows them back: an edge that a set separated in one run alone, because the
    set was not tried in the other; an arrow that follows from a v-structure or from other arrows. Elsewhere it ends
    where the two runs first differ.

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
    chains = Chains(Side(before), Side(after))
    changed = sorted((*found.more, *found.fewer, *found.turned))
    return {pair: chains.of(pair) for pair in changed if among is None or pair in among}


class Chains:
    """Chains between two runs."""

    def __init__(self, before: Side, after: Side) -> None:
        self.before, self.after = before, after

    def of(self, pair: Pair) -> tuple[Link, ...]:
        """The chain of a pair whose edges differ."""
        return tuple(self._follow(pair, frozenset()))

    def _follow(self, pair: Pair, seen: frozenset[Pair]) -> list[Link]:
        seen |= {pair}
        if self.before.joined(pair) == self.after.joined(pair):
            return self._turned(pair, seen)
        parted, joined = (self.after, self.before) if self.before.joined(pair) else (self.before, self.after)
        event = parted.parting(pair)
        return self._parted(pair, event, parted, joined, seen) if event else self._joined(pair, parted, joined)

    def _parted(self, pair: Pair, event: Event, parted: Side, other: Side, seen: frozenset[Pair]) -> list[Link]:
        """Why `event` took the pair apart in one run, and nothing alike did so by then in the other."""
        if event.rule in FROM_KNOWLEDGE:
            return [self._link(Cause.KNOWLEDGE, pair, parted, event, other.last_change(pair))]
        twin = next((one for one in other.events(pair) if _same_request(one, event)), None)
        if twin is not None and not _same_number(twin, event):
            return [self._link(Cause.NUMBER, pair, parted, event, twin)]
        line = other.line(event)
        if _keeps(event, line):
            lines = (event.threshold, line) if parted is self.before else (line, event.threshold)
            return [self._link(Cause.LINE, pair, parted, event, twin, lines=lines)]
        lacking = self._lacking(event, parted, other, seen)
        if lacking is not None:
            on, earlier = lacking
            link = self._link(Cause.NOT_ASKED, pair, parted, event, None, on=on)
            return [link, *self._parted(on, earlier, other, parted, seen | {on})]
        return self._told(pair)

    def _lacking(self, event: Event, parted: Side, other: Side, seen: frozenset[Pair]) -> tuple[Pair, Event] | None:
        """An edge to a member of the set that the other run had taken out, and this one had not, with what did so."""
        found = []
        for end in (event.i, event.j):
            for k in event.cond:
                pair = _pair(end, k)
                gone, here = other.parting(pair), parted.parting(pair)
                if pair in seen or gone is None or (here is not None and _same_parting(gone, here)):
                    continue
                found.append((len(gone.cond), pair, gone))
        if not found:
            return None
        _, pair, gone = min(found, key=lambda one: one[:2])
        return pair, gone

    def _joined(self, pair: Pair, parted: Side, joined: Side) -> list[Link]:
        """Why one run joined a pair that the other never did."""
        event = joined.last_change(pair)
        if event is None:
            return self._told(pair)
        twin = next((one for one in parted.events(pair) if _same_request(one, event)), None)
        if event.rule in FROM_KNOWLEDGE:
            return [self._link(Cause.KNOWLEDGE, pair, joined, event, twin)]
        line = parted.line(event)
        own, others = event.threshold, line if twin is None else twin.threshold
        if not math.isnan(event.statistic) and math.isnan(event.log_p) and own <= event.statistic < others:
            lines = (own, others) if joined is self.before else (others, own)
            return [self._link(Cause.LINE, pair, joined, event, twin, lines=lines)]
        return self._told(pair)

    def _turned(self, pair: Pair, seen: frozenset[Pair]) -> list[Link]:
        """Why a pair that both join points otherwise."""
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
        return self._told(pair)

    def _v_structure(self, pair: Pair, event: Event, side: Side, other: Side, seen: frozenset[Pair]) -> list[Link]:
        """Why the other run has not this v-structure; empty if its parts are the same there."""
        middle, ends = event.j, _pair(event.i, event.cond[0])
        for part in (_pair(middle, event.cond[0]), ends):
            if part not in seen and side.joined(part) != other.joined(part):
                return [self._link(Cause.PREMISE, pair, side, event, None, on=part), *self._follow(part, seen)]
        own, theirs = (one.result.sepsets.between(*ends) for one in (side, other))
        parting = side.parting(ends)
        if ends in seen or own is None or theirs is None or parting is None or (middle in own) == (middle in theirs):
            return []
        link = self._link(Cause.SETS, pair, side, event, None, on=ends)
        return [link, *self._parted(ends, parting, side, other, seen | {ends})]

    def _premise(self, pair: Pair, event: Event, side: Side, seen: frozenset[Pair]) -> list[Link]:
        """Which of the edges that one of Meek's rules looks at differs."""
        nodes = sorted({event.i, event.j, *event.cond})
        own, theirs = self.before.result.graph, self.after.result.graph
        for part in combinations(nodes, 2):
            if part not in seen and own.mark(*part) != theirs.mark(*part):
                return [self._link(Cause.PREMISE, pair, side, event, None, on=part), *self._follow(part, seen)]
        return []

    def _told(self, pair: Pair) -> list[Link]:
        """What each run says of the pair, and where the two first differ."""
        own = Link(Cause.EVENTS, pair, self.before.last_change(pair), self.after.last_change(pair))
        first = self._first_difference
        if first is None or first.pair == pair:
            return [own]
        return [own, first]

    @cached_property
    def _first_difference(self) -> Link | None:
        """Where the two traces part; None if they never do."""
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
        """`own` is what `side` tells, `theirs` what the other run does."""
        before, after = (own, theirs) if side is self.before else (theirs, own)
        return Link(cause, pair, before, after, lines, on)


def _pair(i: int, j: int) -> Pair:
    return (min(i, j), max(i, j))


def _same_request(one: Event, other: Event) -> bool:
    """Whether the two ask the same of their pair."""
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


def _same_parting(one: Event, other: Event) -> bool:
    return one.phase == other.phase and set(one.cond) == set(other.cond)


def _same_event(one: Event, other: Event) -> bool:
    """Whether two traces tell the same, whatever it was held against."""
    return (one.action, one.i, one.j, one.rule, one.phase, one.cond) == (
        other.action, other.i, other.j, other.rule, other.phase, other.cond
    ) and _same_number(one, other)  # fmt: skip


def _keeps(event: Event, line: float) -> bool:
    """Whether a pair that `event` took apart by its p stays joined where p is held against `line`."""
    if math.isnan(line) or math.isnan(event.log_p) or math.isnan(event.threshold) or line <= event.threshold:
        return False
    return math.log(event.threshold) < event.log_p <= math.log(line)
