"""Effects as far as a class of DAGs settles them: one for each set of parents that the cause may have.

Maathuis, Kalisch and Bühlmann (2009), Estimating high-dimensional intervention effects from observational data, Annals
of Statistics 37: IDA by local parents. With known directions beside a CPDAG each set is checked as a whole (Perković,
Kalisch and Maathuis 2017, section 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.cpdags import closure, consistent_extension, cpdag
from ..graphs.graph import PDAG
from .checks import check_nodes, representative_dag
from .estimates import CONFIDENCE, Effect, adjusted_effect, no_effect

MAX_SETS = 1_000


def possible_parents(graph: PDAG, x: int) -> list[tuple[int, ...]]:
    """The sets of parents that x has in the DAGs that the graph stands for, in ascending order.

    Parameters
    ----------
    graph : PDAG
        A DAG, a CPDAG, or one with further arrows, closed under Meek's rules.
    x : int

    Raises
    ------
    ParameterError
        If the graph stands for no DAG, or for more than 1 000 sets.

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
    """The effect of x on y for each set of parents that x may have: IDA's multiset, each set once.

    Parameters
    ----------
    graph : PDAG
        Nodes in the order of the columns.
    dataset : Dataset
    x, y : int
        Columns of cause and effect.
    confidence : float, default 0.95

    Returns
    -------
    tuple of Effect
        In the order of `possible_parents`; each is adjusted for its parents, and none where y is one of them.

    Raises
    ------
    DataError, ParameterError
        As `adjusted_effect` and `possible_parents`.
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
    """The smallest and the largest value among the effects, each of the shape of one."""
    values = np.stack([one.values for one in effects])
    return values.min(axis=0), values.max(axis=0)


def _cliques(graph: PDAG, x: int) -> Iterator[tuple[int, ...]]:
    """Neighbours of x that can point at it together: none makes a new v-structure with another, or with a parent."""
    above = list(graph.parents(x))
    fit = [k for k in graph.neighbors(x) if graph.skeleton[k, above].all()]

    def grown(chosen: tuple[int, ...], left: list[int]) -> Iterator[tuple[int, ...]]:
        yield chosen
        for place, k in enumerate(left):
            yield from grown((*chosen, k), [b for b in left[place + 1 :] if graph.skeleton[k, b]])

    return grown((), fit)


def _holds(graph: PDAG, x: int, chosen: tuple[int, ...]) -> bool:
    """Whether a DAG of the graph has these neighbours of x as parents, and the others as children."""
    amat = np.array(graph.amat)
    for k in graph.neighbors(x):
        amat[(x, k) if k in chosen else (k, x)] = False
    closed = closure(PDAG(amat))
    kept = (closed.amat <= graph.amat).all()
    return bool(kept) and consistent_extension(closed).valid and _same_class(graph, closed)


def _same_class(graph: PDAG, other: PDAG) -> bool:
    """Whether a DAG of the other graph is one of the first."""
    return cpdag(consistent_extension(other).dag) == cpdag(representative_dag(graph))
