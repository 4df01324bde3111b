"""Directing and reversing edges within an equivalence class, with all implied changes."""

from __future__ import annotations

from typing import NamedTuple

from ..common.errors import ParameterError
from .graph import PDAG, Edge
from .meek_closure import closure


class Reversal(NamedTuple):
    """A graph after one edge was directed or reversed.

    Attributes
    ----------
    graph : PDAG
    edge : (int, int)
        The edge i -> j that was requested.
    follows : tuple of (int, int)
        Arrows a -> b of every DAG of the class with i -> j that the graph did not have before.
    besides : tuple of (int, int)
        Further arrows that were reversed so that the graph stays in the class; other choices would do as well.
    """

    graph: PDAG
    edge: Edge
    follows: tuple[Edge, ...]
    besides: tuple[Edge, ...] = ()


def direct_edge(pdag: PDAG, i: int, j: int) -> Reversal:
    """Direct the edge i - j as i -> j, and apply Meek's rules.

    Parameters
    ----------
    pdag : PDAG
        A CPDAG, or one with further arrows, closed under Meek's rules.
    i, j : int

    Raises
    ------
    ParameterError
        If i - j is not an undirected edge.

    Notes
    -----
    The arrows in `follows` are exactly those that all DAGs with i -> j share (Meek 1995, theorem 4).

    Examples
    --------
    >>> direct_edge(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]), 0, 1).follows
    ((1, 2),)
    """
    if pdag.mark(i, j) != "undirected":
        raise ParameterError(f"only an undirected edge can be directed, and {i} - {j} is not one; choose another")
    graph = _with_arrow(pdag, i, j)
    new = set(graph.directed_edges()) - set(pdag.directed_edges()) - {(i, j)}
    return Reversal(graph, (i, j), tuple(sorted(new)))


def reverse_edge(dag: PDAG, i: int, j: int, within: PDAG) -> Reversal | None:
    """Reverse i -> j of a DAG to j -> i, together with the edges that must follow for the DAG to stay in its class.

    Parameters
    ----------
    dag : PDAG
    i, j : int
        An arrow i -> j of it.
    within : PDAG
        Its class: a CPDAG, or one with further arrows.

    Returns
    -------
    Reversal or None
        None if i -> j is compelled: every DAG of the class has it. Edges that need not follow stay unchanged as far as
        possible, in ascending order.

    Raises
    ------
    ParameterError
        If i -> j is not an arrow of the DAG.

    Examples
    --------
    >>> chain = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    >>> reverse_edge(chain, 1, 2, PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    Reversal(graph=PDAG(p=3: 1->0, 2->1), edge=(2, 1), follows=((1, 0),), besides=())
    """
    if dag.mark(i, j) != "forward":
        raise ParameterError(f"only an arrow can be reversed, and {i} -> {j} is not one; choose another")
    if within.mark(i, j) != "undirected":
        return None
    arrows = dag.directed_edges()
    forced = graph = _with_arrow(within, j, i)
    for a, b in arrows:
        if graph.mark(a, b) == "undirected":
            graph = _with_arrow(graph, a, b)
    other = [(b, a) for a, b in arrows if (a, b) != (i, j) and graph.mark(a, b) == "backward"]
    follows = tuple(edge for edge in other if forced.mark(*edge) == "forward")
    return Reversal(graph, (j, i), follows, tuple(edge for edge in other if edge not in follows))


def _with_arrow(pdag: PDAG, i: int, j: int) -> PDAG:
    amat = pdag.amat.copy()
    amat[j, i] = False
    return closure(PDAG(amat))
