"""Answers that are given in the picture: chosen nodes, chosen edges, and directions of edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np

from ...effects.adjustment import adjustment_sets
from ...effects.checks import representative_dag
from ...effects.paths import Path, separation
from ...effects.separators import minimal_separators
from ...graphs.cpdag import v_structures
from ...graphs.graph import PDAG, Edge
from .answer_texts import Texts
from .path_reasons import Reason, descendants, names_text, path_reason

MAX_EDGES = 3  # maximum number of missing edges, or of edges with a wrong mark, that a reason names
MARKS = ("undirected", "forward", "backward")  # a click on an edge leads from one to the next
SIGNS = {"undirected": "—", "forward": "→", "backward": "←"}


@dataclass(frozen=True)
class ChosenNodes:
    """A set of nodes that separates two variables, or identifies the effect of one on the other; any such set is right.

    Attributes
    ----------
    graph : PDAG
        A DAG.
    names : tuple of str
    ends : (int, int)
        The two variables; the first is the cause.
    adjusts : bool
        True if the set has to identify the effect, by the back-door criterion.
    hidden : tuple of int
        Nodes that cannot be chosen.
    solution : frozenset of int
        A smallest right set.
    """

    graph: PDAG
    names: tuple[str, ...]
    ends: Edge
    adjusts: bool
    hidden: tuple[int, ...]
    solution: frozenset[int]
    kind: ClassVar[str] = "nodes"
    nothing: ClassVar[frozenset] = frozenset()

    @property
    def shown(self) -> PDAG:
        """Graph in which the nodes are chosen."""
        return self.graph

    @property
    def options(self) -> tuple[int, ...]:
        """Nodes that can be chosen."""
        return tuple(k for k in range(len(self.names)) if k not in self.ends and k not in self.hidden)

    def parse(self, text: str) -> frozenset[int]:
        """Convert text such as "0,2" to a set of nodes; raise ValueError if it is none."""
        given = frozenset(int(part) for part in text.split(",") if part)
        if not given <= set(self.options):
            raise ValueError(text)
        return given

    def label(self, given: frozenset[int], say: Texts) -> str:
        """Return an answer in words."""
        return names_text(sorted(given), self.names, say)

    def is_right(self, given: frozenset[int]) -> bool:
        """Return True for a set that separates the two, or identifies the effect."""
        if self.adjusts and given & descendants(self.graph, self.ends[0]):
            return False
        return separation(self._blocked, *self.ends, sorted(given)).separated

    @property
    def _blocked(self) -> PDAG:
        """Graph in which the set has to block all paths between the two variables."""
        if not self.adjusts:
            return self.graph
        amat = self.graph.amat.copy()
        amat[self.ends[0]] = False  # without the arrows that leave the cause
        return PDAG(amat)

    def reason(self, given: frozenset[int], say: Texts) -> Reason:
        """Return a sentence on why an answer is right or wrong, and the path that it names."""
        below = given & descendants(self.graph, self.ends[0]) if self.adjusts else None
        if below:
            return say["below"].format(name=self.names[min(below)]), (), False
        why, path, is_open = path_reason(self._blocked, self.names, *self.ends, sorted(given), say)
        if self.adjusts and not is_open:
            why = f"{say['adjusts']} {why}" if path else say["adjusts"]
        return why, path, is_open

    def evidence(self, given: frozenset[int]) -> tuple[tuple[int, ...], tuple[Path, ...]]:
        """Return the variables that the reason conditions on, and all paths, open and blocked, between the two.

        With a descendant of the cause in the set, these include the paths that leave the cause.
        """
        below = self.adjusts and given & descendants(self.graph, self.ends[0])
        asked = self.graph if below else self._blocked
        return tuple(sorted(given)), separation(asked, *self.ends, sorted(given)).paths


def right_sets(graph: PDAG, ends: Edge, hidden: tuple[int, ...], *, adjusts: bool) -> tuple[tuple[int, ...], ...]:
    """Return the minimal sets without hidden nodes that separate two nodes or identify an effect, smallest first."""
    x, y = ends
    if adjusts:
        return adjustment_sets(graph, x, y, unmeasured=hidden).sets
    allowed = set(range(graph.p)) - {x, y} - set(hidden)
    return tuple(sorted(minimal_separators(graph.amat, x, y, allowed), key=lambda one: (len(one), one)))


@dataclass(frozen=True)
class ChosenEdges:
    """The edges that PC with perfect answers removes at one level.

    Attributes
    ----------
    dag : PDAG
        The true graph, which the tests ask.
    names : tuple of str
    shown : PDAG
        The undirected graph before the level.
    level : int
        Size of the conditioning sets.
    removed : mapping of (int, int) to tuple of int
        Separating set of each edge i < j that leaves.
    """

    dag: PDAG
    names: tuple[str, ...]
    shown: PDAG
    level: int
    removed: Mapping[Edge, tuple[int, ...]] = field(hash=False)
    kind: ClassVar[str] = "edges"
    nothing: ClassVar[frozenset] = frozenset()

    @property
    def solution(self) -> frozenset[Edge]:
        """The edges that leave."""
        return frozenset(self.removed)

    @property
    def options(self) -> tuple[Edge, ...]:
        """Edges that can be chosen."""
        return tuple(self.shown.edges())

    def parse(self, text: str) -> frozenset[Edge]:
        """Convert text such as "0-1,1-2" to a set of edges; raise ValueError if it is none."""
        pairs = [tuple(sorted(int(end) for end in part.split("-"))) for part in text.split(",") if part]
        if not set(pairs) <= set(self.options):
            raise ValueError(text)
        return frozenset(pairs)

    def label(self, given: frozenset[Edge], say: Texts) -> str:
        """Return an answer in words."""
        return ", ".join(self.edge_text(edge) for edge in sorted(given)) or say["no names"]

    def edge_text(self, edge: Edge) -> str:
        """Return an edge as text."""
        return f"{self.names[edge[0]]} — {self.names[edge[1]]}"

    def is_right(self, given: frozenset[Edge]) -> bool:
        """Return True if exactly the edges are chosen that leave."""
        return given == self.solution

    def mistakes(self, given: frozenset[Edge]) -> tuple[Edge, ...]:
        """Return the edges of an answer that stay."""
        return tuple(sorted(given - self.solution))

    def reason(self, given: frozenset[Edge], say: Texts) -> Reason:
        """Return sentences on the first wrong choice and on the missing edges, else on all edges that leave."""
        reasons = [self._why(edge, say) for edge in self._named(given)]
        if not reasons:
            return say["none leaves"].format(n=self.level), (), False
        return " ".join(why for why, _, _ in reasons), *reasons[0][1:]

    def _named(self, given: frozenset[Edge]) -> list[Edge]:
        """Return the edges that the reason names."""
        if given == self.solution:
            return sorted(self.solution)
        return [*self.mistakes(given)[:1], *sorted(self.solution - given)[:MAX_EDGES]]

    def _why(self, edge: Edge, say: Texts) -> Reason:
        """Return a sentence on whether an edge leaves, and why."""
        if edge in self.removed:
            members = self.removed[edge]
            why, path, is_open = path_reason(self.dag, self.names, *edge, members, say)
            words = "leaves" if members else "leaves at once"
        else:
            members = self._tried(edge)
            if members is None:
                return say["stays untested"].format(edge=self.edge_text(edge), n=self.level), (), False
            why, path, is_open = path_reason(self.dag, self.names, *edge, members, say)
            words = "stays" if members else "stays always" if self.dag.skeleton[edge] else "stays at once"
        given_text = names_text(members, self.names, say)
        return say[words].format(edge=self.edge_text(edge), given=given_text, why=why), path, is_open

    def evidence(self, given: frozenset[Edge]) -> tuple[tuple[int, ...], tuple[Path, ...]]:
        """Return the variables that the reason of the first edge conditions on, and all paths between its ends."""
        edge = next(iter(self._named(given)), None)
        members = None if edge is None else self.removed.get(edge, self._tried(edge))
        return ((), ()) if members is None else (members, separation(self.dag, *edge, members).paths)

    @property
    def after(self) -> PDAG:
        """The undirected graph after the level."""
        amat = np.array(self.shown.amat)
        for a, b in self.solution:
            amat[a, b] = amat[b, a] = False
        return PDAG(amat)

    def _tried(self, edge: Edge) -> tuple[int, ...] | None:
        """Return the first set that the level tries for an edge that stays, or None if there is none.

        For an edge of the DAG it is the empty set: no set matters.
        """
        tried = next(iter(conditioning_sets(self.shown, edge, self.level)), None)
        return () if tried and self.dag.skeleton[edge] else tried


def conditioning_sets(shown: PDAG, edge: Edge, size: int) -> list[tuple[int, ...]]:
    """Return the sets of neighbours of either end that PC tries for an edge, in order and each once."""
    sets = [
        one
        for a, b in (edge, edge[::-1])
        for one in combinations([k for k in shown.adjacent(a) if k != b], size)
    ]  # fmt: skip
    return list(dict.fromkeys(sets))


def removed_at(dag: PDAG, shown: PDAG, size: int) -> dict[Edge, tuple[int, ...]]:
    """Return the edges that leave an undirected graph at a level of PC with perfect answers, with separating sets."""
    found = {}
    for edge in shown.edges():
        sets = conditioning_sets(shown, edge, size)
        members = next((one for one in sets if separation(dag, *edge, one).separated), None)
        if members is not None:
            found[edge] = members
    return found


def graph_before(dag: PDAG, level: int) -> PDAG:
    """Return the undirected graph of PC with perfect answers before a level; complete before level 0."""
    adjacent = ~np.eye(dag.p, dtype=bool)
    for size in range(level):
        for a, b in removed_at(dag, PDAG(adjacent), size):
            adjacent[a, b] = adjacent[b, a] = False
    return PDAG(adjacent)


@dataclass(frozen=True)
class OrientedEdges:
    """Directions of all edges of an undirected or partly directed graph.

    Attributes
    ----------
    names : tuple of str
    shown : PDAG
        The graph before the answer.
    target : PDAG
        The right graph, a CPDAG.
    """

    names: tuple[str, ...]
    shown: PDAG
    target: PDAG
    kind: ClassVar[str] = "marks"

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Edges (i, j), i < j, in the order of the marks of an answer."""
        return tuple(sorted((min(edge), max(edge)) for edge in self.shown.edges()))

    @property
    def options(self) -> tuple[Edge, ...]:
        """Edges that can be turned: those that the shown graph leaves undirected."""
        return tuple(edge for edge in self.edges if self.shown.mark(*edge) == "undirected")

    @property
    def start(self) -> tuple[str, ...]:
        """Marks of the shown graph."""
        return tuple(self.shown.mark(*edge) for edge in self.edges)

    @property
    def nothing(self) -> tuple[str, ...]:
        """Answer that turns no edge."""
        return self.start

    @property
    def solution(self) -> tuple[str, ...]:
        """Marks of the right graph."""
        return tuple(self.target.mark(*edge) for edge in self.edges)

    def parse(self, text: str) -> tuple[str, ...]:
        """Convert text such as "forward,undirected" to marks; raise ValueError if an edge has none, or a fixed one."""
        given = tuple(text.split(","))
        fixed = zip(self.edges, self.start, given, strict=False)
        if len(given) != len(self.edges) or not set(given) <= set(MARKS):
            raise ValueError(text)
        if any(edge not in self.options and mark != before for edge, before, mark in fixed):
            raise ValueError(text)
        return given

    def label(self, given: tuple[str, ...], _say: Texts) -> str:
        """Return an answer in words."""
        drawn = [edge_text(edge, mark, self.names) for edge, mark in zip(self.edges, given, strict=True)]
        return ", ".join(text for edge, text in zip(self.edges, drawn, strict=True) if edge in self.options)

    def is_right(self, given: tuple[str, ...]) -> bool:
        """Return True if all marks are those of the right graph."""
        return given == self.solution

    def mistakes(self, given: tuple[str, ...]) -> tuple[Edge, ...]:
        """Return the edges of an answer that have another mark than in the right graph."""
        marks = zip(self.edges, given, self.solution, strict=True)
        return tuple(edge for edge, mark, right in marks if mark != right)

    def drawn(self, given: tuple[str, ...]) -> PDAG:
        """Return the graph with the marks of an answer, which may have cycles."""
        amat = np.zeros((len(self.names),) * 2, dtype=bool)
        for (a, b), mark in zip(self.edges, given, strict=True):
            amat[a, b], amat[b, a] = mark != "backward", mark != "forward"
        return PDAG(amat)

    def reason(self, given: tuple[str, ...], say: Texts) -> Reason:
        """Return sentences on the edges with another mark, else on the first directed and the first undirected edge."""
        directed = [edge for edge in self.options if self.target.mark(*edge) != "undirected"]
        others = [edge for edge in self.options if edge not in directed]
        named = self.mistakes(given)[:MAX_EDGES] or [*directed[:1], *others[:1]]
        reasons = [self._why(edge, say) for edge in named]
        return " ".join(why for why, _, _ in reasons), *reasons[0][1:]

    def _why(self, edge: Edge, say: Texts) -> Reason:
        mark = self.target.mark(*edge)
        drawn = edge_text(edge, mark, self.names)
        if mark == "undirected":
            forward, backward = (edge_text(edge, way, self.names) for way in MARKS[1:])
            return say["stays open"].format(edge=drawn, forward=forward, backward=backward), edge, False
        tail, head = edge if mark == "forward" else edge[::-1]
        pairs = [(i, j) for i, k, j in v_structures(self.target) if k == head and tail in (i, j)]
        if pairs:
            other = next(node for node in pairs[0] if node != tail)
            values = {"edge": drawn, "head": self.names[head], "a": self.names[tail], "b": self.names[other]}
            return say["collides"].format(**values), (tail, head, other), False
        return self._forced(tail, head, drawn, say), edge, False

    def evidence(self, _given: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[Path, ...]]:
        """Return no variables and no paths."""
        return (), ()

    def _forced(self, tail: int, head: int, drawn: str, say: Texts) -> str:
        """Return a sentence on what the other direction of an edge would do: add a collider, or close a cycle."""
        names, target = self.names, self.target
        values = {"edge": drawn, "turned": f"{names[head]} → {names[tail]}", "tail": names[tail]}
        other = next((k for k in target.parents(tail) if not target.skeleton[k, head]), None)
        if other is not None:
            dag, allowed = representative_dag(target), set(range(target.p)) - {other, head}
            found = min(minimal_separators(dag.amat, other, head, allowed), key=lambda one: (len(one), one))
            separating = names_text(sorted(found), names, say)
            return say["adds collider"].format(a=names[other], b=names[head], separating=separating, **values)
        between = next((k for k in target.children(tail) if k in target.parents(head)), None)
        if between is None:
            return say["follows"].format(edge=drawn)
        cycle = " → ".join(names[k] for k in (tail, between, head, tail))
        return say["closes cycle"].format(cycle=cycle, **values)


def edge_text(edge: Edge, mark: str, names: Sequence[str]) -> str:
    """Return an edge with its mark, such as "a → b"."""
    return f"{names[edge[0]]} {SIGNS[mark]} {names[edge[1]]}"
