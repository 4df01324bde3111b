"""GES, greedy equivalence search."""

from __future__ import annotations

import numpy as np

from ..common.progress import Tick, silent
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores.score import FamilyScore
from ..search.class_result import learn_by_classes
from ..search.equivalence import ClassSearch, equivalence_search
from ..settings.parameter import parameters
from .settings import GES


@parameters(GES)
def ges(
    score: FamilyScore,
    *,
    turning: bool = True,
    max_parents: int | None = 12,
    start: PDAG | None = None,
    allowed: np.ndarray | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG by greedy equivalence search: add edges to the class while one gains, take edges out, turn some.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BIC(dataset)``.
    turning : bool, default True
        Whether edges are turned next, and all three repeated until none gains; without, the search ends as published
        with the deletions [1]_.
    max_parents : int, default 12
        Most parents of a node in the families scored; None for no limit.
    start : PDAG, optional
        DAG of the class to begin with. Default: the empty graph.
    allowed : (p, p) bool array, optional
        Symmetric: pairs that may be joined. Default: all.
    knowledge : Knowledge, optional
        Only classes are visited that hold a DAG with the required edges and without those ruled out.
    tick : Tick, optional
        Listener; once it returns False the run ends with the class it has reached.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG, with the directions knowledge gives; `extra` is an `EquivalenceSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the start contradicts the knowledge.

    Notes
    -----
    Started from the empty graph, without knowledge or limits, and with enough rows, the result is the CPDAG of the DAG
    that the data come from, if that is faithful [1]_, theorem 4 and lemma 10. With fewer rows turns [2]_ lead on.

    References
    ----------
    .. [1] Chickering (2002), Optimal structure identification with greedy search. JMLR 3.
    .. [2] Hauser and Bühlmann (2012), Characterization and greedy learning of interventional Markov equivalence classes
       of directed acyclic graphs. JMLR 13.

    Examples
    --------
    >>> from learners import BIC, ges, load_sample
    >>> ges(BIC(load_sample("asia").dataset)).graph.n_edges
    7
    """

    def search(bound: BoundKnowledge) -> ClassSearch:
        return equivalence_search(
            score,
            start=start,
            allowed=allowed,
            turning=turning,
            max_parents=max_parents,
            knowledge=bound,
            tick=tick,
        )

    before = PDAG.empty(score.p) if start is None else cpdag(start)
    return learn_by_classes(
        score,
        search,
        method="ges",
        knowledge=knowledge,
        start=before,
        trace=TraceBuilder(before),
    )
