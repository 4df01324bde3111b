"""Explanations of searches by score."""

from __future__ import annotations

import math

import numpy as np

from ...common.sentences import Capitalized, Node, Number, Sentence, caveat, say
from ...explaining.events import event_of_search
from ...explaining.not_added import class_not_added, dag_not_added, order_not_added
from ...explaining.pair import Explainer, Pair, Reasons
from ...explaining.scored_pairs import why_by_score
from ...explaining.support import is_determined
from ...results.result import LearnResult


def why_of_dags(pair: Pair) -> Reasons:
    """Explain a pair of a search over DAGs."""
    return Reasons(why_by_score(pair, pair.events, dag_not_added))


def why_of_classes(pair: Pair) -> Reasons:
    """Explain a pair of a search over equivalence classes."""
    return Reasons(why_by_score(pair, pair.events, class_not_added))


def why_of_penalties(pair: Pair) -> Reasons:
    """Explain a pair of a score path: its rank, then the search at the penalty of the result."""
    rank = rank_clause(pair.result, pair.x, pair.y)
    unranked = say("No penalty that was tried adds this edge, so it has no rank.")
    lead = say("{rank}.", rank=Capitalized(rank)) if rank else unranked
    return Reasons([lead, *why_by_score(pair, pair.events, class_not_added)])


def why_of_orders(pair: Pair) -> Reasons:
    """Explain a pair of a search over orders."""
    return Reasons([*why_by_score(pair, pair.events, order_not_added, _gains_of_moves(pair)), *_near_classes(pair)])


def _gains_of_moves(pair: Pair) -> dict[int, float]:
    """Return the gain of a variable's move by each event of the pair that was one of several steps of it."""
    trace, placed = pair.result.trace, pair.result.extra.placements
    several, found = placed.ends > placed.begins + 1, {}
    number = {position: change for change, position in enumerate(trace.changes.tolist())}
    for t, position in enumerate(trace.positions_of_pair(pair.x, pair.y).tolist()):
        change = number.get(position, -1)
        moved = np.flatnonzero(several & (placed.begins <= change) & (change < placed.ends))
        if len(moved):
            found[t] = float(placed.gains[moved[0]])
    return found


def _near_classes(pair: Pair) -> list[Sentence]:
    """Return a caveat if nearly equally supported classes differ in the pair."""
    marks = pair.result.extra.marks(pair.x, pair.y)
    if len(marks) < 2:
        return []
    n = marks.total()
    near = say("{n} equivalence classes score within 3 nats of the best, so the data hardly distinguish them", n=n)
    if marks["none"]:
        return [caveat("{near}. This edge is in {joined} of them.", near=near, joined=n - marks["none"])]
    if is_determined(pair.result, pair.x, pair.y):
        return []
    return [
        caveat(
            "{near}: {a} → {b} is in {forward} of them, {b} → {a} in {backward}, and the direction is open in {open}.",
            near=near,
            forward=marks["forward"],
            backward=marks["backward"],
            open=marks["undirected"],
            a=Node(pair.x),
            b=Node(pair.y),
        )
    ]


def rank_clause(result: LearnResult, i: int, j: int) -> Sentence | None:
    """Return the rank of a pair in a score path as text: "rank 3 of 57, present up to 4.24 × BIC"."""
    path = result.extra
    own = np.flatnonzero((np.sort(path.pairs, axis=1) == sorted((i, j))).all(axis=1))
    if not len(own):
        return None
    rank, n = int(own[0]) + 1, len(path.pairs)
    survives = float(path.survives[i, j])
    if not math.isfinite(survives):
        return say("rank {rank} of {n}, present at no penalty", rank=rank, n=n)
    return say("rank {rank} of {n}, present up to {penalty} × BIC", rank=rank, n=n, penalty=Number(survives))


EXPLAINERS = {
    "score": Explainer(why_of_dags, event_of_search),
    "order": Explainer(why_of_orders, event_of_search),
    "score_path": Explainer(why_of_penalties, event_of_search),
    "ges": Explainer(why_of_classes, event_of_search),
}
