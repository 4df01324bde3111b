"""Immutable draft of a network: every edit returns a new draft, and refuses an invalid network."""

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
YES_NO = ("no", "yes")  # default levels
Edge = tuple[str, str]


@validated
@dataclass(frozen=True, eq=False)
class Draft:
    """Nodes, edges with their strengths, and custom tables.

    A table is kept until the parents of its node, or their number of levels, change. After that, the strengths of the
    edges and the rule of `build_network` apply again.

    Attributes
    ----------
    nodes : mapping of name to tuple of levels
        No levels for a numeric node. A draft may be empty.
    edges : mapping of (parent, child) to strength
    tables : mapping of name to array
        See `build_network`.

    Raises
    ------
    DataError
        If a node has only one level, or edges form a cycle.
    ParameterError
        If an edge or a table names no node, or a strength is out of range.

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
        """Return a draft of a network, with its tables or equations."""
        names, dag = network.names, network.dag
        edges = dict.fromkeys(((names[a], names[b]) for a, b in dag.directed_edges()), DEFAULT_STRENGTH)
        states = dict(zip(names, network.states, strict=True))
        return cls(states, edges, {name: table_of(network, j) for j, name in enumerate(names)})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return tuple(self.nodes)

    @cached_property
    def dag(self) -> PDAG:
        """DAG of the draft, with nodes in the order of `names`."""
        place = {name: k for k, name in enumerate(self.nodes)}
        return PDAG.from_edges(len(place), directed=[(place[a], place[b]) for a, b in self.edges])

    @cached_property
    def network(self) -> AnyNetwork:
        """Network of the draft; raise DataError if there is no node, or a table is invalid."""
        if not self.nodes:
            raise DataError("a network needs at least one node; add one")
        return build_network(self.nodes, self.edges, self.tables)

    @validated
    def table(self, name: str) -> np.ndarray | None:
        """Return the table or equation of a node in the form of `build_network`; None if it has none."""
        self._check(name)
        return table_of(self.network, self.names.index(name))

    @validated
    def parents(self, name: str) -> tuple[str, ...]:
        """Return the parents of a node, in the order of the nodes."""
        self._check(name)
        return tuple(one for one in self.nodes if (one, name) in self.edges)

    def free_name(self) -> str:
        """Return an unused letter as a name, with a number if needed."""
        rounds = ("", *map(str, range(1, len(self.nodes) // len(LETTERS) + 2)))
        return next(f"{letter}{k}" for k in rounds for letter in LETTERS if f"{letter}{k}" not in self.nodes)

    @validated
    def with_node(self, name: str, levels: Sequence[str] = YES_NO) -> Draft:
        """Add a node; without levels it is numeric."""
        if name in self.nodes:
            raise DataError(f"nodes must have different names, {quoted([name])} exists already; choose another")
        return replace(self, nodes={**self.nodes, name: tuple(levels)})

    @validated
    def without_node(self, name: str) -> Draft:
        """Remove a node and its edges."""
        self._check(name)
        edges = {pair: s for pair, s in self.edges.items() if name not in pair}
        kept = {one: levels for one, levels in self.nodes.items() if one != name}
        changed = {name, *(b for a, b in self.edges if a == name)}
        return Draft(kept, edges, self._tables_but(changed))

    @validated
    def renamed(self, old: str, new: str) -> Draft:
        """Rename a node."""
        self._check(old)
        if new != old and new in self.nodes:
            raise DataError(f"nodes must have different names, {quoted([new])} exists already; choose another")

        def called(name: str) -> str:
            return new if name == old else name

        return Draft(
            {called(name): levels for name, levels in self.nodes.items()},
            {(called(a), called(b)): s for (a, b), s in self.edges.items()},
            {called(name): table for name, table in self.tables.items()},
        )

    @validated
    def with_levels(self, name: str, levels: Sequence[str]) -> Draft:
        """Change the levels of a node; no levels make it numeric, and an equal number of levels only renames them."""
        self._check(name)
        same = len(levels) == len(self.nodes[name])
        changed = set() if same else {name, *(b for a, b in self.edges if a == name)}
        return Draft({**self.nodes, name: tuple(levels)}, self.edges, self._tables_but(changed))

    @validated
    def with_edge(self, parent: str, child: str, strength: float | None = None) -> Draft:
        """Add an edge or change its strength; raise a DataError that names the path if it would close a cycle."""
        for name in (parent, child):
            self._check(name)
        own = self.edges.get((parent, child), DEFAULT_STRENGTH) if strength is None else strength
        if (parent, child) not in self.edges:
            refuse_cycle(self.edges, parent, child)
        return Draft(self.nodes, {**self.edges, (parent, child): own}, self._tables_but({child}))

    @validated
    def with_parents(self, name: str, parents: Sequence[str]) -> Draft:
        """Replace the edges into a node; existing edges keep their strengths."""
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
        """Remove an edge."""
        self._check_edge(parent, child)
        edges = {pair: s for pair, s in self.edges.items() if pair != (parent, child)}
        return Draft(self.nodes, edges, self._tables_but({child}))

    @validated
    def turned(self, parent: str, child: str) -> Draft:
        """Reverse an edge."""
        self._check_edge(parent, child)
        return self.without_edge(parent, child).with_edge(child, parent, self.edges[parent, child])

    @validated
    def with_table(self, name: str, table: np.ndarray) -> Draft:
        """Set the table or equation of a node; refuse an invalid one."""
        self._check(name)
        draft = Draft(self.nodes, self.edges, {**self.tables, name: table})
        _ = draft.network  # validates the table
        return draft

    @validated
    def by_strengths(self, name: str) -> Draft:
        """Restore the table of a node that follows from the strengths of its edges."""
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
