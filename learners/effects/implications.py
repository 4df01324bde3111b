"""Conditional independences that a graph implies, one for each missing edge, and their tests on data.

Textor, van der Zander, Gilthorpe, Liśkiewicz and Ellison (2016), Robust causal inference using directed acyclic graphs:
the R package dagitty, International Journal of Epidemiology 45: the local tests.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import ParameterError
from ..common.false_discovery import log_adjusted
from ..common.progress import Tick, silent
from ..common.validation import validated
from ..graphs.graph import PDAG, ancestors, check_dag
from ..independence.ci_test import CIResult, CITest
from .checks import representative_dag
from .paths import MAX_SETS
from .separators import minimal_separators

DEFAULT_FDR = 0.05
PHASE = "testing what the graph implies"


class Implication(NamedTuple):
    """Independence of x and y given a set."""

    x: int
    y: int
    given: tuple[int, ...]


@dataclass(frozen=True)
class ImplicationResult:
    """Implied independence and its test.

    Attributes
    ----------
    implication : Implication
    result : CIResult
    log_q : float
        ln of the smallest false discovery rate (Benjamini and Hochberg) at which it is rejected, at most 0.
    rejected : bool
        True if the data contradict it.
    """

    implication: Implication
    result: CIResult
    log_q: float
    rejected: bool


def implications(graph: PDAG) -> list[Implication]:
    """Return one implied independence for each non-adjacent pair: y from a non-descendant, given the parents of y.

    Parameters
    ----------
    graph : PDAG
        A DAG, or a graph that represents some. All its DAGs imply the same independences, possibly listed with other
        sets; those of one DAG are returned.

    Raises
    ------
    ParameterError
        If the graph represents no DAG.

    Examples
    --------
    >>> from learners import PDAG
    >>> implications(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    [Implication(x=0, y=2, given=(1,))]
    """
    dag = representative_dag(graph)
    reach = ancestors(dag)
    pairs = np.argwhere(np.triu(~dag.skeleton, 1)).tolist()
    ordered = [(j, i) if reach[j, i] else (i, j) for i, j in pairs]
    return [Implication(i, j, dag.parents(j)) for i, j in ordered]


@validated
def check_implications(
    graph: PDAG, ci_test: CITest, *, q: float = DEFAULT_FDR, tick: Tick = silent
) -> list[ImplicationResult]:
    """Test all implied independences, and return the worst violation first.

    Parameters
    ----------
    graph : PDAG
    ci_test : CITest
        Bound to the data; its variables are the nodes.
    q : float, default 0.05
        False discovery rate, in (0, 1).
    tick : callable
        Listener. If it cancels, only the tests done so far are returned.

    Raises
    ------
    ParameterError
        If the graph represents no DAG, its nodes differ from those of the test, or `q` is out of range.
    DataError
        If the test cannot be done on the data.
    """
    check_open_interval("q", q, 0.0, 1.0)
    asked = implications(graph)
    if graph.p != ci_test.p:
        raise ParameterError(f"the graph must have a node for each of {ci_test.p} columns, got {graph.p}; pass its own")
    return check_independences(asked, ci_test, q=q, tick=tick)


def check_independences(
    asked: Sequence[Implication], ci_test: CITest, *, q: float = DEFAULT_FDR, tick: Tick = silent
) -> list[ImplicationResult]:
    """Test listed independences, and return the worst violation first.

    Parameters
    ----------
    asked : sequence of Implication
        Independences between variables of the test.
    ci_test : CITest
    q : float, default 0.05
        False discovery rate, in (0, 1).
    tick : callable
        Listener. If it cancels, only the tests done so far are returned.

    Raises
    ------
    DataError
        If the test cannot be done on the data.
    """
    results = []
    for k, one in enumerate(asked):
        if not tick(PHASE, k, len(asked)):
            break
        results.append(ci_test.test(one.x, one.y, one.given))
    # A test that could not be done has p = 1 and still counts as a hypothesis.
    log_q = np.minimum(log_adjusted(np.array([result.log_p for result in results]), "bh"), 0.0)
    found = [
        ImplicationResult(one, result, float(own), bool(own <= math.log(q)))
        for one, result, own in zip(asked, results, log_q.tolist(), strict=False)
    ]
    return sorted(found, key=lambda one: (one.result.log_p, -abs(one.result.statistic), one.implication))


def observable_implications(dag: PDAG, latent: Collection[int]) -> list[Implication]:
    """Return, for each pair that observed variables separate, the independence given a smallest such set."""
    check_dag(dag)
    observed = [k for k in range(dag.p) if k not in latent]
    found = []
    for i, j in combinations(observed, 2):
        allowed = set(observed) - {i, j}
        sets = sorted(islice(minimal_separators(dag.amat, i, j, allowed), MAX_SETS), key=lambda one: (len(one), one))
        found += [Implication(i, j, given) for given in sets[:1]]
    return found
