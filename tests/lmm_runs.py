"""Runs of LMM for tests, and a replay of their moves."""

from __future__ import annotations

from functools import cache

from learners.families.lmm.ranking import Moves
from learners.graphs.knowledge import Knowledge
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import learn
from learners.results.result import LearnResult

CASES = {
    "plain": {},
    "threshold": {"gamma": 0.2},
    "sizes": {"min_size": 6, "max_size": 20},
    "random order": {"orientation": "lmm_eo_random"},
    "smaller side": {"criterion": "minimum", "omega": 1.0},
}
P = 12


@cache
def network(seed: int = 2):
    return random_gaussian_network(P, 16, seed)


@cache
def learnt(case: str = "plain", n: int = 120) -> LearnResult:
    return learn("lmm", sample(network(), n, 5), **CASES[case])


@cache
def known() -> LearnResult:
    """Return a run with a required edge that the data do not support, a tier, and a forbidden pair."""
    names = network().names
    knowledge = Knowledge(
        required=((names[0], names[11]),), forbidden=((names[1], names[2]), (names[2], names[1])), tiers={names[3]: 1}
    )
    return learn("lmm", sample(network(), 120, 5), knowledge=knowledge)


def replayed(moves: Moves) -> list[dict]:
    """Return the edges and the awareness of their ends after each move, replayed from the moves."""
    edges: dict = {}
    states = [{}]
    for what, i, j, aware in zip(
        moves.what.tolist(), moves.i.tolist(), moves.j.tolist(), moves.aware.tolist(), strict=True
    ):
        edges = dict(edges)
        pair, aware = ((i, j), aware) if i < j else ((j, i), aware[::-1])
        if what in (Moves.DROPPED, Moves.ELIMINATED):
            del edges[pair]
        else:
            edges[pair] = aware
        states.append(edges)
    return states
