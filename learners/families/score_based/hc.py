"""Hill climbing.

===================================================  ============================================================
here                                                 step
===================================================  ============================================================
`search.climber.Climber.run`                         make the best move until none raises the score
`kernels.search.hill_climbing`                       gains of all moves, and the best legal one
`search.climber.Climber.perturb`                     random moves before a restart
`tie_orders.climb`                                   search by both orders of ties, and keep the better DAG
===================================================  ============================================================
"""

from __future__ import annotations

import numpy as np

from ...common.progress import Tick, silent
from ...common.validation import Seed
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...settings.parameter import parameters
from .settings import HC
from .tie_orders import TiesOfSearch, climb


@parameters(HC)
def hc(
    score: FamilyScore,
    *,
    max_parents: int | None = 12,
    restarts: int = 0,
    perturbations: int = 10,
    start: PDAG | None = None,
    allowed: np.ndarray | None = None,
    knowledge: Knowledge | None = None,
    ties: TiesOfSearch = "both",
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a DAG by hill climbing: make the best change of one edge while it raises the score.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BIC(dataset)``.
    max_parents : int, default 12
        Maximum number of parents of a node; None for no limit.
    restarts : int, default 0
        Number of restarts from a perturbed best DAG.
    perturbations : int, default 10
        Random moves before each restart.
    start : PDAG, optional
        First DAG. Default: the empty graph.
    allowed : (p, p) bool array, optional
        Entry [i, j] is True if i -> j may be added. Default: all.
    knowledge : Knowledge, optional
        Required edges are never deleted or reversed; forbidden edges, and edges against the tiers, are never added.
    ties : "both", "data" or "columns", default "both"
        How ties between equally good moves are broken. "data": by the data, so the order of the columns does not
        matter. "both": search once with "data" and once with the opposite order of ties, and keep the better DAG.
        "columns": by the order of the columns, as in bnlearn.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the best DAG visited so far.
    seed : int, default 0
        Seed of the random moves.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the DAG found, with the directions of the knowledge; `extra` is a `GreedySearch`. With
        two searches, the trace is that of the better one.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the start contradicts the knowledge.

    Notes
    -----
    The DAG is a local maximum: no allowed addition, deletion or reversal of one edge raises its score.

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data. Machine Learning 20, section 7.

    Examples
    --------
    >>> from learners import BIC, hc, load_sample
    >>> hc(BIC(load_sample("asia").dataset)).graph.p
    8
    """
    return climb(
        score,
        method="hc",
        ties=ties,
        start=start,
        allowed=allowed,
        max_parents=max_parents,
        knowledge=knowledge,
        tick=tick,
        seed=seed,
        restarts=restarts,
        perturbations=perturbations,
    )
