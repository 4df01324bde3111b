"""Orientation rules of PAGs: R0 to R4 and R8 to R10 of Zhang (2008).

R5 to R7 concern selection, which is excluded here. An asterisk stands for any mark. A mark once set stays: a rule that
contradicts an earlier mark, or that would make a variable a cause of itself, is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from .pag import ARROW, CIRCLE, NONE, PAG, TAIL
from .rules import Rule

Triple = tuple[int, int, int]
Between = Callable[[int, int, int], bool | None]


class EndMark(NamedTuple):
    """New marks of one edge.

    Attributes
    ----------
    rule : Rule
    i, j : int
    at_i, at_j : int
        The marks of the edge afterwards.
    others : tuple of int
        The other nodes that the rule examined.
    refused : bool
        True if the marks would contradict earlier ones; the edge then stays as it was.
    """

    rule: Rule
    i: int
    j: int
    at_i: int
    at_j: int
    others: tuple[int, ...]
    refused: bool = False


class Orientation:
    """Marks of a skeleton while rules are applied.

    Parameters
    ----------
    skeleton : (p, p) bool array
        Symmetric. Every end starts with a circle.
    ambiguous : collection of (int, int, int)
        Triples a, b, c for which the evidence does not show whether b is a collider. R1, R3, R9 and R10 do not use
        them.
    excluded : (p, p) bool array, optional
        Entry [i, j] refuses the edge i -> j.

    Attributes
    ----------
    steps : list of EndMark
        Marks set or refused so far, in order.
    """

    def __init__(
        self, skeleton: np.ndarray, ambiguous: Collection[Triple] = (), excluded: np.ndarray | None = None
    ) -> None:
        p = len(skeleton)
        self.p = p
        self.marks = np.where(skeleton, CIRCLE, NONE).tolist()  # marks[a][b] is the mark at b
        self.near = [np.flatnonzero(row).tolist() for row in skeleton]
        self.steps: list[EndMark] = []
        self._excluded = excluded
        self._ambiguous = {frozenset((a, c)) | {(b,)} for a, b, c in ambiguous}
        self._causes = [1 << k for k in range(p)]  # bit sets: a node and the nodes from which directed edges lead to it
        self._effects = [1 << k for k in range(p)]
        self._into = [0] * p  # nodes whose edge has an arrowhead at this node
        self._refused: set[tuple[int, int, int, int]] = set()

    @property
    def pag(self) -> PAG:
        """The graph so far."""
        return PAG(np.array(self.marks, dtype=np.int8).reshape(self.p, self.p))

    def set_arrowhead(self, rule: Rule, i: int, j: int, *others: int) -> bool:
        """Put an arrowhead at j of the edge i *-o j; return False if nothing changed."""
        return self._set(rule, i, j, self.marks[j][i], ARROW, others)

    def set_cause(self, rule: Rule, i: int, j: int, *others: int) -> bool:
        """Make the edge i -> j; return False if nothing changed."""
        return self._set(rule, i, j, TAIL, ARROW, others)

    def set_bidirected(self, rule: Rule, i: int, j: int, *others: int) -> bool:
        """Make the edge i <-> j; return False if nothing changed."""
        return self._set(rule, i, j, ARROW, ARROW, others)

    def _set(self, rule: Rule, i: int, j: int, at_i: int, at_j: int, others: tuple[int, ...]) -> bool:
        before = self.marks[j][i], self.marks[i][j]
        if before == (at_i, at_j) or (i, j, at_i, at_j) in self._refused:
            return False
        kept = all(old in (CIRCLE, new) for old, new in zip(before, (at_i, at_j), strict=True))
        if not kept or self._contradicts(i, j, at_i, at_j):
            self._refused.add((i, j, at_i, at_j))
            self.steps.append(EndMark(rule, i, j, at_i, at_j, others, refused=True))
            return False
        self.marks[j][i], self.marks[i][j] = at_i, at_j
        if at_j == ARROW:
            self._into[j] |= 1 << i
        if at_i == ARROW:
            self._into[i] |= 1 << j
        if at_i == TAIL:
            causes, effects = self._causes[i], self._effects[j]
            for k in range(self.p):
                if causes >> k & 1:
                    self._effects[k] |= effects
                if effects >> k & 1:
                    self._causes[k] |= causes
        self.steps.append(EndMark(rule, i, j, at_i, at_j, others))
        return True

    def _contradicts(self, i: int, j: int, at_i: int, at_j: int) -> bool:
        """Return True if the marks would close a directed or almost directed cycle, or make an excluded arrow."""
        if at_j == ARROW and self._effects[j] >> i & 1 or at_i == ARROW and self._effects[i] >> j & 1:
            return True
        if at_i != TAIL:
            return False
        if self._excluded is not None and self._excluded[i, j]:
            return True
        effects = self._effects[j]
        return any(self._causes[i] >> k & 1 and effects & (self._into[k] | 1 << k) for k in range(self.p))

    # --- the rules ---------------------------------------------------------------------------------------------------

    def orient_colliders(self, triples: Iterable[Triple], rule: Rule = Rule.COLLIDER_ENDS) -> None:
        """Apply R0: in an unshielded triple a *-o b o-* c whose middle does not separate the ends, a *-> b <-* c."""
        for a, b, c in triples:
            self.set_arrowhead(rule, a, b, c)
            self.set_arrowhead(rule, c, b, a)

    def close(self, between: Between) -> None:
        """Apply R1 to R4 and R8 to R10 until none applies.

        Parameters
        ----------
        between : callable
            ``between(d, b, c)``: True if b is in the set that separates d and c, None if no set is known; for R4.
        """
        changed = True
        while changed:
            changed = False
            while self._apply(self._r1) | self._apply(self._r2) | self._apply(self._r3) | self._r4(between):
                changed = True
            changed |= self._apply(self._r8) | self._apply(self._r9) | self._apply(self._r10)

    def _apply(self, rule: Callable[[int, int], bool]) -> bool:
        """Apply a rule to every edge a *-* b, in both directions; return True if a mark changed."""
        return sum(rule(a, b) for a in range(self.p) for b in self.near[a]) > 0  # not `any`, which stops at the first

    def _is_open(self, a: int, b: int, c: int) -> bool:
        """Return True if a and c are not adjacent and the triple a, b, c is not ambiguous."""
        return self.marks[a][c] == NONE and frozenset((a, c)) | {(b,)} not in self._ambiguous

    def _r1(self, a: int, b: int) -> bool:
        """Apply R1: a *-> b o-* c, a and c not adjacent: b -> c."""
        if self.marks[a][b] != ARROW:
            return False
        ends = [c for c in self.near[b] if c != a and self.marks[c][b] == CIRCLE and self._is_open(a, b, c)]
        return sum(self.set_cause(Rule.ENDS_R1, b, c, a) for c in ends) > 0

    def _r2(self, a: int, c: int) -> bool:
        """Apply R2: a -> b *-> c or a *-> b -> c, and a *-o c: a *-> c."""
        marks = self.marks
        if marks[a][c] != CIRCLE:
            return False
        for b in self.near[a]:
            if marks[a][b] == ARROW == marks[b][c] and TAIL in (marks[b][a], marks[c][b]):
                return self.set_arrowhead(Rule.ENDS_R2, a, c, b)
        return False

    def _r3(self, d: int, b: int) -> bool:
        """Apply R3: a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b: d *-> b."""
        marks = self.marks
        if marks[d][b] != CIRCLE:
            return False
        ends = [a for a in self.near[d] if marks[a][d] == CIRCLE and marks[a][b] == ARROW]
        for position, a in enumerate(ends):
            for c in ends[position + 1 :]:
                if self._is_open(a, d, c):
                    return self.set_arrowhead(Rule.ENDS_R3, d, b, a, c)
        return False

    def _r4(self, between: Between) -> bool:
        """Apply R4: on a discriminating path d, .., a, b, c with b o-* c: b -> c, or a <-> b <-> c.

        It is b -> c if b is in the set that separates d and c.
        """
        changed = False
        for b in range(self.p):
            for c in self.near[b]:
                if self.marks[c][b] != CIRCLE:
                    continue
                for d, a in self._discriminating_paths(b, c):
                    inside = between(d, b, c)
                    if inside is None:
                        continue
                    if inside:
                        changed |= self.set_cause(Rule.ENDS_R4, b, c, d, a)
                    else:
                        changed |= self.set_bidirected(Rule.ENDS_R4_COLLIDER, b, c, d, a)
                        changed |= self.set_bidirected(Rule.ENDS_R4_COLLIDER, a, b, d, c)
                    break
        return changed

    def _discriminating_paths(self, b: int, c: int) -> Iterator[tuple[int, int]]:
        """Yield the first node d and the last a of paths d, .., a, b, c that are discriminating for b.

        Every node between d and b is a collider and points at c; d and c are not adjacent.
        """
        marks = self.marks
        for a in self.near[b]:
            if a == c or marks[b][a] != ARROW or not self._points(a, c):
                continue
            todo, seen = deque([a]), {a, b, c}
            while todo:
                last = todo.popleft()
                for d in self.near[last]:
                    if d in seen or marks[d][last] != ARROW:
                        continue
                    if marks[d][c] == NONE:
                        yield d, a
                    elif marks[last][d] == ARROW and self._points(d, c):
                        seen.add(d)
                        todo.append(d)

    def _points(self, i: int, j: int) -> bool:
        """Return True if i -> j."""
        return self.marks[i][j] == ARROW and self.marks[j][i] == TAIL

    def _r8(self, a: int, c: int) -> bool:
        """Apply R8: a -> b -> c or a -o b -> c, and a o-> c: a -> c."""
        if not self._points_or_shares(a, c):
            return False
        for b in self.near[a]:
            if self.marks[b][a] == TAIL and self._points(b, c):
                return self.set_cause(Rule.ENDS_R8, a, c, b)
        return False

    def _r9(self, a: int, c: int) -> bool:
        """Apply R9: a o-> c, uncovered potentially directed path a, b, .., c with b and c not adjacent: a -> c."""
        if not self._points_or_shares(a, c):
            return False
        for b in self.near[a]:
            if b != c and self._may_point(a, b) and self._is_open(b, a, c) and self._has_path(a, b, c):
                return self.set_cause(Rule.ENDS_R9, a, c, b)
        return False

    def _r10(self, a: int, c: int) -> bool:
        """Apply R10: a o-> c, b -> c <- d, uncovered potentially directed paths from a to b and d that branch: a -> c.

        The paths branch if their second nodes are different and not adjacent.
        """
        if not self._points_or_shares(a, c):
            return False
        into = [b for b in self.near[c] if b != a and self._points(b, c)]
        first = [m for m in self.near[a] if m != c and self._may_point(a, m)]
        branches = [(m, w) for m in first for w in first if m != w and self._is_open(m, a, w)]
        if len(into) < 2 or not branches:
            return False
        reached = {m: [b for b in into if m == b or self._has_path(a, m, b, without=c)] for m in first}
        for m, w in branches:
            for b in reached[m]:
                for d in reached[w]:
                    if b != d:
                        return self.set_cause(Rule.ENDS_R10, a, c, b, d)
        return False

    def _points_or_shares(self, a: int, c: int) -> bool:
        """Return True if a o-> c."""
        return self.marks[a][c] == ARROW and self.marks[c][a] == CIRCLE

    def _may_point(self, u: int, v: int) -> bool:
        """Return True if u could be a cause of v: no arrowhead at u, no tail at v."""
        return self.marks[v][u] != ARROW and self.marks[u][v] != TAIL

    def _has_path(self, a: int, second: int, end: int, without: int = -1) -> bool:
        """Return True if an uncovered potentially directed path leads from a through its second node to the end."""
        todo, seen = deque([(a, second)]), {(a, second)}
        while todo:
            u, v = todo.popleft()
            if v == end:
                return True
            for w in self.near[v]:
                if w in (u, a, without) or (v, w) in seen or not self._may_point(v, w) or not self._is_open(u, v, w):
                    continue
                seen.add((v, w))
                todo.append((v, w))
        return False


def unshielded_triples(skeleton: np.ndarray) -> list[Triple]:
    """Return the triples a, b, c, a < c, of edges a - b - c whose ends are not adjacent, ascending in b, a and c."""
    near = [np.flatnonzero(row).tolist() for row in skeleton]
    return [(a, b, c) for b, ends in enumerate(near) for a in ends for c in ends if a < c and not skeleton[a, c]]


def orient(
    skeleton: np.ndarray, between: Between, ambiguous: Collection[Triple] = ()
) -> tuple[PAG, tuple[EndMark, ...]]:
    """Orient a skeleton by R0 to R4 and R8 to R10.

    Parameters
    ----------
    skeleton : (p, p) bool array
        Symmetric.
    between : callable
        ``between(d, b, c)``: True if b is in the set that separates d and c, None if no set is known.
    ambiguous : collection of (int, int, int)
        Triples a, b, c that make no collider and block R1, R3, R9 and R10.

    Returns
    -------
    PAG
    tuple of EndMark
        Each application of a rule, in order.
    """
    orientation = Orientation(skeleton, ambiguous)
    unclear = {frozenset((a, c)) | {(b,)} for a, b, c in ambiguous}
    orientation.orient_colliders(
        (a, b, c)
        for a, b, c in unshielded_triples(skeleton)
        if between(a, b, c) is False and frozenset((a, c)) | {(b,)} not in unclear
    )
    orientation.close(between)
    return orientation.pag, tuple(orientation.steps)
