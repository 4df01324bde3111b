"""Convert graphs to and from those of other packages, each imported when it is needed.

| package | to | from |
|---|---|---|
| networkx | `interchange.to_networkx` | `DiGraph`, `Graph` |
| igraph | `Graph` with the attributes `name` of nodes and `directed` of edges | the same |
| pgmpy | `DAG`, or `PDAG` where an edge is undirected | `DAG`, `PDAG`, networks |
| pyAgrum | `PDAG` with names | `DAG`, `PDAG`, `MixedGraph`, `BayesNet`, `EssentialGraph` |
| causal-learn | `GeneralGraph`, also of a PAG | the same |
| DoWhy | networkx graph of a DAG of the equivalence class | the same |

`from_package` recognises the package of a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.pag import PAG
from .edges import check_names, marked_edges
from .interchange import to_networkx

Named = tuple[PDAG, tuple[str, ...]]
OPPOSITE = {"TAIL": "-", "ARROW": ">", "CIRCLE": "o"}  # names of the ends of causal-learn


def from_networkx(graph: Any) -> Named:
    """Return the graph and its names. Two opposite arcs, and edges of an undirected graph, are undirected edges."""
    names = tuple(map(str, graph.nodes))
    place = {node: k for k, node in enumerate(graph.nodes)}
    return _of_arcs(names, ((place[a], place[b]) for a, b in graph.edges), all_undirected=not graph.is_directed())


def to_igraph(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return a directed `igraph.Graph`; an undirected edge becomes two arcs whose attribute `directed` is False."""
    _check(pdag, names, "igraph")
    arcs = [(i, j) for i, j in zip(*pdag.amat.nonzero(), strict=True)]
    return _package("igraph").Graph(
        n=pdag.p,
        edges=[(int(i), int(j)) for i, j in arcs],
        directed=True,
        vertex_attrs={"name": list(names)},
        edge_attrs={"directed": [not pdag.amat[j, i] for i, j in arcs]},
    )


def from_igraph(graph: Any) -> Named:
    """Return the graph and its names, or positions if nodes have no names. Arcs are read as in `from_networkx`."""
    names = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
    return _of_arcs(tuple(map(str, names)), graph.get_edgelist(), all_undirected=not graph.is_directed())


def to_pgmpy(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return a `pgmpy.base.DAG`, or a `PDAG` if an edge is undirected."""
    _check(pdag, names, "pgmpy")
    base = _package("pgmpy.base")
    edges = [(names[i], names[j], undirected) for i, j, undirected in marked_edges(pdag)]
    directed = [(a, b) for a, b, undirected in edges if not undirected]
    undirected = [(a, b) for a, b, undirected in edges if undirected]
    graph = base.PDAG(directed, undirected) if undirected else base.DAG(directed)
    graph.add_nodes_from(names)
    return graph


def from_pgmpy(graph: Any) -> Named:
    """Return the graph and its names; nodes are sorted, because pgmpy does not keep their order."""
    names = tuple(sorted(map(str, graph.nodes)))
    place = {name: k for k, name in enumerate(names)}
    undirected = [(place[str(a)], place[str(b)]) for a, b in getattr(graph, "undirected_edges", ())]
    directed = [(place[str(a)], place[str(b)]) for a, b in getattr(graph, "directed_edges", graph.edges)]
    return PDAG.from_edges(len(names), directed=directed, undirected=undirected), names


def to_pyagrum(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return a `pyagrum.PDAG` whose nodes are numbered by position and have the names."""
    _check(pdag, names, "pyAgrum")
    graph = _package("pyagrum").PDAG()
    for k, name in enumerate(names):
        graph.addNodeWithId(k)
        graph.setName(k, name)
    for i, j, undirected in marked_edges(pdag):
        (graph.addEdge if undirected else graph.addArc)(i, j)
    return graph


def from_pyagrum(graph: Any) -> Named:
    """Return the graph and its names, or numbers as names if nodes have none."""
    nodes = sorted(graph.nodes())
    place = {node: k for k, node in enumerate(nodes)}
    undirected = [(place[a], place[b]) for a, b in (graph.edges() if hasattr(graph, "edges") else ())]
    directed = [(place[a], place[b]) for a, b in graph.arcs()]
    names = tuple(_name_in_pyagrum(graph, node) for node in nodes)
    return PDAG.from_edges(len(nodes), directed=directed, undirected=undirected), names


def _name_in_pyagrum(graph: Any, node: int) -> str:
    if hasattr(graph, "variable"):  # the graph is a network
        return graph.variable(node).name()
    return graph.nameFromId(node) if hasattr(graph, "hasName") and graph.hasName(node) else str(node)


def to_causal_learn(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return a `GeneralGraph` of causal-learn; a PAG keeps its ends."""
    check_names(pdag, names)
    module = "causallearn.graph."
    nodes = [_package(f"{module}GraphNode").GraphNode(name) for name in names]
    ends, edge = _package(f"{module}Endpoint").Endpoint, _package(f"{module}Edge").Edge
    sign = {"-": ends.TAIL, ">": ends.ARROW, "<": ends.ARROW, "o": ends.CIRCLE}
    graph = _package(f"{module}GeneralGraph").GeneralGraph(nodes)
    for i, j, undirected in marked_edges(pdag):
        drawn = pdag.sign(i, j) if isinstance(pdag, PAG) else "--" if undirected else "->"
        graph.add_edge(edge(nodes[i], nodes[j], sign[drawn[0]], sign[drawn[-1]]))
    return graph


def from_causal_learn(graph: Any) -> Named:
    """Return the graph and its names: a PAG if an end has a circle, or an edge two arrowheads."""
    names = tuple(node.get_name() for node in graph.get_nodes())
    place = {name: k for k, name in enumerate(names)}
    edges = [
        (
            place[edge.get_node1().get_name()],
            OPPOSITE[edge.get_endpoint1().name].replace(">", "<") + OPPOSITE[edge.get_endpoint2().name],
            place[edge.get_node2().get_name()],
        )
        for edge in graph.get_graph_edges()
    ]
    if any("o" in ends or ends == "<>" for _, ends, _ in edges):
        signs = {"<>": "<->", "->": "->", "<-": "<-", "oo": "o-o", "o>": "o->", "<o": "<-o"}
        return PAG.from_ends(len(names), [(i, signs.get(ends, ends), j) for i, ends, j in edges]), names
    directed = [(i, j) if ends == "->" else (j, i) for i, ends, j in edges if ends != "--"]
    undirected = [(i, j) for i, ends, j in edges if ends == "--"]
    return PDAG.from_edges(len(names), directed=directed, undirected=undirected), names


def to_dowhy(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return a DAG of the equivalence class as a `networkx.DiGraph`, which DoWhy takes as ``graph``.

    Raises
    ------
    ParameterError
        If the graph is a PAG, or no DAG has its adjacencies, arrows and v-structures.
    """
    _check(pdag, names, "DoWhy")
    extension = consistent_extension(pdag)
    if not extension.valid:
        raise ParameterError(
            "DoWhy needs a DAG, but no DAG has the adjacencies, arrows and v-structures of this graph; pass one, such "
            "as to_networkx(consistent_extension(graph).dag, names)"
        )
    return to_networkx(extension.dag, names)


@validated
def from_package(graph: Any) -> Named:
    """Return a graph of networkx (also of DoWhy), igraph, pgmpy, pyAgrum or causal-learn, with its names.

    Examples
    --------
    >>> import networkx
    >>> from learners.io.packages import from_package
    >>> from_package(networkx.DiGraph([("smoke", "lung")]))
    (PDAG(p=2: 0->1), ('smoke', 'lung'))

    Raises
    ------
    ParameterError
        If the graph is of none of these packages.
    """
    modules = {base.__module__.partition(".")[0].lower() for base in type(graph).__mro__}
    for package, convert in PACKAGES.items():  # graphs of pgmpy are graphs of networkx, too
        if package in modules:
            return convert(graph)
    packages = "networkx, igraph, pgmpy, pyAgrum or causal-learn"
    raise ParameterError(f"graph must be of {packages}, got {type(graph).__name__}; convert it to networkx")


PACKAGES = {
    "pgmpy": from_pgmpy,
    "networkx": from_networkx,
    "igraph": from_igraph,
    "pyagrum": from_pyagrum,
    "causallearn": from_causal_learn,
}


def _of_arcs(names: tuple[str, ...], arcs: Iterable[tuple[int, int]], *, all_undirected: bool) -> Named:
    """Return the graph of these arcs, where two opposite ones are an undirected edge."""
    arcs = set(arcs)
    both = {(i, j) for i, j in arcs if all_undirected or (j, i) in arcs}
    undirected = {(min(pair), max(pair)) for pair in both}
    return PDAG.from_edges(len(names), directed=sorted(arcs - both), undirected=sorted(undirected)), names


def _check(pdag: PDAG, names: Sequence[str], package: str) -> None:
    check_names(pdag, names)
    if isinstance(pdag, PAG):
        raise ParameterError(f"graphs of {package} have no ends of a PAG; use to_causal_learn, or to_tetrad for a text")


def _package(module: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        name = {"causallearn": "causal-learn"}.get(module.partition(".")[0], module.partition(".")[0])
        raise ParameterError(
            f"this needs {name}, which is not installed. Install it with `pip install {name}`"
        ) from error
