r"""Greedy equivalence search (GES): Insert, Delete and Turn operators on equivalence classes of DAGs.

Chickering (2002) with turns after Hauser and Bühlmann (2012); pairs restricted as in Nandy, Hauser and Maathuis (2018).

Notation: the class is given by its CPDAG; Pa are the parents of y, Ne its undirected neighbours, NA the members of Ne
that are adjacent to x, and s(y | F) is the local score of y with parents F.

============================  ===================================  =============================================
operator                      valid if                             gain
============================  ===================================  =============================================
Insert(x, y, T), x and y not  C = NA ∪ T is a clique and blocks    s(y | Pa ∪ C ∪ x) − s(y | Pa ∪ C)
adjacent, T ⊆ Ne \ Adj(x)     every semi-directed path from y      (corollary 16)
(definition 12)               to x (theorem 15)
Delete(x, y, H), x → y or     C = NA \ H is a clique               s(y | (Pa \ x) ∪ C) − s(y | Pa ∪ C ∪ x)
x − y, H ⊆ NA (definition 13) (theorem 17)                         (corollary 18)
Turn(x, y, C), y → x or       C ⊆ Ne \ x is a clique with the      differences of the two families that change,
y − x                         conditions of section 4.3            those of x and y
============================  ===================================  =============================================

How the search stays quick
--------------------------
An operator is a pair and a clique C, and a class has far more operators than pairs. Three bounds save most of the work:

1. *Ceilings.* Without the condition on paths, the best gain of a pair depends only on the neighbourhood of y: Pa, Ne,
   and which of them are adjacent to one another and to x. `State.ceiling[y, x]` has this gain. It is an upper bound of
   every valid operator of the pair, so paths are searched only for pairs whose ceiling exceeds the best operator so
   far; nearly all pairs are skipped.
2. *Staleness.* An insertion or deletion changes few neighbourhoods. `ges_state.mark_stale_around` marks the ceilings
   that depend on them as stale, and only those are computed again. After a turn all ceilings are stale.
3. *Lowered ceilings.* If a path invalidates the best clique of an insertion, the ceiling is lowered to the best valid
   gain. Insertions only add edges, which removes no path, so the lowered ceiling stays an upper bound until a step
   turns an edge that such a path may use. `ges_state.mark_unblocked` marks these ceilings as stale.

Local scores come from a cache by node and set of parents, so a family that was scored before costs one lookup. If the
ceilings of insertions take long, threads share the tails. They only read the cache; new scores are stored afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np

from ..common.errors import ParameterError
from ..common.parallel import Crew
from ..common.progress import Stopped, Tick, silent
from ..common.relabeling import as_nodes
from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG, Mark
from ..graphs.knowledge import BoundKnowledge
from ..kernels.graphs.adjacency import neighbor_lists
from ..kernels.scores.families import NewScores, store_scores
from ..kernels.search import ges, ges_insert, ges_state
from ..kernels.search.ges_state import DELETE, INSERT, TURN, GESRules, GESState
from ..kernels.search.hill_climbing import MIN_GAIN, ROUNDING
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import ranks_of
from .hill_climbing import allowed_edges, checked_start

Beside = Literal["nothing", "colliders", "triples"]
OperatorKind = Literal["insert", "delete", "turn"]
BESIDE = ("nothing", "colliders", "triples")  # names by the codes of the kernels
KIND_OF: dict[int, OperatorKind] = {INSERT: "insert", DELETE: "delete", TURN: "turn"}
LABELS = {INSERT: str(Phase(Stage.INSERTIONS)), DELETE: str(Phase(Stage.DELETIONS)), TURN: str(Phase(Stage.TURNS))}
SCORES_PER_TICK = 1_000
ROWS_PER_TICK = 64  # number of rows of stale ceilings that a thread fills between two ticks
FEWEST_NEW_SCORES = 4_096  # room for new scores, at least
SHARED_SECONDS = 0.0008  # mean seconds; shorter work runs in one thread, because waking others takes 0.0001
SHARED_VARIABLES = 100  # minimum number of variables whose first scores are shared
FILLS_IN_MEAN = 8  # the mean forgets earlier times at this rate
OPERATORS_PER_TICK = 2_000  # number of operators whose paths are checked between two ticks
NO_OPERATOR = (-np.inf, 0, -1, -1, np.empty(0, dtype=np.int64))


def _room_for_scores(p: int) -> NewScores:
    room = max(FEWEST_NEW_SCORES, 4 * (p + 1))
    return NewScores(np.zeros(room, np.uint64), np.zeros(room), np.zeros(1, np.int64))


def _ends(marks: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Renumber the nodes of marks."""
    return np.column_stack([as_nodes(marks[:, :2], new), marks[:, 2]])


@dataclass(frozen=True, eq=False)
class Operator:
    """One step from a class to the next.

    Attributes
    ----------
    op : "insert", "delete" or "turn"
    x, y : int
        Insert adds x -> y to DAGs of the class, delete removes it, and turn reverses their y -> x to x -> y.
    nodes : tuple of int
        T of an insertion or C of a turn, which become parents of y; H of a deletion, which become children of y.
    gain : float
        Increase of the score.
    mark : "forward", "undirected" or "none"
        Edge between x and y in the next class.
    marks : (m, 3) int array
        Other edges that change, as rows i, j, open: to i - j where `open` is 1, to i -> j otherwise.
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
    """Outcome of a search over classes.

    Attributes
    ----------
    start, graph : PDAG
        CPDAGs of the first and the last class.
    dag : PDAG
        A DAG of the last class that is consistent with the background knowledge.
    start_score, score : float
        Scores of the first and the last class.
    operators : tuple of Operator
        The steps from the first class to the last.
    complete : bool
        False if the search was cancelled.
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
    """Apply the valid operator with the largest gain until no operator gains: insertions, then deletions, then turns.

    Parameters
    ----------
    score : FamilyScore
        It must be score equivalent.
    start : PDAG, optional
        A DAG of the first class. Default: only the required edges.
    allowed : (p, p) bool array, optional
        Pairs that may become adjacent; symmetric. Default: all.
    beside : "nothing", "colliders" or "triples"
        Further pairs that may become adjacent: those whose edge shields a v-structure, or any unshielded triple, of the
        present class.
    turning : bool, default False
        If True, turns follow the deletions, and all three phases repeat until no operator gains.
    min_gain : float, default 0.0
        An insertion must gain more than this, in nats.
    max_parents : int, optional
        Maximum number of parents in the families scored. Default: no limit.
    knowledge : BoundKnowledge, optional
        Only classes are visited that contain a DAG consistent with it.
    tick : Tick, optional
        Progress listener. If it returns False, the search ends with the present class.

    Returns
    -------
    ClassSearch

    Raises
    ------
    ParameterError
        If `start` is not a DAG, has too many parents or contradicts the knowledge.

    Notes
    -----
    An operator must gain more than 1e-9 of the score. Of operators with equal gains, the one comes first whose nodes
    gain most from single parents, summed over all allowed ones; so the result does not depend on the order of the
    columns.
    """
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    known = knowledge or BoundKnowledge.none(score.p)
    dag = checked_start(start, known, score.names, most)
    pairs = allowed_edges(allowed, score.p)
    if not np.array_equal(pairs, pairs.T):
        raise ParameterError(f"allowed must be a symmetric matrix of {score.p} rows, got another; add its transpose")
    rules = GESRules(
        base=pairs & ~known.apart & ~np.eye(score.p, dtype=bool),
        forbidden=known.apart,
        required=known.joined,
        directions=known.directions,
        directed=bool(known.directions.any()),
        shielding=BESIDE.index(beside),
        max_parents=most,
        order=np.arange(score.p),
    )
    return ClassClimber(score, rules, dag, min_gain, tick).run(turning=turning)


class ClassClimber:
    """A search in progress: the current class with its ceilings, and the operators applied so far.

    The methods raise Stopped if cancelled.
    """

    def __init__(self, score: FamilyScore, rules: GESRules, start: PDAG, min_gain: float, tick: Tick) -> None:
        p = start.p
        self.score, self.rules, self.min_gain, self.tick = score, rules, min_gain, tick
        self.start = cpdag(start)
        self.start_score = self.total = score.network(start)
        self.operators: list[Operator] = []
        self.visited: dict[int, int] = {}  # classes after turns and passes, with the number of operators so far
        amat = np.array(self.start.amat)
        self.state = GESState(
            amat,
            amat.copy(),
            *neighbor_lists(amat | amat.T),
            ceiling=np.full((p, p), -np.inf),
            top=np.full(p, -np.inf),
            stale=np.ones((p, p), dtype=bool),
            stale_rows=np.ones(p, dtype=bool),
            lowered=np.zeros((p, p), dtype=bool),
            lowered_rows=np.zeros(p, dtype=bool),
            scored=rules.base.copy(),
        )
        score.meet(int(amat.sum(axis=0).max()))
        self.crew = Crew()
        self.new_scores = [_room_for_scores(p)]  # one for each thread so far
        self.seconds = 0.0  # of work on stale ceilings at a time, mean of the last times

    def run(self, *, turning: bool) -> ClassSearch:
        """Run the phases in turn; with turns, until none of them applies an operator."""
        phases = (self.insert, self.delete, self.turn) if turning else (self.insert, self.delete)
        complete = True
        try:
            with self.crew:
                self.run_phases(phases, repeat=turning)
        except Stopped:
            complete = False
        graph = PDAG(self.state.amat)
        settled = self.rules.directions & graph.amat
        dag = consistent_extension(PDAG(graph.amat & ~settled.T)).dag
        return ClassSearch(
            self.start, graph, dag, self.start_score, self.score.network(dag), tuple(self.operators), complete
        )

    def run_phases(self, phases: Sequence[Callable[[], None]], *, repeat: bool) -> None:
        """Run each phase unless the graph is unchanged since the phase last ended; repeat until no phase changes it."""
        ended = dict.fromkeys(phases, -1)  # number of operators when each phase last ended
        while min(ended.values()) < (len(self.operators) if repeat else 0):
            for phase in phases:
                if ended[phase] < len(self.operators):
                    phase()
                ended[phase] = len(self.operators)
            if not self._is_new():
                return

    def insert(self) -> None:
        """Apply the best valid Insert(x, y, T) while it gains: the forward phase.

        The next class contains the DAGs of the present one with x -> y and t -> y for every t in T.
        """
        ges_state.mark_all_stale(self.state)
        ges_state.admit_shields(self.rules, self.state)
        while self._apply_best(INSERT, self.min_gain):
            ges_state.admit_shields(self.rules, self.state)

    def delete(self) -> None:
        """Apply the best valid Delete(x, y, H) while it gains: the backward phase.

        The next class contains the DAGs of the present one without x -> y and with y -> h and x -> h for every h in H.
        """
        ges_state.mark_all_stale(self.state)
        while self._apply_best(DELETE, 0.0):
            pass

    def turn(self) -> None:
        """Apply the best valid Turn(x, y, C) while it gains and leads to a class not visited before.

        The next class contains the DAGs of the present one with y -> x reversed, where C are parents of y.
        """
        ges_state.mark_all_stale(self.state)
        while self._apply_best(TURN, 0.0) and self._is_new():
            pass

    def _is_new(self) -> bool:
        """Return True if the class was not visited before; with missing values gains can form a cycle."""
        key = hash(self.state.amat.tobytes())
        return self.visited.setdefault(key, len(self.operators)) == len(self.operators)

    def _apply_best(self, op: int, min_gain: float) -> bool:
        """Apply the valid operator with the largest gain; return False if none gains enough."""
        self._fill_ceilings(op)
        if op == INSERT and not self.operators:
            self._break_ties()
        gain, _, x, y, nodes = self._best(op)
        if x < 0 or gain <= min_gain + MIN_GAIN * max(1.0, abs(self.total)):
            return False
        self._apply(op, gain, x, y, nodes)
        return True

    def _fill_ceilings(self, op: int) -> None:
        """Compute the stale ceilings."""
        first = op == INSERT and not self.operators  # all pairs; in any run, so that a warm-up compiles these kernels
        much = self.score.p >= SHARED_VARIABLES if first else op == INSERT and self.seconds > SHARED_SECONDS
        n_threads = self.crew.size if much and not self.score.shares_fits else 1
        if first or n_threads > 1:
            spent = self._share_insertions(n_threads)
        else:
            spent, row = -time.perf_counter(), 0
            while row < self.score.p:
                self._tick(op)
                self.score.make_room(self.score.p + 1 + int(self.new_scores[0].used[0]))
                row = ges.refresh_ceilings(*self._kernel_args, op, row, SCORES_PER_TICK, self.new_scores[0])
            spent += time.perf_counter()
        if not first:
            self.seconds += (spent - self.seconds) / FILLS_IN_MEAN

    def _share_insertions(self, n_threads: int) -> float:
        """Compute the stale ceilings of insertions in threads that share the tails; return their seconds, summed."""
        seconds = 0.0
        while len(self.new_scores) < n_threads:
            self.new_scores.append(_room_for_scores(self.score.p))
        while len(rows := np.flatnonzero(self.state.stale_rows)[:ROWS_PER_TICK]):
            self._tick(INSERT)
            parts = self.crew.map(partial(self._fill_part, rows, n_threads), n_threads)
            self.score.make_room(sum(int(new.used[0]) for new in self.new_scores))
            for new in self.new_scores:
                store_scores(new, self.score.cache)
            ges_insert.settle(self.state, rows[: min(n_filled for n_filled, _ in parts)])
            seconds += sum(spent for _, spent in parts)
        return seconds

    def _fill_part(self, rows: np.ndarray, n_parts: int, part: int) -> tuple[int, float]:
        """Compute the ceilings of a part of the tails; return the number of rows that are filled, and the seconds."""
        began = time.perf_counter()
        n_filled = ges_insert.fill_insert_rows(*self._kernel_args, rows, part, n_parts, self.new_scores[part])
        return n_filled, time.perf_counter() - began

    def _best(self, op: int) -> tuple[float, int, int, int, np.ndarray]:
        """Return (gain, rank among ties, x, y, nodes) of the best valid operator, with x = -1 if there is none."""
        rounding = ROUNDING * max(abs(self.total), self.score.sample.n)
        best, row = NO_OPERATOR, 0
        self.score.make_room(2)
        while row < self.score.p:
            if row:
                self._tick(op)
            best, row = ges.best_operator(*self._kernel_args, op, rounding, best, row, OPERATORS_PER_TICK)
        return best

    @property
    def _kernel_args(self) -> tuple:
        """The first arguments of all kernels; `make_room` may enlarge the cache."""
        return self.score.sample, self.score.cache, self.rules, self.state

    def _tick(self, op: int) -> None:
        """Report progress; raise Stopped if the listener cancels."""
        n_steps = len(self.operators)
        if not self.tick(f"{LABELS[op]}, {n_steps:,} steps so far", n_steps, 0):
            raise Stopped

    def _break_ties(self) -> None:
        """Rank the nodes for ties: first those that gain most, summed over all first insertions into them."""
        ceiling = self.state.ceiling
        gains = np.where(np.isfinite(ceiling), ceiling, 0.0).sum(axis=1)
        self.rules.order[:] = ranks_of(gains)

    def _apply(self, op: int, gain: float, x: int, y: int, nodes: np.ndarray) -> None:
        """Replace the class by the next one, and record the operator with the edges that it changes."""
        begin, near, pairs, widest = ges_state.apply_operator(self.state, op, x, y, nodes)
        amat = self.state.spare
        marks = np.empty((len(pairs), 3), dtype=np.int64)
        for row, (i, j) in zip(marks, pairs.tolist(), strict=True):
            row[:] = (i, j, amat[j, i]) if amat[i, j] else (j, i, False)
        marks.flags.writeable = False
        self.state = self.state._replace(amat=amat, spare=self.state.amat, begin=begin, near=near)
        self.score.meet(widest)
        self.total += gain
        mark = "undirected" if amat[y, x] else "forward" if amat[x, y] else "none"
        self.operators.append(Operator(KIND_OF[op], x, y, tuple(nodes.tolist()), gain, mark, marks))
