"""Trace of a run: its events in order, as parallel arrays.

A learner appends one event for each step that a user may want to see or to understand. The events alone suffice to
rebuild every intermediate graph (`Trace.graph_at`) and to explain every edge and every missing edge without new tests.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..common.arrays import frozen
from ..common.lazy_dataclass import LazyDataclass
from ..common.relabeling import Nodes, relabel_fields
from ..graphs.graph import PDAG
from ..graphs.pag import ARROW, CIRCLE, NONE, PAG, TAIL
from ..graphs.rules import IN_MBIT, Rule
from .events import Action, Event
from .phases import Phase

COLUMNS = {
    "phase": "i4",
    "action": "i1",
    "i": "i4",
    "j": "i4",
    "statistic": "f8",
    "dof": "f8",
    "log_p": "f8",
    "threshold": "f8",
    "n_tests": "i8",
    "n_rows": "i8",
    "rule": "i4",
}

ABSENT = {"statistic": np.nan, "dof": np.nan, "log_p": np.nan, "threshold": np.nan, "n_tests": 0, "n_rows": 0}


class TraceBuilder:
    """Collector of events while a learner runs; `build` returns them as a trace."""

    def __init__(self, start: PDAG) -> None:
        self._start = start
        self._single: list[_Event] = []
        self._blocks: list[_Block | _DeferredEvents] = []

    def add(
        self, phase: Phase, action: Action, i: int, j: int, cond: Sequence[int] = (), *, rule: Rule, **numbers: float
    ) -> None:
        """Append one event; `numbers` as in `extend`."""
        self._single.append(_Event(phase, rule, action, i, j, cond, numbers))

    def copy(self) -> TraceBuilder:
        """Return an independent builder with a copy of the events."""
        self._flush()
        other = TraceBuilder(self._start)
        other._blocks = list(self._blocks)
        return other

    def _flush(self) -> None:
        """Turn the single events into a block."""
        if not self._single:
            return
        phases, rules, *columns, conds, numbers = zip(*self._single, strict=True)
        self._single = []
        cond = np.full((len(conds), max(map(len, conds))), -1, dtype=np.int32)
        for row, members in zip(cond, conds, strict=True):
            row[: len(members)] = members
        values = dict(zip(("action", "i", "j"), columns, strict=True))
        for name in {name for event in numbers for name in event}:
            values[name] = [event.get(name, ABSENT[name]) for event in numbers]
        self._blocks.append(_Block(phases, rules, len(cond), cond, values))

    def extend(
        self,
        phase: Phase,
        action: Action | np.ndarray,
        pairs: np.ndarray,
        cond: np.ndarray,
        *,
        rule: Rule,
        **numbers: float | np.ndarray,
    ) -> None:
        """Append one event per row of `pairs`. The arrays are not copied, so the caller must not change them.

        Parameters
        ----------
        phase, rule : Phase, Rule
            The same for all.
        action : Action or (m,) array of them
        pairs : (m, 2) integer array
        cond : (m, k) integer array
            Sets padded with -1.
        numbers : (m,) arrays, or one number for all
            Any of statistic, dof, log_p, threshold, n_tests, n_rows; NaN (0 for whole numbers) where left out.
        """
        self._flush()
        columns = {"action": action, "i": pairs[:, 0], "j": pairs[:, 1]}
        self._blocks.append(_Block((phase,), (rule,), len(pairs), cond, columns | numbers))

    def add_pairs(self, phase: Phase, action: Action, pairs: np.ndarray, *, rule: Rule) -> None:
        """Append one event per row of `pairs`, an (m, 2) integer array, without sets and numbers."""
        self.extend(phase, action, pairs, np.empty((len(pairs), 0), dtype=np.int32), rule=rule)

    def defer(self, tell: EventWriter, *, has_sets: bool = True) -> None:
        """Call ``tell(builder)`` at the first access to append events here; it must always append the same events.

        `has_sets` is False if none of the events has a conditioning set.
        """
        self._flush()
        self._blocks.append(_DeferredEvents(self._start, tell, has_sets))

    @property
    def n_changes(self) -> int:
        """Number of events so far that change the graph."""
        self._flush()
        return sum(one.n_changes for block in self._blocks for one in block.blocks)

    def build(self) -> Trace:
        """Return the trace recorded so far; it is assembled at its first access."""
        return Trace.lazily(_Recorded(self._start, tuple(self.copy()._blocks)))


EventWriter = Callable[[TraceBuilder], None]


class _Event(NamedTuple):
    """A single event."""

    phase: Phase
    rule: Rule
    action: Action
    i: int
    j: int
    cond: Sequence[int]
    numbers: dict


class _Block(NamedTuple):
    """`n` events that were added together; phases, rules and columns have one value for all or one per event."""

    phases: tuple[Phase, ...]
    rules: tuple[Rule, ...]
    n: int
    cond: np.ndarray
    values: dict

    def sets(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the size of each set, and the members of all sets, one after another."""
        if self.cond.shape[1] == 0:
            return np.zeros(self.n, dtype=np.int64), np.empty(0, dtype=np.int32)
        member = self.cond >= 0
        return member.sum(axis=1), self.cond[member].astype(np.int32, copy=False)

    @property
    def has_sets(self) -> bool:
        """True if events may have a conditioning set."""
        return self.cond.shape[1] > 0

    @property
    def blocks(self) -> list[_Block]:
        """The block itself."""
        return [self]

    @property
    def n_changes(self) -> int:
        """Number of events that change the graph."""
        return int((np.broadcast_to(self.values["action"], self.n) < Action.KEEP).sum())


class _DeferredEvents:
    """Lazily recorded events, shared by all traces that contain them."""

    def __init__(self, start: PDAG, tell: EventWriter, has_sets: bool) -> None:
        self._start, self._tell, self.has_sets = start, tell, has_sets

    @cached_property
    def blocks(self) -> list[_Block]:
        """The blocks of these events."""
        builder = TraceBuilder(self._start)
        self._tell(builder)
        return [one for block in builder.copy()._blocks for one in block.blocks]


@dataclass(frozen=True, eq=False)
class _Recorded:
    """Factory of a trace, and of its part with conditioning sets, with the nodes relabeled by `new` if given."""

    start: PDAG
    blocks: tuple[_Block | _DeferredEvents, ...]
    new: np.ndarray | None = None

    def __call__(self) -> Trace:
        return self._of(self.blocks)

    def with_sets(self) -> Trace:
        return self._of([block for block in self.blocks if block.has_sets])

    def _of(self, blocks: Sequence[_Block | _DeferredEvents]) -> Trace:
        trace = _assemble(self.start, blocks)
        return trace if self.new is None else relabel_fields(trace, self.new)

    def relabeled(self, new: np.ndarray) -> _Recorded:
        return dataclasses.replace(self, new=new if self.new is None else new[self.new])


def _assemble(start: PDAG, recorded: Sequence[_Block | _DeferredEvents]) -> Trace:
    """Assemble the trace of some blocks."""
    blocks = [one for block in recorded for one in block.blocks]
    n = sum(block.n for block in blocks)
    columns = {name: np.empty(n, dtype) for name, dtype in COLUMNS.items()}
    phases, rules = {}, {}
    begin = 0
    for block in blocks:
        numbered = {
            "phase": [phases.setdefault(one, len(phases)) for one in block.phases],
            "rule": [rules.setdefault(one, len(rules)) for one in block.rules],
        }
        values = ABSENT | block.values | numbered
        for name, column in columns.items():
            column[begin : begin + block.n] = values[name]
        begin += block.n
    sets = [block.sets() for block in blocks]
    return Trace(
        start=start,
        cond_end=frozen(np.cumsum(np.concatenate([np.empty(0, np.int64), *(sizes for sizes, _ in sets)]))),
        cond=frozen(np.concatenate([np.empty(0, np.int32), *(members for _, members in sets)])),
        phases=tuple(phases),
        rules=tuple(rules),
        **{name: frozen(column) for name, column in columns.items()},
    )


@dataclass(frozen=True, eq=False)
class Trace(LazyDataclass):
    """Events of one run, oldest first, as parallel read-only arrays of length ``len(trace)``.

    `phase` and `rule` index into `phases` and `rules`; the conditioning set of event t is
    ``cond[cond_end[t - 1]:cond_end[t]]``. `start` is the graph before the first event.

    Most callers never read the events, so a trace is assembled at its first access: see `LazyDataclass`.
    """

    start: PDAG
    phase: np.ndarray
    action: np.ndarray
    i: Nodes
    j: Nodes
    statistic: np.ndarray
    dof: np.ndarray
    log_p: np.ndarray
    threshold: np.ndarray
    n_tests: np.ndarray
    n_rows: np.ndarray
    rule: np.ndarray
    cond: Nodes
    cond_end: np.ndarray
    phases: tuple[Phase, ...]
    rules: tuple[Rule, ...]

    def with_sets(self) -> Trace:
        """Return the events that may have a conditioning set, in order, and perhaps others.

        The trace is not assembled for them: the tests of all pairs without a set take most of its memory.
        """
        make = self.__dict__.get("_make")
        return make.with_sets() if isinstance(make, _Recorded) else self

    def relabeled(self, new: np.ndarray) -> Trace:
        """Relabel the nodes; see `common.relabeling`. The trace is assembled at its first access."""
        make = self.__dict__.get("_make")
        if isinstance(make, _Recorded):
            return Trace.lazily(make.relabeled(new))
        return Trace.lazily(lambda: relabel_fields(self, new))

    def held_against(self, before: float, now: float) -> Trace:
        """Return the trace with the threshold `now` instead of `before`, except for events with information in mbit."""

        def make() -> Trace:
            stated = (self.threshold == before) & ~self.made_by(IN_MBIT)
            return dataclasses.replace(self, threshold=frozen(np.where(stated, now, self.threshold)))

        return Trace.lazily(make)

    def __len__(self) -> int:
        return len(self.action)

    def __getitem__(self, t: int) -> Event:
        if not -len(self) <= t < len(self):
            raise IndexError(t)
        t %= len(self)
        begin = self.cond_end[t - 1] if t else 0
        return Event(
            phase=self.phases[self.phase[t]],
            action=Action(self.action[t]),
            i=int(self.i[t]),
            j=int(self.j[t]),
            cond=tuple(int(k) for k in self.cond[begin : self.cond_end[t]]),
            statistic=float(self.statistic[t]),
            dof=float(self.dof[t]),
            log_p=float(self.log_p[t]),
            threshold=float(self.threshold[t]),
            n_tests=int(self.n_tests[t]),
            n_rows=int(self.n_rows[t]),
            rule=self.rules[self.rule[t]],
        )

    def __iter__(self) -> Iterator[Event]:
        return (self[t] for t in range(len(self)))

    @property
    def changes(self) -> np.ndarray:
        """Positions of the events that change the graph; step s of the slider is the graph after s of them."""
        return np.flatnonzero(self.action < Action.KEEP)

    def made_by(self, rules: Collection[Rule]) -> np.ndarray:
        """Return an (n,) bool mask of the events by one of the rules."""
        return np.array([rule in rules for rule in self.rules], dtype=bool)[self.rule]

    def in_phase(self, phase: Phase) -> np.ndarray:
        """Return an (n,) bool mask of the events of the phase."""
        return np.array([own == phase for own in self.phases], dtype=bool)[self.phase]

    def of_pair(self, x: int, y: int) -> list[Event]:
        """Return every event about the pair {x, y}, oldest first."""
        return [self[int(t)] for t in self.positions_of_pair(x, y)]

    def positions_of_pair(self, x: int, y: int) -> np.ndarray:
        """Return the positions of the events of `of_pair`."""
        return np.flatnonzero(((self.i == x) & (self.j == y)) | ((self.i == y) & (self.j == x)))

    def graph_at(self, step: int) -> PDAG:
        """Return the graph after the first `step` changes, of the type of the start graph; 0 is the start graph."""
        if isinstance(self.start, PAG):
            return self._ends_at(step)
        amat = self.start.amat.copy()
        t = self.changes[:step]
        i, j, action = self.i[t], self.j[t], self.action[t]
        forward = action != Action.REMOVE
        backward = (action == Action.ADD) | (action == Action.UNORIENT)
        # If a pair changes more than once, the assignment correctly keeps the last value.
        amat[np.column_stack([i, j]).ravel(), np.column_stack([j, i]).ravel()] = np.column_stack(
            [forward, backward]
        ).ravel()
        return PDAG(amat)

    def _ends_at(self, step: int) -> PAG:
        """Return the PAG after the first `step` changes."""
        marks = self.start.marks.copy()
        for t in self.changes[:step].tolist():
            i, j, action = int(self.i[t]), int(self.j[t]), int(self.action[t])
            marks[j, i], marks[i, j] = ends_after(action, int(marks[j, i]))
        return PAG(marks)


def ends_after(action: int, at_i: int) -> tuple[int, int]:
    """Return the marks at i and at j of an edge of a PAG after an action that changes it; `at_i` is the mark before."""
    return {
        Action.REMOVE: (NONE, NONE),
        Action.ADD: (CIRCLE, CIRCLE),
        Action.UNORIENT: (CIRCLE, CIRCLE),
        Action.ORIENT: (TAIL, ARROW),
        Action.POINT: (at_i, ARROW),
        Action.BIDIRECT: (ARROW, ARROW),
    }[Action(action)]
