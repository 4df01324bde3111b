"""How sure an arrow is, in words and as marks of the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.evaluation.directions import FEW_STEPS, STRONG, SURE_SHARE
from learners.results.directions import Direction, Premise, Support
from learners.results.result import LearnResult

from .graph_data import Edge, GraphViewData
from .text import count, format_number, shorten


def direction_word(result: LearnResult, i: int, j: int, mark: str) -> str:
    """How sure the edge drawn with `mark` is of its direction, for a table."""
    told = _direction(result, i, j, mark)
    return "" if told is None else told.support.value


def direction_sentences(result: LearnResult, i: int, j: int) -> list[str]:
    """What the direction of the result's edge between i and j rests on, and how far."""
    mark = result.graph.mark(i, j)
    told = _direction(result, i, j, mark)
    if told is None or told.support is Support.KNOWN:
        return []
    if told.support is Support.UNTOLD:
        return ["How sure its direction is cannot be told for these data."]
    lead = {
        Support.CLEAR: "Its direction is clear",
        Support.WEAK: "Its direction is uncertain",
        Support.CONTESTED: "Its direction is contested",
    }[told.support]
    return [f"{lead}: {_reason(told, result.names)}."]


def doubtful(result: LearnResult, i: int, j: int) -> bool:
    """Whether the result's arrow i -> j is drawn as uncertain."""
    told = result.directions.get((i, j))
    return told is not None and told.support.is_doubtful


def with_doubts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """The picture, with the arrows of the result that are uncertain drawn as such."""
    return data | {"edges": [_marked(edge, result) for edge in data["edges"]]}


def _direction(result: LearnResult, i: int, j: int, mark: str) -> Direction | None:
    """Of an edge of the result that is drawn as it is there."""
    if mark not in ("forward", "backward") or result.graph.mark(i, j) != mark:
        return None
    return result.directions.get((i, j) if mark == "forward" else (j, i))


def _marked(edge: Edge, result: LearnResult) -> Edge:
    mark = result.graph.mark(edge["a"], edge["b"])
    told = _direction(result, edge["a"], edge["b"], mark)
    if told is None or not told.support.is_doubtful:
        return edge
    word = "uncertain" if told.support is Support.WEAK else "contested"
    return edge | {"doubt": mark, "doubt_text": f"direction {word}: {_reason(told, result.names)}"}


def _reason(told: Direction, names: Sequence[str]) -> str:
    if told.share is not None:
        least = "" if told.support is Support.CLEAR else f", fewer than {SURE_SHARE:.0%}"
        return f"of the resamples that join the two, {told.share:.0%} point this way{least}"
    if told.is_refused_otherwise:
        return "a v-structure that points the other way was found too, and refused"
    if told.premise is None:
        return "no v-structure of the graph asks for it"
    if told.support is Support.WEAK and told.premise.evidence > STRONG:
        return (
            f"it follows from other arrows over {count(told.steps, 'step')}, more than {FEW_STEPS}, and errors add up"
        )
    return f"{_rests(told, names)}, {_odds(told.premise)}"


def _rests(told: Direction, names: Sequence[str]) -> str:
    i, k, j = (shorten(names[node]) for node in (told.premise.i, told.premise.k, told.premise.j))
    what = f"the v-structure {i} → {k} ← {j}" if told.premise.collider else f"no v-structure at {k} between {i} and {j}"
    where = "it rests on" if told.steps == 0 else "it follows from other arrows, and the least sure is"
    return f"{where} {what}"


def _odds(premise: Premise) -> str:
    """The Bayes factor in words; very large ones by their logarithm."""
    found = premise.evidence
    odds = f"{math.exp(abs(found)):,.3g} to 1" if abs(found) < math.log(1e5) else f"e^{format_number(abs(found))} to 1"
    if abs(found) <= STRONG:
        return f"for which the data speak weakly ({odds} {'for' if found >= 0 else 'against'} it; 20 to 1 is strong)"
    return f"{'for' if found > 0 else 'against'} which the data speak {odds}"
