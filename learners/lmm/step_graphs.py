"""The graph of an LMM run at every step, that is after each of its moves: skeleton and CPDAG."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from ..graphs.graph import PDAG
from ..kernels.graphs.closure import CONFLICT
from ..kernels.lmm.sets import least_dependent
from ..results.events import Action
from ..results.result import LearnResult, as_learned
from ..results.step_graphs import StepGraphs, coded
from .orientation import Orienter
from .ranking import EdgeRanking, Moves

SECONDS = 2.0  # spent on the CPDAGs of a run


def is_orientable(result: LearnResult) -> bool:
    """Whether steps other than the choice can be oriented as the result was: by induced dependence."""
    return result.complete and result.params["orientation"].startswith("lmm_eo")


def skeleton_at(moves: Moves, step: int, p: int) -> np.ndarray:
    """(p, p) bool: who is joined after the first `step` moves."""
    t = np.flatnonzero(changes_skeleton(moves)[:step])
    skeleton = np.zeros((p, p), dtype=bool)
    # Where a pair comes and goes more than once the assignment keeps the last, as it should.
    skeleton[moves.i[t], moves.j[t]] = moves.what[t] == Moves.ADDED
    return skeleton | skeleton.T


def aware_at(moves: Moves, step: int, p: int) -> np.ndarray:
    """(p, p) bool: entry [i, j] says whether i knows of its neighbour j after the first `step` moves."""
    i, j, what = moves.i[:step], moves.j[:step], moves.what[:step]
    left = (what == Moves.DROPPED) | (what == Moves.ELIMINATED)
    aware = np.zeros((p, p), dtype=bool)
    # A pair's moves may name it in either order; row by row the assignment keeps the last of them.
    ends = np.column_stack([i, j]).ravel(), np.column_stack([j, i]).ravel()
    aware[ends] = (moves.aware[:step] & ~left[:, None]).ravel()
    return aware


def changes_skeleton(moves: Moves) -> np.ndarray:
    """(m,) bool: which moves join or part a pair."""
    return (moves.what != Moves.AWARE) & (moves.what != Moves.UNAWARE)


def graph_at(result: LearnResult, step: int) -> PDAG:
    """The graph after the first `step` moves, oriented as the result was where that is possible."""
    ranking: EdgeRanking = result.extra
    if step == ranking.choice:
        return result.graph
    if not is_orientable(result):
        return PDAG(skeleton_at(ranking.moves, step, len(result.names)))
    return as_learned(result, lambda one: _orienter(one, step).cpdag(_rng(one))[0])


def hardest_at_selection(result: LearnResult, x: int, y: int, side: int) -> tuple[tuple[int, ...], float]:
    """What came nearest to explaining a pair away on one side when forward selection ended.

    Parameters
    ----------
    result : LearnResult
        Of `lmm`.
    x, y : int
    side : int
        One of the two, whose neighbours are held fixed.

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


def step_graphs(result: LearnResult, seconds: float = SECONDS) -> StepGraphs:
    """The CPDAGs of a run, from its choice outwards in both directions for as long as there is time.

    Parameters
    ----------
    result : LearnResult
        Of `lmm`.
    seconds : float
        Time after which no further step is begun.

    Returns
    -------
    StepGraphs
        Of the choice alone if the run was oriented otherwise than by LMM_EO, or cancelled.
    """
    return as_learned(result, _step_graphs, seconds)


def _step_graphs(result: LearnResult, seconds: float) -> StepGraphs:
    ranking: EdgeRanking = result.extra
    moves = ranking.moves
    joined = np.flatnonzero(moves.what == Moves.ADDED)
    pairs = np.unique(np.column_stack([moves.i[joined], moves.j[joined]]).reshape(-1, 2), axis=0).astype(np.int64)
    told = result.trace.action == Action.CONFLICT
    conflicts = set(zip(result.trace.i[told].tolist(), result.trace.j[told].tolist(), strict=True))
    ahead, behind = [coded(result.graph, pairs, conflicts)], []
    if is_orientable(result):
        until = time.perf_counter() + seconds
        ways = [
            (ahead, _walk(result, pairs, range(ranking.choice, len(moves)), ahead[0])),
            (behind, _walk(result, pairs, range(ranking.choice - 1, -1, -1), ahead[0])),
        ]
        while ways:
            for way in ways.copy():
                known, walk = way
                codes = next(walk, None) if time.perf_counter() < until else None
                known.append(codes) if codes is not None else ways.remove(way)
    codes = np.stack([*behind[::-1], *ahead])
    pairs.flags.writeable = codes.flags.writeable = False
    return StepGraphs(pairs, ranking.choice - len(behind), codes)


def _walk(result: LearnResult, pairs: np.ndarray, through: range, codes: np.ndarray) -> Iterator[np.ndarray]:
    """The codes after each of the moves, made or taken back one after the other from the choice on."""
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
