"""What takes long, in a worker process: the same result, bit for bit, and this process free for others.

The processes are `common.workers.Workers` of this machine, or a `common.cluster.Cluster` by address.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .averaging.calibration import OwnCalibration
from .choosing.trial import Trial, trial
from .common.errors import ParameterError
from .common.pool import Loader, Pool, TaskHandle
from .common.progress import Tick
from .common.validation import Seed, validated
from .data.dataset import Dataset
from .evaluation.held_out_likelihood import HeldOutRows
from .graphs.knowledge import Knowledge
from .registry import bound, calibrate, learn
from .results.directions import Directions
from .results.information import Information
from .results.result import LearnResult
from .sweeping.curves import foretold
from .sweeping.priors import PriorDifference, under_priors
from .sweeping.sweep import swept, swept_two

SweepResults = Iterator[tuple[int, LearnResult]]


@validated
def learn_in_worker(
    workers: Pool,
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
    **params: Any,
) -> LearnResult | None:
    """As `learn`, in a process of `workers`; the table is mapped there, not copied.

    None if it was cancelled before a worker had taken it.

    Raises
    ------
    WorkerLost
        If the process died, or had to be killed.
    LearnersError
        As `learn`.
    """
    with workers.share(_without_derived(dataset)) as laid:
        result = workers.call(_learned, laid, key, knowledge, seed, params, tick=tick, running=running)
    return result and bound(result, dataset)


def write_result(path: str, result: LearnResult) -> None:
    """Pack a result into a file: a `rescue` of `learn_in_worker`."""
    from .store.blobs import write_atomically  # no worker needs the store before
    from .store.packing import pack

    write_atomically(Path(path), pack(result))


@validated
def sweep_in_worker(
    workers: Pool,
    key: str,
    dataset: Dataset,
    parameters: Sequence[str],
    values: Sequence[Sequence[Any] | None],
    *,
    near: Sequence[Any],
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
    **params: Any,
) -> SweepResults:
    """As `swept` of one parameter, or `swept_two` of two, in a process of `workers`; raises as `learn_in_worker`.

    A sweep that began again on another worker yields again what it had yielded.
    """
    with workers.share(_without_derived(dataset)) as laid:
        asked = (key, tuple(parameters), tuple(values), tuple(near), knowledge, seed, params)
        for position, result in workers.stream(_swept, laid, *asked, tick=tick, running=running):
            yield position, bound(result, dataset)


@validated
def predict_in_worker(
    workers: Pool,
    key: str,
    train: Dataset,
    new: Dataset,
    parameters: Sequence[str],
    values: Sequence[Sequence[Any] | None],
    *,
    near: Sequence[Any],
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
    **params: Any,
) -> Iterator[tuple[int, float]]:
    """As `sweeping.foretold` of a sweep of `train` for the rows `new`; else as `sweep_in_worker`."""
    with workers.share(_without_derived(train)) as laid, workers.share(_without_derived(new)) as aside:
        asked = (key, tuple(parameters), tuple(values), tuple(near), knowledge, seed, params)
        yield from workers.stream(_predicted, laid, aside, *asked, tick=tick, running=running)


@validated
def trial_in_worker(
    workers: Pool,
    dataset: Dataset,
    keys: Sequence[str],
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
) -> Trial | None:
    """As `trial`, in a process of `workers`; None and errors as for `learn_in_worker`."""
    with workers.share(_without_derived(dataset)) as laid:
        found = workers.call(_tried, laid, tuple(keys), knowledge, seed, tick=tick, running=running)
    return found and _each_result(found, lambda result: bound(result, dataset))


@validated
def compare_priors_in_worker(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
) -> PriorDifference | None:
    """As `under_priors`, in a process of `workers`; None and errors as for `learn_in_worker`."""
    with workers.share(_without_derived(dataset)) as laid:
        return workers.call(
            _under_priors, laid, _without_derived_parts(result), knowledge, seed, tick=tick, running=running
        )


@validated
def calibrate_in_worker(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    tables: int = 20,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: TaskHandle | None = None,
) -> OwnCalibration | None:
    """As `calibrate`, in a process of `workers`; None and errors as for `learn_in_worker`."""
    with workers.share(_without_derived(dataset)) as laid:
        asked = (_without_derived_parts(result), tables, knowledge, seed)
        return workers.call(_calibrated, laid, *asked, tick=tick, running=running)


def _without_derived(dataset: Dataset) -> Dataset:
    """Without what was worked out of it."""
    return dataclasses.replace(dataset)


def _without_derived_parts(result: LearnResult) -> LearnResult:
    """Without what is worked out of the data when asked, which stays where the data are."""
    return dataclasses.replace(result, directions=Directions(dict), information=Information())


def _learned(
    laid: Loader, key: str, knowledge: Knowledge | None, seed: Seed, params: Mapping[str, Any], *, tick: Tick
) -> LearnResult:
    """What a worker does of `learn_in_worker`."""
    return _without_derived_parts(learn(key, laid(), knowledge=knowledge, tick=tick, seed=seed, **params))


def _swept(
    laid: Loader,
    key: str,
    parameters: tuple[str, ...],
    values: tuple[Sequence[Any] | None, ...],
    near: tuple[Any, ...],
    knowledge: Knowledge | None,
    seed: Seed,
    params: Mapping[str, Any],
    *,
    tick: Tick,
) -> SweepResults:
    """Run a sweep in a worker, for `sweep_in_worker`."""
    counts = {len(parameters), len(values), len(near)}
    if counts not in ({1}, {2}):
        raise ParameterError(
            f"one or two parameters are swept, with as many values and near ones, got {len(parameters)} parameters, "
            f"{len(values)} values and {len(near)} near ones; pass one of each for each parameter"
        )
    given = {"knowledge": knowledge, "tick": tick, "seed": seed, **params}
    if len(parameters) == 2:
        runs = swept_two(key, laid(), *parameters, *values, near=near, **given)
    else:
        runs = swept(key, laid(), *parameters, *values, near=near[0], **given)
    for position, result in runs:
        yield position, _without_derived_parts(result)


def _predicted(laid: Loader, aside: Loader, *asked: Any, tick: Tick) -> Iterator[tuple[int, float]]:
    """What a worker does of `predict_in_worker`."""
    train = laid()
    yield from foretold(_swept(lambda: train, *asked, tick=tick), HeldOutRows(train, aside()))


def _tried(laid: Loader, keys: tuple[str, ...], knowledge: Knowledge | None, seed: Seed, *, tick: Tick) -> Trial:
    """What a worker does of `trial_in_worker`."""
    return _each_result(trial(laid(), keys, knowledge=knowledge, seed=seed, tick=tick), _without_derived_parts)


def _each_result(found: Trial, change: Callable[[LearnResult], LearnResult]) -> Trial:
    return dataclasses.replace(
        found, tried=tuple(dataclasses.replace(one, result=change(one.result)) for one in found.tried)
    )


def _under_priors(
    laid: Loader, result: LearnResult, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> PriorDifference | None:
    """What a worker does of `compare_priors_in_worker`."""
    return under_priors(result, laid(), knowledge=knowledge, seed=seed, tick=tick)


def _calibrated(
    laid: Loader, result: LearnResult, tables: int, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> OwnCalibration:
    """What a worker does of `calibrate_in_worker`."""
    return calibrate(result, laid(), tables=tables, knowledge=knowledge, seed=seed, tick=tick)
