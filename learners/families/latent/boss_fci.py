"""BOSS-FCI: FCI that starts from the best DAG of a search over orders instead of the complete graph.

Ogarrio, Spirtes and Ramsey (2016) start from a graph by FGES (GFCI). The steps of a run of `boss_fci`:

1. `order_search` finds a DAG, as BOSS does. Its edges are the first ones; its separations are taken as found.
2. Edges of triangles are tested given neighbours of either end, level by level; hidden common causes make such edges.
3. Edges are tested given the possible d-sep of either end, as in FCI.
4. Colliders: those of the DAG whose ends it does not connect, and by the tests those whose ends lost their edge.
5. The rules of PAGs mark further ends.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from itertools import count as count_up

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.validation import Seed
from ...graphs.graph import PDAG, ancestors
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.pag import PAG
from ...graphs.pag_orientation import Orientation, Triple, unshielded_triples
from ...graphs.rules import Rule
from ...independence.ci_test import CITest
from ...independence.set_search import LevelSearch
from ...kernels.graphs.adjacency import open_edges
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...search.dag_result import strengths_of
from ...search.order_search import order_search
from ...search.skeleton_levels import KNOWLEDGE, PairEvidence
from ...search.skeleton_result import CANCELLED, constraint_result
from ...settings.parameter import parameters
from .colliders import JudgedTriples
from .ends import refusal_warning
from .fci import Colliders, PAGSearch, judged_triples, oriented
from .settings import BOSS_FCI


@dataclass(frozen=True, eq=False)
class EvidenceFromDAG(PairEvidence):
    """The `extra` of a result by `boss_fci`: the hardest test of each tested pair.

    Attributes
    ----------
    dag : PDAG
        The DAG whose edges the run started from.
    """

    dag: PDAG


class SearchFromDAG(PAGSearch):
    """A search that starts from the edges of a DAG.

    Parameters
    ----------
    ci_test, alpha, knowledge
        As for `SkeletonSearch`.
    dag : PDAG
        Consistent with the knowledge.

    Attributes
    ----------
    dag : PDAG
    """

    def __init__(self, ci_test: CITest, alpha: float, knowledge: BoundKnowledge, dag: PDAG) -> None:
        super().__init__(ci_test, alpha, knowledge)
        self.dag = dag
        self.adjacency = dag.skeleton.copy()
        self.trace = TraceBuilder(PAG.empty(dag.p))
        forbidden = open_edges(self.apart, np.zeros_like(self.apart), 0)
        self.trace.add_pairs(KNOWLEDGE, Action.APART, forbidden, rule=Rule.FORBIDDEN)
        edges = open_edges(self.adjacency, np.zeros_like(self.apart), 0)
        self.trace.add_pairs(Phase(Stage.INITIAL_GRAPH), Action.ADD, edges, rule=Rule.ADD)
        reach = ancestors(dag)
        self._later = np.where(reach, np.arange(dag.p)[None, :], np.arange(dag.p)[:, None])

    def remove_from_triangles(self, max_cond_size: int | None, tick: Tick) -> None:
        """Test each edge whose ends have a common neighbour given sets of neighbours of either end, small sets first.

        Raises
        ------
        Stopped
            If cancelled.
        """
        for size in count_up() if max_cond_size is None else range(max_cond_size + 1):
            near = self.adjacency.copy()
            edges = open_edges(near, self._required, size)
            common = near.astype(np.float32) @ near.astype(np.float32) > 0.0
            edges = edges[common[edges[:, 0], edges[:, 1]]]
            if not len(edges):
                break
            self.separate(LevelSearch(edges, near, size, self._neighbor_order), Phase(Stage.LEVEL, size=size), tick)
        self.separate_forbidden(max_cond_size, tick)

    def oriented(
        self,
        max_cond_size: int | None,
        tick: Tick,
        *,
        colliders: Colliders,
        possible_d_sep: bool,
        knowledge: BoundKnowledge,
    ) -> Orientation:
        """Run the tests and orient the remaining edges; parameters as for `boss_fci`.

        Raises
        ------
        Stopped
            If cancelled.
        """
        self.remove_from_triangles(max_cond_size, tick)
        if possible_d_sep:
            self.remove_beyond_neighbours(max_cond_size, tick)
        judged = judged_triples(self, colliders, max_cond_size, tick)
        return oriented(self, JudgedTriples((*self.colliders_of_dag(), *judged.colliders), judged.ambiguous), knowledge)

    def first_colliders(self) -> tuple[Triple, ...]:
        """See `PAGSearch.first_colliders`."""
        return (*super().first_colliders(), *self.colliders_of_dag())

    def colliders_of_dag(self) -> tuple[Triple, ...]:
        """Return the unshielded triples that are colliders of the DAG, and whose ends the DAG does not connect."""
        amat, joined = self.dag.amat, self.dag.skeleton | self.apart
        triples = unshielded_triples(self.adjacency)
        return tuple((a, b, c) for a, b, c in triples if not joined[a, c] and amat[a, b] and amat[c, b])

    def between(self, d: int, b: int, c: int) -> bool | None:
        """See `PAGSearch.between`; where no test was needed, the parents of the later node in the DAG separate."""
        if self.sepsets.present[d, c] or self.dag.skeleton[d, c] or self.apart[d, c]:
            return super().between(d, b, c)
        return bool(self.dag.amat[b, self._later[d, c]])


@parameters(BOSS_FCI)
def boss_fci(
    ci_test: CITest,
    score: FamilyScore,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    colliders: Colliders = "max",
    possible_d_sep: bool = False,
    max_parents: int | None = 12,
    restarts: int | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a PAG with BOSS-FCI: take the edges of the best DAG, remove some by tests, and mark the ends.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    alpha, max_cond_size, colliders, possible_d_sep
        As for `fci`; `colliders` decides only on triples whose ends lost their edge by a test.
    max_parents, restarts
        Settings of the search for the DAG, as for `boss`.
    knowledge : Knowledge, optional
        As for `fci`. It also restricts the search for the DAG.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.
    seed : int, default 0
        Seed of the search for the DAG, as for `boss`.

    Returns
    -------
    LearnResult
        `graph` is a `PAG`; `sepsets` has one entry for each pair that a test separated; `extra` is an
        `EvidenceFromDAG`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the knowledge contradicts itself or names an unknown column.

    Notes
    -----
    With a hidden common cause the best DAG has edges that the true PAG lacks, in triangles; the tests remove them [1]_.
    Tetrad calls the algorithm BFCI. It is assumed that the rows were not selected by their values.

    References
    ----------
    .. [1] Ogarrio, Spirtes and Ramsey (2016), A hybrid causal search algorithm for latent variable models. Proceedings
       of Machine Learning Research 52.

    Examples
    --------
    >>> from learners import BIC, G2, boss_fci, load_sample
    >>> asia = load_sample("asia").dataset
    >>> boss_fci(G2(asia), BIC(asia)).kind
    'pag'
    """
    bound = bind(knowledge, ci_test.names)
    began, tests_before, scores_before = time.perf_counter(), ci_test.n_tests, score.n_scores
    found = order_search(score, max_parents=max_parents, restarts=restarts, knowledge=bound, seed=seed, tick=tick)
    search = SearchFromDAG(ci_test, alpha, bound, found.dag)
    try:
        if not found.complete:
            raise Stopped
        orientation = search.oriented(
            max_cond_size, tick, colliders=colliders, possible_d_sep=possible_d_sep, knowledge=bound
        )
        graph, complete, refused = orientation.pag, True, [step for step in orientation.steps if step.refused]
    except Stopped:
        graph, complete, refused = search.skeleton, False, []
    own = () if complete else (CANCELLED,)
    evidence = search.evidence
    result = constraint_result(
        search,
        graph,
        method="boss_fci",
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=EvidenceFromDAG(evidence.log_phi, evidence.hardest, found.dag),
        warnings=(*own, *refusal_warning(refused), *search.warnings),
        n_scores=score.n_scores - scores_before,
        score=found.score,
    )
    return dataclasses.replace(result, strengths=strengths_of(score, found.dag))
