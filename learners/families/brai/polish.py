"""Polish of the averaged classes: a tabu search by score from the best classes of each tree.

RAI removes an edge for good once a test given a small set separates its ends, so classes of a tree can lack edges that
the score supports clearly. With numbers this is frequent: paths that cancel out look like independence. The polish adds
such edges, removes others, and so lets the trees agree. Beside the most probable classes that it reaches, each pair has
its probability given the rest of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...common.progress import Stopped, Tick
from ...evaluation.posterior import RankedClass
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...scores.score import FamilyScore
from ...search.hill_climbing import greedy_search
from .bootstrap_run import BootstrapRun, class_of
from .edges_given_rest import ArrowsGivenRest, arrows_of_classes

TABU_LENGTH, PATIENCE = 30, 30


def polished_classes(
    run: BootstrapRun, ranked: Sequence[Sequence[RankedClass]], score: FamilyScore, tick: Tick
) -> tuple[tuple[tuple[RankedClass, ...], ...], tuple[ArrowsGivenRest, ...]]:
    """Continue the search from the best classes of each tree.

    Parameters
    ----------
    run : BootstrapRun
        Its trees are complete.
    ranked : sequence of sequence of RankedClass
        For each tree, the classes that the searches begin with.
    score : FamilyScore
        Bound to the same data.
    tick : Tick

    Returns
    -------
    polished : tuple of tuple of RankedClass
        For each tree, the classes that a tabu search reaches, in the order of the given ones; they can repeat. Their
        scores are those of `score`.
    beside : tuple of ArrowsGivenRest
        Probabilities of arrows beside the most probable ones.

    Raises
    ------
    Stopped
        If cancelled.
    """
    known: dict[bytes, tuple[RankedClass, PDAG]] = {}

    def reached(dag: np.ndarray, report: Tick) -> RankedClass:
        key = dag.tobytes()
        if key not in known:
            found = greedy_search(
                score,
                start=start_of(dag, score, run.knowledge),
                knowledge=run.knowledge,
                tabu_length=TABU_LENGTH,
                patience=PATIENCE,
                tick=report,
            )
            if not found.complete:
                raise Stopped
            known[key] = RankedClass(class_of(found.dag, run.knowledge), found.score), found.dag
        return known[key][0]

    polished = []
    for number, (tree, classes) in enumerate(zip(run.trees, ranked, strict=True)):
        report = partial(_report, tick, number, len(run.trees))
        dags = (tree.dag(np.array(one.leaves, dtype=np.int64)) for one in classes)
        polished.append(tuple(reached(dag, report) for dag in dags))
    beside = arrows_of_classes(known.values(), score, run.knowledge, tick)
    return tuple(polished), beside


def start_of(dag: np.ndarray, score: FamilyScore, knowledge: BoundKnowledge) -> PDAG | None:
    """Return the DAG of a route with the required edges and without excluded ones; None if this is no valid start."""
    start = PDAG((dag | knowledge.required) & ~knowledge.excluded & ~knowledge.required.T)
    too_wide = start.amat.sum(axis=0).max(initial=0) > score.most_parents
    return None if too_wide or start.has_directed_cycle() else start


def _report(tick: Tick, number: int, n_trees: int, _phase: str, _done: int, _total: int) -> bool:
    return tick("polish", number, n_trees)
