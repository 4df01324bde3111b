"""Why LMM ranked a pair where it did, or never joined it, and what it knows of the direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.lmm.orientation import VStructures
from learners.lmm.ranking import EdgeRanking, Moves
from learners.lmm.step_graphs import hardest_at_selection
from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import AWARENESS

from ..constraint_based.directions import why_directed
from ..constraint_based.why import own_events
from ..pair import Pair, Story, last_removal
from ..text import count, format_number, format_set, shorten
from .words import awareness, format_joint, format_one_sided, joint_of, ranks


def why_ranked(pair: Pair) -> Story:
    """The story of a pair of LMM."""
    events = own_events(pair)
    return Story(why_lmm(pair.result, pair.x, pair.y, events), last_removal(events))


def why_lmm(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """The story of one pair: its rank and what it rests on, what happened before, its direction."""
    ranking: EdgeRanking = result.extra
    moves, pair = ranking.moves, (min(x, y), max(x, y))
    own = np.flatnonzero((np.minimum(moves.i, moves.j) == pair[0]) & (np.maximum(moves.i, moves.j) == pair[1]))
    if not len(own):
        return _never_joined(result, *pair)
    history = [_history(result, move) for move in own.tolist() if moves.what[move] != Moves.ELIMINATED]
    if moves.what[own[-1]] == Moves.ELIMINATED:
        told = _rank(result, int(own[-1]), pair)
    elif ranking.knowledge.joined[pair]:
        told = ["Your background knowledge requires this edge, so it is not ranked and never leaves."]
    else:
        told = ["Forward selection dropped it again, and it did not come back: it is not ranked."]
        told += _sides(result.names, moves, int(own[-1]), result.params["criterion"])
    on_the_way = [f"On the way: {'; '.join(history)}."] if history else []
    return [*told, *on_the_way, *_direction(result, x, y, events)]


def _rank(result: LearnResult, move: int, pair: tuple[int, int]) -> list[str]:
    ranking: EdgeRanking = result.extra
    rank, n, last = ranks(ranking)[pair], len(ranking.ranked), len(ranking.moves)
    joint, step = format_joint(ranking.moves.key[move]), f"step {move + 1:,} of {last:,}"
    place = f"Rank {rank:,} of {n:,}"
    if move >= ranking.choice:
        outlasted = "as the very last edge" if rank == 1 else f"and then only {count(rank - 1, 'edge')} would be left"
        lead = f"{place}: elimination would take it at {step}, {outlasted}. Its joint CPPD is {joint} by then."
    else:
        lead = f"{place}: elimination took it at {step}, as the weakest edge left, with a joint CPPD of {joint}."
        if 0 < ranking.threshold < 1:
            lead += f" An edge of the result has more than {ranking.threshold:g}."
    aware = awareness(result.names, ranking.moves, move)
    return [
        lead,
        *_sides(result.names, ranking.moves, move, result.params["criterion"]),
        f"At that moment {aware}{_meaning(ranking.moves, move, result.names)}.",
    ]


def _sides(names: Sequence[str], moves: Moves, move: int, criterion: str) -> list[str]:
    sides = [
        (int(k), moves.hardest_set(move, side), float(moves.one_sided[move, side]))
        for side, k in enumerate((moves.i[move], moves.j[move]))
    ]
    return [_sides_sentence(names, sides, criterion)]


def _sides_sentence(names: Sequence[str], sides: Sequence[tuple[int, tuple[int, ...], float]], criterion: str) -> str:
    """Of either end (node, hardest set, log-odds)."""
    (k, cond, odds), (other, other_cond, other_odds) = sides
    how = "their product" if criterion == "product" else "the smaller of the two"
    return (
        f"What comes nearest to explaining it away: on {shorten(names[k])}'s side {format_set(cond, names)}, given "
        f"which the probability of dependence is {format_one_sided(odds)}; on {shorten(names[other])}'s side "
        f"{format_set(other_cond, names)}, {format_one_sided(other_odds)}. The joint CPPD is {how}."
    )


def _meaning(moves: Moves, move: int, names: Sequence[str]) -> str:
    """What follows if one end does not know of the other."""
    if moves.aware[move].all():
        return ""
    i, j = shorten(names[moves.i[move]]), shorten(names[moves.j[move]])
    blind, known = (j, i) if moves.aware[move, 0] else (i, j)
    return f", so {blind} does not use {known} to explain its other links away"


def _history(result: LearnResult, move: int) -> str:
    moves, names = result.extra.moves, result.names
    a, b = shorten(names[moves.i[move]]), shorten(names[moves.j[move]])
    at, what = f"at step {move + 1:,}", moves.what[move]
    if what == Moves.ADDED and moves.iteration[move] == 0:
        return f"there from the start, {at}"
    if what == Moves.ADDED:
        return f"joined {at} with a joint CPPD of {format_joint(moves.key[move])} ({awareness(names, moves, move)})"
    if what == Moves.DROPPED:
        return f"dropped {at} with {format_joint(moves.key[move])}, less than a pair not joined then had"
    return f"{a} {'became aware of' if what == Moves.AWARE else 'became unaware of'} {b} {at}"


def _never_joined(result: LearnResult, x: int, y: int) -> list[str]:
    """Why forward selection passed a pair by: what it was worth when the selection ended."""
    if result.extra.knowledge.apart[x, y]:
        return ["Your background knowledge forbids the edge in both directions, so it never competed."]
    if not result.complete:
        return ["Nothing in this run joined them before it was cancelled."]
    names = result.names
    sides = [(k, *hardest_at_selection(result, x, y, k)) for k in (x, y)]
    joint = joint_of([odds for *_, odds in sides], result.params["criterion"])
    return [
        f"It never joined: when forward selection ended its joint CPPD was {joint}, and the pairs joined had more when "
        "their turn came.",
        _sides_sentence(names, sides, result.params["criterion"]),
    ]


def _direction(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[str]:
    mark = result.graph.mark(x, y)
    if mark == "none" or not result.complete:
        return []
    if result.params["orientation"] == "none" and mark == "undirected":
        return ["This run was asked for no directions."]
    told = why_directed(result, x, y, [e for e in events if e.rule not in AWARENESS])
    found: VStructures | None = result.extra.v_structures
    return told if found is None else [*told, *_v_structures_of(result, found, x, y, events)]


def _v_structures_of(result: LearnResult, found: VStructures, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """The values behind the v-structure that drew the edge; of an open edge, the best that pointed it."""
    names, ends = result.names, {x, y}
    mine = [t for t, (a, w, b) in enumerate(found.triples.tolist()) if w in ends and (ends - {w}) & {a, b}]
    drawn = [t for t in mine if found.accepted[t]]
    if drawn:
        with_w, without_w = (joint_of(values[drawn[0]], "product") for values in (found.with_w, found.without_w))
        w = shorten(names[found.triples[drawn[0], 1]])
        return [
            f"CD is what {w} induces: with {w} in every set the joint CPPD of the outer two is {with_w}, without it "
            f"{without_w}."
        ]
    refused = [t for t in mine if found.induced[t] > 0]
    if refused and any(e.action == Action.REFUSE for e in events):
        winner = surer_rival(found, refused[0], names)
        return [f"The surer one was {winner}."] if winner else []
    if mine and result.graph.mark(x, y) == "undirected":
        best = max(mine, key=lambda t: found.induced[t])
        return [
            f"Of the v-structures that could point it, {triple_text(found, best, names)} has the highest CD, "
            f"{format_number(float(found.induced[best]))}: not above 0, so it shows no direction."
        ]
    return []


def triple_text(found: VStructures, t: int, names: Sequence[str]) -> str:
    """a → w ← b."""
    a, w, b = (shorten(names[k]) for k in found.triples[t])
    return f"{a} → {w} ← {b}"


def surer_rival(found: VStructures, t: int, names: Sequence[str]) -> str:
    """The accepted v-structure that pointed an edge of triple t out of its middle; empty if knowledge did."""
    a, w, b = found.triples[t].tolist()
    for k in np.flatnonzero(found.accepted[:t]).tolist():
        x, middle, y = found.triples[k].tolist()
        if w in (x, y) and middle in (a, b):
            return f"{triple_text(found, k, names)} (CD = {format_number(float(found.induced[k]))})"
    return ""
