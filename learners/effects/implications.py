"""What a graph says that the data must show: one conditional independence for each missing edge, tested.

Textor, van der Zander, Gilthorpe, Liśkiewicz and Ellison (2016), Robust causal inference using directed acyclic graphs:
the R package dagitty, International Journal of Epidemiology 45: the local tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import ParameterError
from ..common.false_discovery import log_adjusted
from ..common.progress import Tick, silent
from ..common.validation import validated
from ..graphs.graph import PDAG, ancestors
from ..independence import CIResult, CITest
from .checks import representative_dag

DEFAULT_FDR = 0.05
PHASE = "testing what the graph implies"


class Implication(NamedTuple):
    """x and y are independent given a set."""

    x: int
    y: int
    given: tuple[int, ...]


@dataclass(frozen=True)
class ImplicationResult:
    """An independence that the graph implies, and what the data say.

    Attributes
    ----------
    implication : Implication
    result : CIResult
    log_q : float
        ln of the smallest share of false alarms (Benjamini and Hochberg) at which it would be rejected, at most 0.
    rejected : bool
        Whether the data speak against it.
    """

    implication: Implication
    result: CIResult
    log_q: float
    rejected: bool


def implications(graph: PDAG) -> list[Implication]:
    """One for each pair that is not adjacent: given the parents of y, y is independent of what is no descendant.

    Parameters
    ----------
    graph : PDAG
        A DAG, or one that stands for some: then those of one of them, for they all imply the same independencies,
        though they may list them with other sets.

    Raises
    ------
    ParameterError
        If the graph stands for no DAG.

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
    """Test all that the graph implies, what fits worst first.

    Parameters
    ----------
    graph : PDAG
    ci_test : CITest
        Bound to the data; its variables are the nodes.
    q : float, default 0.05
        Share of false ones among the rejected that is accepted, in (0, 1).
    tick : callable
        Listener; if it says no, only those tested so far are told.

    Raises
    ------
    ParameterError
        If the graph stands for no DAG or has other nodes than the test, or `q` is out of range.
    DataError
        As the test.
    """
    check_open_interval("q", q, 0.0, 1.0)
    asked = implications(graph)
    if graph.p != ci_test.p:
        raise ParameterError(f"the graph must have a node for each of {ci_test.p} columns, got {graph.p}; pass its own")
    results = []
    for k, one in enumerate(asked):
        if not tick(PHASE, k, len(asked)):
            break
        results.append(ci_test.test(one.x, one.y, one.given))
    # A test that could not be done has p = 1: it speaks for nothing, and counts among the hypotheses all the same.
    log_q = np.minimum(log_adjusted(np.array([result.log_p for result in results]), "bh"), 0.0)
    found = [
        ImplicationResult(one, result, float(own), bool(own <= math.log(q)))
        for one, result, own in zip(asked, results, log_q.tolist(), strict=False)
    ]
    return sorted(found, key=lambda one: (one.result.log_p, -abs(one.result.statistic), one.implication))
