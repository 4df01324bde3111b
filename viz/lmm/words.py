"""What LMM did, move by move, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from learners.lmm.ranking import EdgeRanking, Moves
from learners.results.result import LearnResult

from ..text import format_p, format_set, shorten

NEARLY_ONE = math.log(1e-3)  # what a probability lacks to 1, below which that is shown instead


def format_joint(key: float) -> str:
    """A joint CPPD from its unsaturated key: 0.0043, 1 − 3.1e-9."""
    log_p = -math.exp(min(-key, 700.0))
    return _format(log_p, -key if key > 20 else math.log(-math.expm1(log_p)) if log_p < 0 else -math.inf)


def format_one_sided(log_odds: float) -> str:
    """A one-sided CPPD from its log-odds."""
    return _format(-float(np.logaddexp(0.0, -log_odds)), -float(np.logaddexp(0.0, log_odds)))


def joint_of(log_odds: Sequence[float], criterion: str) -> str:
    """The joint CPPD of both sides' log-odds."""
    if criterion == "minimum":
        return format_one_sided(float(min(log_odds)))
    log_p = -float(np.logaddexp(0.0, -np.asarray(log_odds)).sum())
    return _format(log_p, math.log(-math.expm1(log_p)) if log_p < 0 else -math.inf)


def _format(log_p: float, log_lack: float) -> str:
    if log_lack == -math.inf:
        return "1"
    return f"1\u00a0−\u00a0{format_p(log_lack)}" if log_lack < NEARLY_ONE else format_p(log_p)


def ranks(ranking: EdgeRanking) -> dict[tuple[int, int], int]:
    """Rank of each ranked pair i < j, 1 for the last to leave."""
    return {(i, j): rank for rank, (i, j) in enumerate(ranking.pairs.tolist(), start=1)}


def move_sentences(result: LearnResult) -> list[str]:
    """What led to each step: one sentence a move, after one for the start."""
    ranking: EdgeRanking = result.extra
    rank_of, n = ranks(ranking), len(ranking.ranked)
    said = ["the start: no pair is joined"]
    for move in range(len(ranking.moves)):
        pair = int(ranking.moves.i[move]), int(ranking.moves.j[move])
        said.append(_move_sentence(result.names, ranking.moves, move, rank_of.get(pair, 0), n))
    return said


def _move_sentence(names: Sequence[str], moves: Moves, move: int, rank: int, n_ranked: int) -> str:
    a, b = shorten(names[moves.i[move]]), shorten(names[moves.j[move]])
    what, joint = moves.what[move], format_joint(moves.key[move])
    if what == Moves.AWARE:
        return f"{a} becomes aware of {b}, which it was not: {a} now conditions on {b} too"
    if what == Moves.UNAWARE:
        return f"{a} becomes unaware of {b}: {b}, the surer of the two, alone keeps conditioning on the other"
    if what == Moves.ADDED and moves.iteration[move] == 0:
        return f"{a} — {b} is required by your background knowledge"
    if what == Moves.ADDED:
        return f"{a} — {b} joins: joint CPPD {joint}, the highest left; {awareness(names, moves, move)}"
    hardest = hardest_side(names, moves, move)
    if what == Moves.DROPPED:
        return f"{a} — {b} is dropped: joint CPPD {joint}, a pair not joined has more; {hardest}"
    return f"{a} — {b} leaves, rank {rank:,} of {n_ranked:,}: joint CPPD {joint}; {hardest}"


def hardest_side(names: Sequence[str], moves: Moves, move: int) -> str:
    """The set that did most against the edge, and the end it belongs to."""
    side = int(np.argmin(moves.one_sided[move]))
    whose = shorten(names[(moves.i, moves.j)[side][move]])
    return f"hardest given {format_set(moves.hardest_set(move, side), names)}, on {whose}'s side"


def awareness(names: Sequence[str], moves: Moves, move: int) -> str:
    """Who of a pair is aware of the other."""
    a, b = shorten(names[moves.i[move]]), shorten(names[moves.j[move]])
    knows_a, knows_b = moves.aware[move]
    if knows_a and knows_b:
        return "each is aware of the other"
    return f"only {a} is aware of {b}" if knows_a else f"only {b} is aware of {a}"
