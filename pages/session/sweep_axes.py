"""Axes of a sweep around the run on screen: its parameters, and variants of its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from learners.common.progress import Tick, silent
from learners.common.task_pool import TaskHandle
from learners.data.dataset import Dataset
from learners.evaluation.held_out_likelihood import HeldOutRows
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from learners.settings.parameter import Parameter
from learners.sweeping.curves import held_out_likelihoods
from learners.sweeping.runs import PHASE, default_values, nearest_first
from learners.sweeping.sweep import swept, swept_two
from learners.sweeping.tables import Tables, fewer_rows, other_bins, random_halves, without_columns, without_groups
from learners.sweeping.values import MAX_VALUES, MAX_VALUES_OF_TWO, in_order
from learners.workers.remote import learn_in_worker, predict_in_worker, sweep_in_worker
from pages.session.jobs import dispatch
from pages.session.state import Run
from viz.sweeping.strip import Axis

MAX_LEVELS = 30  # maximum number of levels of a column whose groups are left out one by one
ROWS, HALVES, COLUMNS, GROUPS, BINS = "data rows", "data halves", "data columns", "data groups", "data bins"
OTHER_DATA = {
    ROWS: "Fewer rows (learning curve)",
    HALVES: "Random halves of the rows",
    COLUMNS: "Without a column",
    GROUPS: "Without a group of rows",
    BINS: "Other bins of a column",
}
Found = Iterator[tuple[int, LearnResult]]


@dataclass(frozen=True)
class Swept:
    """The values of a sweep, and the function that runs the learner at each value.

    Attributes
    ----------
    axis : Axis
    base : int
        Position of the run itself.
    along : callable
        ``along(dataset, tick, running)`` yields each position with its result, as results arrive; `running` is the
            state of the remote task if a worker runs it. A sweep over tables ignores `dataset`.
    at : callable
        ``at(position, tick)`` returns the result at a position and the data set that it was learned from.
    parameter : Parameter or None
        None if the sweep is over tables.
    aside : callable or None
        ``aside(train, new, tick, running)`` yields the mean log-likelihood that the graph learned from `train` at each
        position gives to the rows `new`; None if the sweep is over tables.
    """

    axis: Axis
    base: int
    along: Callable[[Dataset, Tick, TaskHandle | None], Found]
    at: Callable[[int, Tick], tuple[LearnResult, Dataset]]
    parameter: Parameter | None = None
    aside: Callable[[Dataset, Dataset, Tick, TaskHandle | None], Iterator[tuple[int, float]]] | None = None


def parameters_of(run: Run) -> dict[str, Parameter]:
    """Return the parameters of a run that have at least two values to sweep, by name."""
    learner, params = LEARNERS[run.result.method], run.result.params
    counted = [
        parameter
        for parameter in learner.parameters_of(run.dataset)
        if parameter.counts(params) and not parameter.column
    ]
    return {parameter.name: parameter for parameter in counted if len(values_of(run, parameter)) > 1}


def columns_of(run: Run, name: str) -> list[str]:
    """Return the columns offered by a sweep over tables; empty if it needs no column."""
    if name == GROUPS:
        data = run.dataset
        small = {n: data.levels[data.place[j]] for j, n in enumerate(data.names) if data.kinds[j] == "categorical"}
        return [column for column, levels in small.items() if 2 <= len(levels) <= MAX_LEVELS]
    if name == BINS:
        plan = run.source.plan
        return (
            [column.name for column in plan.used if column.binning is not None and column.kind == "categorical"]
            if plan
            else []
        )
    return []


def other_data_of(run: Run) -> dict[str, str]:
    """Return the available sweeps over tables with their labels."""
    if run.aside is not None:  # the run learned from a part of the table
        return {}
    offered = {ROWS: run.dataset.n_rows > 1, HALVES: run.dataset.n_rows > 3, COLUMNS: run.dataset.p > 2}
    offered |= {name: bool(columns_of(run, name)) for name in (GROUPS, BINS)}
    return {name: label for name, label in OTHER_DATA.items() if offered[name]}


def of_parameter(run: Run, parameter: Parameter) -> Swept:
    """Sweep one parameter, with all other parameters as in the run."""
    values, params = values_of(run, parameter), dict(run.result.params)
    own = params.pop(parameter.name)
    given = {"knowledge": run.knowledge, "seed": run.seed}
    along, aside = _of_run(run, (parameter.name,), (values,), (own,))

    def at(position: int, tick: Tick) -> tuple[LearnResult, Dataset]:
        chosen = {**params, parameter.name: values[position]}
        return learn(run.result.method, run.dataset, tick=tick, **given, **chosen), run.dataset

    return Swept(Axis.of_parameter(parameter, values), values.index(own), along, at, parameter, aside)


def _of_run(
    run: Run, names: tuple[str, ...], values: tuple[tuple[Any, ...], ...], own: tuple[Any, ...]
) -> tuple[Callable[..., Found], Callable[..., Iterator[tuple[int, float]]]]:
    """Return `Swept.along` and `Swept.aside` for one or two parameters of a run, with the others as in the run."""
    key, params = run.result.method, {name: value for name, value in run.result.params.items() if name not in names}
    given = {"knowledge": run.knowledge, "seed": run.seed, **params}

    def along(dataset: Dataset, tick: Tick, running: TaskHandle | None) -> Found:
        if running is not None:
            there = (dispatch.workers(), key, dataset, names, values)
            return sweep_in_worker(*there, near=own, tick=tick, running=running, **given)
        if len(names) == 2:
            return swept_two(key, dataset, *names, *values, near=own, tick=tick, **given)
        return swept(key, dataset, *names, *values, near=own[0], tick=tick, **given)

    def aside(train: Dataset, new: Dataset, tick: Tick, running: TaskHandle | None) -> Iterator[tuple[int, float]]:
        if running is None:
            return held_out_likelihoods(along(train, tick, None), HeldOutRows(train, new))
        there = (dispatch.workers(), key, train, new, names, values)
        return predict_in_worker(*there, near=own, tick=tick, running=running, **given)

    return along, aside


def of_two(run: Run, first: Parameter, second: Parameter) -> tuple[Swept, Axis, Axis]:
    """Sweep all pairs of values of two parameters, row by row, and return the two axes."""
    axes = [Axis.of_parameter(parameter, values_of(run, parameter, MAX_VALUES_OF_TWO)) for parameter in (first, second)]
    names, pairs = (first.name, second.name), list(product(*(axis.values for axis in axes)))
    own = tuple(run.result.params[name] for name in names)
    params = {name: value for name, value in run.result.params.items() if name not in names}
    given = {"knowledge": run.knowledge, "seed": run.seed}
    along, aside = _of_run(run, names, tuple(axis.values for axis in axes), own)

    def at(position: int, tick: Tick) -> tuple[LearnResult, Dataset]:
        chosen = {**params, **dict(zip(names, pairs[position], strict=True))}
        return learn(run.result.method, run.dataset, tick=tick, **given, **chosen), run.dataset

    texts = tuple(" and ".join(pair) for pair in product(*(axis.texts for axis in axes)))
    both = Axis("_".join(names), " and ".join(axis.label for axis in axes), tuple(pairs), texts)
    return Swept(both, pairs.index(own), along, at, first, aside), *axes


def of_other_data(run: Run, name: str, column: str = "") -> Swept:
    """Sweep variants of the table, with the settings of the run."""
    makers: Mapping[str, Callable[[], Tables]] = {
        ROWS: partial(fewer_rows, run.dataset),
        HALVES: partial(random_halves, run.dataset),
        COLUMNS: partial(without_columns, run.dataset),
        GROUPS: partial(without_groups, run.dataset, column),
        BINS: lambda: other_bins(run.source.table, run.source.plan, column),
    }
    tables = makers[name]()
    left_out = (None, *range(run.dataset.p)) if name == COLUMNS else ()
    axis = Axis.of_texts(name.replace(" ", "_"), tables.label, tables.names, left_out)

    def at(position: int, tick: Tick, learner: Callable[..., Any] = learn) -> tuple[LearnResult, Dataset]:
        table = tables.make(position)
        known = None if run.knowledge is None else run.knowledge.over(table.names)
        return learner(run.result.method, table, knowledge=known, tick=tick, seed=run.seed, **run.result.params), table

    def along(_dataset: Dataset, tick: Tick, running: TaskHandle | None) -> Found:
        learner = partial(learn_in_worker, dispatch.workers(), running=running) if running else learn
        for number, position in enumerate(nearest_first(range(len(tables)), tables.base)):
            if not tick(PHASE, number, len(tables)):
                return
            result, _ = at(position, tick, learner)
            if result is None or not result.complete:
                return
            yield position, result

    return Swept(axis, tables.base, along, at)


def result_at(one: Swept, position: int) -> tuple[LearnResult, Dataset]:
    """Learn the result at a position now."""
    return one.at(position, silent)


def values_of(run: Run, parameter: Parameter, most: int = MAX_VALUES) -> tuple[Any, ...]:
    """Return the values of a parameter to sweep, including that of the run."""
    params = dict(run.result.params)
    own = params.pop(parameter.name)
    values = default_values(LEARNERS[run.result.method], run.dataset, parameter.name, params, most)
    return values if own in values else in_order((*values, own), parameter, run.dataset.n, run.dataset.p)
