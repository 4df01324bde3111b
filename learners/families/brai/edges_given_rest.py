"""Probabilities of the edges of a polished class, each given the rest of its DAG.

A search ends in few classes, so nearly all probabilities of their average alone are 0 or 1. For each pair of
variables, the score compares the DAG with those that differ from it in this pair only. Averaged over the posterior,
such conditional probabilities are the probabilities of the edges (Gelfand and Smith 1990, Sampling-based approaches to
calculating marginal densities. JASA 85).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...common.progress import Tick
from ...common.relabeling import ByPair
from ...evaluation.posterior import RankedClass
from ...graphs.equivalence_class import direction_shares
from ...graphs.graph import PDAG, ancestors
from ...graphs.knowledge import BoundKnowledge
from ...scores.score import FamilyScore
from ...search.climber import gains_of_moves

MAX_GAP = math.log(1_000.0)  # nats below the most probable class; classes below that have the arrows of their graphs
MAX_CLASSES = 20
MAX_CELLS = 4_000_000  # maximum number of matrix entries of all classes


@dataclass(frozen=True, eq=False)
class ArrowsGivenRest:
    """Probabilities of arrows given all other edges of one class.

    Attributes
    ----------
    graph : PDAG
        CPDAG of the class.
    directed : (p, p) float64 array
        P(i -> j, given all other edges).
    """

    graph: PDAG
    directed: ByPair


def arrows_of_classes(
    classes: Iterable[tuple[RankedClass, PDAG]], score: FamilyScore, knowledge: BoundKnowledge, tick: Tick
) -> tuple[ArrowsGivenRest, ...]:
    """Return the arrows given the rest for the most probable classes, by a DAG of each. Raises Stopped if cancelled."""
    dags = {one.graph: (one, dag) for one, dag in reversed(list(classes))}
    ranked = sorted(dags.values(), key=lambda pair: -_log_weight(pair[0]))
    room = max(1, min(MAX_CLASSES, MAX_CELLS // score.p**2))
    near = [pair for pair in ranked[:room] if _log_weight(pair[0]) >= _log_weight(ranked[0][0]) - MAX_GAP]
    return tuple(
        ArrowsGivenRest(one.graph, arrows_given_rest(score, dag, one.graph, knowledge, tick)) for one, dag in near
    )


def _log_weight(one: RankedClass) -> float:
    return one.score + math.log(one.size)


def arrows_given_rest(score: FamilyScore, dag: PDAG, graph: PDAG, knowledge: BoundKnowledge, tick: Tick) -> np.ndarray:
    """Return the probability of each arrow, given all other edges of a DAG.

    A pair can have either arrow or none, unless that closes a cycle or contradicts the knowledge; each state is as
    probable as its score says. For edges of the DAG, the probability of both arrows together is divided as in the DAGs
    of the class.

    Parameters
    ----------
    score : FamilyScore
    dag : PDAG
    graph : PDAG
        CPDAG of its class.
    knowledge : BoundKnowledge
    tick : Tick

    Returns
    -------
    (p, p) float64 array

    Raises
    ------
    Stopped
        If cancelled.
    """
    amat, gains = dag.amat, gains_of_moves(score, dag, knowledge, "polish", tick)
    above = ancestors(dag) & ~np.eye(dag.p, dtype=bool)
    # Arrows of the DAG: gains of deleting and of reversing them, relative to keeping them.
    detour = (above.astype(np.float64) @ amat) > 0.0
    deleted = np.where(amat, gains, -np.inf)
    turned = np.where(amat & ~detour, gains + gains.T, -np.inf)
    top = np.maximum(np.maximum(deleted, turned), 0.0)
    kept, other = np.exp(-top) + np.exp(turned - top), np.exp(deleted - top)
    adjacent = np.where(amat, kept / (kept + other), 0.0)
    # Other pairs: gains of adding either arrow.
    added = np.where(amat | amat.T | above.T | np.eye(dag.p, dtype=bool), -np.inf, gains)
    top = np.maximum(np.maximum(added, added.T), 0.0)
    weight = np.exp(added - top)
    directed = weight / (np.exp(-top) + weight + weight.T)
    return np.where(amat | amat.T, (adjacent + adjacent.T) * direction_shares(graph), directed)
