"""Recursive autonomy identification: the calls of B-RAI and RAI, and the tree that they grow.

Rohekar, Gurwicz, Nisimov, Koren and Novik (2018), Bayesian structure learning by recursive bootstrap, NeurIPS,
algorithm 1. With one resample for each group that equals the data, the tree is a single route. That is RAI, Yehezkel
and Lerner (2009), since no group depends on the results of another group.

A call refines one group of variables (`Recursion._call`):

1. line 2: it is a leaf if no variable has enough potential parents for sets of n variables;
2. line 6, IncreaseResolution: test the edges given sets of n variables, orient, and do so again;
3. line 7, SplitAutonomous: split the group into ancestor groups and a descendant group;
4. lines 9 to 15: draw s resamples, and call each group on each of them with n + 1.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...common.parallel import run_in_thread, run_task_tree
from ...common.progress import Tick
from ...graphs.knowledge import BoundKnowledge
from ...independence.ci_test import CITest, KernelTest
from ...kernels.brai.autonomous_groups import max_fan_in, split_groups
from ...kernels.brai.orientation import NO_SET
from ...kernels.brai.refinement import refine
from ...kernels.ci.results import empty_results
from .calls import Call, CallLog, Leaf, Path, Rules, State

MAX_LOGGED_SIZE = 1  # maximum set size for which a call keeps its log; such sets are few and take most of the time
Resample = Callable[[Path, np.ndarray], KernelTest]


@dataclass(eq=False)
class Recursion:
    """The growth of a tree of calls.

    Parameters
    ----------
    ci_test : CITest
    rules : Rules
    knowledge : BoundKnowledge
    s : int
        Number of resamples of each call with groups to refine.
    resample : callable, optional
        ``resample(path, nodes)``: the resample at a path, for tests among some nodes. Default: the data themselves.
    keep_logs : bool
        True if all calls keep their logs; False if only the calls at the top do.
    first_data : KernelTest, optional
        The resample for the first call. Default: the data themselves.
    """

    ci_test: CITest
    rules: Rules
    knowledge: BoundKnowledge
    s: int = 1
    resample: Resample | None = None
    keep_logs: bool = False
    first_data: KernelTest | None = None
    root: Call | Leaf | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._data = self.ci_test.in_kernels()
        self._joined = np.ascontiguousarray(self.knowledge.joined)

    @property
    def start(self) -> np.ndarray:
        """(p, p) bool: the complete graph without forbidden pairs, with the known directions."""
        amat = ~np.eye(self.ci_test.p, dtype=bool) & ~self.knowledge.apart
        amat[(self.knowledge.directions & amat & amat.T).T] = False
        return amat

    def _first_state(self) -> State:
        """Return the state of the first call, with the nodes in an order that the data determine.

        Edges are tested and removed one after the other, so the order matters.
        """
        order = self.ci_test.order()
        at = np.ix_(order, order)
        members = np.full((self.ci_test.p, self.ci_test.p, 1), -1, dtype=np.int32)
        members[self.knowledge.apart[at], 0] = NO_SET
        amat = (self.start | self.knowledge.apart)[at]
        return State(order.astype(np.int32), np.ones(self.ci_test.p, dtype=bool), amat, members)

    def grow(self, tick: Tick, threads: int | None = None) -> None:
        """Run all calls and store them in `root`; after a cancel it has only the finished ones.

        Raises
        ------
        Stopped
            If cancelled.
        """
        first = self._first_state()
        if not self.can_test(int(first.amat.sum(axis=0).max(initial=0)), 0):
            self.root = first.leaf(self.knowledge)
            return
        run_task_tree(lambda: self.refine_groups, [(None, 0)], phase="groups", tick=tick, threads=threads)

    def replayed(self, calls: list[Call], tick: Tick) -> list[Call]:
        """Return the same calls, parents first, repeated with their logs.

        Raises
        ------
        Stopped
            If cancelled.
        """
        done: dict[Path, Call] = {}

        def work(stop: np.ndarray, _n_done: np.ndarray) -> None:
            for call in calls:
                if stop[0]:
                    return
                if call.log is not None:
                    done[call.path] = call
                    continue
                state, data = self._first_state(), self._data
                if call.path:
                    parent = done[call.path[:-2]]
                    state = parent.state.group(parent.label, call.path[-1])
                    data = data if self.resample is None else self.resample(call.path[:-1], parent.state.named())
                repeated = self._call(call.path, state, call.size, data, stop)
                if repeated is not None:
                    done[call.path] = repeated

        self.keep_logs = True
        run_in_thread(work, phase="steps of the best route", tick=tick)
        return [done[call.path] for call in calls]

    def can_test(self, n_parents: int, size: int) -> bool:
        """Return False if a group ends, algorithm 1, line 2: `n_parents` is its largest number of potential parents."""
        limit = self.rules.max_cond_size
        return n_parents - 1 >= size and (limit is None or size <= limit)

    def _call(self, path: Path, state: State, size: int, data: KernelTest, stop: np.ndarray) -> Call | None:
        """Refine a group with conditioning sets of `size` variables and split it; return None if cancelled."""
        state = state.with_capacity(size)
        keeps_log = self.keep_logs or size <= MAX_LOGGED_SIZE
        rows = _log_rows(max(int((state.amat | state.amat.T).sum()) // 2, 2) if keeps_log else 1, size)
        n_tests = np.zeros(2, dtype=np.int64)
        cut = self.rules.cut if data is self._data else self.rules.resampled_cut
        found = refine(  # line 6, IncreaseResolution
            data.sample, cut, *state, self._joined, size, self.rules.wide, self.rules.collider_check, rows,
            data.scratch(size + 1), stop, n_tests,
        )  # fmt: skip
        if stop[0]:
            return None
        label, n_groups = split_groups(state.inside, state.amat)  # line 7, SplitAutonomous
        n_parents = max_fan_in(state.inside, state.amat, label, n_groups).tolist()
        is_open = [self.can_test(n_parents[g], size + 1) for g in range(n_groups)]
        groups = [
            [None] * self.s if is_open[g] else [state.group(label, g).leaf(self.knowledge)] for g in range(n_groups)
        ]
        log = _call_log(state.nodes, rows, label, *found) if keeps_log else None
        call = Call(
            path, size, cut, state.nodes[state.inside], state.nodes[~state.inside], n_tests, groups,
            log, state, label, self.s if any(is_open) else 0,
        )  # fmt: skip
        if not call.left:
            call.state = call.label = None
        return call

    def refine_groups(self, task: tuple[Call | None, int], stop: np.ndarray) -> list:
        """Refine each group of a call on its resample t, algorithm 1, lines 10 to 15; return the tasks that follow."""
        parent, t = task
        if parent is None:
            self.root = self._call((), self._first_state(), 0, self.first_data or self._data, stop)
            return self._tasks(self.root)
        path = (*parent.path, t)
        data = self._data if self.resample is None else self.resample(path, parent.state.named())  # line 10
        further = []
        for g, group in enumerate(parent.groups):  # lines 11 to 15
            if len(group) == 1 and isinstance(group[0], Leaf):
                continue
            state = parent.state.group(parent.label, g)
            group[t] = self._call((*path, g), state, parent.size + 1, data, stop)
            if group[t] is None:
                return further
            further += self._tasks(group[t])
        with self._lock:
            parent.left -= 1
            if parent.left == 0 and parent.size > MAX_LOGGED_SIZE:
                parent.state = parent.label = None
        return further

    def _tasks(self, call: Call | None) -> list:
        """Return the tasks that a call leads to, one for each of its resamples: algorithm 1, line 9."""
        return [(call, t) for t in range(call.left)] if call is not None else []


def _log_rows(n_rows: int, size: int) -> tuple:
    """Return arrays for the tests of a call, one row per edge, filled by `kernels.brai.refinement.refine`."""
    outcome = empty_results(n_rows, size)
    pairs = np.empty((n_rows, 2), dtype=np.int32)
    fates = np.empty(n_rows, dtype=np.uint8)
    return fates, pairs, outcome.log_p, outcome.statistic, outcome.dof, outcome.cond, outcome.n_tests


def _call_log(
    nodes: np.ndarray,
    rows: tuple,
    label: np.ndarray,
    n_first: int,
    n_edges: int,
    arrows_first: np.ndarray,
    arrows: np.ndarray,
) -> CallLog:
    """Return the log of a call, with the numbers of its nodes in the data."""
    fates, pairs, *columns = (column[:n_edges].copy() for column in rows)
    directed = [arrows_first.copy(), arrows.copy()]
    for events in directed:
        for column in (0, 1, 3, 4, 5, 6):
            events[:, column] = np.where(events[:, column] >= 0, nodes[events[:, column]], -1)
    log_p, statistic, dof, cond, n_tests = columns
    cond = np.sort(np.where(cond < 0, np.iinfo(np.int32).max, cond), axis=1)
    cond[cond == np.iinfo(np.int32).max] = -1
    groups = tuple(np.sort(nodes[label == g]) for g in range(label.max() + 1))
    return CallLog(fates, nodes[pairs], log_p, statistic, dof, cond, n_tests, n_first, *directed, groups)
