"""Forward selection and backward elimination of LMM: run the kernel in short turns and collect its moves.

Mahdi and Mezey (2013), algorithms 1 and 2. The loops themselves are in `kernels.lmm.elimination`.
"""

from __future__ import annotations

import time

import numpy as np

from ...common.progress import Stopped, Tick
from ...graphs.knowledge import BoundKnowledge
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.elimination import ELIMINATE, SELECT, advance, start_pairs
from ...kernels.lmm.state import ITERATION, N_EDGES, N_LOG, N_TESTS, NEXT, LMMRules, LMMState, add_edge
from ...kernels.lmm.tested import has_correlations
from .ranking import Moves

BUDGET = 30_000_000  # approximate nanoseconds of work between two ticks
TESTS_SLOWER = 2_000  # assumed ratio of the time of a test to that of a set of correlations; measured: 200 to 2,000
MIN_BUDGET = 1_000
TURN_SECONDS = 0.03  # seconds between two ticks that budgets aim at
PAIRS_PER_TICK = 300_000  # number of pairs between two ticks in the first pass over all pairs
LOG_ROWS = 4_096


class Elimination:
    """One run of forward selection and backward elimination, which continues to the last edge.

    Parameters
    ----------
    evidence : DependenceEvidence
    terms : LMMRules
    knowledge : BoundKnowledge
        Required edges are in the graph from the start; forbidden pairs are never added.
    """

    def __init__(self, evidence: DependenceEvidence, terms: LMMRules, knowledge: BoundKnowledge) -> None:
        self._evidence, self._terms, self._knowledge = evidence, terms, knowledge
        self._state = _empty(len(knowledge.required), terms)
        self._logs: list[tuple[np.ndarray, ...]] = []
        self._collect()

    def finish(self, tick: Tick) -> tuple[Moves, int]:
        """Run to the end: algorithm 1, lines 3 to 9, with OPT1 to OPT3 of algorithm 2.

        Returns
        -------
        moves : Moves
        n_tests : int
            Number of conditioning sets tested.

        Raises
        ------
        Stopped
            If cancelled; `so_far` then returns the moves made before.
        """
        evidence, terms, state = self._evidence, self._terms, self._state
        forbidden = self._knowledge.apart
        p, first = len(forbidden), 0
        while first < p:
            self._ask(tick, "forward selection", 0, terms.max_size)
            last = min(p, first + max(1, PAIRS_PER_TICK // p))
            start_pairs(evidence, terms, state, forbidden, first, last)  # the marginal test of all pairs
            first = last
        for i, j in np.argwhere(np.triu(self._knowledge.joined)).tolist():
            add_edge(terms, state, i, j)
            self._collect()
        has_more, max_edges = True, 0
        budget = BUDGET if has_correlations(evidence) else BUDGET // TESTS_SLOWER
        while has_more:
            n_edges = int(state.counters[N_EDGES])
            if state.counters[NEXT] < ELIMINATE:
                self._ask(tick, "forward selection", n_edges, terms.max_size)
                max_edges = n_edges
            else:
                max_edges = max(max_edges, n_edges)
                self._ask(tick, "backward elimination", max_edges - n_edges, max_edges)
            began = time.perf_counter()
            has_more = advance(evidence, terms, state, budget)
            budget = _next_budget(budget, time.perf_counter() - began)
            self._collect()
        return self.so_far()

    def so_far(self) -> tuple[Moves, int]:
        """Return the moves so far, and the number of sets tested."""
        return self._moves(), int(self._state.counters[N_TESTS])

    def _moves(self) -> Moves:
        log, keys, sets = (np.concatenate(part) for part in zip(*self._logs, strict=True))
        for array in (log, keys, sets):
            array.flags.writeable = False
        return Moves(
            what=log[:, 0],
            i=log[:, 1],
            j=log[:, 2],
            iteration=log[:, 3],
            aware=log[:, 4:].astype(bool),
            key=keys[:, 0],
            one_sided=keys[:, 1:],
            hardest=sets,
        )

    def _collect(self) -> None:
        state = self._state
        n = int(state.counters[N_LOG])
        self._logs.append((state.log[:n].copy(), state.log_keys[:n].copy(), state.log_sets[:n].copy()))
        state.counters[N_LOG] = 0

    @staticmethod
    def _ask(tick: Tick, phase: str, done: int, total: int) -> None:
        if not tick(phase, done, total):
            raise Stopped


def _next_budget(budget: int, seconds: float) -> int:
    """Return the budget of the next turn after a turn that took `seconds`, since tests of many levels take longer."""
    wanted = int(budget * min(max(TURN_SECONDS / max(seconds, 1e-9), 0.25), 4.0))
    return min(max(wanted, MIN_BUDGET), BUDGET)


def _empty(p: int, terms: LMMRules) -> LMMState:
    """Return the state of an empty graph, before any pair is tested."""
    size = terms.max_cond_size
    room = terms.max_size + int(np.triu(terms.required).sum())
    counters = np.zeros(5, dtype=np.int64)
    counters[NEXT] = SELECT
    counters[ITERATION] = 0
    return LMMState(
        one_sided=np.zeros((p, p)),
        hardest=np.full((p, p, size), -1, dtype=np.int16),
        seen=np.zeros((p, p), dtype=np.int16),
        aware=np.zeros((p, p), dtype=np.int16),
        n_aware=np.zeros(p, dtype=np.int64),
        knows=np.zeros((p, p), dtype=bool),
        touched=np.zeros(p, dtype=bool),
        key=np.full((p, p), -np.inf),
        top=np.full(p, -np.inf),
        top_at=np.zeros(p, dtype=np.int64),
        edges=np.zeros((room, 2), dtype=np.int64),
        stamp=np.zeros(room, dtype=np.int64),
        fixed=np.zeros(room, dtype=bool),
        edge_key=np.zeros(room),
        edge_sided=np.zeros((room, 2)),
        edge_knows=np.zeros((room, 2), dtype=bool),
        log=np.zeros((LOG_ROWS, 6), dtype=np.int64),
        log_keys=np.zeros((LOG_ROWS, 3)),
        log_sets=np.zeros((LOG_ROWS, 2, size), dtype=np.int16),
        counters=counters,
        heads=np.zeros(2, dtype=np.int64),
        members=np.zeros(p, dtype=np.int64),
        path=np.zeros(size, dtype=np.int64),
        low=np.zeros((1, size + 2)),
        chain=np.full((1, size + 2, size), -1, dtype=np.int16),
    )
