"""LMM_EO: v-structures ranked by the dependence that their middle node induces.

Mahdi and Mezey (2013), algorithm 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...common.arrays import frozen
from ...common.progress import Stopped
from ...common.relabeling import as_nodes, as_triples, with_sides
from ...graphs.graph import PDAG
from ...graphs.meek_closure import Record, closure
from ...graphs.sepsets import Sepsets
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.induced_dependence import induced_dependence, orient_triples
from ...kernels.lmm.set_search import least_dependent

DECIMALS = 12  # significant decimals of CD; candidates that differ less are ordered by a logarithm


@dataclass(frozen=True, eq=False)
class VStructures:
    """All candidate v-structures x - w - y of a skeleton, the strongest first.

    Attributes
    ----------
    triples : (m, 3) int64 array
        x, w, y with x < y not adjacent, and w adjacent to both.
    induced : (m,) float64 array
        CD of algorithm 3, line 5, in [-1, 1]: the joint CPPD of x and y with w in every set minus that with w in none,
        to 12 decimals.
    with_w, without_w : (m, 2) float64 arrays
        Lowest log-odds of dependence over the sets of x, and over the sets of y.
    sets_with, sets_without : (m, 2, k) int16 arrays
        The sets with these log-odds, without w, padded with -1.
    accepted : (m,) bool array
        True if both arrows were drawn: `induced` is above 0 and no stronger candidate contradicts it.
    """

    triples: np.ndarray
    induced: np.ndarray
    with_w: np.ndarray
    without_w: np.ndarray
    sets_with: np.ndarray
    sets_without: np.ndarray
    accepted: np.ndarray

    def relabeled(self, new: np.ndarray) -> VStructures:
        """Return the same candidates with renumbered variables, again with x < y; see `common.relabeling`."""
        x, _, y = as_nodes(self.triples, new).T
        sets = as_nodes(self.sets_with, new), as_nodes(self.sets_without, new)
        names = ("with_w", "without_w", "sets_with", "sets_without")
        sided = with_sides(x > y, self.with_w, self.without_w, *sets)
        return replace(self, triples=as_triples(self.triples, new), **dict(zip(names, sided, strict=True)))


class Orienter:
    """Orientation of a skeleton that changes one edge at a time; the ranking of its v-structures is kept up to date.

    Parameters
    ----------
    evidence : Evidence
    skeleton : (p, p) bool array
        Symmetric.
    max_cond_size : int
        Largest conditioning set, the middle node included; values below 1 count as 1.
    directions : (p, p) bool array, optional
        Directions by background knowledge; those of absent edges are ignored.
    stop : (1,) int8 array, optional
        Another thread sets it to stop the work.

    Attributes
    ----------
    n_tests : int
        Number of conditioning sets tested so far.

    Raises
    ------
    Stopped
        If `stop` was set.
    """

    def __init__(
        self,
        evidence: DependenceEvidence,
        skeleton: np.ndarray,
        max_cond_size: int,
        directions: np.ndarray | None = None,
        stop: np.ndarray | None = None,
    ) -> None:
        self.skeleton = np.array(skeleton, dtype=bool)
        self.n_tests = 0
        self._evidence = evidence
        self._max_others = max(max_cond_size, 1) - 1
        self._directions = np.zeros_like(self.skeleton) if directions is None else directions
        self._stop = np.zeros(1, dtype=np.int8) if stop is None else stop
        # For each node x: the rows w, y, their log-odds without and with w, and the sets.
        self._candidates_of: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = [None] * len(skeleton)  # type: ignore[list-item]
        self._test_triples(range(len(skeleton)))

    def toggle(self, i: int, j: int) -> None:
        """Add the edge between i and j, or remove it."""
        self.skeleton[i, j] = self.skeleton[j, i] = not self.skeleton[i, j]
        # CD depends on the neighbours of the ends of a triple, and the ends may be any neighbours of i and j.
        near = np.flatnonzero(self.skeleton[i] | self.skeleton[j]).tolist()
        self._test_triples({i, j, *near})

    def _test_triples(self, nodes: object) -> None:
        for x in nodes:  # type: ignore[attr-defined]
            ends, values, sets, count = induced_dependence(
                self._evidence, self.skeleton, x, self._max_others, self._stop
            )
            self._candidates_of[x] = (ends, values, sets)
            self.n_tests += count
            if self._stop[0]:
                raise Stopped

    def v_structures(self, rng: np.random.Generator | None = None) -> tuple[VStructures, np.ndarray]:
        """Rank the candidates and orient the accepted ones: algorithm 3, lines 1 to 17.

        Parameters
        ----------
        rng : numpy.random.Generator, optional
            Shuffles the candidates with CD > 0 instead of taking the strongest first.

        Returns
        -------
        found : VStructures
        amat : (p, p) bool array
        """
        p = len(self.skeleton)
        x = np.repeat(np.arange(p), [len(ends) for ends, *_ in self._candidates_of])
        ends = np.concatenate([ends for ends, *_ in self._candidates_of])
        values = np.concatenate([values for _, values, _ in self._candidates_of])
        sets = np.concatenate([sets for *_, sets in self._candidates_of])
        w, y = ends.T
        # Each triple occurs twice, seen from x and from y; sorted, the two are neighbours.
        order = np.lexsort((x, np.maximum(x, y), w, np.minimum(x, y)))
        one, two = order[::2], order[1::2]
        triples = np.column_stack([x[one], w[one], y[one]])
        without_w, with_w = (np.column_stack([values[one, k], values[two, k]]) for k in (0, 1))
        induced = np.round(_joint(with_w) - _joint(without_w), DECIMALS)
        # Where CD saturates, the logarithm of 1 - P of the joint CPPDs still orders two candidates.
        finer = _log_complement(without_w) - _log_complement(with_w)
        ranked = np.lexsort((*triples.T[::-1], -finer, -induced))
        candidates = ranked[induced[ranked] > 0]
        if rng is not None:
            ranked = np.concatenate([rng.permutation(candidates), ranked[len(candidates) :]])
        amat = self.skeleton.copy()
        known = np.argwhere(self._directions & amat)
        amat[known[:, 1], known[:, 0]] = False
        accepted = orient_triples(amat, triples[ranked], int((induced > 0).sum()))
        found = VStructures(
            *(frozen(array[ranked]) for array in (triples, induced, with_w, without_w)),
            *(frozen(np.stack([sets[one, k], sets[two, k]], axis=1)[ranked]) for k in (1, 0)),
            accepted=frozen(accepted),
        )
        return found, amat

    def cpdag(self, rng: np.random.Generator | None = None, record: Record | None = None) -> tuple[PDAG, VStructures]:
        """Orient the v-structures, then apply rules R1 to R4: algorithm 3, lines 18 to 24."""
        found, amat = self.v_structures(rng)
        return closure(PDAG(amat), record=record, far=True), found


def separating_sets(
    evidence: DependenceEvidence, skeleton: np.ndarray, max_cond_size: int, stop: np.ndarray
) -> tuple[Sepsets, np.ndarray, int]:
    """Return for each pair with a common neighbour the set of neighbours of either end that lowers its log-odds most.

    Stops once ``stop[0]`` is set.

    Returns
    -------
    sepsets : Sepsets
    independence : (p, p) float64 array
        The log-odds of independence given these sets; -inf of other pairs.
    count : int
        Number of sets tested.
    """
    p, count = len(skeleton), 0
    independence, entries = np.full((p, p), -np.inf), []
    reach = skeleton.astype(np.float32)
    for x, y in np.argwhere(np.triu((reach @ reach > 0) & ~skeleton, 1)).tolist():
        if stop[0]:
            break
        found = []
        for i in (x, y):
            size, s, members, n_sets = least_dependent(evidence, skeleton, x, y, i, max_cond_size)
            count += n_sets
            found.append((s, members[:size].tolist()))
        s, cond = min(found, key=lambda side: side[0])
        independence[x, y] = independence[y, x] = -s
        entries.append((x, y, cond))
    return Sepsets.from_entries(p, entries), independence, count


def _joint(log_odds: np.ndarray) -> np.ndarray:
    """Return the joint CPPD, the product of the two one-sided probabilities."""
    return np.exp(-np.logaddexp(0.0, -log_odds).sum(axis=1))


def _log_complement(log_odds: np.ndarray) -> np.ndarray:
    """Return ln(-ln P) of the joint CPPD P, which decreases in P and does not saturate."""
    # -ln P of one side is ln(1 + exp(-s)), which is exp(-s) to double precision long before it underflows.
    one_sided = np.where(log_odds > 40.0, -log_odds, np.log(np.logaddexp(0.0, -np.minimum(log_odds, 40.0))))
    return np.logaddexp(*one_sided.T)
