"""Questions about the result: colliders, directions, ranks and support."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...graphs.cpdag import v_structures
from ...graphs.graph import PDAG, skeleton_graph
from ...graphs.meek_closure import closure
from ...graphs.pag import PAG
from ...results.directions import Support
from ...results.events import Action
from ...results.result import LearnResult, ranking_of
from .question import BANDS, ENDS, QuizQuestion, Topic
from .trace_questions import asked, shuffled

MAX_DRAWS = 200  # maximum number of draws of three pairs
SURE = (Support.CLEAR, Support.WEAK, Support.CONTESTED)


def _last(result: LearnResult) -> int:
    return len(result.trace.changes)


def colliders(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask whether the middle of an unshielded triple is a collider; only if the run found a direction."""
    graph = result.graph
    if not graph.directed_edges() or isinstance(graph, PAG):  # colliders of a PAG have open ends
        return
    in_conflict = {frozenset((e.i, e.j)) for e in _conflicts(result)}
    for k in rng.permutation(graph.p).tolist():
        near = shuffled(graph.adjacent(k), rng)
        for i, j in zip(near, near[1:], strict=False):
            if graph.skeleton[i, j] or in_conflict & {frozenset((i, k)), frozenset((j, k))}:
                continue
            i, j = sorted((i, j))
            found = graph.mark(i, k) == "forward" == graph.mark(j, k)
            yield QuizQuestion(
                Topic.COLLIDER, (i, k, j), (True, False), int(not found), (i, k), skeleton_graph(graph), _last(result),
                easy=not found,
            )  # fmt: skip


def _conflicts(result: LearnResult) -> list:
    trace = result.trace
    return [trace[int(t)] for t in np.flatnonzero(trace.action == Action.CONFLICT)]


def pattern(graph: PDAG) -> PDAG:
    """Return the skeleton with the arrows of v-structures only."""
    amat = np.array(graph.skeleton)
    for i, k, j in v_structures(graph):
        amat[k, i] = amat[k, j] = False
    return PDAG(amat)


def directions(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask how Meek's rules orient an edge, if they alone derive the graph from its v-structures."""
    graph, start = result.graph, pattern(result.graph)
    if not start.directed_edges() or closure(start) != graph:
        return
    for i, j in shuffled(start.undirected_edges(), rng):
        choices = ((i, j), (j, i), None)
        answer = ("forward", "backward", "undirected").index(graph.mark(i, j))
        yield QuizQuestion(
            Topic.DIRECTION, (i, j), choices, answer, (i, j), start, _last(result), easy=choices[answer] is None
        )


def ends(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask what an edge of a PAG says about causes."""
    graph = result.graph
    if not isinstance(graph, PAG):
        return
    for i, j in shuffled(sorted({(min(edge), max(edge)) for edge in graph.edges()}), rng):
        mark = graph.mark(i, j)
        if mark in ENDS:
            yield QuizQuestion(
                Topic.ENDS, (i, j), ENDS, ENDS.index(mark), (i, j), graph, _last(result), easy=mark == "circles"
            )


def ranks(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask which of three pairs is the strongest, by the learner's ranking or the strengths of its edges."""
    order = _order(result)
    pairs = sorted(order)
    if len(pairs) < 2:
        return
    for _ in range(MAX_DRAWS):
        some = [pairs[k] for k in rng.permutation(len(pairs))[:3]]
        if len({order[pair] for pair in some}) == len(some):
            best = max(some, key=order.__getitem__)
            others = [pair for pair in some if pair != best]
            yield QuizQuestion(
                **asked(Topic.RANK, best, others, rng), about=(), pair=best, shown=result.graph, step=_last(result)
            )


def _order(result: LearnResult) -> dict[tuple[int, int], float]:
    """Return a number for each pair that is larger for stronger pairs."""
    ranking, graph = ranking_of(result), result.graph
    if ranking is not None:
        far = 3 * max(1, graph.n_edges)  # smaller differences are due to chance
        pairs = [tuple(pair) for pair in ranking.pairs[:far].tolist()]
        return dict(zip(pairs, (-ranking.ranks[:far]).tolist(), strict=True))
    values = result.strengths.values if result.strengths.larger_is_stronger else -result.strengths.values
    pairs = [(min(edge), max(edge)) for edge in graph.edges()]
    return {pair: float(values[pair]) for pair in pairs if np.isfinite(values[pair])}


def probabilities(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask how probable an edge is."""
    if result.posterior is None:
        return
    adjacent, graph = result.posterior.adjacent, result.graph
    worth = np.argwhere(np.triu(graph.skeleton | (adjacent > 0.05), k=1))
    for i, j in worth[rng.permutation(len(worth))].tolist():
        band = band_of(float(adjacent[i, j]))
        easy = band == len(BANDS) - 1
        yield QuizQuestion(Topic.PROBABLE, (i, j), BANDS, band, (i, j), graph, _last(result), easy=easy)


def band_of(probability: float) -> int:
    """Return the index of a probability in `BANDS`."""
    return next(k for k, (_, high) in enumerate(BANDS) if probability < high or high == 1.0)


def supports(result: LearnResult, rng: np.random.Generator) -> Iterator[QuizQuestion]:
    """Ask how well the direction of an arrow is supported, where odds judge it."""
    for i, j in shuffled(sorted(result.directions), rng):
        direction = result.directions[i, j]
        support = direction.support
        if support in SURE and direction.share is None:
            easy = support is Support.CLEAR
            yield QuizQuestion(
                Topic.SUPPORT, (i, j), SURE, SURE.index(support), (i, j), result.graph, _last(result), easy=easy
            )
