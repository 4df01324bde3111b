"""The graphs of a run of LMM after each of its moves: skeletons and CPDAGs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from ...graphs.graph import PDAG
from ...kernels.graphs.meek import CONFLICT
from ...kernels.lmm.set_search import least_dependent
from ...results.events import Action
from ...results.result import LearnResult, as_learned
from ...results.step_graphs import StepGraphs, coded
from .orientation import Orienter
from .ranking import EdgeRanking, Moves

DEFAULT_SECONDS = 2.0  # default time limit for the CPDAGs of a run


def is_orientable(result: LearnResult) -> bool:
    """Return True if other steps can be oriented by induced dependence, like the result, without the data."""
    return result.complete and result.params["orientation"].startswith("lmm_eo") and not result.extra.tested


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


def step_graphs(result: LearnResult, seconds: float = DEFAULT_SECONDS) -> StepGraphs:
    """Return the CPDAGs of a run, from its choice outwards in both directions until the time is over.

    Parameters
    ----------
    result : LearnResult
        Result of `lmm`.
    seconds : float
        Time after which no further step is oriented.

    Returns
    -------
    StepGraphs
        Only that of the choice if the run was not oriented by LMM_EO, or was cancelled.
    """
    return as_learned(result, _step_graphs, seconds)


def _step_graphs(result: LearnResult, seconds: float) -> StepGraphs:
    ranking: EdgeRanking = result.extra
    moves = ranking.moves
    joined = np.flatnonzero(moves.what == Moves.ADDED)
    pairs = np.unique(np.column_stack([moves.i[joined], moves.j[joined]]).reshape(-1, 2), axis=0).astype(np.int64)
    events = result.trace.action == Action.CONFLICT
    conflicts = set(zip(result.trace.i[events].tolist(), result.trace.j[events].tolist(), strict=True))
    ahead, behind = [coded(result.graph, pairs, conflicts)], []
    if is_orientable(result):
        until = time.perf_counter() + seconds
        directions = [
            (ahead, _codes_after(result, pairs, range(ranking.choice, len(moves)), ahead[0])),
            (behind, _codes_after(result, pairs, range(ranking.choice - 1, -1, -1), ahead[0])),
        ]
        while directions:
            for direction in directions.copy():
                known, further = direction
                codes = next(further, None) if time.perf_counter() < until else None
                known.append(codes) if codes is not None else directions.remove(direction)
    codes = np.stack([*behind[::-1], *ahead])
    pairs.flags.writeable = codes.flags.writeable = False
    return StepGraphs(pairs, ranking.choice - len(behind), codes)


def _codes_after(result: LearnResult, pairs: np.ndarray, through: range, codes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the edge codes after each move, starting from the chosen graph and adding or undoing one move at a time."""
    moves, changes, rng_of = result.extra.moves, changes_skeleton(result.extra.moves), lambda: _rng(result)
    orienter = _orienter(result, result.extra.choice)
    for move in through:
        if changes[move]:
            orienter.toggle(int(moves.i[move]), int(moves.j[move]))
            conflicts: set[tuple[int, int]] = set()

            def note(i: int, j: int, rule: int, _: tuple, conflicts: set = conflicts) -> None:
                if rule == CONFLICT:
                    conflicts.add((i, j))

            codes = coded(orienter.cpdag(rng_of(), record=note)[0], pairs, conflicts)
        yield codes


def _orienter(result: LearnResult, step: int) -> Orienter:
    ranking: EdgeRanking = result.extra
    skeleton = skeleton_at(ranking.moves, step, len(result.names))
    return Orienter(ranking.evidence, skeleton, result.params["max_cond_size"], ranking.knowledge.directions)


def _rng(result: LearnResult) -> np.random.Generator | None:
    return np.random.default_rng(result.extra.seed) if result.params["orientation"] == "lmm_eo_random" else None
