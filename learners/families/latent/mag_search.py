"""Search over MAGs from the best DAG that a search over orders finds, by the Gaussian BIC.

The steps of a run of `mag_search`:

1. `order_search` finds a DAG, as BOSS does.
2. Moves of `MAGClimber` change it into a MAG while that raises the score.
3. `with_inducing_edges` adds an edge between each pair that no set separates.
4. All ends become open, and the rules of `Orientation` mark those that all equivalent MAGs share.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...common.arrays import frozen
from ...common.errors import DataError, ParameterError
from ...common.progress import Stopped, Tick, check_cancelled, silent
from ...common.run_warning import RunWarning
from ...common.sentences import Setting, say
from ...common.validation import Positive, Seed, validated
from ...data.completed_data import completed_moments
from ...data.dataset import Dataset
from ...data.embedding import embedded
from ...graphs.graph import PDAG, topological_order
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.mag import with_inducing_edges
from ...graphs.pag import ARROW, NONE, PAG, TAIL
from ...graphs.pag_orientation import Orientation, unshielded_triples
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LOSS, LearnResult, Strengths
from ...results.trace import TraceBuilder
from ...scores.degenerate_bic import DegenerateBIC
from ...scores.gaussian_bic import GaussianBIC, penalty_of_parameter
from ...scores.score import FamilyScore
from ...search.order_search import OrderFound, order_search
from ...settings.parameter import parameters
from ...settings.shared import PENALTY
from .ends import record_ends, refusal_warning, set_known_ends
from .mag_climber import PHASE, Change, GaussianColumns, MAGClimber, MAGMove
from .settings import MAG_SEARCH

INITIAL, INDUCING, CLASS = Phase(Stage.INITIAL_GRAPH), Phase(Stage.INDUCING), Phase(Stage.EQUIVALENCE_CLASS)
CANCELLED = RunWarning("cancelled", say("the run was cancelled; the search had not ended, and no end is marked"))


@dataclass(frozen=True, eq=False)
class MAGFound:
    """Result of `mag_from_dag`.

    Attributes
    ----------
    mag : PAG
        The best MAG found.
    gain : float
        Gain of its score over that of the DAG, in nats.
    moves : tuple of MAGMove
    """

    mag: PAG
    gain: float
    moves: tuple[MAGMove, ...]


@dataclass(frozen=True, eq=False)
class MAGSearched(MAGFound):
    """The `extra` of a result by `mag_search`.

    Attributes
    ----------
    dag : PDAG
        The DAG that the search over MAGs started from.
    scores : (n_changes + 1,) float64 array
        Score after each change of the trace; NaN while the edges of the DAG are added.
    """

    dag: PDAG
    scores: np.ndarray


@validated
def mag_from_dag(
    dataset: Dataset,
    dag: PDAG,
    *,
    penalty: float = 1.0,
    max_moves: Positive = 100,
    max_district: Positive = 8,
    tick: Tick | None = None,
) -> MAGFound:
    """Search for a MAG with a better BIC than a DAG, which hidden common causes can explain.

    Parameters
    ----------
    dataset : Dataset
        Continuous or mixed columns; missing cells have to be completed.
    dag : PDAG
        Over the columns, e.g. ``boss(GaussianBIC(dataset)).extra.dag``.
    penalty : float, default 1.0
        Factor of the penalty of a parameter.
    max_moves : int, default 100
        Maximum number of moves.
    max_district : int, default 8
        Largest number of variables that edges <-> connect.
    tick : Tick, optional
        Progress listener. If it returns False, the search ends with the moves so far.

    Returns
    -------
    MAGFound

    Raises
    ------
    DataError
        If all columns are categorical, or cells are missing: the search needs a Gaussian model of complete rows.
    ParameterError
        If the graph is not a DAG over the columns.

    Notes
    -----
    A district is fitted by residual iterative conditional fitting [1]_. `pag_of_mag` of the result has the ends that
    all equivalent MAGs share. Levels of a category are indicator columns, as in the degenerate Gaussian score.

    References
    ----------
    .. [1] Drton, Eichler and Richardson (2009), Computing maximum likelihood estimates in recursive linear models with
       correlated errors. JMLR 10.

    Examples
    --------
    >>> from learners import GaussianBIC, boss, mag_from_dag, random_gaussian_network, sample
    >>> data = sample(random_gaussian_network(6, 6, seed=1), 500, seed=1)
    >>> mag_from_dag(data, boss(GaussianBIC(data)).extra.dag).gain >= 0.0
    True
    """
    if not dag.is_dag or dag.p != dataset.p:
        raise ParameterError(f"the graph must be a DAG over the {dataset.p} columns; orient it, or pass its own")
    PENALTY.check(penalty)
    order = np.array(dataset.by_name)  # ties then follow the names, not the table
    columns = gaussian_columns(dataset.reordered(tuple(order.tolist())))
    per_parameter = penalty_of_parameter(columns.n, dataset.p, penalty, extended=False)
    sorted_dag = PDAG(dag.amat[np.ix_(order, order)])
    climber = MAGClimber(columns, sorted_dag, per_parameter, max_district=max_district)
    try:
        for _move in _moves(climber, max_moves, tick or silent):
            pass
    except Stopped:
        pass
    mag, _added = with_inducing_edges(climber.mag)
    place = np.argsort(order)
    found = tuple(move.relabeled(order) for move in climber.moves)
    return MAGFound(PAG(mag.marks[np.ix_(place, place)]), sum(move.gain for move in found), found)


def gaussian_columns(dataset: Dataset) -> GaussianColumns:
    """Return the correlations of the columns of a data set; raise DataError if it has none."""
    if dataset.kind == "categorical":
        raise DataError(
            "a search over MAGs scores linear equations, so at least one column must be numeric. Use a learner of "
            "tests, such as FCI"
        )
    completed = completed_moments(dataset)
    if not dataset.complete and completed is None:
        raise DataError("a search over MAGs needs complete rows, found missing cells; impute them, or use `learn`")
    if dataset.kind == "continuous":
        n = dataset.n if completed is None else completed.n
        return GaussianColumns(dataset.correlation, np.arange(dataset.p + 1), n)
    sample = embedded(dataset)
    return GaussianColumns(sample.corr, sample.first, sample.n)


@parameters(MAG_SEARCH)
def mag_search(
    dataset: Dataset,
    score: FamilyScore,
    *,
    max_moves: int = 100,
    max_district: int = 8,
    max_parents: int | None = 12,
    restarts: int | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    seed: Seed = 0,
) -> LearnResult:
    """Learn a PAG by score: search for the best DAG, then for a MAG with a better score.

    Parameters
    ----------
    dataset : Dataset
        Continuous or mixed columns; missing cells have to be completed.
    score : FamilyScore
        `GaussianBIC` or `DegenerateBIC`, bound to the same data. Its penalty is also that of the MAGs.
    max_moves : int, default 100
        Maximum number of moves from the DAG.
    max_district : int, default 8
        Largest number of variables that edges <-> connect. Larger districts are not tried.
    max_parents, restarts
        Settings of the search for the DAG, as for `boss`.
    knowledge : Knowledge, optional
        Required edges are always present, with a tail and an arrowhead. Forbidden pairs are never adjacent. A forbidden
        direction i -> j, or a later tier of i, excludes i -> j from both searches and puts an arrowhead at i.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the moves so far, and all ends are open.
    seed : int, default 0
        Seed of the search for the DAG, as for `boss`.

    Returns
    -------
    LearnResult
        `graph` is the `PAG` of the MAG: marks that MAGs with the same separations do not share are circles. `extra` is
        a `MAGSearched`. No test is done, so `sepsets` is empty.

    Raises
    ------
    DataError
        If all columns are categorical, or cells are missing.
    ParameterError
        If the score is another one, a parameter is out of range, or the knowledge contradicts itself or names an
        unknown column.

    Notes
    -----
    The DAG explains a hidden common cause by edges that it should not have. A move removes an edge and makes some
    common neighbours of its ends colliders, or changes the marks of an edge; the move with the largest gain comes
    first. Districts are fitted by residual iterative conditional fitting [1]_. It is assumed that relations are linear
    with normal noise, and that rows were not selected by their values. The search is greedy, so a better MAG can exist.

    References
    ----------
    .. [1] Drton, Eichler and Richardson (2009), Computing maximum likelihood estimates in recursive linear models with
       correlated errors. JMLR 10.
    .. [2] Triantafillou and Tsamardinos (2016), Score-based vs constraint-based causal learning in the presence of
       confounders. UAI workshop on causation.

    Examples
    --------
    >>> from learners import GaussianBIC, mag_search, random_gaussian_network, sample
    >>> data = sample(random_gaussian_network(6, 6, seed=1), 500, seed=1)
    >>> mag_search(data, GaussianBIC(data)).kind
    'mag'
    """
    if not isinstance(score, GaussianBIC | DegenerateBIC) or score.names != dataset.names:
        raise ParameterError("score must be a GaussianBIC or DegenerateBIC of the same columns; bind one to the data")
    began, scores_before = time.perf_counter(), score.n_scores
    bound = bind(knowledge, score.names)
    columns = gaussian_columns(dataset)
    per_parameter = penalty_of_parameter(columns.n, dataset.p, **score.settings)
    found = order_search(score, max_parents=max_parents, restarts=restarts, knowledge=bound, seed=seed, tick=tick)
    run = _Run(found)
    climber = MAGClimber(columns, found.dag, per_parameter, max_district=max_district, knowledge=bound)
    complete, refused, strengths = found.complete, [], np.full((score.p, score.p), np.nan)
    try:
        if not complete:
            raise Stopped
        for move in _moves(climber, max_moves, tick):
            run.record(move, climber.mag)
        run.add_inducing(bound)
        for x, y, loss in climber.losses():
            check_cancelled(tick, str(PHASE))
            strengths[x, y] = strengths[y, x] = loss
        mag = run.mag
        run.open_ends()
        orientation = _oriented(mag, bound)
        record_ends(run.trace, orientation.steps)
        graph, refused = orientation.pag, [step for step in orientation.steps if step.refused]
    except Stopped:
        complete, mag = False, run.mag
        run.open_ends()
        graph = PAG.of_skeleton(mag.skeleton)
    gain = sum(move.gain for move in climber.moves)
    return LearnResult(
        graph=graph,
        names=score.names,
        method="mag_search",
        kind="mag",
        n_tests=0,
        n_scores=score.n_scores - scores_before + climber.n_fits,
        seconds=time.perf_counter() - began,
        score=found.score + gain,
        sepsets=Sepsets.from_entries(score.p, ()),
        strengths=Strengths(LOSS, frozen(strengths), larger_is_stronger=True),
        trace=run.trace.build(),
        warnings=(*(() if complete else (CANCELLED,)), *_limits(climber, max_moves), *refusal_warning(refused)),
        complete=complete,
        extra=MAGSearched(mag, gain, tuple(climber.moves), found.dag, run.scores(run.trace.n_changes)),
    )


def _moves(climber: MAGClimber, max_moves: int, tick: Tick) -> Iterator[MAGMove]:
    """Make the best moves, and yield each; raise Stopped if cancelled."""
    for _ in range(max_moves):
        move = climber.step(tick)
        if move is None:
            return
        yield move


def _oriented(mag: PAG, knowledge: BoundKnowledge) -> Orientation:
    """Orient the ends that all MAGs with the separations of this one, and with the knowledge, share."""
    causes = mag.causes

    def between(d: int, b: int, c: int) -> bool:
        return bool(causes[b, d] or causes[b, c])

    orientation = Orientation(mag.skeleton, (), knowledge.excluded)
    set_known_ends(orientation, mag.skeleton, knowledge)
    orientation.orient_colliders((a, b, c) for a, b, c in unshielded_triples(mag.skeleton) if not between(a, b, c))
    orientation.close(between)
    return orientation


def _limits(climber: MAGClimber, max_moves: int) -> tuple[RunWarning, ...]:
    """Return warnings for limits that the search has reached."""
    found = []
    if len(climber.moves) == max_moves:
        ended = say(
            "the search over MAGs ended after {setting} = {n} moves; raise it for a better score",
            setting=Setting("max_moves"),
            n=max_moves,
        )
        found.append(RunWarning("max_moves", ended))
    if climber.reached_limit:
        left = say(
            "moves that connect more variables by hidden causes than {setting}, or than the rows can fit, were not "
            "tried; a larger {setting} may change the graph",
            setting=Setting("max_district"),
        )
        found.append(RunWarning("max_district", left))
    return tuple(found)


class _Run:
    """The trace of a run, and the MAG that it has reached.

    Parameters
    ----------
    found : OrderFound
        The DAG.
    """

    def __init__(self, found: OrderFound) -> None:
        p = found.dag.p
        self.mag = PAG.from_edges(p, directed=found.dag.directed_edges())
        self.trace = TraceBuilder(PAG.empty(p))
        self._scores = [np.nan]  # no score while the edges of the DAG are added
        for j in topological_order(found.dag):
            for i in found.dag.parents(j):
                self._add(INITIAL, Action.ORIENT, i, j, (), rule=Rule.ADD)
        self._scores[-1] = found.score

    def _add(
        self, phase: Phase, action: Action, i: int, j: int, cond: tuple[int, ...], *, rule: Rule, gain: float = np.nan
    ) -> None:
        self.trace.add(phase, action, i, j, cond, rule=rule, statistic=gain)
        self._scores.append(self._scores[-1] + (0.0 if np.isnan(gain) else gain))

    def record(self, move: MAGMove, mag: PAG) -> None:
        """Record a move that led to the MAG; each step is a legal graph."""
        (x, y, at_x, at_y), *colliders = move.changes
        if at_x == at_y == NONE:
            middles = tuple(sorted({c for _v, c, *_ in colliders}))
            self._add(PHASE, Action.REMOVE, x, y, middles, rule=Rule.MAG_REMOVAL, gain=move.gain)
        else:
            action, i, j = _action((x, y, at_x, at_y))
            self._add(PHASE, action, i, j, (), rule=Rule.MAG_ENDS, gain=move.gain)
        for change in _in_legal_order(colliders, self.mag):
            v, c, *_ = change
            action, i, j = _action(change)
            self._add(PHASE, action, i, j, (c, y if v == x else x), rule=Rule.MAG_COLLIDER)
        self.mag = mag

    def add_inducing(self, knowledge: BoundKnowledge) -> None:
        """Add an edge between each pair that no set separates, unless the knowledge forbids it."""
        complete, added = with_inducing_edges(self.mag)
        marks = self.mag.marks.copy()
        for x, y in added:
            if knowledge.apart[x, y]:
                continue
            marks[y, x], marks[x, y] = complete.marks[y, x], complete.marks[x, y]
            action, i, j = _action((x, y, int(marks[y, x]), int(marks[x, y])))
            self._add(INDUCING, action, i, j, (), rule=Rule.INDUCING)
        self.mag = PAG(marks)

    def open_ends(self) -> None:
        """Open both ends of each edge."""
        for i, j in np.argwhere(np.triu(self.mag.skeleton)).tolist():
            self._add(CLASS, Action.UNORIENT, i, j, (), rule=Rule.EQUIVALENT)

    def scores(self, n_changes: int) -> np.ndarray:
        """Return (n_changes + 1,) the score after each change of the trace."""
        return frozen(np.array(self._scores + [self._scores[-1]] * (n_changes + 1 - len(self._scores))))


def _action(change: Change) -> tuple[Action, int, int]:
    """Return the action that makes the marks of a change, and its nodes."""
    i, j, at_i, at_j = change
    if at_i == at_j == ARROW:
        return Action.BIDIRECT, i, j
    return (Action.ORIENT, i, j) if at_i == TAIL else (Action.ORIENT, j, i)


def _in_legal_order(changes: list[Change], mag: PAG) -> list[Change]:
    """Return changes of causes c -> v into c <-> v in an order in which every intermediate graph is legal.

    While another c -> w leads to v, an arrowhead at c from v would contradict it, so w comes before v; and nodes that c
    leads to come before c.
    """
    n_causes = mag.causes.sum(axis=0)
    return sorted(changes, key=lambda change: (n_causes[change[0]], -n_causes[change[1]], change))
