"""`learn`, which runs a learner of the catalogue, and functions that complete its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .common.checks import check_choice
from .common.errors import DataError, ParameterError
from .common.memory import check_run_memory
from .common.progress import LatchedTick, Tick, silent
from .common.relabeling import relabeled
from .common.run_warning import RunWarning
from .common.sentences import Count, Quoted, hundredths, only_if, say, setting
from .common.validation import Positive, Seed, validated
from .common.wording import quoted
from .data.dataset import Dataset
from .data.determination import DeterminedGroup, determination_warnings, groups_by_name
from .data.plan.data_use import use_of
from .families.catalogue import LEARNERS
from .graphs.knowledge import Knowledge, bind
from .independence.selection import looks_for_trends
from .results.completed_cells import CompletedCells
from .results.directions import Directions
from .results.information import Information
from .results.result import DataSize, LearnResult, as_learned, judging_score
from .scores.selection import score_for
from .settings.learner import Learner, NoCache
from .settings.shared import AVAILABLE, MISSING

if TYPE_CHECKING:
    from .families.averaging.bootstrap import LearnOne
    from .families.averaging.calibration import OwnCalibration


@validated
def learn(
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: Any,
) -> LearnResult:
    """Run a learner of `LEARNERS` on a data set.

    Parameters
    ----------
    key : str
        Key of the learner, e.g. "pc".
    dataset : Dataset
    knowledge : Knowledge, optional
    tick : Tick, optional
        Progress listener, ``tick(phase, done, total) -> bool``; False cancels the run.
    seed : int, default 0
        Seed of learners with random steps.
    **params
        Parameters of the learner; the others have their defaults.

    Returns
    -------
    LearnResult

    Raises
    ------
    ParameterError
        If the key, a parameter or the knowledge is wrong.
    DataError
        If the learner cannot take this data.

    Notes
    -----
    Columns are sorted by their names, unless a parameter asks for the order of the table. Ties and other choices that
    depend on the order of the columns then follow the names, so a table has one result.

    Examples
    --------
    >>> from learners import learn, random_gaussian_network, sample
    >>> learn("pc", sample(random_gaussian_network(5, 4, seed=1), 500, seed=1), alpha=0.01).method
    'pc'
    """
    learner = learner_for(key, dataset)
    return learn_checked(
        learner, dataset, learner.checked(dataset.kind, params), knowledge=knowledge, tick=tick, seed=seed
    )


def learner_for(key: str, dataset: Dataset) -> Learner:
    """Return the learner of a key; raise the error of `learn` if it does not accept the data."""
    check_choice("learner", key, list(LEARNERS))
    learner = LEARNERS[key]
    if refusal := learner.refusal(dataset):
        raise DataError(refusal)
    if dataset.p < 2:
        raise DataError(f"a graph needs at least two columns, found {quoted(dataset.names)}; use more columns")
    check_run_memory(dataset.p, learner.bytes_of_pairs(dataset))
    return learner


def learn_checked(
    learner: Learner,
    dataset: Dataset,
    checked: Mapping[str, Any],
    *,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    cache: NoCache | None = None,
    groups: tuple[DeterminedGroup, ...] | None = None,
) -> LearnResult:
    """Run a learner with the parameters of `Learner.checked`, optionally with a cache shared by other runs.

    `groups` are those of `groups_by_name` if known; pass an empty tuple if they are not needed.
    """
    cache, tick = cache or NoCache(), LatchedTick(tick or silent)
    by_columns = learner.follows_columns(checked)
    order = tuple(range(dataset.p)) if by_columns else dataset.by_name
    treated = partial(_treated, dataset, by_columns, checked, knowledge, seed, tick)
    data = cache.once(("data", order, checked.get(MISSING.name)), treated)
    found = learner.run(
        _as_seen(learner, data),
        knowledge=knowledge,
        tick=tick,
        seed=seed,
        cache=cache,
        **learner.with_first_column(checked, dataset.names[0]),
    )
    result, completed = relabeled((found, _completed(learner, data, knowledge, seed, checked)), np.array(order))
    if groups is None:
        groups = groups_by_name(dataset)
    warnings = (
        *result.warnings,
        *determination_warnings(groups, dataset.names),
        *_unseen(result, completed, dataset),
        *_chance(result, dataset, checked),
    )
    described = dataclasses.replace(
        result,
        method=learner.key,
        params=learner.recorded(checked, dataset),
        rows=_size(dataset, checked),
        order=order,
        use=use_of(dataset),
        determined=groups,
        completed=completed,
        warnings=warnings,
        knowledge=bind(knowledge, dataset.names) if knowledge else None,
    )
    return _bound(described, dataset, described.params)


def _size(dataset: Dataset, checked: Mapping[str, Any]) -> DataSize:
    """Return the size of the data of a run with the checked parameters."""
    if dataset.kind != "categorical":
        return DataSize(dataset.n, None, dataset.kind)
    trends = checked.get("test") == "g2" and looks_for_trends(dataset)
    ordered = np.isin(dataset.names, dataset.ordered) if trends else None
    return DataSize(dataset.n, dataset.arity, dataset.kind, ordered)


def _treated(
    dataset: Dataset,
    by_columns: bool,
    checked: Mapping[str, Any],
    knowledge: Knowledge | None,
    seed: Seed,
    tick: Tick = silent,
) -> Dataset:
    """Return the data with its treatment of missing cells, in the order of the names unless `by_columns`."""
    dataset = dataset if by_columns else dataset.in_name_order
    if dataset.complete or checked.get(MISSING.name) == AVAILABLE:
        return dataset
    from .completion.completed import with_completion  # also loads searches, which many runs do not need

    return with_completion(dataset, knowledge=knowledge, seed=seed, tick=tick)


def _as_seen(learner: Learner, dataset: Dataset) -> Dataset:
    """Return the data, or one imputed table for a learner that cannot leave out rows."""
    if learner.takes_missing or dataset.kind != "categorical" or dataset.completion is None:
        return dataset
    return dataset.completion.found.mixed


def _completed(
    learner: Learner, dataset: Dataset, knowledge: Knowledge | None, seed: Seed, params: Mapping[str, Any]
) -> CompletedCells | None:
    """Return a record of the completion of cells; None if no cell was completed."""
    if dataset.completion is None or not dataset.completion.is_used:
        return None
    missing = np.array([1.0 - dataset.is_there(j).mean() for j in range(dataset.p)])
    if dataset.kind != "categorical":
        averaged = dataset.completion.n_tables if "basis" in (params.get("test"), params.get("score")) else 0
        return CompletedCells(missing, 0, knowledge, seed, averaged=averaged)
    found = dataset.completion.found
    adjacent = np.mean([dag | dag.T for dag in found.dags], axis=0)
    tables = found.stack.copies if learner.takes_missing else 1
    return CompletedCells(missing, tables, knowledge, seed, adjacent, len(found.dags))


def _chance(result: LearnResult, dataset: Dataset, params: Mapping[str, Any]) -> tuple[RunWarning, ...]:
    """Return a warning for edges that rest on sparse contingency tables which show no dependence."""
    if not result.complete or dataset.kind == "continuous":
        return ()
    from .data.quality.sparse_tables import has_sparse_table, may_test_sparse_tables, pairs_without_support

    doubted = []
    if has_sparse_table(dataset):
        doubted = pairs_without_support(dataset, np.argwhere(np.triu(result.graph.skeleton)))
    if may_test_sparse_tables(dataset, params):
        from .independence.sparse_table_edges import edges_without_support

        known = {(pair.column, pair.other) for pair in doubted}
        given = edges_without_support(result, dataset, params)
        doubted += [pair for pair in given if (pair.column, pair.other) not in known]
    if not doubted:
        return ()
    most = doubted[0]
    columns = tuple(sorted((dataset.names[most.column], dataset.names[most.other])))
    values = {
        "columns": Quoted(columns),
        "rows": setting(float(f"{most.rows_per_cell:.2g}")),
        "p": hundredths(most.p_value),
        "more": only_if(
            len(doubted) > 1,
            say(" {edges} may be due to chance, too.", edges=Count(len(doubted) - 1, "more edge")),
        ),
    }
    if most.given:
        sentence = say(
            "the edge between {columns} may be due to chance: Pearson's X² given {given} finds no dependence (p = {p}, "
            "{rows} rows per cell). Merge rare levels, or use a learner with Pearson's X² as its test.{more}",
            given=Quoted(sorted(dataset.names[k] for k in most.given)),
            **values,
        )
    else:
        sentence = say(
            "the edge between {columns} may be due to chance: the table of these columns has {rows} rows per cell, and "
            "Pearson's X² finds no dependence in it (p = {p}). Merge rare levels, or use a learner with the "
            "permutation test.{more}",
            **values,
        )
    return (RunWarning("chance", sentence, columns),)


def _unseen(result: LearnResult, completed: CompletedCells | None, dataset: Dataset) -> tuple[RunWarning, ...]:
    """Return a warning for edges between variables of which one does not vary in the rows that have both."""
    if completed is None:
        return ()
    from .data.quality.joint_rows import varies

    there = [dataset.is_there(j) for j in range(dataset.p)]
    pairs = [
        (dataset.names[i], dataset.names[j])
        for i, j in sorted({(min(edge), max(edge)) for edge in result.graph.edges()})
        if not all(varies(dataset, k, there[i] & there[j]) for k in (i, j))
    ]
    if not pairs:
        return ()
    sentence = say(
        "no row shows how {columns} are related; their edge rests on other columns alone{more}",
        columns=Quoted(pairs[0]),
        more=only_if(len(pairs) > 1, say(" ({pairs})", pairs=Count(len(pairs) - 1, "more pair"))),
    )
    return (RunWarning("completed", sentence, pairs[0]),)


def as_seen(result: LearnResult, dataset: Dataset) -> Dataset:
    """Return the data as the learner of a run saw them.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset
        The data of the run.
    """
    ordered = dataset.reordered(list(result.order)) if result.order else dataset
    return _as_seen(LEARNERS[result.method], as_completed(result, ordered))


def as_completed(result: LearnResult, dataset: Dataset) -> Dataset:
    """Return the data as the scores of a run used them, or would have used them.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset
        The data of the run.

    Returns
    -------
    Dataset
        The data set itself if no cell is to be completed.
    """
    completed = result.completed
    if dataset.complete or result.params.get(MISSING.name) == AVAILABLE:
        return dataset
    from .completion.completed import with_completion

    if completed is None:  # tests needed no imputed cells
        return with_completion(dataset)
    return with_completion(dataset, knowledge=completed.knowledge, seed=completed.seed)


def bound(result: LearnResult, dataset: Dataset) -> LearnResult:
    """Bind a result to its data, from which directions and mutual information are computed when requested.

    Results of `learn` are bound; stored results have to be bound again.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset
        The data of the run.
    """
    return _bound(result, dataset, LEARNERS[result.method].with_present_names(result.params))


def _bound(result: LearnResult, dataset: Dataset, params: Mapping[str, Any]) -> LearnResult:
    """Bind a result to its data; `params` are its parameters by their present names."""
    return dataclasses.replace(
        result,
        params=params,
        information=Information(partial(_bits, dataset, result.order)),
        directions=Directions(lambda: as_learned(result, _judged, dataset)),
    )


@validated
def calibrate(
    result: LearnResult,
    dataset: Dataset,
    *,
    tables: Positive = 20,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick | None = None,
) -> OwnCalibration:
    """Measure the calibration of the probabilities of a run on simulated tables.

    A network is fitted to the graph and the data; the run is repeated on tables of the same size drawn from it.

    Parameters
    ----------
    result : LearnResult
        A result with probabilities.
    dataset : Dataset
        Data of the run, without survey weights. Cells that are missing here are missing in the simulated tables, too.
    tables : int, default 20
    knowledge : Knowledge, optional
        The knowledge of the run.
    seed : int, default 0
    tick : Tick, optional
        Progress listener. If it returns False, only the finished tables count.

    Returns
    -------
    OwnCalibration

    Raises
    ------
    ParameterError
        If the run has no probabilities, or no table was finished.
    DataError
        If no network can be fitted to the data.

    Examples
    --------
    >>> from learners import calibrate, learn, load_sample
    >>> asia = load_sample("asia").dataset
    >>> calibrate(learn("bootstrap", asia, base="hc", n_resamples=5), asia, tables=2).n_tables
    2
    """
    if result.posterior is None:
        raise ParameterError(f"{LEARNERS[result.method].label} gives no probabilities to calibrate; take one that does")

    from .families.averaging.calibration import calibrated  # also loads networks, which no other run needs

    def again(table: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(result.method, table, knowledge=knowledge, tick=tick, seed=t, **result.params)

    return calibrated(as_completed(result, dataset), result.graph, again, tables=tables, seed=seed, tick=tick or silent)


def _bits(dataset: Dataset, order: tuple[int, ...], i: int, j: int, *given: int) -> float:
    """Return the mutual information of two variables in bits; the order of the learner affects the last digits."""
    from .evaluation.information import conditional_information_bits, mutual_information_bits

    ends = sorted((i, j), key=order.index)
    if given:
        return conditional_information_bits(dataset, *ends, sorted(given, key=order.index))
    return mutual_information_bits(dataset, *ends)


def _judged(result: LearnResult, dataset: Dataset) -> Directions:
    """Return the support of the arrows, computed in the order of the variables of the result."""
    from .evaluation.directions import direction_support

    data = as_completed(result, dataset.reordered([dataset.index(name) for name in result.names]))
    score = score_for(data, score=judging_score(result, data.kind))
    return Directions(lambda: direction_support(result, score, data.left_out))


def repeated(_dataset: Dataset, *, base: str = "mmhc", knowledge: Knowledge | None = None, seed: Seed = 0) -> LearnOne:
    """Return the learner that the bootstrap repeats, with its defaults and a seed for each resample."""

    def learn_one(resample: Dataset, t: int, tick: Tick) -> LearnResult:
        learner = learner_for(base, resample)
        checked = learner.checked(resample.kind, {})
        return learn_checked(learner, resample, checked, knowledge=knowledge, tick=tick, seed=seed + t, groups=())

    return learn_one
