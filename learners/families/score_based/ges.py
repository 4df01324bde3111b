"""GES, greedy equivalence search.

The steps of `ges` and where they stand in the papers. The loop is `search.ges_search.ClassClimber.run_phases`; its
module lists the conditions and gains of the operators, and the ceilings that make them quick:

===================================================  ==========================================================
here                                                 paper
===================================================  ==========================================================
`ClassClimber.insert`, `kernels.search.ges_insert`   Chickering (2002), forward phase: definition 12, theorem 15
`ClassClimber.delete`, `kernels.search.ges_delete`   Chickering (2002), backward phase: definition 13, theorem 17
`ClassClimber.turn`, `kernels.search.ges_turn`       Hauser and Bühlmann (2012), section 4.3
===================================================  ==========================================================
"""

from __future__ import annotations

import numpy as np

from ...common.progress import Tick, silent
from ...graphs.cpdag import cpdag
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge
from ...results.result import LearnResult
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...search.ges_result import learn_by_classes
from ...search.ges_search import ClassSearch, equivalence_search
from ...settings.parameter import parameters
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
    """Learn a CPDAG by greedy equivalence search: insert edges while one gains, then delete edges, then turn edges.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BIC(dataset)``.
    turning : bool, default True
        If True, edges are turned after the deletions, and the three phases repeat until no operator gains. If False,
        the search ends with the deletions, as published [1]_.
    max_parents : int, default 12
        Maximum number of parents in the families scored; None for no limit.
    start : PDAG, optional
        A DAG of the first class. Default: the empty graph.
    allowed : (p, p) bool array, optional
        Pairs that may become adjacent; symmetric. Default: all.
    knowledge : Knowledge, optional
        Only classes are visited that contain a DAG with the required edges and without the forbidden ones.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the present class.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG, with the directions of the knowledge; `extra` is an `EquivalenceSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the start contradicts the knowledge.

    Notes
    -----
    Without knowledge, limits and start, and with enough rows of a distribution that is faithful to a DAG, the result is
    the CPDAG of this DAG ([1]_, theorem 4 and lemma 10). With fewer rows turns [2]_ can raise the score further.

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
