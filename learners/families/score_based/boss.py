"""BOSS, best order score search.

The steps of `boss` and where they stand. The loop over restarts is `search.order_search.order_search`:

===================================================  ============================================================
here                                                 source
===================================================  ============================================================
`search.order_climber.OrderClimber.climb`            Andrews et al. (2023): each variable moves to its best place
`kernels.search.grow_shrink.grow_and_shrink`         Andrews et al. (2023): parents of a node given its predecessors
`search.ges_search.equivalence_search`               first graph by GES; deletions as in GES, Chickering (2002)
`search.order_climber.OrderClimber.disturb`          a restart: some variables move to random places
===================================================  ============================================================
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from ...common.progress import Tick, silent
from ...common.relabeling import as_nodes, fields
from ...common.validation import Seed
from ...graphs.graph import PDAG, Mark
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...results.events import Placements
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.dag_result import GreedySearch, equivalence_class, learn_greedily
from ...search.order_search import OrderFound, order_search
from ...settings.parameter import parameters
from .settings import BOSS


@dataclass(frozen=True, eq=False)
class NearClass:
    """An equivalence class whose score is near the best one found.

    Attributes
    ----------
    graph : PDAG
    gap : float
        Difference between the best score and the score of this class, in nats.
    """

    graph: PDAG
    gap: float


@dataclass(frozen=True, eq=False)
class SearchOverOrders(GreedySearch):
    """The `extra` of a result by a search over orders.

    Attributes
    ----------
    order : tuple of int
        The best order visited; each edge of `dag` points forward in it.
    placements : Placements
        The moves of variables in the order; `begins` and `ends` are steps of the trace.
    restarts : int
        Restarts of the search.
    near : tuple of NearClass
        Classes of the local optima whose scores are at most 3 nats below the best one, best first: the data
        hardly distinguish them.
    """

    order: Annotated[tuple[int, ...], as_nodes]
    placements: Annotated[Placements, fields(nodes=as_nodes)]
    restarts: int = 0
    near: tuple[NearClass, ...] = ()

    def marks(self, i: int, j: int) -> Counter[Mark]:
        """Return the number of classes near the best score that have each state of a pair."""
        return Counter(one.graph.mark(i, j) for one in self.near)


@parameters(BOSS)
def boss(
    score: FamilyScore,
    *,
    max_parents: int | None = 12,
    restarts: int | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a CPDAG by a search over orders: move each variable to the position with the best score, until none moves.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BDeu(dataset)``.
    max_parents : int, default 12
        Maximum number of parents of a node; None for no limit.
    restarts : int, optional
        Number of restarts from a perturbed best order. Default: until the best score was found 15 times, at most 40;
        fewer in wide tables, where restarts end after a fixed amount of work.
    knowledge : Knowledge, optional
        Required edges and tiers restrict the order; forbidden edges, and edges against the tiers, are never added.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG visited so far.
    seed : int, default 0
        Seed of the order in which variables are moved, and of the restarts.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG visited, with the directions of the knowledge; `extra` is a
        `SearchOverOrders`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a variable has more required parents than allowed.

    Notes
    -----
    In an order each variable has the parents that grow-shrink finds among its predecessors: add the best one while the
    score rises, then remove the worst one while it rises, starting from its current parents. A variable is tried at all
    positions by swaps of neighbours, each of which changes the parents of two variables only. With enough rows of a
    faithful DAG the parents in every order form an independence map, from which the deletions of GES lead to the CPDAG.

    Unlike the published BOSS, parents are kept from swap to swap and the search restarts from perturbed orders, both as
    in FLOP, and it continues after the deletions. The first order is that of a graph by GES, so the score is never
    below that of GES with the same limit on parents.

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
    bound = bind(knowledge, score.names)
    near = tuple(NearClass(equivalence_class(dag, bound), gap) for dag, gap in found[0].near)
    extra = SearchOverOrders(
        result.extra.dag, result.extra.scores, found[0].order, placements, found[0].n_restarts, near
    )
    return dataclasses.replace(result, kind="order", n_scores=found[0].n_scores, extra=extra)
