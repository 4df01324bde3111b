"""A run as something to drag through: which edge is drawn in which steps, and what each step says.

Step s is the graph after the first s changes of the trace.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.rules import Rule
from learners.results.trace import Trace

from .graph_data import Edge, GraphViewData, Series, nodes
from .phases import phase_name
from .text import LN10, format_limited, format_strength

SHD = "pairs unlike the truth (SHD)"  # of a series
MOST_DRAWN = 8_000  # where even the last graph is denser
MOST_EDGES = 6_000  # drawn at once; a denser start is skipped, and said so


def replay(
    result: LearnResult,
    positions: np.ndarray,
    *,
    truth: PDAG | None = None,
    sentence: Callable[[Event, Sequence[str]], str],
    untested: np.ndarray | None = None,
) -> GraphViewData:
    """Data of the graph component for one run, change by change.

    Parameters
    ----------
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1], computed once per data set.
    truth : PDAG, optional
        CPDAG of the true graph; adds the SHD of each step.
    sentence : callable
        One event as a sentence.
    untested : (p, p) bool array, optional
        Pairs marked as never tested.

    Returns
    -------
    GraphViewData
    """
    trace = result.trace
    changes = trace.changes
    skipped = _skipped_steps(trace)
    return {
        "nodes": nodes(result.names, positions),
        "edges": _edges(result, skipped, untested),
        "steps": {
            "count": len(changes) - skipped + 1,
            "offset": skipped,
            "axis_label": "step",
            "text": _sentences(result, skipped, sentence),
            "series": _series(result, truth, skipped),
            "curve": 0,
            "choice": len(changes) - skipped,
            "events": _landmarks(trace, skipped),
            "phases": _phases(trace, skipped),
        },
        "file_name": "edgewise",
    }


def _skipped_steps(trace: Trace) -> int:
    """How many first changes to leave out so that no more than `MOST_EDGES` are ever drawn."""
    removed = np.cumsum(trace.action[trace.changes] == Action.REMOVE)
    surplus = trace.start.n_edges - MOST_EDGES
    # A run cancelled early may never get there; then its last graph is all there is to draw.
    return 0 if surplus <= 0 else min(int(np.searchsorted(removed, surplus)) + 1, len(removed))


def _edges(result: LearnResult, skipped: int, untested: np.ndarray | None) -> list[Edge]:
    """Every pair ever drawn, with its spans ``[from, to, mark]``; `to` is exclusive."""
    trace = result.trace
    start = trace.graph_at(skipped)
    steps = len(trace.changes) - skipped + 1
    spans: dict[tuple[int, int], list[list]] = {
        (i, j): [[0, steps, start.mark(i, j)]] for i, j in np.argwhere(np.triu(start.skeleton)).tolist()
    }
    for step, t in enumerate(trace.changes[skipped:].tolist(), start=1):
        i, j, action = int(trace.i[t]), int(trace.j[t]), trace.action[t]
        pair = (min(i, j), max(i, j))
        own = spans.setdefault(pair, [])
        if own and own[-1][1] == steps:
            own[-1][1] = step
        if action == Action.REMOVE:
            continue
        mark = "undirected" if action != Action.ORIENT else ("forward" if i < j else "backward")
        own.append([step, steps, mark])
    for t in np.flatnonzero(trace.action == Action.CONFLICT).tolist():
        pair = (min(int(trace.i[t]), int(trace.j[t])), max(int(trace.i[t]), int(trace.j[t])))
        _mark_conflict(spans.get(pair, []), steps)
    weights = relative_strengths(result)
    required, forbidden = _pairs_by_rule(trace, Rule.REQUIRED), _pairs_by_rule(trace, Rule.FORBIDDEN, Action.REMOVE)
    return [
        {
            "id": k,
            "a": i,
            "b": j,
            "strength": weights(i, j),
            "strength_text": strength_words(result, i, j),
            "spans": own,
            "untested": untested is not None and bool(untested[i, j]),
            "required": (i, j) in required,
            "forbidden": (i, j) in forbidden,
        }
        for k, ((i, j), own) in enumerate(_most_drawn(spans, weights))
    ]


def strength_words(result: LearnResult, i: int, j: int) -> str:
    """The strength of a pair with its name, and its confidence limits if it has any."""
    strengths = result.strengths
    value = float(strengths.values[i, j])
    if strengths.limits is None:
        return format_strength(strengths.label, value)
    return format_limited(strengths.label, value, *(float(limit[i, j]) for limit in strengths.limits))


def _pairs_by_rule(trace: Trace, rule: Rule, action: Action = Action.ORIENT) -> set[tuple[int, int]]:
    """Pairs (i, j), i < j, that background knowledge settled."""
    hit = trace.made_by({rule}) & (trace.action == action)
    return {(min(i, j), max(i, j)) for i, j in zip(trace.i[hit].tolist(), trace.j[hit].tolist(), strict=True)}


def _most_drawn(spans: dict[tuple[int, int], list], weight: Callable[[int, int], float | None]) -> list[tuple]:
    """The pairs in order, of far too many the strongest: a run cancelled early may leave hundreds of thousands."""
    pairs = sorted(spans.items())
    if len(pairs) > MOST_DRAWN:
        pairs = sorted(sorted(pairs, key=lambda pair: -(weight(*pair[0]) or 0.0))[:MOST_DRAWN])
    return pairs


def _mark_conflict(own: list[list], steps: int) -> None:
    """Show an edge left undirected by conflicting evidence as such in the last step, if it is there and still open."""
    if not own or own[-1][1:] != [steps, "undirected"]:
        return
    begin, _, _ = own.pop()
    if begin < steps - 1:
        own.append([begin, steps - 1, "undirected"])
    own.append([steps - 1, steps, "conflict"])


def relative_strengths(result: LearnResult) -> Callable[[int, int], float | None]:
    """Strength of a pair among the final edges as a number in [0, 1] for the line width, or None."""
    values = result.strengths.values if result.strengths.larger_is_stronger else -result.strengths.values
    kept = values[result.graph.skeleton]
    finite = kept[np.isfinite(kept)]
    # Log p spans orders of magnitude; its square root spreads the widths.
    top = math.sqrt(max(finite.max(initial=0.0), 1e-12))

    def weight(i: int, j: int) -> float | None:
        value = values[i, j]
        if np.isnan(value):
            return None
        return 1.0 if value == np.inf else min(1.0, math.sqrt(max(value, 0.0)) / top)

    return weight


def _sentences(result: LearnResult, skipped: int, sentence: Callable[[Event, Sequence[str]], str]) -> list[str]:
    if skipped:
        first = f"the first {skipped:,} removals are not drawn"
    elif result.trace.start.n_edges:
        first = "the start: every pair is joined"
    else:
        first = "the start: no pair is joined"
    if result.trace.graph_at(skipped).n_edges > MOST_DRAWN:
        first += f"; only the {MOST_DRAWN:,} strongest edges are drawn"
    changes = result.trace.changes[skipped:]
    return [first, *(sentence(result.trace[int(t)], result.names) for t in changes)]


def _series(result: LearnResult, truth: PDAG | None, skipped: int) -> list[Series]:
    trace = result.trace
    changes = trace.changes[skipped:]
    start = trace.graph_at(skipped)
    series: list[Series] = [{"label": "edges", "values": _edges_by_step(trace, start, changes)}]
    if truth is not None:
        series.append({"label": SHD, "values": _shd_by_step(trace, start, changes, truth)})
    log_p = trace.log_p[changes] / LN10
    if np.isfinite(log_p).any():
        values = [None, *(round(v, 4) if math.isfinite(v) else None for v in log_p.tolist())]
        whose = "leaving edge" if trace.start.n_edges else "edge that changes"
        series.append({"label": f"log10 p of the {whose}", "values": values})
    return series


def _edges_by_step(trace: Trace, start: PDAG, changes: np.ndarray) -> list[int]:
    joined, n_edges = start.skeleton.copy(), start.n_edges
    series = [n_edges]
    for t in changes.tolist():
        i, j, stays = trace.i[t], trace.j[t], trace.action[t] != Action.REMOVE
        n_edges += int(stays) - int(joined[i, j])
        joined[i, j] = joined[j, i] = stays
        series.append(n_edges)
    return series


def _shd_by_step(trace: Trace, start: PDAG, changes: np.ndarray, truth: PDAG) -> list[int | None]:
    amat, true = start.amat.copy(), truth.amat
    differs = (amat != true) | (amat.T != true.T)
    distance = int(np.triu(differs).sum())
    series: list[int | None] = [distance]
    for t in changes.tolist():
        i, j, action = trace.i[t], trace.j[t], trace.action[t]
        before = amat[i, j] != true[i, j] or amat[j, i] != true[j, i]
        amat[i, j] = action != Action.REMOVE
        amat[j, i] = action in (Action.ADD, Action.UNORIENT)
        after = amat[i, j] != true[i, j] or amat[j, i] != true[j, i]
        distance += int(after) - int(before)
        series.append(distance)
    return series


def _phases(trace: Trace, skipped: int) -> list[dict]:
    phases: list[dict] = []
    for step, t in enumerate(trace.changes[skipped:].tolist(), start=1):
        label = phase_name(trace.phases[trace.phase[t]])
        if not phases or phases[-1]["label"] != label:
            phases.append({"label": label, "from": step})
    return phases


def _landmarks(trace: Trace, skipped: int) -> list[int]:
    """Steps to jump between: the end of each phase, each orientation, and each move of a search."""
    changes = trace.changes[skipped:]
    starts = [phase["from"] for phase in _phases(trace, skipped)]
    deleted = trace.made_by({Rule.DELETE})[changes]
    told = (np.flatnonzero((trace.action[changes] == Action.ORIENT) | deleted) + 1).tolist()
    return sorted({0, *(step - 1 for step in starts), *told, len(changes)})
