"""Describe CPPDs, moves and v-structures of LMM in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...common.sentences import Edge, Node, Nodes, Number, Sentence, say
from ...common.wording import format_p, format_signed
from ...results.result import LearnResult
from .orientation import VStructures
from .ranking import EdgeRanking, Moves

NEARLY_ONE = math.log(1e-3)  # ln of a complement of a probability below which the complement is shown


MARGINS = {  # templates for runs whose joint CPPD is not a probability
    "{pair} added: joint CPPD {joint}, the highest left; {awareness}": (
        "{pair} added: margin {joint}, the highest left; {awareness}"
    ),
    "{pair} dropped: joint CPPD {joint}, less than another pair has; {hardest}": (
        "{pair} dropped: margin {joint}, less than another pair has; {hardest}"
    ),
    "{pair} removed, rank {rank} of {n}: joint CPPD {joint}; {hardest}": (
        "{pair} removed, rank {rank} of {n}: margin {joint}; {hardest}"
    ),
    "added at step {step} with a joint CPPD of {joint} ({aware})": (
        "added at step {step} with a margin of {joint} ({aware})"
    ),
    "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, as the last edge (joint CPPD "
    "{joint}).": (
        "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, as the last edge (margin {joint})."
    ),
    "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, with {left} left (joint CPPD "
    "{joint}).": (
        "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, with {left} left (margin {joint})."
    ),
    "Rank {rank} of {n}: elimination removed it at step {step} of {last} as the weakest edge (joint CPPD {joint}).": (
        "Rank {rank} of {n}: elimination removed it at step {step} of {last} as the weakest edge (margin {joint})."
    ),
    "Edges of the result have a joint CPPD above {threshold}.": "Edges of the result have a margin above 0.",
}


def worded(ranking: EdgeRanking, template: str) -> str:
    """Return the template of a sentence with a joint CPPD, or that with a margin if the CPPD is not a probability."""
    return MARGINS.get(template, template) if ranking.tested else template


def format_support(ranking: EdgeRanking, key: float) -> str:
    """Format a joint CPPD given by its unsaturated key, or its margin if the CPPD is not a probability."""
    if not ranking.tested:
        return format_joint(key)
    margin = float(ranking.margin(key))
    return format_signed(margin)


def format_joint(key: float) -> str:
    """Format a joint CPPD given by its unsaturated key: 0.0043, 1 − 3.1e-9."""
    log_p = -math.exp(min(-key, 700.0))
    return _format(log_p, -key if key > 20 else math.log(-math.expm1(log_p)) if log_p < 0 else -math.inf)


def format_one_sided(log_odds: float) -> str:
    """Format a one-sided CPPD given by its log-odds."""
    return _format(-float(np.logaddexp(0.0, -log_odds)), -float(np.logaddexp(0.0, log_odds)))


def joint_of(log_odds: Sequence[float], criterion: str) -> str:
    """Format the joint CPPD that follows from the log-odds of both sides."""
    if criterion == "minimum":
        return format_one_sided(float(min(log_odds)))
    log_p = -float(np.logaddexp(0.0, -np.asarray(log_odds)).sum())
    return _format(log_p, math.log(-math.expm1(log_p)) if log_p < 0 else -math.inf)


def _format(log_p: float, log_complement: float) -> str:
    if log_complement == -math.inf:
        return "1"
    return f"1\u00a0−\u00a0{format_p(log_complement)}" if log_complement < NEARLY_ONE else format_p(log_p)


def ranks(ranking: EdgeRanking) -> dict[tuple[int, int], int]:
    """Return the rank of each ranked pair i < j; rank 1 was removed last."""
    return {(i, j): rank for rank, (i, j) in enumerate(ranking.pairs.tolist(), start=1)}


def move_sentences(result: LearnResult) -> list[Sentence]:
    """Return one sentence for the start and one for each move."""
    ranking: EdgeRanking = result.extra
    rank_of, n = ranks(ranking), len(ranking.ranked)
    sentences = [say("start: no edges")]
    for move in range(len(ranking.moves)):
        pair = int(ranking.moves.i[move]), int(ranking.moves.j[move])
        sentences.append(_move_sentence(ranking, move, rank_of.get(pair, 0), n))
    return sentences


def _move_sentence(ranking: EdgeRanking, move: int, rank: int, n_ranked: int) -> Sentence:
    moves = ranking.moves
    what, i, j = moves.what[move], int(moves.i[move]), int(moves.j[move])
    values = {
        "a": Node(i),
        "b": Node(j),
        "pair": Edge(i, "undirected", j),
        "joint": format_support(ranking, moves.key[move]),
    }
    if what == Moves.AWARE:
        return say("{a} becomes aware of {b} and now conditions on it too", **values)
    if what == Moves.UNAWARE:
        return say("{a} becomes unaware of {b}: only {b} keeps conditioning on the other", **values)
    if what == Moves.ADDED and moves.iteration[move] == 0:
        return say("{pair} is required by your background knowledge", **values)
    if what == Moves.ADDED:
        template = worded(ranking, "{pair} added: joint CPPD {joint}, the highest left; {awareness}")
        return say(template, awareness=awareness(moves, move), **values)
    values["hardest"] = _hardest_side(moves, move)
    if what == Moves.DROPPED:
        template = "{pair} dropped: joint CPPD {joint}, less than another pair has; {hardest}"
        return say(worded(ranking, template), **values)
    template = "{pair} removed, rank {rank} of {n}: joint CPPD {joint}; {hardest}"
    return say(worded(ranking, template), rank=rank, n=n_ranked, **values)


def _hardest_side(moves: Moves, move: int) -> Sentence:
    """State the set with the strongest evidence against the edge, and the end to which it belongs."""
    side = int(np.argmin(moves.one_sided[move]))
    owner = Node(int((moves.i, moves.j)[side][move]))
    return say(
        "{set} comes closest to separating them, for {owner}", set=Nodes(moves.hardest_set(move, side)), owner=owner
    )


def awareness(moves: Moves, move: int) -> Sentence:
    """State which end of a pair is aware of the other."""
    a, b = Node(int(moves.i[move])), Node(int(moves.j[move]))
    knows_a, knows_b = moves.aware[move]
    if knows_a and knows_b:
        return say("each is aware of the other")
    return say("only {a} is aware of {b}" if knows_a else "only {b} is aware of {a}", a=a, b=b)


def triple_clause(found: VStructures, t: int) -> Sentence:
    """Write a triple as a → w ← b."""
    a, w, b = (Node(k) for k in found.triples[t].tolist())
    return say("{a} → {w} ← {b}", a=a, w=w, b=b)


def stronger_rival(found: VStructures, t: int) -> Sentence | None:
    """Name the accepted v-structure that directed an edge of triple t away from its middle; None if knowledge did."""
    a, w, b = found.triples[t].tolist()
    for k in np.flatnonzero(found.accepted[:t]).tolist():
        x, middle, y = found.triples[k].tolist()
        if w in (x, y) and middle in (a, b):
            return say("{triple} (CD = {cd})", triple=triple_clause(found, k), cd=Number(float(found.induced[k])))
    return None
