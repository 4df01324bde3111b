"""IDA: the effects that a class of DAGs allows, one for each possible set of parents of the cause.

Maathuis, Kalisch and Bühlmann (2009), Estimating high-dimensional intervention effects from observational data, Annals
of Statistics 37: IDA by local parents. With background knowledge on a CPDAG, each set is checked globally (Perković,
Kalisch and Maathuis 2017, section 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG
from ..graphs.meek_closure import closure
from .checks import check_nodes, representative_dag
from .estimates import CONFIDENCE, Effect, adjusted_effect, no_effect
from .possibly_causal import PossiblyCausal

MAX_SETS = 1_000


def possible_parents(graph: PDAG, x: int) -> list[tuple[int, ...]]:
    """Return the parent sets that x has in the DAGs of the graph's class, in ascending order.

    Parameters
    ----------
    graph : PDAG
        A DAG, a CPDAG, or a CPDAG with further arrows, closed under Meek's rules.
    x : int

    Raises
    ------
    ParameterError
        If the graph represents no DAG, or x has more than 1 000 possible sets.

    Examples
    --------
    >>> from learners import PDAG
    >>> possible_parents(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]), 1)
    [(), (0,), (2,)]
    """
    plain = cpdag(representative_dag(graph)) == graph
    found = []
    for chosen in _cliques(graph, x):
        if plain or _holds(graph, x, chosen):
            found.append(tuple(sorted((*graph.parents(x), *chosen))))
        if len(found) > MAX_SETS:
            raise ParameterError(f"node {x} may have more than {MAX_SETS:,} sets of parents; direct some of its edges")
    return sorted(found, key=lambda one: (len(one), one))


@validated
def possible_effects(
    graph: PDAG, dataset: Dataset, x: int, y: int, *, confidence: float = CONFIDENCE
) -> tuple[Effect, ...]:
    """Estimate the effect of x on y for each possible parent set of x: IDA's multiset, with each set once.

    Parameters
    ----------
    graph : PDAG
        Nodes in the order of the columns. One DAG of a class gives one effect, which may rest on its choice of
        directions (`open_directions`); pass the class to get all effects.
    dataset : Dataset
    x, y : int
        Columns of cause and effect.
    confidence : float, default 0.95

    Returns
    -------
    tuple of Effect
        In the order of `possible_parents`; each is adjusted for its parent set, and is zero if y is in that set.

    Raises
    ------
    DataError, ParameterError
        See `adjusted_effect` and `possible_parents`.
    """
    if graph.p != dataset.p:
        raise ParameterError(f"the graph must have a node for each of {dataset.p} columns, got {graph.p}; pass its own")
    check_nodes(graph, x, y)
    return tuple(
        no_effect(dataset, x, y, above) if y in above
        else adjusted_effect(dataset, x, y, above, confidence=confidence)
        for above in possible_parents(graph, x)
    )  # fmt: skip


def effect_range(effects: tuple[Effect, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the elementwise minimum and maximum of the effects."""
    values = np.stack([one.values for one in effects])
    return values.min(axis=0), values.max(axis=0)


def effect_interval(effects: tuple[Effect, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the elementwise ends of the union of the effects' intervals.

    It covers the uncertainty of each estimate and the choice among the possible sets of parents.

    Parameters
    ----------
    effects : tuple of Effect
        Of the same cause and effect, as from `possible_effects`; intervals have one confidence level.

    Returns
    -------
    low, high : float64 arrays
        Of the shape of `Effect.values`; NaN where one effect has no rows.
    """
    return np.stack([one.low for one in effects]).min(axis=0), np.stack([one.high for one in effects]).max(axis=0)


def open_directions(graph: PDAG, x: int, y: int) -> list[tuple[int, int]]:
    """Return the undirected edges that decide the effect of x on y: the DAGs of the class differ in it through them.

    A number from one DAG of the class rests on its choice of these directions, and on no other choice.

    Parameters
    ----------
    graph : PDAG
        A CPDAG, or a CPDAG with further arrows, closed under Meek's rules.
    x, y : int
        Cause and effect.

    Returns
    -------
    list of (int, int)
        Edges as (x, k), in ascending order of k. Empty if all DAGs of the class give the same effect.

    Raises
    ------
    ParameterError
        If the graph represents no DAG, or x and y are not two of its nodes.

    References
    ----------
    Perković, Kalisch and Maathuis (2017), Interpreting and using CPDAGs with background knowledge, UAI: an effect can
    be identified if every possibly causal path starts with an arrow out of x (amenability, definition 4.1).

    Examples
    --------
    >>> from learners import PDAG
    >>> open_directions(PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3)]), 1, 3)
    [(1, 2)]
    """
    representative_dag(graph)
    check_nodes(graph, x, y)
    return [(x, k) for k in PossiblyCausal(graph).open_starts(x, y)]


def _cliques(graph: PDAG, x: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of neighbours of x that can become parents without a new v-structure."""
    above = list(graph.parents(x))
    fit = [k for k in graph.neighbors(x) if graph.skeleton[k, above].all()]

    def grown(chosen: tuple[int, ...], left: list[int]) -> Iterator[tuple[int, ...]]:
        yield chosen
        for place, k in enumerate(left):
            yield from grown((*chosen, k), [b for b in left[place + 1 :] if graph.skeleton[k, b]])

    return grown((), fit)


def _holds(graph: PDAG, x: int, chosen: tuple[int, ...]) -> bool:
    """Return True if a DAG of the class has exactly these neighbours of x as parents and the others as children."""
    amat = np.array(graph.amat)
    for k in graph.neighbors(x):
        amat[(x, k) if k in chosen else (k, x)] = False
    closed = closure(PDAG(amat))
    kept = (closed.amat <= graph.amat).all()
    return bool(kept) and consistent_extension(closed).valid and _same_class(graph, closed)


def _same_class(graph: PDAG, other: PDAG) -> bool:
    """Return True if a DAG of the other graph belongs to the class of the first."""
    return cpdag(consistent_extension(other).dag) == cpdag(representative_dag(graph))
