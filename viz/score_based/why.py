"""Why a score-based search joined a pair, or did not, read off its moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from learners.results.events import Event
from learners.results.phases import Stage
from learners.results.rules import BEGINNINGS, LEFT_OUT, MOVES

from ..pair import Pair, Story
from ..phases import phase_name
from ..text import format_number
from .moves import move_sentence
from .penalties import rank_words

MOST_TOLD = 4  # moves of one pair; a tabu search may make dozens
NotAdded = Callable[[bool], list[str]]  # whether no move ever joined the pair -> what adding it would have done


def why_of_dags(pair: Pair) -> Story:
    """The story of a search over DAGs."""
    return Story(why_by_score(pair, pair.events, dag_not_added), None)


def why_of_classes(pair: Pair) -> Story:
    """The story of a search over equivalence classes."""
    return Story(why_by_score(pair, pair.events, class_not_added), None)


def why_of_penalties(pair: Pair) -> Story:
    """The story of a score path: the rank of the pair, then the search at the penalty of the result."""
    rank = rank_words(pair.result, pair.x, pair.y)
    lead = f"{rank[0].upper()}{rank[1:]}." if rank else "No penalty joins them, so they have no rank."
    return Story([lead, *why_by_score(pair, pair.events, class_not_added)], None)


def why_of_orders(pair: Pair) -> Story:
    """The story of a search over orders."""
    return Story(why_by_score(pair, pair.events, order_not_added), None)


def why_by_score(pair: Pair, events: Sequence[Event], not_added: NotAdded) -> list[str]:
    """Why the pair is joined, or not, at the end of a search; `not_added` says why it had no reason to add it."""
    names, mark = pair.names, pair.mark
    own = [e for e in events if e.rule in MOVES | BEGINNINGS]
    told = [_told(e, names) for e in own]
    if len(told) > MOST_TOLD:
        between = f"{len(told) - 2:,} more moves of this edge came in between, as the search looked for ways on."
        told = [told[0], between, told[-1]]
    if mark == "none":
        never = all(e.rule in LEFT_OUT for e in own)
        lead = "No move joined them." if never else "The search tried the edge and took it out again."
        return [lead, *told, *not_added(never)]
    lost = pair.result.strengths.values[pair.x, pair.y]
    kept = [f"Without it the final score would be {format_number(lost)} lower."] if math.isfinite(lost) else []
    if mark == "undirected":
        direction = "Its direction is open: either way the best score is the same."
    else:
        direction = "It points this way in every graph that scores the same and has the same independences."
    return [*told, *kept, direction]


def _told(event: Event, names: Sequence[str]) -> str:
    """A move as a sentence that says in which part of the run it was made."""
    sentence = move_sentence(event, names)
    if event.phase.stage is not Stage.BACK_TO_BEST:
        part = "The search" if event.phase.stage is Stage.MOVES else phase_name(event.phase)
        sentence = f"{part}: {sentence}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def dag_not_added(_never: bool) -> list[str]:
    """What adding the pair would have done where a search over DAGs had its last chance to."""
    return [
        "In the graph where the search ended, adding it would not have raised the score, or is ruled out: by a "
        "cycle, by the limit on parents, or by your background knowledge."
    ]


def order_not_added(_never: bool) -> list[str]:
    """The same for a search over orders, each variable of which has the best parents before it."""
    return [
        "In the order where the search ended, the earlier of the two as one more parent of the later would not have "
        "raised the score, or is ruled out: by the limit on parents or by your background knowledge."
    ]


def class_not_added(never: bool, tests: str = "", least: str = "") -> list[str]:
    """The same for a search over classes; `tests` names them where they restrict it, `least` a gain too small."""
    if not never:
        return []
    return [
        f"When the insertions ended, adding it to any graph of the class would not have raised the score{least}, or is "
        f"ruled out: by {tests}the limit on parents or by your background knowledge."
    ]
