"""Greedy search over equivalence classes: insertions while they gain, then deletions, then turns, and again.

Chickering (2002), with turns after Hauser and Bühlmann (2012), and pairs restricted as in Nandy, Hauser and Maathuis
(2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..common.checks import check_choice, check_count, check_type
from ..common.errors import ParameterError
from ..common.numbering import as_nodes
from ..common.progress import Tick, silent
from ..graphs.cpdags import consistent_extension, cpdag
from ..graphs.graph import PDAG, Mark
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search import class_state, equivalence
from ..kernels.search.class_state import DELETE, INSERT, TURN, Rules, State
from ..kernels.search.climbing import ROUNDING, THRESHOLD
from ..kernels.tests.subsets import neighbor_lists
from ..results.phases import Phase, Stage
from ..scores import FamilyScore
from .climber import places
from .hill_climbing import checked_start

Beside = Literal["nothing", "colliders", "triples"]
OperatorKind = Literal["insert", "delete", "turn"]
BESIDE = ("nothing", "colliders", "triples")  # in the order of the kernel's codes
BUDGET = 1_000  # scores between two ticks
LOOKS = 2_000  # operators looked at between two ticks, for paths that may be in their way
NONE = (-np.inf, 0, -1, -1, np.empty(0, dtype=np.int64))  # no operator
PHASES = {INSERT: Phase(Stage.INSERTIONS), DELETE: Phase(Stage.DELETIONS), TURN: Phase(Stage.TURNS)}
WORDS: dict[int, OperatorKind] = {INSERT: "insert", DELETE: "delete", TURN: "turn"}


def _ends(marks: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Marks of variables that are numbered otherwise."""
    return np.column_stack([as_nodes(marks[:, :2], new), marks[:, 2]])


@dataclass(frozen=True, eq=False)
class Operator:
    """One step from a class to the next.

    Attributes
    ----------
    op : "insert", "delete" or "turn"
    x, y : int
        Insert: x -> y is added to DAGs of the class; delete: x -> y is taken out of them; turn: their y -> x becomes
        x -> y.
    nodes : tuple of int
        T of an insertion, C of a turn: they become parents of y. H of a deletion: they become its children.
    gain : float
        What it adds to the score.
    mark : "forward", "undirected" or "none"
        Of the pair x, y after it.
    marks : (m, 3) int array
        Rows i, j, open: other edges that it changes, to i -> j, or to i - j where `open` is 1.
    """

    op: OperatorKind
    x: Annotated[int, as_nodes]
    y: Annotated[int, as_nodes]
    nodes: Annotated[tuple[int, ...], as_nodes]
    gain: float
    mark: Mark
    marks: Annotated[np.ndarray, _ends]


@dataclass(frozen=True, eq=False)
class ClassSearch:
    """What a search over classes did.

    Attributes
    ----------
    start, graph : PDAG
        CPDAGs: where it began and where it ended.
    dag : PDAG
        A DAG of the class where it ended that keeps to the knowledge.
    start_score, score : float
        Of the two classes.
    operators : tuple of Operator
        They lead from one to the other.
    complete : bool
        False if it was cancelled.
    """

    start: PDAG
    graph: PDAG
    dag: PDAG
    start_score: float
    score: float
    operators: tuple[Operator, ...]
    complete: bool


def equivalence_search(
    score: FamilyScore,
    *,
    start: PDAG | None = None,
    allowed: np.ndarray | None = None,
    beside: Beside = "nothing",
    turning: bool = False,
    min_gain: float = 0.0,
    max_parents: int | None = None,
    knowledge: BoundKnowledge | None = None,
    tick: Tick = silent,
) -> ClassSearch:
    """Make the valid insertion that gains most until none gains, then the same with deletions.

    Parameters
    ----------
    score : FamilyScore
        Equal for all DAGs of a class.
    start : PDAG, optional
        A DAG of the class to begin with. Default: no edge but the required ones.
    allowed : (p, p) bool array, optional
        Symmetric: pairs that may be joined. Default: all.
    beside : "nothing", "colliders" or "triples"
        Pairs that may be joined although not allowed: those that shield a v-structure, or any unshielded triple, of the
        present class.
    turning : bool, default False
        Whether turns follow, and all three again until none gains.
    min_gain : float, default 0.0
        What an insertion must gain more than, in nats.
    max_parents : int, optional
        Most parents of a node in the families scored. Default: no limit.
    knowledge : BoundKnowledge, optional
        Only classes are visited that hold a DAG which keeps to it.
    tick : Tick, optional
        Listener; once it returns False the search ends with the class it has reached.

    Returns
    -------
    ClassSearch

    Raises
    ------
    ParameterError
        If a parameter is out of range, or `start` is no DAG, has too many parents or contradicts the knowledge.

    Notes
    -----
    An operator must gain more than 1e-9 of the score. Of several that gain the same, that one comes first whose nodes
    gain most from single parents, all allowed ones added up; so the result does not depend on the order of the columns.
    """
    check_choice("beside", beside, BESIDE)
    check_type("turning", turning, bool, "True or False")
    check_count("max_parents", max_parents, 1, optional=True)
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    known = knowledge or BoundKnowledge.none(score.p)
    dag = checked_start(start, known, score.names, most)
    pairs = np.ones((score.p, score.p), dtype=bool) if allowed is None else np.asarray(allowed, dtype=bool)
    if pairs.shape != (score.p, score.p) or not np.array_equal(pairs, pairs.T):
        raise ParameterError(f"allowed must be a symmetric matrix of {score.p} rows, got another; add its transpose")
    rules = Rules(
        base=pairs & ~known.apart & ~np.eye(score.p, dtype=bool),
        apart=known.apart,
        joined=known.joined,
        directions=known.directions,
        directed=bool(known.directions.any()),
        beside=BESIDE.index(beside),
        max_parents=most,
        order=np.arange(score.p),
    )
    return _Walk(score, rules, dag, min_gain).run((INSERT, DELETE, TURN) if turning else (INSERT, DELETE), tick)


class _Walk:
    """A search under way."""

    def __init__(self, score: FamilyScore, rules: Rules, start: PDAG, min_gain: float) -> None:
        p = start.p
        self.score, self.rules, self.min_gain = score, rules, min_gain
        self.start = cpdag(start)
        self.start_score = self.total = score.network(start)
        self.operators: list[Operator] = []
        self.met: dict[int, int] = {}  # classes after turns and passes, by the steps that led there
        amat = np.array(self.start.amat)
        self.state = State(
            amat,
            *neighbor_lists(amat | amat.T),
            ceiling=np.full((p, p), -np.inf),
            stale=np.ones((p, p), dtype=bool),
            lowered=np.zeros((p, p), dtype=bool),
            scored=rules.base.copy(),
        )
        score.meet(int(amat.sum(axis=0).max()))

    def run(self, ops: tuple[int, ...], tick: Tick) -> ClassSearch:
        complete = self._search(ops, tick)
        graph = PDAG(self.state.amat)
        settled = self.rules.directions & graph.amat
        dag = consistent_extension(PDAG(graph.amat & ~settled.T)).dag
        return ClassSearch(
            self.start, graph, dag, self.start_score, self.score.network(dag), tuple(self.operators), complete
        )

    def _search(self, ops: tuple[int, ...], tick: Tick) -> bool:
        """All phases, with turns over and over until no step is left; False if cancelled."""
        ended = dict.fromkeys(ops, -1)  # steps made when the phase was last at its end
        while min(ended.values()) < (len(self.operators) if TURN in ops else 0):
            for op in ops:
                if ended[op] < len(self.operators) and not self._phase(op, str(PHASES[op]), tick):
                    return False
                ended[op] = len(self.operators)
            if not self._is_new():
                break
        return True

    def _is_new(self) -> bool:
        """Whether the class was not met before; where cells are missing, gains around a circle may be above 0."""
        key = hash(self.state.amat.tobytes())
        return self.met.setdefault(key, len(self.operators)) == len(self.operators)

    def _phase(self, op: int, label: str, tick: Tick) -> bool:
        """All steps of one kind; False if cancelled."""
        self.state.stale[:] = True
        least = self.min_gain if op == INSERT else 0.0
        while True:
            if op == INSERT:
                class_state.admit_shields(self.rules, self.state)
            if not self._refresh(op, label, tick):
                return False
            if op == INSERT and not self.operators:
                self._settle_ties()
            best = self._best(op, label, tick)
            if best is None:
                return False
            gain, _, x, y, nodes = best
            if x < 0 or gain <= least + THRESHOLD * max(1.0, abs(self.total)):
                return True
            self._step(op, gain, x, y, nodes)
            if op == TURN and not self._is_new():
                return True

    def _best(self, op: int, label: str, tick: Tick) -> tuple[float, int, int, int, np.ndarray] | None:
        """(gain, place, x, y, nodes) of the best operator, x = -1 if there is none; None if cancelled."""
        rounding = ROUNDING * max(abs(self.total), self.score.sample.n)
        best, row = NONE, 0
        self.score.make_room(2)
        while row < self.score.p:
            if row and not self._tell(label, tick):
                return None
            given = (self.score.sample, self.score.cache, self.rules, self.state)
            best, row = equivalence.best_operator(*given, op, rounding, best, row, LOOKS)
        return best

    def _tell(self, label: str, tick: Tick) -> bool:
        n_steps = len(self.operators)
        return tick(f"{label}, {n_steps:,} steps so far", n_steps, 0)

    def _refresh(self, op: int, label: str, tick: Tick) -> bool:
        """Bring the ceilings up to date; False if cancelled."""
        row = 0
        while row < self.score.p:
            if not self._tell(label, tick):
                return False
            self.score.make_room(self.score.p + 1)
            given = (self.score.sample, self.score.cache, self.rules, self.state)
            row = equivalence.refresh(*given, op, row, BUDGET)
        return True

    def _settle_ties(self) -> None:
        """Place of each node in ties: first those that gain most, all first insertions into them added up."""
        ceiling = self.state.ceiling
        gains = np.where(np.isfinite(ceiling), ceiling, 0.0).sum(axis=1)
        self.rules.order[:] = places(gains)

    def _step(self, op: int, gain: float, x: int, y: int, nodes: np.ndarray) -> None:
        """Go to the next class and note how."""
        amat, begin, near, pairs = class_state.apply(self.state, op, x, y, nodes)
        marks = np.empty((len(pairs), 3), dtype=np.int64)
        for row, (i, j) in zip(marks, pairs.tolist(), strict=True):
            row[:] = (i, j, amat[j, i]) if amat[i, j] else (j, i, False)
        marks.flags.writeable = False
        self.state = self.state._replace(amat=amat, begin=begin, near=near)
        self.score.meet(int(amat[:, np.unique([x, y, *pairs.ravel()])].sum(axis=0).max()))
        self.total += gain
        mark = "undirected" if amat[y, x] else "forward" if amat[x, y] else "none"
        self.operators.append(Operator(WORDS[op], x, y, tuple(nodes.tolist()), gain, mark, marks))
