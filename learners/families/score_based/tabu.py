"""Tabu search: the search of `hc`, which also makes moves that lower the score and visits no recent DAG again.

===================================================  ============================================================
here                                                 step
===================================================  ============================================================
`search.climber.Climber.run`                         make the best move to a DAG that is not in the list
`search.climber.Climber.back_to_best`                end with the best DAG visited
===================================================  ============================================================
"""

from __future__ import annotations

import numpy as np

from ...common.progress import Tick, silent
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...settings.parameter import parameters
from .settings import TABU_SEARCH
from .tie_orders import TiesOfSearch, climb


@parameters(TABU_SEARCH)
def tabu(
    score: FamilyScore,
    *,
    tabu_length: int = 100,
    patience: int = 100,
    max_parents: int | None = 12,
    start: PDAG | None = None,
    allowed: np.ndarray | None = None,
    knowledge: Knowledge | None = None,
    ties: TiesOfSearch = "both",
    tick: Tick = silent,
) -> LearnResult:
    """Learn a DAG by tabu search: hill climbing that continues after a local maximum and avoids its last DAGs.

    Parameters
    ----------
    score : FamilyScore
        Score bound to the data, e.g. ``BDeu(dataset, ess=10.0)``.
    tabu_length : int, default 100
        Number of last DAGs, including the start, that are not visited again.
    patience : int, default 100
        The search stops after this many consecutive moves without a new best DAG.
    max_parents, start, allowed, knowledge, ties, tick
        As for `hc`.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG of the best DAG visited, with the directions of the knowledge; `extra` is a `GreedySearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or the start contradicts the knowledge.

    Notes
    -----
    The score is at least that of hill climbing from the same start. DAGs are compared by 64-bit Zobrist hashes.

    References
    ----------
    Bouckaert (1995), Bayesian belief networks: from construction to inference, thesis, Utrecht; Glover (1989), Tabu
    search, part I. ORSA Journal on Computing 1.
    """
    return climb(
        score,
        method="tabu",
        ties=ties,
        start=start,
        allowed=allowed,
        max_parents=max_parents,
        knowledge=knowledge,
        tick=tick,
        tabu_length=tabu_length,
        patience=patience,
    )
