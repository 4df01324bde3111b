"""BOSS, a search over orders."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated

from ..common.progress import Tick, silent
from ..common.relabeling import as_nodes, fields
from ..common.validation import Seed
from ..graphs.knowledge import BoundKnowledge, Knowledge
from ..results.result import LearnResult
from ..scores.score import FamilyScore
from ..search.dag_result import GreedySearch, learn_greedily
from ..search.order_search import OrderFound, order_search
from ..search.order_walk import Placements
from ..settings.parameter import parameters
from .settings import BOSS


@dataclass(frozen=True, eq=False)
class SearchOverOrders(GreedySearch):
    """What a search over orders knows beside its result.

    Attributes
    ----------
    order : tuple of int
        The best order met; each edge of `dag` points forward in it.
    placements : Placements
        The variables that were put elsewhere; `begins` and `ends` are steps of the trace.
    """

    order: Annotated[tuple[int, ...], as_nodes]
    placements: Annotated[Placements, fields(nodes=as_nodes)]


@parameters(BOSS)
def boss(
    score: FamilyScore,
    *,
    max_parents: int | None = 12,
    restarts: int = 5,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a CPDAG by a search over orders: put each variable where it raises the score most, until none moves.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BDeu(dataset)``.
    max_parents : int, default 12
        Most parents of a node; None for no limit.
    restarts : int, default 5
        How often to go on from a disturbed best order.
    knowledge : Knowledge, optional
        Required edges and tiers bound the order; forbidden edges, and those against the tiers, are never added.
    tick : Tick, optional
        Listener; once it returns False the run ends with the best DAG met so far.
    seed : int, default 0
        Source of the turns in which variables are looked at, and of the restarts.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG met, with the directions knowledge gives; `extra` is a `SearchOverOrders`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a variable has more required parents than allowed.

    Notes
    -----
    In an order each variable has the parents that growing (the best one before it, while the score rises) and shrinking
    (the worst one out, while it rises) find, begun from those it had. A variable is tried at all places by swaps of
    neighbours, each of which concerns the parents of two variables only. With enough rows of a faithful DAG the parents
    in every order make an independence map of it, from which the deletions of GES lead to its CPDAG.

    Unlike the published BOSS, parents are kept from swap to swap as in FLOP, which also begins again from disturbed
    orders, and the search goes on after the deletions. The order to begin with is
    one of a graph by GES, so the score is never below that of GES with the same limit on parents.

    References
    ----------
    Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld (2023), Fast scalable and accurate discovery of DAGs using
    the best order score search and grow-shrink trees. NeurIPS 36. Wienöbst, Henckel and Weichwald (2026), Embracing
    discrete search: a reasonable approach to causal structure learning. ICLR; arXiv 2510.04970.

    Examples
    --------
    >>> from learners import BDeu, boss, load_sample
    >>> boss(BDeu(load_sample("asia").dataset)).graph.p
    8
    """
    found: list[OrderFound] = []

    def search(bound: BoundKnowledge) -> OrderFound:
        found.append(
            order_search(score, max_parents=max_parents, restarts=restarts, knowledge=bound, seed=seed, tick=tick)
        )
        return found[0]

    result = learn_greedily(score, search, method="boss", knowledge=knowledge, start=None)
    required = int(found[0].start.amat.sum())
    placements = found[0].placements.after(required)
    extra = SearchOverOrders(result.extra.dag, result.extra.scores, found[0].order, placements)
    return dataclasses.replace(result, kind="order", n_scores=found[0].n_scores, extra=extra)
