"""Support of edge directions: sentences, and marks of the graph component."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.evaluation.directions import MAX_SURE_STEPS, STRONG_EVIDENCE, SURE_SHARE
from learners.results.directions import Direction, Premise, Support
from learners.results.result import LearnResult

from .graph_data import Edge, GraphViewData
from .text import count, shorten

LARGEST_ODDS = math.log(999_500)  # ln of the odds from which no number is shown


def direction_word(result: LearnResult, i: int, j: int, mark: str) -> str:
    """Return the support of the direction of an edge that is drawn with `mark`, for a table."""
    direction = _direction(result, i, j, mark)
    return "" if direction is None else direction.support.value


def direction_sentences(result: LearnResult, i: int, j: int) -> list[str]:
    """Return the support of the direction between i and j and the evidence for it."""
    mark = result.graph.mark(i, j)
    direction = _direction(result, i, j, mark)
    if direction is None or direction.support is Support.KNOWN:
        return []
    if direction.support is Support.UNTOLD:
        return ["The support of its direction cannot be assessed for these data."]
    lead = {
        Support.CLEAR: "Its direction is strongly supported",
        Support.WEAK: "Its direction is weakly supported",
        Support.CONTESTED: "The evidence on its direction conflicts",
    }[direction.support]
    return [f"{lead}: {_reason(direction, result.names)}."]


def doubtful(result: LearnResult, i: int, j: int) -> bool:
    """Return True if the arrow i -> j of the result is drawn as uncertain."""
    direction = result.directions.get((i, j))
    return direction is not None and direction.support.is_doubtful


def with_doubts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Mark the arrows whose direction is uncertain."""
    return data | {"edges": [_marked(edge, result) for edge in data["edges"]]}


def _direction(result: LearnResult, i: int, j: int, mark: str) -> Direction | None:
    """Return the direction record of an edge, or None if it is not drawn as in the result."""
    if mark not in ("forward", "backward") or result.graph.mark(i, j) != mark:
        return None
    return result.directions.get((i, j) if mark == "forward" else (j, i))


def _marked(edge: Edge, result: LearnResult) -> Edge:
    mark = result.graph.mark(edge["a"], edge["b"])
    direction = _direction(result, edge["a"], edge["b"], mark)
    if direction is None or not direction.support.is_doubtful:
        return edge
    lead = "direction weakly supported" if direction.support is Support.WEAK else "direction disputed"
    return edge | {"doubt": mark, "doubt_text": f"{lead}: {_reason(direction, result.names)}"}


def _reason(direction: Direction, names: Sequence[str]) -> str:
    if direction.share is not None:
        limit = "" if direction.support is Support.CLEAR else f" (less than {SURE_SHARE:.0%})"
        return f"{direction.share:.0%} of the resamples with this edge have this direction{limit}"
    if direction.is_refused_otherwise:
        return "a v-structure with the opposite direction was also found, and rejected"
    if direction.premise is None:
        return "no v-structure of the graph implies it"
    if direction.support is Support.WEAK and direction.premise.evidence > STRONG_EVIDENCE:
        steps = count(direction.steps, "step")
        return f"it follows from other arrows over {steps} (more than {MAX_SURE_STEPS}), and errors accumulate"
    return f"{_basis(direction, names)} ({_odds(direction.premise)})"


def _basis(direction: Direction, names: Sequence[str]) -> str:
    premise = direction.premise
    i, k, j = (shorten(names[node]) for node in (premise.i, premise.k, premise.j))
    triple = f"the v-structure {i} → {k} ← {j}" if premise.collider else f"no v-structure at {k} between {i} and {j}"
    return f"based on {triple}" if direction.steps == 0 else f"implied by other arrows, the weakest based on {triple}"


def _odds(premise: Premise) -> str:
    """Return the Bayes factor as odds with three significant digits; beyond a million it is called overwhelming."""
    found = premise.evidence
    side = "in favour" if found >= 0 else "against"
    if abs(found) >= LARGEST_ODDS:
        return f"overwhelming odds {side}"
    odds = f"odds {float(f'{math.exp(abs(found)):.3g}'):,g} to 1 {side}"
    return odds if abs(found) > STRONG_EVIDENCE else f"{odds}; 20 to 1 is strong"
