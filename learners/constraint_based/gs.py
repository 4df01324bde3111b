"""GS, grow-shrink: Markov blankets grown one by one, and the neighbours within them."""

from __future__ import annotations

import numpy as np

from ..common.checks import check_count, check_open_interval
from ..common.progress import Tick, breathe, silent
from ..common.validation import validated
from ..graphs.knowledge import Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..search.restriction import Restriction, by_middles
from ..search.skeleton_result import CANCELLED, oriented_result
from .blankets import ENOUGH_ROWS, PHASE, BlanketSearch

TARGETS_AT_ONCE = 100  # whose partners are put in order between two ticks
AT_ONCE = 16  # partners asked side by side; those after the first that is taken are asked again


class GrowShrinkSearch(BlanketSearch):
    """A skeleton search whose blankets grow to their end, one member at a time, and shrink only then."""

    def _find_blankets(self, tick: Tick) -> None:
        """Look at all partners again and again until none is added, then at all members until none leaves."""
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
        """(p, p - 1) int64: the partners of each target by their dependence given nothing, the strongest first."""
        p = self.ci_test.p
        order = np.empty((p, p - 1), dtype=np.int64)
        for begin in range(0, p, TARGETS_AT_ONCE):
            breathe(tick, str(PHASE))
            targets = np.arange(begin, min(begin + TARGETS_AT_ONCE, p))
            size, log_p = np.abs(np.nan_to_num(self._statistic[targets])), np.nan_to_num(self._alone[targets])
            columns = np.broadcast_to(np.arange(p), size.shape)
            order[targets] = np.lexsort((columns, -size, log_p, columns == targets[:, None]), axis=-1)[:, : p - 1]
        return order

    def _grow_in_order(self, phase: str, order: np.ndarray, targets: np.ndarray, tick: Tick) -> np.ndarray:
        """Every target takes, one after the other, the partners that depend on it given its blanket; who took any."""
        grown, turn = [], np.zeros(len(order), dtype=np.int64)
        while len(targets := targets[turn[targets] < order.shape[1]]):
            sides, places = self._next_outside(order, targets, turn)
            log_p, _ = self._ask(phase, sides, tick)
            turn[targets] += AT_ONCE
            rows = np.flatnonzero(log_p <= self._log_alpha)
            taking, first = np.unique(sides[rows, 0], return_index=True)
            rows = rows[first]
            room = np.array([self._has_room(*side) for side in sides[rows].tolist()], dtype=bool)
            turn[taking] = np.where(room, places[rows] + 1, order.shape[1])
            grown.append(taking[room])
            if room.any():
                self._pools = self._pools.with_one_more(taking[room], sides[rows[room], 1])
        return np.unique(np.concatenate(grown)) if grown else targets

    def _next_outside(self, order: np.ndarray, targets: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m, 2) sides of the next partners outside the blanket, and the (m,) places that they have in the order."""
        places = turn[targets, None] + np.arange(AT_ONCE)
        partners = order[targets[:, None], np.minimum(places, order.shape[1] - 1)]
        some = (places < order.shape[1]) & ~self.blankets[targets[:, None], partners]
        return np.column_stack([targets[np.nonzero(some)[0]], partners[some]]), places[some]

    def _has_room(self, t: int, x: int) -> bool:
        """Whether the rows allow x in the blanket of t."""
        return self.ci_test.rows_for_each_cell(t, x, self._pools.of(t)) >= ENOUGH_ROWS


@validated
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
        Largest conditioning set tried on a pair within its blankets. Tests of the blankets themselves condition on all
        of them. None for no limit.
    knowledge : Knowledge, optional
        Required partners are in both blankets from the start, their edges never tested; forbidden pairs are never
        joined, and known directions come first.
    tick : Tick, optional
        Listener; once it returns False the run ends with the tests done so far and no orientation.

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
    A blanket grows by one variable at a time that depends on its target given the blanket, until there is none left.
    Then each member that is independent of the target given the others leaves, until there is none. Two variables are
    joined if each is in the blanket of the other (the AND rule) and no set within the smaller blanket, the empty one
    included, separates them; where both are of one size, within either.

    The paper looks at the variables in any order, on which the blankets depend. Here it is that of their dependence on
    the target given nothing: smallest p first, of equal ones the larger statistic, then the first column. So the order
    of the columns does not matter but for exact ties. Growth also ends where the next member would leave fewer than
    five rows for each cell of the table (for numbers: for each variable).

    v-structures are found as in `fast_iamb`, by sets of neighbours of both ends, and Meek's rules follow; the paper
    asks sets within the smaller blanket, and breaks the cycles that this can lead to. Without a limit on the sets and
    with a d-separation oracle the result is the CPDAG of the true DAG.

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
    check_open_interval("alpha", alpha, 0.0, 1.0)
    check_count("max_cond_size", max_cond_size, optional=True)
    bound = bind(knowledge, ci_test.names)
    search = GrowShrinkSearch(ci_test, alpha, bound)
    return oriented_result(
        Restriction(
            search,
            lambda listen: search.learn(max_cond_size, listen),
            lambda listen: by_middles(search, alpha, max_cond_size, listen),
        ),
        method="gs",
        params={"alpha": alpha, "max_cond_size": max_cond_size},
        knowledge=bound,
        extra=search.found,
        cancelled=CANCELLED,
        tick=tick,
    )
