"""SCA, the sparse candidate algorithm.

The rounds of candidates and searches are `search.sparse_candidate.sparse_candidate_search`.

===================================================  ============================================================
here                                                 paper
===================================================  ============================================================
`search.sparse_candidate.sparse_candidate_search`    Friedman, Nachman and Pe'er (1999): restrict, maximize, repeat
`search.hill_climbing.greedy_search`                 the maximize step: hill climbing among the candidates
===================================================  ============================================================
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ...common.progress import Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.climber import Ties
from ...search.dag_result import GreedySearch, learn_greedily
from ...search.hill_climbing import Search
from ...search.sparse_candidate import Round, sparse_candidate_search
from ...settings.parameter import parameters
from .settings import SCA


@dataclass(frozen=True, eq=False)
class SparseCandidateSearch(GreedySearch):
    """The `extra` of a result by the sparse candidate algorithm.

    Attributes
    ----------
    rounds : tuple of Round
        The candidates of each round, and the best score within them.
    """

    rounds: tuple[Round, ...]


@parameters(SCA)
def sca(
    score: FamilyScore,
    *,
    n_candidates: int = 5,
    max_rounds: int = 20,
    knowledge: Knowledge | None = None,
    ties: Ties = "data",
    tick: Tick = silent,
) -> LearnResult:
    """Learn a DAG with the sparse candidate algorithm.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BIC(dataset)``.
    n_candidates : int, default 5
        k, at least 1: number of candidate parents of each variable, and maximum number of parents.
    max_rounds : int, default 20
        Maximum number of rounds, at least 1.
    knowledge : Knowledge, optional
        Required edges are present from the start; excluded edges are never candidates.
    ties : "data" or "columns"
        As for `hc`.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG visited so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the last DAG, with the directions of the knowledge; `extra` is a
        `SparseCandidateSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or a variable has more required parents than candidates.

    Notes
    -----
    Each round takes as candidates the current parents of a variable and, up to k, those that would raise its score most
    in addition to them. Then it climbs from the present DAG within the candidates. So the score never falls; the run
    ends with the first round that does not raise it or that chooses the same candidates again.

    References
    ----------
    Friedman, Nachman and Pe'er (1999), Learning Bayesian network structure from massive datasets: the "sparse
    candidate" algorithm. UAI 15, with the score itself as the measure of relevance (their section 3.2).

    Examples
    --------
    >>> from learners import BIC, load_sample, sca
    >>> sca(BIC(load_sample("asia").dataset)).graph.p
    8
    """
    rounds: list[Round] = []

    def search(bound: BoundKnowledge) -> Search:
        found, own_rounds = sparse_candidate_search(score, n_candidates, max_rounds, bound, ties, tick)
        rounds.extend(own_rounds)
        return found

    result = learn_greedily(score, search, method="sca", knowledge=knowledge, start=None)
    extra = SparseCandidateSearch(result.extra.dag, result.extra.scores, tuple(rounds))
    return dataclasses.replace(result, extra=extra)
