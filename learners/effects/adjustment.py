"""Adjustment sets: covariates that identify the total effect of a cause.

Perković, Textor, Kalisch and Maathuis (2015), A complete generalized adjustment criterion, UAI; with background
knowledge on a CPDAG: Perković, Kalisch and Maathuis (2017), Interpreting and using CPDAGs with background knowledge,
UAI.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from ..common.checks import check_count
from ..common.validation import validated
from ..graphs.graph import PDAG
from .checks import check_nodes, representative_dag
from .paths import MAX_SETS, separation
from .possibly_causal import PossiblyCausal
from .separators import minimal_separators, with_ancestors

Obstacle = Literal["", "no effect", "open direction", "open path"]


@dataclass(frozen=True)
class Adjustment:
    """Adjustment sets for the total effect of x on y, or the reason why there is none.

    Attributes
    ----------
    sets : tuple of tuple of int
        Minimal adjustment sets, the smallest first.
    complete : bool
        True if the list is complete.
    obstacle : str
        "" if there is a set. "no effect": no path can be causal, so the effect is 0 in every DAG. "open direction": a
        possibly causal path starts with an undirected edge. "open path": a non-causal path cannot be blocked.
    path : tuple of int
        Path from x to y that causes the obstacle; empty without one.
    forbidden : tuple of int
        Nodes on possibly causal paths, and their possible descendants. Adjusting for them would remove part of the
        effect.
    """

    sets: tuple[tuple[int, ...], ...]
    complete: bool
    obstacle: Obstacle
    path: tuple[int, ...]
    forbidden: tuple[int, ...]

    @property
    def identified(self) -> bool:
        """True if graph and data identify the effect."""
        return self.obstacle in ("", "no effect")


@validated
def adjustment_sets(
    graph: PDAG, x: int, y: int, *, unmeasured: Collection[int] = (), most: int = MAX_SETS
) -> Adjustment:
    """Return all minimal sets that satisfy the generalized adjustment criterion relative to (x, y).

    Parameters
    ----------
    graph : PDAG
        A DAG, a CPDAG, or a CPDAG with further arrows, closed under Meek's rules. The sets are valid in every DAG of
        its class.
    x, y : int
        Cause and effect.
    unmeasured : collection of int
        Nodes that cannot be adjusted for.
    most : int, default 100
        Maximum number of sets.

    Returns
    -------
    Adjustment

    Raises
    ------
    ParameterError
        If the graph represents no DAG, or x and y are not two of its nodes.

    Notes
    -----
    Z is an adjustment set if and only if every possibly causal path starts with an arrow out of x, Z contains no
    forbidden node, and Z d-separates x and y after the first arrows of the causal paths are removed. The last condition
    holds in one DAG of the class if and only if it holds in all.

    Examples
    --------
    >>> from learners import PDAG, cpdag
    >>> dag = PDAG.from_edges(4, directed=[(0, 1), (0, 2), (1, 2), (3, 2)])
    >>> adjustment_sets(dag, 1, 2).sets
    ((0,),)
    >>> found = adjustment_sets(cpdag(dag), 1, 2)
    >>> found.obstacle, found.path
    ('open direction', (1, 0, 2))
    """
    dag = representative_dag(graph)
    unmeasured = check_nodes(graph, x, y, unmeasured)
    check_count("most", most, 1)
    possible = PossiblyCausal(graph)
    if y not in possible.descendants([x]):
        return Adjustment((), True, "no effect", (), ())
    if starts := possible.open_starts(x, y):
        path = min((possible.path_by(x, v, y) for v in starts), key=lambda one: (len(one), one))
        return Adjustment((), True, "open direction", path, ())
    forbidden = possible.descendants(possible.between(x, y))
    back = without_effect(dag, x, y)
    allowed = set(range(dag.p)) - forbidden - {x, y} - set(unmeasured)
    found = list(islice(minimal_separators(back.amat, x, y, allowed), most + 1))
    excluded = tuple(sorted(forbidden))
    if not found:
        given = with_ancestors(back.amat, (x, y)) & allowed  # blocks every path that can be blocked
        return Adjustment((), True, "open path", separation(back, x, y, given).paths[0].nodes, excluded)
    sets = tuple(sorted(found[:most], key=lambda one: (len(one), one)))
    return Adjustment(sets, len(found) <= most, "", (), excluded)


def without_effect(dag: PDAG, x: int, y: int) -> PDAG:
    """Return the DAG without the first arrow of each causal path from x to y, so that only non-causal paths remain.

    This is the proper back-door graph of van der Zander, Liśkiewicz and Textor (2014), definition 3, for one cause.
    """
    amat = np.array(dag.amat)
    amat[x, [v for v in dag.children(x) if v in with_ancestors(dag.amat, [y])]] = False
    return PDAG(amat)
