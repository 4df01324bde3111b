"""Run learners, sweeps, calibrations and verdicts in worker processes.

The results equal those in this process bit for bit. The workers belong to a `common.process_pool.ProcessPool` on this
machine or to a `common.cluster.Cluster`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..choosing.trial import Trial, trial
from ..common.errors import ParameterError
from ..common.progress import Tick
from ..common.task_pool import Loader, Pool, TaskHandle
from ..common.validation import Seed, validated
from ..data.dataset import Dataset
from ..evaluation.held_out_likelihood import HeldOutRows
from ..families.averaging.calibration import OwnCalibration
from ..graphs.knowledge import Knowledge
from ..registry import bound, calibrate, learn
from ..results.directions import Directions
from ..results.information import Information
from ..results.result import LearnResult
from ..sweeping.curves import held_out_likelihoods
from ..sweeping.priors import PriorDifference, under_priors
from ..sweeping.sweep import swept, swept_two
from ..verdict.trust import Trust, trust

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
    """Run `learn` in a worker, with the table memory-mapped where possible.

    Returns
    -------
    LearnResult or None
        None if the run was cancelled before it started.

    Raises
    ------
    WorkerLost
        If the worker died or was killed.
    LearnersError
        See `learn`.
    """
    with workers.share(_without_derived(dataset)) as laid:
        result = workers.call(_learned, laid, key, knowledge, seed, params, tick=tick, running=running)
    return result and bound(result, dataset)


def write_result(path: str, result: LearnResult) -> None:
    """Pack a result into a file; a `rescue` of `learn_in_worker`."""
    from ..store.blobs import write_atomically  # workers rarely need the store
    from ..store.packing import pack

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
    """Run `swept` for one parameter or `swept_two` for two in a worker; raise errors as `learn_in_worker` does.

    A sweep that restarts on another worker yields its results again.
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
    """Run `sweeping.held_out_likelihoods` of a sweep of `train` in a worker; see `sweep_in_worker`."""
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
    """Run `trial` in a worker; return None and raise errors as `learn_in_worker` does."""
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
    """Run `under_priors` in a worker; return None and raise errors as `learn_in_worker` does."""
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
    """Run `calibrate` in a worker; return None and raise errors as `learn_in_worker` does."""
    with workers.share(_without_derived(dataset)) as laid:
        asked = (_without_derived_parts(result), tables, knowledge, seed)
        return workers.call(_calibrated, laid, *asked, tick=tick, running=running)


@validated
def trust_in_worker(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    tick: Tick,
    running: TaskHandle | None = None,
) -> Trust | None:
    """Run `trust` in a worker; return None and raise errors as `learn_in_worker` does."""
    with workers.share(_without_derived(dataset)) as laid:
        return workers.call(_trusted, laid, _without_derived_parts(result), tick=tick, running=running)


def _without_derived(dataset: Dataset) -> Dataset:
    """Return a copy without cached values."""
    return dataclasses.replace(dataset)


def _without_derived_parts(result: LearnResult) -> LearnResult:
    """Return a copy without the parts that are computed on demand from the data, which stay in the parent process."""
    return dataclasses.replace(result, directions=Directions(), information=Information())


def _learned(
    laid: Loader, key: str, knowledge: Knowledge | None, seed: Seed, params: Mapping[str, Any], *, tick: Tick
) -> LearnResult:
    """Run `learn` in a worker, for `learn_in_worker`."""
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
            f"a sweep needs values and a start for each of one or two parameters; got {len(parameters)} parameters, "
            f"{len(values)} lists of values and {len(near)} starts. Pass one of each for each parameter"
        )
    given = {"knowledge": knowledge, "tick": tick, "seed": seed, **params}
    if len(parameters) == 2:
        runs = swept_two(key, laid(), *parameters, *values, near=near, **given)
    else:
        runs = swept(key, laid(), *parameters, *values, near=near[0], **given)
    for position, result in runs:
        yield position, _without_derived_parts(result)


def _predicted(laid: Loader, aside: Loader, *asked: Any, tick: Tick) -> Iterator[tuple[int, float]]:
    """Score a sweep in a worker, for `predict_in_worker`."""
    train = laid()
    yield from held_out_likelihoods(_swept(lambda: train, *asked, tick=tick), HeldOutRows(train, aside()))


def _tried(laid: Loader, keys: tuple[str, ...], knowledge: Knowledge | None, seed: Seed, *, tick: Tick) -> Trial:
    """Run a trial in a worker, for `trial_in_worker`."""
    return _each_result(trial(laid(), keys, knowledge=knowledge, seed=seed, tick=tick), _without_derived_parts)


def _each_result(found: Trial, change: Callable[[LearnResult], LearnResult]) -> Trial:
    return dataclasses.replace(
        found, tried=tuple(dataclasses.replace(one, result=change(one.result)) for one in found.tried)
    )


def _under_priors(
    laid: Loader, result: LearnResult, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> PriorDifference | None:
    """Compare priors in a worker, for `compare_priors_in_worker`."""
    return under_priors(result, laid(), knowledge=knowledge, seed=seed, tick=tick)


def _calibrated(
    laid: Loader, result: LearnResult, tables: int, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> OwnCalibration:
    """Calibrate a result in a worker, for `calibrate_in_worker`."""
    return calibrate(result, laid(), tables=tables, knowledge=knowledge, seed=seed, tick=tick)


def _trusted(laid: Loader, result: LearnResult, *, tick: Tick) -> Trust | None:
    """Judge the arrows of a result in a worker, for `trust_in_worker`."""
    return trust(result, laid(), tick=tick)
