"""Recursive autonomy identification: the tree grows, call by call.

Rohekar et al. (2018), algorithm 1. With one resample a group, equal to the data, the tree is a single route: that is
RAI (Yehezkel and Lerner 2009), for no group looks at what another has found.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..common.parallel import run_chunks, run_task_tree
from ..common.progress import Tick
from ..graphs.knowledge import BoundKnowledge
from ..independence import CITest
from ..independence.base import InKernels
from ..kernels.brai.directions import NO_SET
from ..kernels.brai.groups import fan_in, split
from ..kernels.brai.refinement import refine
from ..kernels.tests.results import empty_results
from .calls import Call, Leaf, Path, Rules, State, Story

TOLD_AT_ONCE = 1  # size of sets up to which a call keeps its story: these are few, and take most of the time
Resample = Callable[[Path, np.ndarray], InKernels]


@dataclass(eq=False)
class Recursion:
    """The growth of a tree of calls.

    Parameters
    ----------
    ci_test : CITest
    rules : Rules
    knowledge : BoundKnowledge
    s : int
        Resamples of each call that has groups to refine.
    resample : callable, optional
        The resample at a path, for tests among some nodes. Default: the data themselves.
    keep_stories : bool
        Whether all calls remember what happened, or only those at the top.
    begins_on : InKernels, optional
        The resample that the first level sees. Default: the data themselves.
    """

    ci_test: CITest
    rules: Rules
    knowledge: BoundKnowledge
    s: int = 1
    resample: Resample | None = None
    keep_stories: bool = False
    begins_on: InKernels | None = None
    root: Call | Leaf | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._data = self.ci_test.in_kernels()
        self._joined = np.ascontiguousarray(self.knowledge.joined)

    @property
    def start(self) -> np.ndarray:
        """(p, p) bool: every pair joined, but for what is known."""
        amat = ~np.eye(self.ci_test.p, dtype=bool) & ~self.knowledge.apart
        amat[(self.knowledge.directions & amat & amat.T).T] = False
        return amat

    def _beginning(self) -> State:
        """The nodes in an order that the data settle, for edges are tried and removed one after the other."""
        order = self.ci_test.order()
        at = np.ix_(order, order)
        members = np.full((self.ci_test.p, self.ci_test.p, 1), -1, dtype=np.int32)
        members[self.knowledge.apart[at], 0] = NO_SET
        return State(order.astype(np.int32), np.ones(self.ci_test.p, dtype=bool), self.start[at], members)

    def grow(self, tick: Tick, threads: int | None = None) -> None:
        """Do all calls; `root` holds them, or those done before it was cancelled.

        Raises
        ------
        Stopped
            If cancelled.
        """
        if not self._goes_on(int(self.start.sum(axis=0).max(initial=0)), 0):
            self.root = self._beginning().leaf()
            return
        run_task_tree(lambda: self._work, [(None, 0)], phase="groups", tick=tick, threads=threads)

    def replayed(self, calls: list[Call], tick: Tick) -> list[Call]:
        """The same calls, parents first, done once more with their stories.

        Raises
        ------
        Stopped
            If cancelled.
        """
        done: dict[Path, Call] = {}

        def work(_begin: int, _end: int, stop: np.ndarray, n_done: np.ndarray) -> None:
            for call in calls:
                if stop[0]:
                    return
                if call.story is not None:
                    done[call.path] = call
                    continue
                state, data = self._beginning(), self._data
                if call.path:
                    parent = done[call.path[:-2]]
                    state = parent.state.group(parent.label, call.path[-1])
                    data = data if self.resample is None else self.resample(call.path[:-1], parent.state.named())
                again = self._refined(call.path, state, call.size, data, stop)
                if again is not None:
                    done[call.path] = again
            n_done[0] = 1

        self.keep_stories = True
        run_chunks(lambda: work, 1, phase="story of the best route", tick=tick, threads=1)
        return [done[call.path] for call in calls]

    def _goes_on(self, most: int, size: int) -> bool:
        """Whether a group whose nodes have up to so many potential parents can be tested given `size` others."""
        limit = self.rules.max_cond_size
        return most - 1 >= size and (limit is None or size <= limit)

    def _work(self, task: tuple[Call | None, int], stop: np.ndarray) -> list:
        """One resample of a call: refine each of its groups."""
        parent, t = task
        if parent is None:
            self.root = self._refined((), self._beginning(), 0, self.begins_on or self._data, stop)
            return self._open(self.root)
        path = (*parent.path, t)
        data = self._data if self.resample is None else self.resample(path, parent.state.named())
        further = []
        for g, group in enumerate(parent.groups):
            if len(group) == 1 and isinstance(group[0], Leaf):
                continue
            state = parent.state.group(parent.label, g)
            group[t] = self._refined((*path, g), state, parent.size + 1, data, stop)
            if group[t] is None:
                return further
            further += self._open(group[t])
        with self._lock:
            parent.left -= 1
            if parent.left == 0 and parent.size > TOLD_AT_ONCE:
                parent.state = parent.label = None
        return further

    def _open(self, call: Call | None) -> list:
        """The tasks that a call leads to."""
        return [(call, t) for t in range(call.left)] if call is not None else []

    def _refined(self, path: Path, state: State, size: int, data: InKernels, stop: np.ndarray) -> Call | None:
        state = state.with_capacity(size)
        keeps = self.keep_stories or size <= TOLD_AT_ONCE
        log = _log(max(int((state.amat | state.amat.T).sum()) // 2, 2) if keeps else 1, size)
        n_tests = np.zeros(2, dtype=np.int64)
        cut = self.rules.cut if data is self._data else self.rules.resampled_cut
        found = refine(
            data.sample, cut, *state, self._joined, size, self.rules.wide, self.rules.collider_check, log,
            data.scratch(size + 1), stop, n_tests,
        )  # fmt: skip
        if stop[0]:
            return None
        label, n_groups = split(state.inside, state.amat)
        most = fan_in(state.inside, state.amat, label, n_groups).tolist()
        is_open = [self._goes_on(most[g], size + 1) for g in range(n_groups)]
        groups = [[None] * self.s if is_open[g] else [state.group(label, g).leaf()] for g in range(n_groups)]
        story = _story(state.nodes, log, label, *found) if keeps else None
        call = Call(
            path, size, cut, state.nodes[state.inside], state.nodes[~state.inside], n_tests, groups,
            story, state, label, self.s if any(is_open) else 0,
        )  # fmt: skip
        if not call.left:
            call.state = call.label = None
        return call


def _log(rows: int, size: int) -> tuple:
    """Rows for the edges of a call, as `kernels.brai.refinement.refine` fills them."""
    outcome = empty_results(rows, size)
    pairs = np.empty((rows, 2), dtype=np.int32)
    fates = np.empty(rows, dtype=np.uint8)
    return fates, pairs, outcome.log_p, outcome.statistic, outcome.dof, outcome.cond, outcome.n_tests


def _story(
    nodes: np.ndarray,
    log: tuple,
    label: np.ndarray,
    n_first: int,
    n_edges: int,
    arrows_first: np.ndarray,
    arrows: np.ndarray,
) -> Story:
    fates, pairs, *columns = (column[:n_edges].copy() for column in log)
    directed = [arrows_first.copy(), arrows.copy()]
    for rows in directed:
        for column in (0, 1, 3, 4, 5, 6):
            rows[:, column] = np.where(rows[:, column] >= 0, nodes[rows[:, column]], -1)
    log_p, statistic, dof, cond, n_tests = columns
    cond = np.sort(np.where(cond < 0, np.iinfo(np.int32).max, cond), axis=1)
    cond[cond == np.iinfo(np.int32).max] = -1
    groups = tuple(np.sort(nodes[label == g]) for g in range(label.max() + 1))
    return Story(fates, nodes[pairs], log_p, statistic, dof, cond, n_tests, n_first, *directed, groups)
