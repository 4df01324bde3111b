"""Explanations of pairs in a search by score, from its moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..common.sentences import Number, Sentence, say
from ..graphs.rules import BEGINNINGS, LEFT_OUT, MOVES, Rule
from ..results.events import Event
from ..results.phases import Stage
from ..results.result import LOSS, LearnResult
from .moves import ZERO_GAIN, move_sentence
from .pair import Pair
from .support import odds_of

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
RESTARTED = (Stage.PERTURBATION, Stage.RESTART, Stage.BACK_TO_BEST)
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
    # Restarts make and undo many moves, which are only counted.
    last = len(own) - 1
    shown = [k for k, e in enumerate(own) if e.phase.stage not in RESTARTED] or [last] * bool(own)
    if len(shown) > MAX_MOVES:
        shown = shown[:1]
    moves = [_move(own[k], totals.get(moves_of_pair[k][0], math.nan)) for k in shown]
    if n := len(own) - len(shown):
        if last in shown:
            template = "Earlier, the search changed this edge once."
            template = template if n == 1 else "Earlier, the search changed this edge {n} times."
            moves.insert(len(moves) - 1, say(template, n=n))
        else:
            template = "Later, the search changed this edge once more."
            template = template if n == 1 else "Later, the search changed this edge {n} more times."
            moves.append(say(template, n=n))
    if mark not in ("none", "undirected") and last in shown and _is_tied(own[last]) and pair.result.excluded is None:
        moves.append(say("At that step, both directions scored the same; edges that changed later decide."))
    if mark == "none":
        never = all(e.rule in LEFT_OUT for e in own)
        lead = (
            say("No move of the search added this edge.")
            if never
            else say("The search added the edge and removed it again.")
        )
        return [lead, *not_added(pair, never), *moves]
    losses = losses_of(pair.result)
    lost = math.nan if losses is None else float(losses[pair.x, pair.y])
    kept = [_loss(lost, own)] if math.isfinite(lost) else []
    if mark == "undirected":
        direction = say("Its direction is open: both directions reach the same score.")
    elif pair.result.excludes(*((pair.y, pair.x) if mark == "forward" else (pair.x, pair.y))):
        direction = say("Your background knowledge excludes the other direction.")
    else:
        direction = say("All DAGs of this equivalence class share this direction.")
    return [*kept, direction, *moves]


def losses_of(result: LearnResult) -> np.ndarray | None:
    """Return the (p, p) loss of the score of a result without each of its edges, NaN elsewhere; None if not known."""
    if result.strengths.label == LOSS:
        return result.strengths.values
    return getattr(result.extra, "losses", None)


def _loss(lost: float, own: Sequence[Event]) -> Sentence:
    """State the loss of score without the edge, and why it differs from the gain when the edge was added."""
    added = own[-1] if own and own[-1].rule in (Rule.ADD, Rule.INSERT) else None
    values = {"lost": Number(lost), "odds": odds_of(lost)}
    if added is None or math.isnan(added.statistic) or Number(added.statistic).text(()) == Number(lost).text(()):
        return say("Without it the final score would be {lost} lower ({odds}).", **values)
    return say(
        "Without it the final score would be {lost} lower ({odds}). When it was last added, the score rose by "
        "{gain}; other edges changed afterwards.",
        gain=Number(added.statistic),
        **values,
    )


def _is_tied(event: Event) -> bool:
    """Return True if a move reversed an edge between two directions with the same score."""
    return event.rule is Rule.REVERSE and abs(event.statistic) <= ZERO_GAIN


def _move(event: Event, total: float) -> Sentence:
    """Return a sentence on a move and the part of the run in which it was made.

    A step that did not raise the score is followed by the `total` increase of its larger move, without which it seems
    wrong or arbitrary.
    """
    template, about = MADE.get(event.phase.stage, "The search {move}."), {"move": move_sentence(event)}
    if event.phase.round is not None:
        about["round"] = event.phase.round
    made = say(template, **about)
    if event.statistic <= ZERO_GAIN and total > ZERO_GAIN:
        return say(
            "{made} This was one step of a move that raised the score by {total}.", made=made, total=Number(total)
        )
    return made
