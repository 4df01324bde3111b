"""Explanations of pairs in a search by score, from its moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ..common.sentences import Number, Sentence, say
from ..graphs.rules import BEGINNINGS, LEFT_OUT, MOVES, Rule
from ..results.events import Event
from ..results.phases import Stage
from .moves import ZERO_GAIN, move_sentence
from .pair import Pair

MAX_MOVES = 4  # maximum number of moves of one pair that are listed; a tabu search may make dozens
MADE = {  # sentences on a move by its stage; all others name the search alone
    Stage.INITIAL_GRAPH: "To build its initial graph, the search {move}.",
    Stage.CANDIDATES: "In round {round} of candidates, the search {move}.",
    Stage.PERTURBATION: "In the random moves of restart {round}, the search {move}.",
    Stage.RESTART: "In restart {round}, the search {move}.",
    Stage.BACK_TO_BEST: "To return to the best graph, the search {move}.",
    Stage.POLISH_FORWARD: "The final polish {move}.",
    Stage.POLISH_BACKWARD: "The final polish {move}.",
}
NotAdded = Callable[[Pair, bool], list[Sentence]]  # the pair, True if no move ever added the edge -> the reason


def why_by_score(
    pair: Pair, events: Sequence[Event], not_added: NotAdded, totals: Mapping[int, float] | None = None
) -> list[Sentence]:
    """Explain a pair at the end of a search.

    Parameters
    ----------
    pair : Pair
    events : sequence of Event
        Events of the pair.
    not_added : callable
        Returns the reason why the search did not add the edge.
    totals : mapping of int to float, optional
        Increase of the score by a larger move, by the position in `events` of each event that was one step of it.
    """
    mark, totals = pair.mark, totals or {}
    moves_of_pair = [(t, e) for t, e in enumerate(events) if e.rule in MOVES | BEGINNINGS]
    own = [e for _, e in moves_of_pair]
    moves = [_move(e, totals.get(t, math.nan)) for t, e in moves_of_pair]
    if len(moves) > MAX_MOVES:
        between = say(
            "After that, the search changed this edge {n} more times before its last change.", n=len(moves) - 2
        )
        moves = [moves[0], between, moves[-1]]
    if mark == "none":
        never = all(e.rule in LEFT_OUT for e in own)
        lead = (
            say("No move of the search added this edge.")
            if never
            else say("The search added the edge and removed it again.")
        )
        return [lead, *moves, *not_added(pair, never)]
    lost = float(pair.result.strengths.values[pair.x, pair.y])
    kept = [_loss(lost, own)] if math.isfinite(lost) else []
    if mark == "undirected":
        direction = say("Its direction is open: both directions reach the same score.")
    else:
        direction = say("All graphs that fit equally well share this direction.")
    return [*moves, *kept, direction]


def _loss(lost: float, own: Sequence[Event]) -> Sentence:
    """State the loss of score without the edge, and why it differs from the gain when the edge was added."""
    added = own[-1] if own and own[-1].rule in (Rule.ADD, Rule.INSERT) else None
    if added is None or math.isnan(added.statistic) or Number(added.statistic).text(()) == Number(lost).text(()):
        return say("Without it the final score would be {lost} lower.", lost=Number(lost))
    return say(
        "Without it the final score would be {lost} lower (not {gain}, because other edges changed afterwards).",
        lost=Number(lost),
        gain=Number(added.statistic),
    )


def _move(event: Event, total: float) -> Sentence:
    """Return a sentence on a move and the part of the run in which it was made.

    A step that lowered the score is followed by the `total` increase of its larger move, without which it seems wrong.
    """
    template, about = MADE.get(event.phase.stage, "The search {move}."), {"move": move_sentence(event)}
    if event.phase.round is not None:
        about["round"] = event.phase.round
    made = say(template, **about)
    if event.statistic < -ZERO_GAIN and total > ZERO_GAIN:
        return say(
            "{made} This was one step of a move that raised the score by {total}.", made=made, total=Number(total)
        )
    return made
