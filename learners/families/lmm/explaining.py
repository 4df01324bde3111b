"""Explanations of runs of LMM: the rank of a pair or the reason why it was never added, and its direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...common.sentences import Count, Listed, Node, Nodes, Number, Sentence, percent, say, setting
from ...explaining.events import event_of_tests
from ...explaining.orientation import why_directed
from ...explaining.pair import Explainer, Pair, Reasons, last_removal
from ...explaining.tested_pairs import own_events
from ...graphs.rules import AWARENESS
from ...results.events import Action, Event
from ...results.result import LearnResult
from .orientation import VStructures
from .ranking import EdgeRanking, Moves
from .scored_orientation import BY_SCORE
from .step_graphs import hardest_at_selection, orientation_of
from .words import (
    awareness,
    format_one_sided,
    format_support,
    joint_of,
    ranks,
    stronger_rival,
    triple_clause,
    worded,
)

MOVES = (Action.ADD, Action.REMOVE, Action.KEEP)  # actions that do not concern the direction of an edge
Side = tuple[int, tuple[int, ...], float]  # an end of a pair, its hardest set, and the log-odds there


def why_ranked(pair: Pair) -> Reasons:
    """Explain a pair of LMM."""
    events = own_events(pair)
    return Reasons(_why_lmm(pair.result, pair.x, pair.y, events), last_removal(events))


def _why_lmm(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[Sentence]:
    """Explain the rank and the evidence of a pair, its earlier moves, and its direction."""
    ranking: EdgeRanking = result.extra
    moves, pair = ranking.moves, (min(x, y), max(x, y))
    own = np.flatnonzero((np.minimum(moves.i, moves.j) == pair[0]) & (np.maximum(moves.i, moves.j) == pair[1]))
    if not len(own):
        return _never_added(result, *pair)
    history = [_history(ranking, move) for move in own.tolist() if moves.what[move] != Moves.ELIMINATED]
    if moves.what[own[-1]] == Moves.ELIMINATED:
        sentences = _rank(result, int(own[-1]), pair)
    elif ranking.knowledge.joined[pair]:
        sentences = [say("Your background knowledge requires this edge, so it has no rank and is never removed.")]
    else:
        sentences = [
            say("Forward selection added it and dropped it for good, so it has no rank."),
            _sides(ranking, int(own[-1]), result.params["criterion"]),
        ]
    on_the_way = [say("History: {history}.", history=Listed(history, "; "))] if history else []
    return [*sentences, *on_the_way, *_direction(result, x, y, events)]


def _rank(result: LearnResult, move: int, pair: tuple[int, int]) -> list[Sentence]:
    ranking: EdgeRanking = result.extra
    rank, n, last = ranks(ranking)[pair], len(ranking.ranked), len(ranking.moves)
    values = {
        "rank": rank, "n": n, "step": move + 1, "last": last, "joint": format_support(ranking, ranking.moves.key[move]),
        "threshold": setting(ranking.threshold), "left": Count(rank - 1, "edge"),
    }  # fmt: skip
    if move >= ranking.choice and rank == 1:
        lead = (
            "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, as the last edge (joint CPPD "
            "{joint})."
        )
    elif move >= ranking.choice:
        lead = (
            "Rank {rank} of {n}: elimination would remove it at step {step} of {last}, with {left} left (joint CPPD "
            "{joint})."
        )
    else:
        lead = (
            "Rank {rank} of {n}: elimination removed it at step {step} of {last} as the weakest edge (joint CPPD "
            "{joint})."
        )
    removed, q, share = move < ranking.choice, result.params.get("q"), float(ranking.false_shares[move])
    needs = removed and 0 < ranking.threshold < 1
    too_many = (
        "Up to {share} of the {edges} then left were expected to be false, more than q = {q}."
        if removed and q is not None and share > q
        else ""
    )
    return [
        say(worded(ranking, lead), **values),
        *(
            [say(worded(ranking, "Edges of the result have a joint CPPD above {threshold}."), **values)]
            if needs
            else []
        ),
        *([say(too_many, edges=Count(rank, "edge"), share=percent(share), q=setting(q))] if too_many else []),
        _sides(ranking, move, result.params["criterion"]),
        say(
            "At that step {aware}{meaning}.",
            aware=awareness(ranking.moves, move),
            meaning=_meaning(ranking.moves, move),
        ),
    ]


def _sides(ranking: EdgeRanking, move: int, criterion: str) -> Sentence:
    moves = ranking.moves
    sides = [
        (int(k), moves.hardest_set(move, side), float(moves.one_sided[move, side]))
        for side, k in enumerate((moves.i[move], moves.j[move]))
    ]
    return _tested_sides(sides) if ranking.tested else _sides_sentence(sides, criterion)


def _tested_sides(sides: Sequence[Side]) -> Sentence:
    """State the hardest sets of a pair whose joint CPPD is not a probability."""
    (k, cond, _), (other, other_cond, _) = sides
    return say(
        "The sets that come closest to separating the two are {set} for {a} and {other_set} for {b}. The margin is "
        "the evidence for the edge minus the limit; it is not a probability.",
        a=Node(k),
        b=Node(other),
        set=Nodes(cond),
        other_set=Nodes(other_cond),
    )


def _sides_sentence(sides: Sequence[Side], criterion: str) -> Sentence:
    (k, cond, odds), (other, other_cond, other_odds) = sides
    how = say("the product of the two probabilities") if criterion == "product" else say("the smaller of the two")
    return say(
        "These sets come closest to separating the two: {set} for {a} (probability of dependence {p}) and {other_set} "
        "for {b} ({other_p}). The joint CPPD is {how}.",
        how=how,
        a=Node(k),
        b=Node(other),
        set=Nodes(cond),
        other_set=Nodes(other_cond),
        p=format_one_sided(odds),
        other_p=format_one_sided(other_odds),
    )


def _meaning(moves: Moves, move: int) -> Sentence:
    """State the consequence if one end is not aware of the other."""
    if moves.aware[move].all():
        return say("")
    i, j = Node(int(moves.i[move])), Node(int(moves.j[move]))
    unaware, known = (j, i) if moves.aware[move, 0] else (i, j)
    return say(", so {unaware} does not condition on {known}", unaware=unaware, known=known)


def _history(ranking: EdgeRanking, move: int) -> Sentence:
    moves = ranking.moves
    what = moves.what[move]
    values = {
        "a": Node(int(moves.i[move])), "b": Node(int(moves.j[move])), "step": move + 1,
        "joint": format_support(ranking, moves.key[move]),
    }  # fmt: skip
    if what == Moves.ADDED and moves.iteration[move] == 0:
        return say("present from the start, step {step}", **values)
    if what == Moves.ADDED:
        aware = awareness(moves, move)
        template = "added at step {step} with a joint CPPD of {joint} ({aware})"
        return say(worded(ranking, template), aware=aware, **values)
    if what == Moves.DROPPED:
        return say("dropped at step {step} with {joint}, less than another pair had", **values)
    if what == Moves.AWARE:
        return say("{a} became aware of {b} at step {step}", **values)
    return say("{a} became unaware of {b} at step {step}", **values)


def _never_added(result: LearnResult, x: int, y: int) -> list[Sentence]:
    """State why forward selection never added a pair, and its final value."""
    if result.extra.knowledge.apart[x, y]:
        return [say("Your background knowledge forbids this edge in both directions, so it was not considered.")]
    if not result.complete:
        return [say("The run was cancelled before it added an edge between them.")]
    if result.extra.tested:
        return [say("It was never added: the added pairs had more support when forward selection ended.")]
    sides = [(k, *hardest_at_selection(result, x, y, k)) for k in (x, y)]
    return [
        say(
            "It was never added: its joint CPPD was {joint} when forward selection ended, and the added pairs had "
            "more.",
            joint=joint_of([odds for *_, odds in sides], result.params["criterion"]),
        ),
        _sides_sentence(sides, result.params["criterion"]),
    ]


def _direction(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[Sentence]:
    mark = result.graph.mark(x, y)
    if mark == "none" or not result.complete:
        return []
    if orientation_of(result) == "none" and mark == "undirected":
        return [say("This run looked for no directions.")]
    reasons = [e for e in events if e.rule not in AWARENESS]
    if mark == "undirected" and orientation_of(result) in BY_SCORE and all(e.action in MOVES for e in reasons):
        return [say("Its direction is open: no v-structure of the best-scoring DAG found determines it.")]
    sentences = why_directed(result, x, y, reasons)
    found: VStructures | None = result.extra.v_structures
    return sentences if found is None else [*sentences, *_v_structures_of(result, found, x, y, events)]


def _v_structures_of(
    result: LearnResult, found: VStructures, x: int, y: int, events: Sequence[Event]
) -> list[Sentence]:
    """State the values of the v-structure that directed the edge or, for an undirected edge, of its best candidate."""
    ends = {x, y}
    mine = [t for t, (a, w, b) in enumerate(found.triples.tolist()) if w in ends and (ends - {w}) & {a, b}]
    drawn = [t for t in mine if found.accepted[t]]
    if drawn and result.extra.tested:
        return []
    if drawn:
        with_w, without_w = (joint_of(values[drawn[0]], "product") for values in (found.with_w, found.without_w))
        return [
            say(
                "CD compares the joint CPPD of the outer two with {w} in every set, {with_w}, and without it, "
                "{without_w}.",
                w=Node(int(found.triples[drawn[0], 1])),
                with_w=with_w,
                without_w=without_w,
            )
        ]
    refused = [t for t in mine if found.induced[t] > 0]
    if refused and any(e.action == Action.REFUSE for e in events):
        winner = stronger_rival(found, refused[0])
        return [say("The better supported v-structure was {winner}.", winner=winner)] if winner else []
    if mine and result.graph.mark(x, y) == "undirected":
        best = max(mine, key=lambda t: found.induced[t])
        return [
            say(
                "Of the v-structures that could direct it, {triple} has the highest CD, {cd}, which is not above 0.",
                triple=triple_clause(found, best),
                cd=Number(float(found.induced[best])),
            )
        ]
    return []


EXPLAINERS = {"lmm": Explainer(why_ranked, event_of_tests)}
