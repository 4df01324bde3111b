"""A network while it is drawn: every change gives another draft, and refuses what would be none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..common.errors import DataError, ParameterError
from ..common.validation import validated
from ..common.wording import quoted
from ..graphs.graph import PDAG
from .network import DiscreteNetwork, GaussianNetwork
from .network_builder import (
    DEFAULT_STRENGTH,
    AnyNetwork,
    build_network,
    checked_edges,
    checked_nodes,
    refuse_cycle,
    table_of,
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
YES_NO = ("no", "yes")  # levels of a node that is given none
Edge = tuple[str, str]


@validated
@dataclass(frozen=True, eq=False)
class Draft:
    """Nodes, edges with their strengths, and tables given by hand.

    A table stays until the parents of its node, or their number of levels, change: from then on its edges have the
    strengths that they had, and the rule of `build_network` counts.

    Attributes
    ----------
    nodes : mapping of name to tuple of levels
        No levels of a number. There may be no node.
    edges : mapping of (parent, child) to strength
    tables : mapping of name to array
        As of `build_network`.

    Raises
    ------
    DataError
        If a node has one level alone, or edges form a cycle.
    ParameterError
        If an edge or a table is of no node, or a strength is out of range.

    Examples
    --------
    >>> draft = Draft().with_node("rain", YES_NO).with_node("wet", YES_NO).with_edge("rain", "wet", 0.8)
    >>> draft.network
    DiscreteNetwork(p=2, edges=1, parameters=3)
    """

    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    edges: Mapping[Edge, float] = field(default_factory=dict)
    tables: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names, states = checked_nodes(self.nodes) if self.nodes else ((), ())
        object.__setattr__(self, "nodes", dict(zip(names, states, strict=True)))
        object.__setattr__(self, "edges", checked_edges(names, self.edges))
        object.__setattr__(self, "tables", dict(self.tables))

    @classmethod
    @validated
    def of(cls, network: DiscreteNetwork | GaussianNetwork) -> Draft:
        """A network to go on drawing, with its tables or equations."""
        names, dag = network.names, network.dag
        edges = dict.fromkeys(((names[a], names[b]) for a, b in dag.directed_edges()), DEFAULT_STRENGTH)
        states = dict(zip(names, network.states, strict=True))
        return cls(states, edges, {name: table_of(network, j) for j, name in enumerate(names)})

    @property
    def names(self) -> tuple[str, ...]:
        """Of the nodes."""
        return tuple(self.nodes)

    @cached_property
    def dag(self) -> PDAG:
        """Its nodes are numbered as in `names`."""
        place = {name: k for k, name in enumerate(self.nodes)}
        return PDAG.from_edges(len(place), directed=[(place[a], place[b]) for a, b in self.edges])

    @cached_property
    def network(self) -> AnyNetwork:
        """What is drawn, as a network; DataError if there is no node, or a table is none."""
        if not self.nodes:
            raise DataError("a network needs a node, found none; draw one")
        return build_network(self.nodes, self.edges, self.tables)

    @validated
    def table(self, name: str) -> np.ndarray | None:
        """Table or equation of a node as `build_network` takes it; None of levels with a number among their parents."""
        self._check(name)
        return table_of(self.network, self.names.index(name))

    @validated
    def parents(self, name: str) -> tuple[str, ...]:
        """Of a node, in the order of the nodes."""
        self._check(name)
        return tuple(one for one in self.nodes if (one, name) in self.edges)

    def free_name(self) -> str:
        """A letter that no node is called, or one with a number."""
        rounds = ("", *map(str, range(1, len(self.nodes) // len(LETTERS) + 2)))
        return next(f"{letter}{k}" for k in rounds for letter in LETTERS if f"{letter}{k}" not in self.nodes)

    @validated
    def with_node(self, name: str, levels: Sequence[str] = YES_NO) -> Draft:
        """One node more; without levels it is a number."""
        if name in self.nodes:
            raise DataError(f"nodes must have different names, {quoted([name])} is there already; choose another")
        return replace(self, nodes={**self.nodes, name: tuple(levels)})

    @validated
    def without_node(self, name: str) -> Draft:
        """Without a node and its edges."""
        self._check(name)
        edges = {pair: s for pair, s in self.edges.items() if name not in pair}
        kept = {one: levels for one, levels in self.nodes.items() if one != name}
        changed = {name, *(b for a, b in self.edges if a == name)}
        return Draft(kept, edges, self._tables_but(changed))

    @validated
    def renamed(self, old: str, new: str) -> Draft:
        """With another name of a node; all else stays."""
        self._check(old)
        if new != old and new in self.nodes:
            raise DataError(f"nodes must have different names, {quoted([new])} is there already; choose another")

        def called(name: str) -> str:
            return new if name == old else name

        return Draft(
            {called(name): levels for name, levels in self.nodes.items()},
            {(called(a), called(b)): s for (a, b), s in self.edges.items()},
            {called(name): table for name, table in self.tables.items()},
        )

    @validated
    def with_levels(self, name: str, levels: Sequence[str]) -> Draft:
        """With other levels of a node, or none, which makes it a number; as many as before are only renamed."""
        self._check(name)
        same = len(levels) == len(self.nodes[name])
        changed = set() if same else {name, *(b for a, b in self.edges if a == name)}
        return Draft({**self.nodes, name: tuple(levels)}, self.edges, self._tables_but(changed))

    @validated
    def with_edge(self, parent: str, child: str, strength: float | None = None) -> Draft:
        """With an edge, or with another strength of one; DataError that names the path if it would close a cycle."""
        for name in (parent, child):
            self._check(name)
        own = self.edges.get((parent, child), DEFAULT_STRENGTH) if strength is None else strength
        if (parent, child) not in self.edges:
            refuse_cycle(self.edges, parent, child)
        return Draft(self.nodes, {**self.edges, (parent, child): own}, self._tables_but({child}))

    @validated
    def with_parents(self, name: str, parents: Sequence[str]) -> Draft:
        """With edges into a node from these alone; those that were there keep their strengths."""
        draft = self
        for one in self.parents(name):
            if one not in parents:
                draft = draft.without_edge(one, name)
        for one in parents:
            if (one, name) not in draft.edges:
                draft = draft.with_edge(one, name)
        return draft

    @validated
    def without_edge(self, parent: str, child: str) -> Draft:
        """Without an edge."""
        self._check_edge(parent, child)
        edges = {pair: s for pair, s in self.edges.items() if pair != (parent, child)}
        return Draft(self.nodes, edges, self._tables_but({child}))

    @validated
    def turned(self, parent: str, child: str) -> Draft:
        """With an edge the other way round."""
        self._check_edge(parent, child)
        return self.without_edge(parent, child).with_edge(child, parent, self.edges[parent, child])

    @validated
    def with_table(self, name: str, table: np.ndarray) -> Draft:
        """With a table or an equation of a node, given by hand; refused if it is none."""
        self._check(name)
        draft = Draft(self.nodes, self.edges, {**self.tables, name: table})
        _ = draft.network  # refuses what is no table
        return draft

    @validated
    def by_strengths(self, name: str) -> Draft:
        """With the table of a node made from the strengths of its edges again."""
        self._check(name)
        return Draft(self.nodes, self.edges, self._tables_but({name}))

    def _tables_but(self, names: set[str]) -> dict[str, np.ndarray]:
        return {name: table for name, table in self.tables.items() if name not in names}

    def _check(self, name: str) -> None:
        if name not in self.nodes:
            raise ParameterError(f"there is no node {quoted([name])}; there are {quoted(self.nodes) or 'none'}")

    def _check_edge(self, parent: str, child: str) -> None:
        if (parent, child) not in self.edges:
            raise ParameterError(f"there is no edge {parent} -> {child}; add it first")

    def __repr__(self) -> str:
        return f"Draft(nodes={len(self.nodes)}, edges={len(self.edges)})"
