"""GS, grow-shrink: Markov blankets grown one variable at a time, and the neighbours within them."""

from __future__ import annotations

import numpy as np

from ...common.progress import Tick, check_cancelled, silent
from ...graphs.knowledge import Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.restriction import Restriction, by_middles
from ...search.skeleton_result import CANCELLED, oriented_result
from ...settings.parameter import parameters
from .blankets import MIN_ROWS_PER_CELL, PHASE, BlanketSearch
from .settings import GS

TARGETS_PER_TICK = 100  # number of targets whose partners are sorted between two ticks
BATCH = 16  # number of partners tested at once; those after the first dependent one are tested again


class GrowShrinkSearch(BlanketSearch):
    """A `BlanketSearch` whose blankets grow completely, one member at a time, before they shrink."""

    def _find_blankets(self, tick: Tick) -> None:
        """Test all partners repeatedly until none is added, then all members until none is removed."""
        number, order, targets = 1, self._strongest_first(tick), np.arange(self.ci_test.p)
        while len(targets):
            targets = self._grow_in_order(f"{PHASE}, round {number}", order, targets, tick)
            number += 1
        targets = np.arange(self.ci_test.p)
        while len(targets):
            before = self._pools.sizes.copy()
            self._shrink(f"{PHASE}, round {number}", targets, tick)
            targets = np.flatnonzero(self._pools.sizes < before)
            number += 1

    def _strongest_first(self, tick: Tick) -> np.ndarray:
        """Return (p, p - 1) int64: the partners of each target by their marginal dependence, the strongest first."""
        p = self.ci_test.p
        order = np.empty((p, p - 1), dtype=np.int64)
        for begin in range(0, p, TARGETS_PER_TICK):
            check_cancelled(tick, str(PHASE))
            targets = np.arange(begin, min(begin + TARGETS_PER_TICK, p))
            strength = np.abs(np.nan_to_num(self._marginal_statistic[targets]))
            log_p = np.nan_to_num(self._marginal_log_p[targets])
            columns = np.broadcast_to(np.arange(p), strength.shape)
            keys = (columns, -strength, log_p, columns == targets[:, None])  # the target itself is last
            order[targets] = np.lexsort(keys, axis=-1)[:, : p - 1]
        return order

    def _grow_in_order(self, phase: str, order: np.ndarray, targets: np.ndarray, tick: Tick) -> np.ndarray:
        """Grow each blanket by the partners that depend on its target given the blanket, one at a time.

        Parameters
        ----------
        phase : str
        order : (p, p - 1) int64 array
            The partners of each target in the order of their tests.
        targets : (m,) int64 array
        tick : Tick

        Returns
        -------
        (k,) int64 array
            Targets whose blankets grew.
        """
        grown, turn = [], np.zeros(len(order), dtype=np.int64)
        while len(targets := targets[turn[targets] < order.shape[1]]):
            sides, positions = self._next_outside(order, targets, turn)
            log_p, _ = self._test_sides(phase, sides, tick)
            turn[targets] += BATCH
            rows = np.flatnonzero(log_p <= self._log_alpha)
            growing, first = np.unique(sides[rows, 0], return_index=True)
            rows = rows[first]
            fits = np.array([self._has_room(*side) for side in sides[rows].tolist()], dtype=bool)
            turn[growing] = np.where(fits, positions[rows] + 1, order.shape[1])
            grown.append(growing[fits])
            if fits.any():
                self._pools = self._pools.with_one_more(growing[fits], sides[rows[fits], 1])
        return np.unique(np.concatenate(grown)) if grown else targets

    def _next_outside(self, order: np.ndarray, targets: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (m, 2) sides of the next partners outside the blankets, and their (m,) positions in the order."""
        positions = turn[targets, None] + np.arange(BATCH)
        partners = order[targets[:, None], np.minimum(positions, order.shape[1] - 1)]
        outside = (positions < order.shape[1]) & ~self.blankets[targets[:, None], partners]
        return np.column_stack([targets[np.nonzero(outside)[0]], partners[outside]]), positions[outside]

    def _has_room(self, t: int, x: int) -> bool:
        """Return True if there are enough rows to add x to the blanket of t."""
        return self.ci_test.rows_for_each_cell(t, x, self._pools.of(t)) >= MIN_ROWS_PER_CELL


@parameters(GS)
def gs(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG with grow-shrink.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Size of the largest conditioning set for a pair within its blankets; None for no limit. Tests of the blankets
        condition on the whole blanket.
    knowledge : Knowledge, optional
        The ends of required edges are in each other's blankets from the start, and their edges are never tested;
        forbidden pairs are never adjacent, and known directions are oriented first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `sepsets` has one entry for each pair that a test separated; `extra` is a `Blankets`.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    A blanket grows by one variable at a time that depends on its target given the blanket, until there is none. Then
    members that are independent of the target given the others are removed, until there is none. Two variables are
    adjacent if each is in the blanket of the other (AND rule) and no set within the smaller blanket, including the
    empty set, separates them; if the blankets are equally large, no set within either.

    The paper leaves the order of the variables open, although the blankets depend on it. Here variables are tested in
    the order of their marginal dependence on the target: smallest p-value first, then the larger statistic, then the
    first column. So the order of the columns matters only for exact ties. Growth also ends when the next member would
    leave fewer than five rows for each cell of the table (for continuous data: for each variable).

    v-structures are found as in `fast_iamb`, by sets of neighbours of both ends, and Meek's rules follow. The paper
    tests sets within the smaller blanket and removes the cycles that can result. With a d-separation oracle and no
    limit on the sets the result is the CPDAG of the true DAG.

    References
    ----------
    .. [1] Margaritis and Thrun (2000), Bayesian network induction via local neighborhoods. NIPS 12.
    .. [2] Margaritis (2003), Learning Bayesian network model structure from data. Thesis, Carnegie Mellon University,
       chapter 3.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, gs
    >>> gs(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    bound = bind(knowledge, ci_test.names)
    search = GrowShrinkSearch(ci_test, alpha, bound)
    return oriented_result(
        Restriction(
            search,
            lambda listen: search.learn(max_cond_size, listen),
            lambda listen: by_middles(search, alpha, max_cond_size, listen),
        ),
        method="gs",
        knowledge=bound,
        extra=search.found,
        cancelled=CANCELLED,
        tick=tick,
    )
