"""Questions about steps of a run: removed edges, added edges, and separating sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...graphs.graph import PDAG, Edge
from ...results.events import Action
from ...results.result import LearnResult
from ...results.trace import Trace
from .question import QuizQuestion, Topic

MAX_CHOICES = 4
MAX_TRIED = 60  # maximum number of pairs of which one becomes a question


def shuffled(values: Sequence, rng: np.random.Generator) -> list:
    """Return the values in random order."""
    return [values[k] for k in rng.permutation(len(values))]


def asked(topic: Topic, right: object, others: Sequence, rng: np.random.Generator) -> dict:
    """Return topic, choices and answer of a question: the right choice among at most three others."""
    choices = shuffled([right, *shuffled(others, rng)[: MAX_CHOICES - 1]], rng)
    return {"topic": topic, "choices": tuple(choices), "answer": choices.index(right)}


def removals(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask which edge is removed next."""
    return _changing(result, Topic.LEAVES, rng)


def additions(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask which edge is added next."""
    return _changing(result, Topic.JOINS, rng)


def _changing(result: LearnResult, topic: Topic, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Yield questions whose wrong answers do not change in this phase, in which the order may be arbitrary."""
    trace, leaves = result.trace, topic is Topic.LEAVES
    removes = trace.action[trace.changes] == Action.REMOVE
    for step in rng.permutation(np.flatnonzero(removes if leaves else ~removes)).tolist():
        shown, pair = trace.graph_at(step), _pair(trace, step)
        if shown.skeleton[pair] != leaves:
            continue
        soon = _rest_of_phase(trace, step)
        same = np.triu(shown.skeleton if leaves else ~shown.skeleton, k=1)
        others = [other for other in _some(same, rng) if other not in soon]
        if others:
            yield QuizQuestion(**asked(topic, pair, others, rng), about=(), pair=pair, shown=shown, step=step)


def _pair(trace: Trace, step: int) -> Edge:
    t = trace.changes[step]
    return min(int(trace.i[t]), int(trace.j[t])), max(int(trace.i[t]), int(trace.j[t]))


def _rest_of_phase(trace: Trace, step: int) -> set[Edge]:
    """Return the pairs that change from this step to the end of its phase."""
    phases = trace.phase[trace.changes]
    other = np.flatnonzero(phases[step:] != phases[step])
    last = step + int(other[0]) if len(other) else len(phases)
    return {_pair(trace, later) for later in range(step, last)}


def _some(mask: np.ndarray, rng: np.random.Generator) -> list[Edge]:
    """Return a few random pairs of a mask."""
    pairs = np.argwhere(mask)
    return [tuple(pair) for pair in pairs[rng.permutation(len(pairs))[:MAX_TRIED]].tolist()]


def separating_sets(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask which set separated a pair, if any."""
    trace, present = result.trace, result.sepsets.present
    if not present.any():
        return
    steps = _last_removals(trace)
    for x, y in _some(np.triu(present != result.graph.skeleton, k=1), rng):
        joined = bool(result.graph.skeleton[x, y])
        if not joined and (x, y) not in steps:
            continue
        step = _while_joined(trace, (x, y), rng) if joined else steps[x, y]
        shown = trace.graph_at(step)
        if not shown.skeleton[x, y]:
            continue
        right = None if joined else result.sepsets.between(x, y)
        others = [*_others(result, shown, (x, y), right), *([] if joined else [None])]
        if others:
            question = asked(Topic.SEPARATED, right, others, rng)
            yield QuizQuestion(**question, about=(x, y), pair=(x, y), shown=shown, step=step, easy=not right)


def _last_removals(trace: Trace) -> dict[Edge, int]:
    """Return the step before each pair was removed for the last time."""
    removed = np.flatnonzero(trace.action[trace.changes] == Action.REMOVE)
    return {_pair(trace, step): step for step in removed.tolist()}


def _while_joined(trace: Trace, pair: Edge, rng: np.random.Generator) -> int:
    """Return a random step that removes another pair, so that the graph does not reveal the type of question."""
    steps = [step for other, step in _last_removals(trace).items() if other != pair]
    return int(rng.choice(steps)) if steps else 0


def _others(result: LearnResult, shown: PDAG, pair: Edge, right: tuple[int, ...] | None) -> list[tuple[int, ...]]:
    """Return sets that did not separate the pair: the tested ones, the empty set, and single neighbours."""
    x, y = pair
    tried = [tuple(sorted(e.cond)) for e in result.trace.of_pair(x, y) if e.action == Action.KEEP]
    near = [(k,) for k in shown.adjacent(x) + shown.adjacent(y) if k not in pair]
    return [one for one in dict.fromkeys([*tried, (), *near]) if one != right]
