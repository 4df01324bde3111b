"""LMM_EO: v-structures ranked by how much dependence their middle node induces, Mahdi and Mezey (2013), algorithm 3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ..common.arrays import frozen
from ..common.numbering import as_nodes, as_triples, with_sides
from ..common.parallel import in_pieces
from ..common.progress import Stopped, Tick
from ..graphs.cpdags import Record, closure
from ..graphs.graph import PDAG
from ..graphs.sepsets import Sepsets
from ..kernels.lmm.dependence import Evidence
from ..kernels.lmm.induced import accept, induced_by
from ..kernels.lmm.sets import least_dependent

T = TypeVar("T")

ROUNDING = 12  # decimals of CD that mean something; what differs less is told apart by its logarithm


@dataclass(frozen=True, eq=False)
class VStructures:
    """Every candidate v-structure x - w - y of a skeleton, the surest first.

    Attributes
    ----------
    triples : (m, 3) int64 array
        x, w, y with x < y, not adjacent, and w next to both.
    induced : (m,) float64 array
        CD of algorithm 3, line 5, in [-1, 1]: the joint CPPD of x and y with w in every set, less that without, to
        12 decimals.
    with_w, without_w : (m, 2) float64 arrays
        One-sided log-odds over the sets of x, and over those of y.
    sets_with, sets_without : (m, 2, k) int16 arrays
        The sets that reached them, without w, padded with -1.
    accepted : (m,) bool array
        Whether both arrows were drawn. One with `induced` > 0 that was not lost to a surer one.
    """

    triples: np.ndarray
    induced: np.ndarray
    with_w: np.ndarray
    without_w: np.ndarray
    sets_with: np.ndarray
    sets_without: np.ndarray
    accepted: np.ndarray

    def renumbered(self, new: np.ndarray) -> VStructures:
        """The same candidates, again with x < y: see `common.numbering`."""
        x, _, y = as_nodes(self.triples, new).T
        sets = as_nodes(self.sets_with, new), as_nodes(self.sets_without, new)
        names = ("with_w", "without_w", "sets_with", "sets_without")
        told = with_sides(x > y, self.with_w, self.without_w, *sets)
        return replace(self, triples=as_triples(self.triples, new), **dict(zip(names, told, strict=True)))


class Orienter:
    """A skeleton that changes an edge at a time, with its v-structures kept ranked.

    Parameters
    ----------
    evidence : Evidence
    skeleton : (p, p) bool array
        Symmetric.
    max_cond_size : int
        Largest conditioning set, the middle node included (at least 1 is taken).
    directions : (p, p) bool array, optional
        Directions that edges take by background knowledge, if they are there.
    stop : (1,) int8 array, optional
        The work is cut short once another thread sets it.

    Attributes
    ----------
    n_tests : int
        Sets looked at so far.

    Raises
    ------
    Stopped
        If it was cut short.
    """

    def __init__(
        self,
        evidence: Evidence,
        skeleton: np.ndarray,
        max_cond_size: int,
        directions: np.ndarray | None = None,
        stop: np.ndarray | None = None,
    ) -> None:
        self.skeleton = np.array(skeleton, dtype=bool)
        self.n_tests = 0
        self._evidence = evidence
        self._most = max(max_cond_size, 1) - 1
        self._directions = np.zeros_like(self.skeleton) if directions is None else directions
        self._stop = np.zeros(1, dtype=np.int8) if stop is None else stop
        # Of each node x: the rows w, y, their two values and sets.
        self._seen_from: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = [None] * len(skeleton)  # type: ignore[list-item]
        self._look(range(len(skeleton)))

    def toggle(self, i: int, j: int) -> None:
        """Put the edge between i and j in, or take it out."""
        self.skeleton[i, j] = self.skeleton[j, i] = not self.skeleton[i, j]
        # A triple is weighed by the neighbours of its ends, and may begin or end with any neighbour of i and j.
        near = np.flatnonzero(self.skeleton[i] | self.skeleton[j]).tolist()
        self._look({i, j, *near})

    def _look(self, nodes: object) -> None:
        for x in nodes:  # type: ignore[attr-defined]
            ends, values, sets, count = induced_by(self._evidence, self.skeleton, x, self._most, self._stop)
            self._seen_from[x] = (ends, values, sets)
            self.n_tests += count
            if self._stop[0]:
                raise Stopped

    def v_structures(self, rng: np.random.Generator | None = None) -> tuple[VStructures, np.ndarray]:
        """The candidates with their fate, and the (p, p) graph with the accepted ones oriented.

        `rng`, if given, shuffles the candidates with CD > 0 instead of taking the surest first.
        """
        p = len(self.skeleton)
        x = np.repeat(np.arange(p), [len(ends) for ends, *_ in self._seen_from])
        ends = np.concatenate([ends for ends, *_ in self._seen_from])
        values = np.concatenate([values for _, values, _ in self._seen_from])
        sets = np.concatenate([sets for *_, sets in self._seen_from])
        w, y = ends.T
        # Each triple is there twice, seen from x and seen from y: sorted, the two are neighbours.
        order = np.lexsort((x, np.maximum(x, y), w, np.minimum(x, y)))
        one, two = order[::2], order[1::2]
        triples = np.column_stack([x[one], w[one], y[one]])
        without_w, with_w = (np.column_stack([values[one, k], values[two, k]]) for k in (0, 1))
        induced = np.round(_joint(with_w) - _joint(without_w), ROUNDING)
        # Where CD saturates, the log of what either joint CPPD lacks to 1 still tells two of them apart.
        finer = _log_lack(without_w) - _log_lack(with_w)
        ranked = np.lexsort((*triples.T[::-1], -finer, -induced))
        candidates = ranked[induced[ranked] > 0]
        if rng is not None:
            ranked = np.concatenate([rng.permutation(candidates), ranked[len(candidates) :]])
        amat = self.skeleton.copy()
        known = np.argwhere(self._directions & amat)
        amat[known[:, 1], known[:, 0]] = False
        accepted = accept(amat, triples[ranked], int((induced > 0).sum()))
        found = VStructures(
            *(frozen(array[ranked]) for array in (triples, induced, with_w, without_w)),
            *(frozen(np.stack([sets[one, k], sets[two, k]], axis=1)[ranked]) for k in (1, 0)),
            accepted=frozen(accepted),
        )
        return found, amat

    def cpdag(self, rng: np.random.Generator | None = None, record: Record | None = None) -> tuple[PDAG, VStructures]:
        """The graph that the v-structures and Meek's rules orient."""
        found, amat = self.v_structures(rng)
        return closure(PDAG(amat), record=record, far=True), found


def separating_sets(
    evidence: Evidence, skeleton: np.ndarray, max_cond_size: int, stop: np.ndarray
) -> tuple[Sepsets, np.ndarray, int]:
    """For each pair two edges apart, the set of neighbours of either end at which it is least dependent.

    Cut short once ``stop[0]``.

    Returns
    -------
    sepsets : Sepsets
    independence : (p, p) float64 array
        The log-odds of independence there; -inf elsewhere.
    count : int
        Number of sets looked at.
    """
    p, count = len(skeleton), 0
    independence, entries = np.full((p, p), -np.inf), []
    reach = skeleton.astype(np.float32)
    for x, y in np.argwhere(np.triu((reach @ reach > 0) & ~skeleton, 1)).tolist():
        if stop[0]:
            break
        found = []
        for i in (x, y):
            size, s, members, looked = least_dependent(evidence, skeleton, x, y, i, max_cond_size)
            count += looked
            found.append((s, members[:size].tolist()))
        s, cond = min(found, key=lambda side: side[0])
        independence[x, y] = independence[y, x] = -s
        entries.append((x, y, cond))
    return Sepsets.from_entries(p, entries), independence, count


def in_thread(work: Callable[[np.ndarray], T], tick: Tick) -> T:
    """What ``work(stop)`` returns, done in a thread of its own: a hub's v-structures alone can take many ticks.

    Raises
    ------
    Stopped
        If cancelled; `work` sees it at ``stop[0]``.
    """
    outcome: list[T] = []

    def once(_begin: int, _end: int, stop: np.ndarray, done: np.ndarray) -> None:
        outcome.append(work(stop))
        done[0] = 1

    in_pieces(lambda: once, 1, phase="orienting", tick=tick, threads=1)
    return outcome[0]


def _joint(log_odds: np.ndarray) -> np.ndarray:
    """Product of the two probabilities."""
    return np.exp(-np.logaddexp(0.0, -log_odds).sum(axis=1))


def _log_lack(log_odds: np.ndarray) -> np.ndarray:
    """ln(-ln P) of the joint CPPD, which falls as P grows and does not saturate."""
    # -ln P of one side is ln(1 + exp(-s)), which is exp(-s) to double precision long before it underflows.
    one_sided = np.where(log_odds > 40.0, -log_odds, np.log(np.logaddexp(0.0, -np.minimum(log_odds, 40.0))))
    return np.logaddexp(*one_sided.T)
