"""Solvers of the questions whose answer is entered: in the picture, on a slider, as a number, or in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from ...graphs.cpdag import cpdag, v_structures
from ...graphs.graph import PDAG, skeleton_graph
from ...results.events import Action
from .answer_texts import Texts
from .entered_answers import EnteredNumber, SliderPosition, StepOrder, number_text
from .graph_syntax import ends_of, number, numbers, pair_given
from .lesson import Entry, LessonError, LessonGraph, LessonRun
from .lesson_runs import result_of
from .path_reasons import names_text
from .picture_answers import ChosenEdges, ChosenNodes, OrientedEdges, graph_before, removed_at, right_sets

MAX_STEPS = 6  # maximum number of steps to put in order
NUMBER_TOLERANCE = 0.05


def _entered(entry: Entry, say: Texts) -> tuple:
    """Return the fields of an `Exercise` after its question."""
    why, path, is_open = entry.reason(entry.solution, say)
    given, paths = entry.evidence(entry.solution) if hasattr(entry, "evidence") else ((), ())
    return (), -1, why, path, is_open, (), entry, given, paths


def _node_set(graph: LessonGraph, about: str, say: Texts, *, adjusts: bool) -> tuple:
    x, y, _ = pair_given(graph, about)
    hidden = numbers(graph.hidden, graph.names)
    if not adjusts and graph.graph.skeleton[x, y]:
        raise LessonError(f"{about} are adjacent, so no set separates them")
    sets = right_sets(graph.graph, (x, y), hidden, adjusts=adjusts)
    if not sets:
        raise LessonError(f"no set of observed variables is an answer for {about}")
    entry = ChosenNodes(graph.graph, graph.names, (x, y), adjusts, hidden, frozenset(sets[0]))
    if not entry.is_right(entry.solution):
        raise LessonError(f"the back-door criterion has no set for {about}")
    return _entered(entry, say)


def _removals(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Find the edges that PC with perfect answers removes at a level: ``leaves: 1``."""
    level = number(about)
    if level != int(level) or not 0 <= level < graph.graph.p:
        raise LessonError(f'leaves names a level, from 0 on, got "{about[:80]}"')
    before = graph_before(graph.graph, int(level))
    return _entered(
        ChosenEdges(graph.graph, graph.names, before, int(level), removed_at(graph.graph, before, int(level))), say
    )


def _orientation(graph: LessonGraph, _about: str, say: Texts, *, with_colliders: bool) -> tuple:
    """Find the CPDAG, starting with the skeleton, or with its v-structures."""
    target = cpdag(graph.graph)
    start = skeleton_graph(target)
    if with_colliders:
        amat = np.array(start.amat)
        for i, k, j in v_structures(target):
            amat[k, i] = amat[k, j] = False
        start = PDAG(amat)
    entry = OrientedEdges(graph.names, start, target)
    if not entry.options:
        raise LessonError("the v-structures direct all edges, so nothing is left to do")
    return _entered(entry, say)


def _first(run: LessonRun, about: str, say: Texts) -> tuple:
    """Find the first value of the varied setting at which a pair is adjacent, ``first: adjacent a, b``, or is not."""
    if run.varied is None:
        raise LessonError("the run has to have a setting with several values")
    word, _, pair = about.partition(" ")
    if word not in ("adjacent", "separated"):
        raise LessonError(f'first is followed by adjacent or separated, got "{word[:80]}"')
    results = [result_of(run, k) for k in range(len(run.settings[run.varied]))]
    x, y = ends_of(results[0].names, pair)
    happens = tuple(bool(one.graph.skeleton[x, y]) is (word == "adjacent") for one in results)
    if happens[0] or True not in happens:
        raise LessonError("it has to happen at a value other than the first")
    names = results[0].names
    event = say["edge between" if word == "adjacent" else "no edge between"].format(a=names[x], b=names[y])
    return _entered(SliderPosition(run.varied, run.settings[run.varied], happens, event), say)


def _order(run: LessonRun, about: str, say: Texts) -> tuple:
    """Find the order in which the run removes pairs, ``order: a, b; c, d``; no two at the same level."""
    result = result_of(run)
    pairs = [ends_of(result.names, part) for part in about.split(";")]
    if not 2 <= len(pairs) <= MAX_STEPS:
        raise LessonError(f"order lists 2 to {MAX_STEPS} pairs, separated by semicolons")
    phases = [_level_of(result, pair) for pair in pairs]
    steps = tuple(f"{result.names[a]} — {result.names[b]}" for a, b in pairs)
    if None in phases or len(set(phases)) < len(phases):
        raise LessonError("the run has to remove each of the pairs, and no two of them at the same level")
    ranks = tuple(sorted(phases).index(phase) for phase in phases)
    sets = [result.sepsets.between(*pair) for pair in pairs]
    ordered = sorted(range(len(pairs)), key=ranks.__getitem__)
    given = [say["removed given"].format(edge=steps[k], given=_set_text(sets[k], result.names, say)) for k in ordered]
    return _entered(StepOrder(steps, ranks, say["removal order"].format(steps=", ".join(given))), say)


def _level_of(result: object, pair: tuple[int, int]) -> int | None:
    """Return the phase in which a run removes a pair for the last time, or None."""
    removed = [
        int(phase)
        for phase, event in zip(result.trace.phase.tolist(), result.trace, strict=True)
        if event.action is Action.REMOVE and {event.i, event.j} == set(pair)
    ]  # fmt: skip
    return removed[-1] if removed else None


def _effect(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Compute the total effect in the linear equations of a graph: ``effect: cause, effect``."""
    x, y, _ = pair_given(graph, about)
    products = _path_products(graph, x, y)
    value = float(sum(product for _, product in products))
    named = "; ".join(f"{_path(path, graph)}: {number_text(product)}" for path, product in products)
    why = say["effect sum"].format(value=number_text(value), paths=named)
    slips = [(graph.weights[x, y], say["direct alone"])] if graph.weights[x, y] else []
    slips.append((_slope(graph, x, y, ()), say["unadjusted"]))
    return _number(value, slips, why, say)


def _path_products(graph: LessonGraph, x: int, y: int) -> list[tuple[tuple[int, ...], float]]:
    """Return each directed path and the product of its weights."""
    if x == y:
        return [((y,), 1.0)]
    return [
        ((x, *path), graph.weights[x, k] * product)
        for k in graph.graph.children(x)
        for path, product in _path_products(graph, k, y)
    ]


def _path(path: tuple[int, ...], graph: LessonGraph) -> str:
    return " → ".join(graph.names[k] for k in path)


def _slope(graph: LessonGraph, x: int, y: int, given: tuple[int, ...]) -> float:
    """Return the coefficient of x in the regression of y on x and a set, with noise of variance 1."""
    total = np.linalg.inv(np.eye(len(graph.names)) - graph.weights)
    covariance, columns = total.T @ total, [x, *given]
    return float(np.linalg.solve(covariance[np.ix_(columns, columns)], covariance[columns, y])[0])


def _regression(graph: LessonGraph, about: str, say: Texts) -> tuple:
    """Compute a coefficient of a regression with unlimited data: ``slope: x, y | z`` is that of x, for y on x and z."""
    x, y, given = pair_given(graph, about)
    value = _slope(graph, x, y, given)
    effect = sum(product for _, product in _path_products(graph, x, y))
    set_text = _set_text(given, graph.names, say)
    words = "slope is effect" if abs(value - effect) < 1e-9 else "slope is biased"
    texts = {"value": number_text(value), "effect": number_text(effect), "given": set_text}
    why = say[words].format(x=graph.names[x], y=graph.names[y], **texts)
    return _number(value, [(effect, say["the effect"])], why, say)


def _set_text(given: tuple[int, ...], names: tuple[str, ...], say: Texts) -> str:
    return names_text(given, names, say) if given else say["given nothing"]


def _parameters(graph: LessonGraph, _about: str, say: Texts) -> tuple:
    """Count the free probabilities of a graph's tables: all but the last one of each row, which sums to 1."""
    if graph.tables is None:
        raise LessonError("the graph above has no probabilities; add lines such as P(a): yes 0.1, no 0.9")
    counts = [cpt.shape[0] * (cpt.shape[1] - 1) for cpt in graph.tables.cpts]
    parts = ", ".join(f"{name} {count}" for name, count in zip(graph.names, counts, strict=True))
    entries = sum(cpt.size for cpt in graph.tables.cpts)
    why = say["free"].format(n=sum(counts), parts=parts)
    return _number(float(sum(counts)), [(float(entries), say["all entries"])], why, say)


def _number(value: float, slips: list[tuple[float, str]], why: str, say: Texts) -> tuple:
    apart = tuple((slip, text) for slip, text in slips if abs(slip - value) > 2 * NUMBER_TOLERANCE)
    return _entered(EnteredNumber(value, apart, "", NUMBER_TOLERANCE, why), say)


Solver = Callable[[LessonGraph | LessonRun, str, Texts], tuple]
ENTRY_CHECKS: Mapping[str, tuple[type, Solver]] = {
    "separating set": (LessonGraph, partial(_node_set, adjusts=False)),
    "adjustment set": (LessonGraph, partial(_node_set, adjusts=True)),
    "leaves": (LessonGraph, _removals),
    "orient": (LessonGraph, partial(_orientation, with_colliders=True)),
    "draw": (LessonGraph, partial(_orientation, with_colliders=False)),
    "effect": (LessonGraph, _effect),
    "slope": (LessonGraph, _regression),
    "parameters": (LessonGraph, _parameters),
    "first": (LessonRun, _first),
    "order": (LessonRun, _order),
}
