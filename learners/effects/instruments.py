"""Instrumental variables: they affect the outcome only through the cause."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import NamedTuple

import numpy as np

from ..common.validation import validated
from ..graphs.graph import PDAG, ancestors, check_dag
from ..independence import DSeparation
from .adjustment import without_effect
from .checks import check_nodes
from .paths import MAX_SETS
from .separators import minimal_separators


class Instrument(NamedTuple):
    """An instrument and the smallest set given which it is valid."""

    node: int
    given: tuple[int, ...]


@validated
def instruments(dag: PDAG, x: int, y: int, *, unmeasured: Collection[int] = ()) -> list[Instrument]:
    """Return the conditional instruments for the total effect of x on y, in ascending order.

    Parameters
    ----------
    dag : PDAG
    x, y : int
        Cause and effect.
    unmeasured : collection of int
        Nodes that can be neither instruments nor members of a set.

    Returns
    -------
    list of Instrument
        Empty if y is not a descendant of x.

    Raises
    ------
    ParameterError
        If `dag` is not a DAG, or the nodes are not different nodes of it.

    Notes
    -----
    z is an instrument given W if W has no node on a causal path from x to y nor any descendant of one, W d-separates z
    and y after the first arrows of the causal paths are removed, and W does not d-separate z and x. In linear equations
    cov(z, y | W) / cov(z, x | W) is then the effect (Brito and Pearl 2002; van der Zander, Textor and Liśkiewicz 2015,
    Efficiently finding conditional instruments for causal inference, IJCAI). Only minimal sets W are tested.

    Examples
    --------
    >>> from learners import PDAG
    >>> dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (3, 1), (3, 2)])
    >>> instruments(dag, 1, 2, unmeasured=[3])
    [Instrument(node=0, given=())]
    """
    check_dag(dag)
    unmeasured = check_nodes(dag, x, y, unmeasured)
    reach = ancestors(dag)
    if not reach[x, y]:
        return []
    on_the_way = np.flatnonzero((reach[x] & reach[:, y]) | (np.arange(dag.p) == y))
    behind = set(np.flatnonzero(reach[on_the_way].any(axis=0)).tolist()) | set(on_the_way.tolist())
    known = set(range(dag.p)) - behind - {x} - set(unmeasured)
    back, oracle, found = without_effect(dag, x, y), DSeparation(dag), []
    for z in sorted(known):
        sets = sorted(islice(minimal_separators(back.amat, z, y, known - {z}), MAX_SETS), key=lambda w: (len(w), w))
        given = next((w for w in sets if not oracle.test(z, x, w).p_value), None)
        if given is not None:
            found.append(Instrument(z, given))
    return found


def with_hidden_cause(dag: PDAG, x: int, y: int) -> PDAG:
    """Return the DAG with one more node, the last, as a common cause of x and y."""
    check_dag(dag)
    check_nodes(dag, x, y)
    amat = np.zeros((dag.p + 1, dag.p + 1), dtype=bool)
    amat[: dag.p, : dag.p] = dag.amat
    amat[dag.p, [x, y]] = True
    return PDAG(amat)
