"""Hill climbing."""

from __future__ import annotations

import numpy as np

from ..common.progress import Tick, silent
from ..common.validation import Seed
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge
from ..results.result import LearnResult
from ..scores.score import FamilyScore
from ..settings.parameter import parameters
from .both_ways import TiesOfSearch, climb
from .settings import HC


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
    """Learn a DAG by hill climbing: make the best change of one edge while any improves the score.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BIC(dataset)``.
    max_parents : int, default 12
        Most parents of a node; None for no limit.
    restarts : int, default 0
        How often to go on from a disturbed best DAG.
    perturbations : int, default 10
        Random moves that disturb it.
    start : PDAG, optional
        DAG to begin with. Default: the empty graph.
    allowed : (p, p) bool array, optional
        Entry [i, j]: i -> j may be added. Default: all.
    knowledge : Knowledge, optional
        Required edges are never deleted or reversed; forbidden ones and those against the tiers are never added.
    ties : "both", "data" or "columns"
        What settles which of several equally good moves is made. "data": the data, so that the order of the columns
        does not matter. "both": search once so and once the other way round, and keep the DAG that scores more.
        "columns": their order, as in bnlearn.
    tick : Tick, optional
        Listener; once it returns False the run ends with the best DAG met so far.
    seed : int, default 0
        Source of the random moves of restarts.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the DAG found, with the directions knowledge gives; `extra` is a `GreedySearch`. Of two
        searches the trace is that of the one kept.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the start contradicts the knowledge.

    Notes
    -----
    No single addition, deletion or reversal that is allowed improves the score of the DAG found.

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
