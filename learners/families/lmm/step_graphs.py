"""The graphs of a run of LMM after each of its moves: skeletons and CPDAGs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from ...common.progress import Stopped
from ...data.dataset import Dataset
from ...graphs.graph import PDAG
from ...independence.selection import dependence_for
from ...kernels.graphs.meek_rules import CONFLICT
from ...kernels.lmm.set_search import least_dependent
from ...results.events import Action
from ...results.result import LearnResult, as_learned
from ...results.step_graphs import StepGraphs, coded
from ...scores.selection import DefaultScore
from .orientation import Orienter
from .ranking import EdgeRanking, Moves
from .scored_orientation import BY_SCORE, ScoredOrienter

DEFAULT_SECONDS = 2.0  # default time limit for the CPDAGs of a run


def is_orientable(result: LearnResult, *, with_data: bool = False) -> bool:
    """Return True if other steps can be oriented like the result: by induced dependence, or with the data by score."""
    by_dependence = orientation_of(result).startswith("lmm_eo") and (with_data or not result.extra.tested)
    return result.complete and (by_dependence or (with_data and orientation_of(result) in BY_SCORE))


def orientation_of(result: LearnResult) -> str:
    """Return the orientation of a run, with its default resolved."""
    return result.extra.orientation or result.params["orientation"]


def skeleton_at(moves: Moves, step: int, p: int) -> np.ndarray:
    """Return the (p, p) bool skeleton after the first `step` moves."""
    t = np.flatnonzero(changes_skeleton(moves)[:step])
    skeleton = np.zeros((p, p), dtype=bool)
    # If a pair occurs more than once, the assignment keeps its last move.
    skeleton[moves.i[t], moves.j[t]] = moves.what[t] == Moves.ADDED
    return skeleton | skeleton.T


def aware_at(moves: Moves, step: int, p: int) -> np.ndarray:
    """Return (p, p) bool: entry [i, j] is True if i is aware of its neighbour j after the first `step` moves."""
    i, j, what = moves.i[:step], moves.j[:step], moves.what[:step]
    left = (what == Moves.DROPPED) | (what == Moves.ELIMINATED)
    aware = np.zeros((p, p), dtype=bool)
    # Moves may name a pair in either order; row by row the assignment keeps the last one.
    ends = np.column_stack([i, j]).ravel(), np.column_stack([j, i]).ravel()
    aware[ends] = (moves.aware[:step] & ~left[:, None]).ravel()
    return aware


def changes_skeleton(moves: Moves) -> np.ndarray:
    """Return (m,) bool: True for the moves that add or remove an edge."""
    return (moves.what != Moves.AWARE) & (moves.what != Moves.UNAWARE)


def graph_at(result: LearnResult, step: int) -> PDAG:
    """Return the graph after the first `step` moves, oriented as the result was if that is possible."""
    ranking: EdgeRanking = result.extra
    if step == ranking.choice:
        return result.graph
    if not is_orientable(result):
        return PDAG(skeleton_at(ranking.moves, step, len(result.names)))
    return as_learned(result, lambda one: _orienter(one, step).cpdag(_rng(one))[0])


def hardest_at_selection(result: LearnResult, x: int, y: int, side: int) -> tuple[tuple[int, ...], float]:
    """Return the conditioning set of one end that lowers the dependence of a pair most after forward selection.

    Parameters
    ----------
    result : LearnResult
        Result of `lmm`.
    x, y : int
    side : int
        One of the two, whose neighbours are conditioned on.

    Returns
    -------
    tuple of int
        The conditioning set.
    float
        Log-odds of dependence given it.
    """
    ranking: EdgeRanking = result.extra
    aware = aware_at(ranking.moves, ranking.moves.n_forward, len(result.names))
    size, odds, members, _ = least_dependent(ranking.evidence, aware, x, y, side, result.params["max_cond_size"])
    return tuple(int(m) for m in members[:size]), float(odds)


def conflicts_of(result: LearnResult) -> set[tuple[int, int]]:
    """Return the pairs i < j of the result on whose direction the rules conflict."""
    events = result.trace.action == Action.CONFLICT
    pairs = zip(result.trace.i[events].tolist(), result.trace.j[events].tolist(), strict=True)
    return {(min(pair), max(pair)) for pair in pairs}


def step_graphs(result: LearnResult, seconds: float = DEFAULT_SECONDS, dataset: Dataset | None = None) -> StepGraphs:
    """Return the CPDAGs of a run, from its choice outwards in both directions until the time is over.

    Parameters
    ----------
    result : LearnResult
        Result of `lmm`.
    seconds : float
        Time after which no further step is oriented.
    dataset : Dataset, optional
        The data as the learner saw them, see `registry.as_seen`. Steps of runs by tests or by score need them.

    Returns
    -------
    StepGraphs
        Only that of the choice if the run was cancelled, or its other steps cannot be oriented like the result.
    """
    return as_learned(result, partial(_step_graphs, dataset=dataset), seconds)


def _step_graphs(result: LearnResult, seconds: float, dataset: Dataset | None) -> StepGraphs:
    ranking: EdgeRanking = result.extra
    moves = ranking.moves
    joined = np.flatnonzero(moves.what == Moves.ADDED)
    pairs = np.unique(np.column_stack([moves.i[joined], moves.j[joined]]).reshape(-1, 2), axis=0).astype(np.int64)
    ahead, behind = [coded(result.graph, pairs, conflicts_of(result))], []
    if is_orientable(result, with_data=dataset is not None):
        until = time.perf_counter() + seconds
        through = range(ranking.choice, len(moves)), range(ranking.choice - 1, -1, -1)
        orienters = (_orienter(result, ranking.choice, dataset, until) for _ in through)
        directions = [
            (known, _codes_after(result, orienter, pairs, steps, ahead[0]))
            for known, orienter, steps in zip((ahead, behind), orienters, through, strict=True)
        ]
        while directions:
            for direction in directions.copy():
                known, further = direction
                codes = next(further, None) if time.perf_counter() < until else None
                known.append(codes) if codes is not None else directions.remove(direction)
    codes = np.stack([*behind[::-1], *ahead])
    pairs.flags.writeable = codes.flags.writeable = False
    return StepGraphs(pairs, ranking.choice - len(behind), codes)


def _codes_after(
    result: LearnResult, orienter: Orienter | ScoredOrienter, pairs: np.ndarray, through: range, codes: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield the edge codes after each move, starting from the chosen graph and adding or undoing one move at a time."""
    moves, changes, rng_of = result.extra.moves, changes_skeleton(result.extra.moves), lambda: _rng(result)
    for move in through:
        if changes[move]:
            orienter.toggle(int(moves.i[move]), int(moves.j[move]))
            conflicts: set[tuple[int, int]] = set()

            def note(i: int, j: int, rule: int, _: tuple, conflicts: set = conflicts) -> None:
                if rule == CONFLICT:
                    conflicts.add((i, j))

            try:
                graph, _ = orienter.cpdag(rng_of(), record=note)
            except Stopped:
                return
            codes = coded(graph, pairs, conflicts)
        yield codes


def _orienter(
    result: LearnResult, step: int, dataset: Dataset | None = None, until: float = math.inf
) -> Orienter | ScoredOrienter:
    """Return the orientation of a step as in the run; `until` is the time at which a search by score is stopped."""
    ranking: EdgeRanking = result.extra
    skeleton, by = skeleton_at(ranking.moves, step, len(result.names)), orientation_of(result)
    data = None if dataset is None else dataset.reordered([dataset.index(name) for name in result.names])
    if by in BY_SCORE:
        score = DefaultScore(data).bound()
        return ScoredOrienter(
            score, skeleton, ranking.knowledge, by, ranking.seed, lambda *_: time.perf_counter() < until
        )
    evidence, most = ranking.evidence, result.params["max_cond_size"]
    if ranking.tested:
        evidence = dependence_for(data, prior=result.params["prior"]).evidence(max(most, 1))
    return Orienter(evidence, skeleton, most, ranking.knowledge.directions)


def _rng(result: LearnResult) -> np.random.Generator | None:
    return np.random.default_rng(result.extra.seed) if orientation_of(result) == "lmm_eo_random" else None
