"""Optimal search within a skeleton: the DAG of highest score among those whose edges all lie in the skeleton."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..common.memory import CELL_BYTES, check_memory
from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG, topological_order
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search.hill_climbing import ADD, DELETE, MIN_GAIN
from ..kernels.search.optimal import candidates_in, fill_best_networks, fill_best_subsets
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import PhaseMoves
from .hill_climbing import Search

PHASE = Phase(Stage.OPTIMUM)
MAX_VARIABLES = 25  # maximum number of variables in a connected part of the skeleton
MAX_SETS = 50_000  # maximum number of parent sets of a variable


@dataclass(frozen=True)
class Optimum:
    """Coverage and gain of an optimal search.

    Attributes
    ----------
    n_searched, n_left_out : int
        Variables in parts of the skeleton that were searched, and in parts that were too large.
    gain : float
        Increase of the score over the DAG before.
    """

    n_searched: int
    n_left_out: int
    gain: float


def with_optimum(
    found: Search, score: FamilyScore, allowed: np.ndarray, known: BoundKnowledge, max_parents: int | None, tick: Tick
) -> tuple[Search, Optimum]:
    """Replace the DAG of a search by the optimal one in each connected part of the skeleton that is small enough.

    Parameters
    ----------
    found : Search
        A finished search within the skeleton.
    score : FamilyScore
    allowed : (p, p) bool array
        Pairs that may be adjacent.
    known : BoundKnowledge
    max_parents : int, optional
    tick : Tick

    Returns
    -------
    Search
        With the moves to the optimum in a phase of their own. The same DAG, and no such phase, if it is not better.
    Optimum

    Raises
    ------
    DataError
        If the subsets of a part take too much memory.
    Stopped
        If cancelled.

    Notes
    -----
    Time and memory are proportional to 2^m for the m variables of a part. Parts of more than 25 variables, or in which
    a variable has more than 50,000 possible parent sets, keep the DAG that they had.

    References
    ----------
    Silander and Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network structure. UAI.
    Perrier, Imoto and Miyano (2008), Finding optimal Bayesian network given a super-structure. JMLR 9.
    """
    pairs = (allowed | allowed.T | found.dag.skeleton | known.joined) & ~known.apart
    pairs &= ~np.eye(score.p, dtype=bool)
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    amat, searched, left_out = found.dag.amat.copy(), 0, 0
    for part in _parts(pairs):
        best = _best_of_part(part, score, pairs & ~known.excluded, known.required, most, tick)
        if best is None:
            left_out += len(part)
            continue
        searched += len(part)
        before = sum(score.local(j, found.dag.parents(j)) for j in part)
        after = sum(score.local(j, np.flatnonzero(best[:, j])) for j in part)
        if after - before > MIN_GAIN * abs(found.score):
            amat[:, part] = best[:, part]
    changed = _moves(found.dag, PDAG(amat), score, found.score)
    if changed is None:
        return found, Optimum(searched, left_out, 0.0)
    end = float(changed.scores[-1])
    better = replace(found, dag=PDAG(amat), score=end, phases=(*found.phases, changed))
    return better, Optimum(searched, left_out, end - found.score)


def _parts(pairs: np.ndarray) -> list[list[int]]:
    """Return the connected parts of two or more variables, each in ascending order."""
    seen, parts = np.zeros(len(pairs), dtype=bool), []
    for first in range(len(pairs)):
        if seen[first]:
            continue
        part, border = {first}, [first]
        while border:
            new = set(np.flatnonzero(pairs[border.pop()]).tolist()) - part
            part |= new
            border += new
        seen[list(part)] = True
        if len(part) > 1:
            parts.append(sorted(part))
    return parts


def _best_of_part(
    part: list[int], score: FamilyScore, may: np.ndarray, required: np.ndarray, most: int, tick: Tick
) -> np.ndarray | None:
    """Return the (p, p) matrix of the best DAG over a part, in its columns; None if the part is too large."""
    m, place = len(part), {j: at for at, j in enumerate(part)}
    parents = [np.flatnonzero(may[:, j]) for j in part]
    k = max(map(len, parents))
    if m > MAX_VARIABLES or 1 << k > MAX_SETS:
        return None
    check_memory(
        (CELL_BYTES + 1.0) * (1 << m), f"the best networks over the subsets of {m} columns", "use fewer columns"
    )
    candidates, n_of = np.zeros((m, k), dtype=np.int64), np.array([len(own) for own in parents])
    value, best = np.full((m, 1 << k), -np.inf), np.zeros((m, 1 << k), dtype=np.int64)
    for at, (j, own) in enumerate(zip(part, parents, strict=True)):
        if not tick(str(PHASE), at, m):
            raise Stopped(None)
        candidates[at, : len(own)] = [place[i] for i in own]
        local = _scores_of(j, own, score, required[own, j], most)
        fill_best_subsets(local, value[at, : len(local)], best[at, : len(local)])
    total, sink = np.zeros(1 << m), np.full(1 << m, -1, dtype=np.int8)

    def subsets(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        fill_best_networks(candidates, n_of, value, total, sink, begin + 1, end + 1, stop, done)

    # Each subset needs all smaller ones, so one thread takes them in order.
    run_chunks(subsets, (1 << m) - 1, phase=str(PHASE), tick=tick, threads=1)
    amat, rest = np.zeros_like(may), (1 << m) - 1
    while rest:
        s = int(sink[rest])
        rest ^= 1 << s
        chosen = int(best[s, candidates_in(candidates[s], n_of[s], rest)])
        amat[[i for b, i in enumerate(parents[s]) if chosen >> b & 1], part[s]] = True
    return amat


def _scores_of(j: int, own: np.ndarray, score: FamilyScore, required: np.ndarray, most: int) -> np.ndarray:
    """Return (2^k,) scores of the sets of k candidate parents of j; -inf without a required one or above `most`."""
    local = np.full(1 << len(own), -np.inf)
    needed = np.flatnonzero(required).tolist()
    free = np.flatnonzero(~required).tolist()
    for size in range(most - len(needed) + 1):
        for others in combinations(free, size):
            members = [*needed, *others]
            local[sum(1 << b for b in members)] = score.local(j, own[members].tolist())
    return local


def _moves(before: PDAG, after: PDAG, score: FamilyScore, total: float) -> PhaseMoves | None:
    """Return the moves from one DAG to another: first the deletions, then the additions in the order of the new DAG."""
    deleted = np.argwhere(before.amat & ~after.amat).tolist()
    rank = np.empty(after.p, dtype=np.int64)
    rank[list(topological_order(after))] = np.arange(after.p)
    added = sorted(np.argwhere(after.amat & ~before.amat).tolist(), key=lambda edge: (rank[edge[1]], rank[edge[0]]))
    moves = [(DELETE, *edge) for edge in deleted] + [(ADD, *edge) for edge in added]
    if not moves:
        return None
    amat, gains = before.amat.copy(), []
    for op, i, j in moves:
        old = score.local(j, np.flatnonzero(amat[:, j]))
        amat[i, j] = op == ADD
        gains.append(score.local(j, np.flatnonzero(amat[:, j])) - old)
    return PhaseMoves(PHASE, np.array(moves, dtype=np.int32), np.array(gains), total + np.cumsum(gains))
