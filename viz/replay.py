"""Replay of a run: the edges and the sentence of each step; step s is the graph after the first s changes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from learners.common.sentences import Phrase, Sentence, phrase, say
from learners.explaining.clauses import phase_clause
from learners.graphs.graph import PDAG
from learners.graphs.mag import pag_without_hidden
from learners.graphs.pag import MARKS, PAG
from learners.graphs.rules import Rule
from learners.results.events import Action, Event
from learners.results.result import LearnResult
from learners.results.trace import Trace, ends_after

from .graph_data import SHD, EdgeData, GraphViewData, Series, nodes
from .legend import line_texts
from .text import LN10, limited_clause, strength_clause

MAX_DRAWN = 8_000  # maximum number of edges drawn if even the last graph has more than `MAX_EDGES`
MAX_EDGES = 6_000  # maximum number of edges drawn at once; denser first steps are skipped


def replay(
    result: LearnResult,
    positions: np.ndarray,
    *,
    truth: PDAG | None = None,
    sentence: Callable[[Event], Sentence],
    untested: np.ndarray | None = None,
) -> GraphViewData:
    """Return the data of the graph component for a run, change by change.

    Parameters
    ----------
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1].
    truth : PDAG, optional
        True CPDAG; adds the SHD of each step.
    sentence : callable
        Returns the sentence of an event, given the names.
    untested : (p, p) bool array, optional
        Pairs that are marked as never tested.

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
            "axis_label": phrase("step"),
            "text": _sentences(result, skipped, sentence),
            "series": _series(result, truth, skipped),
            "curve": 0,
            "choice": len(changes) - skipped,
            "events": _landmarks(trace, skipped),
            "phases": _phases(trace, skipped),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }


def _skipped_steps(trace: Trace) -> int:
    """Return the number of first changes to skip so that at most `MAX_EDGES` edges are drawn."""
    removed = np.cumsum(trace.action[trace.changes] == Action.REMOVE)
    surplus = trace.start.n_edges - MAX_EDGES
    # A cancelled run may stay denser; then only its last graph is drawn.
    return 0 if surplus <= 0 else min(int(np.searchsorted(removed, surplus)) + 1, len(removed))


def _edges(result: LearnResult, skipped: int, untested: np.ndarray | None) -> list[EdgeData]:
    """Return all pairs that are ever adjacent, with spans ``[from, to, mark]``; `to` is exclusive."""
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
        before = own[-1][2] if own and own[-1][1] == steps else "none"
        if before != "none":
            own[-1][1] = step
        if action == Action.REMOVE:
            continue
        own.append([step, steps, mark_after(trace.start, action, (i, j), before)])
    settled = trace.made_by({Rule.PROBABLE}).any()  # the graph is that of probabilities, not of the tests
    for t in [] if settled else np.flatnonzero(trace.action == Action.CONFLICT).tolist():
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
            "strength_text": strength_text(result, i, j),
            "spans": own,
            "untested": untested is not None and bool(untested[i, j]),
            "required": (i, j) in required,
            "forbidden": (i, j) in forbidden,
        }
        for k, ((i, j), own) in enumerate(_strongest(spans, weights))
    ]


def mark_after(start: PDAG, action: int, pair: tuple[int, int], before: str) -> str:
    """Return the mark of a pair after an action, read from its smaller node; `start` is the first graph of the run."""
    i, j = pair
    if isinstance(start, PAG):
        at_lower, at_upper = next(ends for ends, (word, _sign) in MARKS.items() if word == before)
        at_i, at_j = ends_after(action, at_lower if i < j else at_upper)
        return MARKS[(at_i, at_j) if i < j else (at_j, at_i)][0]
    if action != Action.ORIENT:
        return "undirected"
    return "forward" if i < j else "backward"


def strength_text(result: LearnResult, i: int, j: int) -> Phrase:
    """Return the strength of a pair with its label and confidence limits."""
    strengths = result.strengths
    value = float(strengths.values[i, j])
    if strengths.limits is None:
        return Phrase(strength_clause(strengths.label, value))
    return Phrase(limited_clause(strengths.label, value, *(float(limit[i, j]) for limit in strengths.limits)))


def _pairs_by_rule(trace: Trace, rule: Rule, action: Action = Action.ORIENT) -> set[tuple[int, int]]:
    """Return the pairs (i, j), i < j, that a rule of background knowledge decided."""
    hit = trace.made_by({rule}) & (trace.action == action)
    return {(min(i, j), max(i, j)) for i, j in zip(trace.i[hit].tolist(), trace.j[hit].tolist(), strict=True)}


def _strongest(spans: dict[tuple[int, int], list], weight: Callable[[int, int], float | None]) -> list[tuple]:
    """Return the pairs in ascending order; only the `MAX_DRAWN` strongest if a cancelled run has more."""
    pairs = sorted(spans.items())
    if len(pairs) > MAX_DRAWN:
        pairs = sorted(sorted(pairs, key=lambda pair: -(weight(*pair[0]) or 0.0))[:MAX_DRAWN])
    return pairs


def _mark_conflict(own: list[list], steps: int) -> None:
    """Mark an edge with conflicting evidence in the last step, if it is still undirected there."""
    if not own or own[-1][1:] != [steps, "undirected"]:
        return
    begin, _, _ = own.pop()
    if begin < steps - 1:
        own.append([begin, steps - 1, "undirected"])
    own.append([steps - 1, steps, "conflict"])


def relative_strengths(result: LearnResult) -> Callable[[int, int], float | None]:
    """Return a function of a pair: its relative strength in [0, 1], for line widths, or None without a strength."""
    values = result.strengths.values if result.strengths.larger_is_stronger else -result.strengths.values
    kept = values[result.graph.skeleton]
    finite = kept[np.isfinite(kept)]
    # Log p spans orders of magnitude; the square root spreads the widths.
    top = math.sqrt(max(finite.max(initial=0.0), 1e-12))

    def weight(i: int, j: int) -> float | None:
        value = values[i, j]
        if np.isnan(value):
            return None
        return 1.0 if value == np.inf else min(1.0, math.sqrt(max(value, 0.0)) / top)

    return weight


def _sentences(result: LearnResult, skipped: int, sentence: Callable[[Event], Sentence]) -> list[Phrase]:
    if skipped:
        first = say("first {n} removals not drawn", n=skipped)
    elif result.trace.start.n_edges:
        first = say("start: all pairs are adjacent")
    else:
        first = say("start: no edges")
    if result.trace.graph_at(skipped).n_edges > MAX_DRAWN:
        first = say("{first}; only the {n} strongest edges are drawn", first=first, n=MAX_DRAWN)
    changes = result.trace.changes[skipped:]
    return [Phrase(first), *(Phrase(sentence(result.trace[int(t)]), result.names) for t in changes)]


def _series(result: LearnResult, truth: PDAG | None, skipped: int) -> list[Series]:
    trace = result.trace
    changes = trace.changes[skipped:]
    start = trace.graph_at(skipped)
    series: list[Series] = [{"label": phrase("edges"), "values": _edges_by_step(trace, start, changes)}]
    if truth is not None:
        series.append({"label": SHD, "values": _shd_by_step(trace, start, changes, truth)})
    log_p = trace.log_p[changes] / LN10
    if np.isfinite(log_p).any():
        values = [None, *(round(v, 4) if math.isfinite(v) else None for v in log_p.tolist())]
        removes = trace.start.n_edges
        label = phrase("log10 p of the removed edge") if removes else phrase("log10 p of the changed edge")
        series.append({"label": label, "values": values})
    return series


def _edges_by_step(trace: Trace, start: PDAG, changes: np.ndarray) -> list[int]:
    adjacent, n_edges = start.skeleton.copy(), start.n_edges
    series = [n_edges]
    for t in changes.tolist():
        i, j, stays = trace.i[t], trace.j[t], trace.action[t] != Action.REMOVE
        n_edges += int(stays) - int(adjacent[i, j])
        adjacent[i, j] = adjacent[j, i] = stays
        series.append(n_edges)
    return series


def _shd_by_step(trace: Trace, start: PDAG, changes: np.ndarray, truth: PDAG) -> list[int | None]:
    if isinstance(start, PAG):
        return _shd_of_ends(trace, start, changes, pag_without_hidden(truth))
    amat, true = start.amat.copy(), truth.amat
    differs = (amat != true) | (amat.T != true.T)
    distance = int(np.triu(differs).sum())
    series: list[int | None] = [distance]
    for t in changes.tolist():
        i, j, action = trace.i[t], trace.j[t], trace.action[t]
        before = amat[i, j] != true[i, j] or amat[j, i] != true[j, i]
        amat[i, j] = action != Action.REMOVE
        amat[j, i] = action not in (Action.REMOVE, Action.ORIENT)
        after = amat[i, j] != true[i, j] or amat[j, i] != true[j, i]
        distance += int(after) - int(before)
        series.append(distance)
    return series


def _shd_of_ends(trace: Trace, start: PAG, changes: np.ndarray, truth: PAG) -> list[int | None]:
    """Return the number of pairs whose ends differ from the true ones, after each change."""
    marks, true = start.marks.copy(), truth.marks
    differs = (marks != true) | (marks.T != true.T)
    distance = int(np.triu(differs).sum())
    series: list[int | None] = [distance]
    for t in changes.tolist():
        i, j = int(trace.i[t]), int(trace.j[t])
        marks[j, i], marks[i, j] = ends_after(int(trace.action[t]), int(marks[j, i]))
        now = bool(marks[i, j] != true[i, j] or marks[j, i] != true[j, i])
        distance += int(now) - int(differs[i, j])
        differs[i, j] = differs[j, i] = now
        series.append(distance)
    return series


def _phases(trace: Trace, skipped: int) -> list[dict]:
    phases: list[dict] = []
    for step, t in enumerate(trace.changes[skipped:].tolist(), start=1):
        label = Phrase(phase_clause(trace.phases[trace.phase[t]]))
        if not phases or phases[-1]["label"] != label:
            phases.append({"label": label, "from": step})
    return phases


def _landmarks(trace: Trace, skipped: int) -> list[int]:
    """Return the steps to jump between: the end of each phase, each orientation, and each deletion of a search."""
    changes = trace.changes[skipped:]
    starts = [phase["from"] for phase in _phases(trace, skipped)]
    deleted = trace.made_by({Rule.DELETE})[changes]
    oriented = np.isin(trace.action[changes], (Action.ORIENT, Action.POINT, Action.BIDIRECT))
    notable = (np.flatnonzero(oriented | deleted) + 1).tolist()
    return sorted({0, *(step - 1 for step in starts), *notable, len(changes)})
