"""Conversion of learned graphs to other packages, as methods of the results."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

LIBRARY = Path(__file__).parents[1].name


class GraphExports:
    """Base of results with a ``graph`` and its ``names``, which other packages take.

    Each method raises ParameterError if the package is not installed, or cannot hold the graph. The functions of
    `learners.io.packages` also convert graphs that no result has, and back.
    """

    graph: Any
    names: tuple[str, ...]

    def to_networkx(self) -> Any:
        """Return a `networkx.DiGraph` with the names as nodes; an undirected edge becomes two arcs."""
        return import_module(f"{LIBRARY}.io.interchange").to_networkx(self.graph, self.names)

    def to_igraph(self) -> Any:
        """Return a directed `igraph.Graph`; an undirected edge becomes two arcs whose attribute `directed` is False."""
        return self._converted("to_igraph")

    def to_pgmpy(self) -> Any:
        """Return a `pgmpy.base.DAG`, or a `PDAG` if an edge is undirected."""
        return self._converted("to_pgmpy")

    def to_pyagrum(self) -> Any:
        """Return a `pyagrum.PDAG` whose nodes have the positions as numbers, and the names."""
        return self._converted("to_pyagrum")

    def to_causal_learn(self) -> Any:
        """Return a `GeneralGraph` of causal-learn; a PAG keeps its ends."""
        return self._converted("to_causal_learn")

    def to_dowhy(self) -> Any:
        """Return a DAG of the equivalence class as a `networkx.DiGraph`, which DoWhy takes as ``graph``.

        Examples
        --------
        >>> from learners import learn, load_sample
        >>> sorted(learn("pc", load_sample("asia").dataset).to_dowhy().edges)[:2]
        [('bronc', 'smoke'), ('dysp', 'bronc')]
        """
        return self._converted("to_dowhy")

    def _converted(self, function: str) -> Any:
        return getattr(import_module(f"{LIBRARY}.io.packages"), function)(self.graph, self.names)
