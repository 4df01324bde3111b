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
from .common.pool import Laid, Pool, Running
from .common.progress import Tick
from .common.validation import Seed, validated
from .data.dataset import Dataset
from .evaluation.foretelling import RowsAside
from .graphs.knowledge import Knowledge
from .registry import bound, calibrate, learn
from .results.directions import Directions
from .results.information import Information
from .results.result import LearnResult
from .sweeping.curves import foretold
from .sweeping.priors import PriorDifference, under_priors
from .sweeping.sweep import swept, swept_two

Found = Iterator[tuple[int, LearnResult]]


@validated
def learn_apart(
    workers: Pool,
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: Running | None = None,
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
    with workers.laid_out(_fresh(dataset)) as laid:
        result = workers.do(_learned, laid, key, knowledge, seed, params, tick=tick, running=running)
    return result and bound(result, dataset)


def leave(path: str, result: LearnResult) -> None:
    """Pack a result into a file: a `rescue` of `learn_apart`."""
    from .store.packing import pack
    from .store.parts import write_whole  # no worker needs the store before

    write_whole(Path(path), pack(result))


@validated
def swept_apart(
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
    running: Running | None = None,
    **params: Any,
) -> Found:
    """As `swept` of one parameter, or `swept_two` of two, in a process of `workers`; raises as `learn_apart`.

    A sweep that began again on another worker yields again what it had yielded.
    """
    with workers.laid_out(_fresh(dataset)) as laid:
        asked = (key, tuple(parameters), tuple(values), tuple(near), knowledge, seed, params)
        for position, result in workers.each(_swept, laid, *asked, tick=tick, running=running):
            yield position, bound(result, dataset)


@validated
def foretold_apart(
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
    running: Running | None = None,
    **params: Any,
) -> Iterator[tuple[int, float]]:
    """As `sweeping.foretold` of a sweep of `train` for the rows `new`; else as `swept_apart`."""
    with workers.laid_out(_fresh(train)) as laid, workers.laid_out(_fresh(new)) as aside:
        asked = (key, tuple(parameters), tuple(values), tuple(near), knowledge, seed, params)
        yield from workers.each(_foretold, laid, aside, *asked, tick=tick, running=running)


@validated
def trial_apart(
    workers: Pool,
    dataset: Dataset,
    keys: Sequence[str],
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: Running | None = None,
) -> Trial | None:
    """As `trial`, in a process of `workers`; None and errors as for `learn_apart`."""
    with workers.laid_out(_fresh(dataset)) as laid:
        found = workers.do(_tried, laid, tuple(keys), knowledge, seed, tick=tick, running=running)
    return found and _each_result(found, lambda result: bound(result, dataset))


@validated
def under_priors_apart(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: Running | None = None,
) -> PriorDifference | None:
    """As `under_priors`, in a process of `workers`; None and errors as for `learn_apart`."""
    with workers.laid_out(_fresh(dataset)) as laid:
        return workers.do(_under_priors, laid, _plain(result), knowledge, seed, tick=tick, running=running)


@validated
def calibrate_apart(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    tables: int = 20,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: Seed = 0,
    running: Running | None = None,
) -> OwnCalibration | None:
    """As `calibrate`, in a process of `workers`; None and errors as for `learn_apart`."""
    with workers.laid_out(_fresh(dataset)) as laid:
        asked = (_plain(result), tables, knowledge, seed)
        return workers.do(_calibrated, laid, *asked, tick=tick, running=running)


def _fresh(dataset: Dataset) -> Dataset:
    """Without what was worked out of it."""
    return dataclasses.replace(dataset)


def _plain(result: LearnResult) -> LearnResult:
    """Without what is worked out of the data when asked, which stays where the data are."""
    return dataclasses.replace(result, directions=Directions(dict), information=Information())


def _learned(
    laid: Laid, key: str, knowledge: Knowledge | None, seed: Seed, params: Mapping[str, Any], *, tick: Tick
) -> LearnResult:
    """What a worker does of `learn_apart`."""
    return _plain(learn(key, laid(), knowledge=knowledge, tick=tick, seed=seed, **params))


def _swept(
    laid: Laid,
    key: str,
    parameters: tuple[str, ...],
    values: tuple[Sequence[Any] | None, ...],
    near: tuple[Any, ...],
    knowledge: Knowledge | None,
    seed: Seed,
    params: Mapping[str, Any],
    *,
    tick: Tick,
) -> Found:
    """Run a sweep in a worker, for `swept_apart`."""
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
        yield position, _plain(result)


def _foretold(laid: Laid, aside: Laid, *asked: Any, tick: Tick) -> Iterator[tuple[int, float]]:
    """What a worker does of `foretold_apart`."""
    train = laid()
    yield from foretold(_swept(lambda: train, *asked, tick=tick), RowsAside(train, aside()))


def _tried(laid: Laid, keys: tuple[str, ...], knowledge: Knowledge | None, seed: Seed, *, tick: Tick) -> Trial:
    """What a worker does of `trial_apart`."""
    return _each_result(trial(laid(), keys, knowledge=knowledge, seed=seed, tick=tick), _plain)


def _each_result(found: Trial, change: Callable[[LearnResult], LearnResult]) -> Trial:
    return dataclasses.replace(
        found, tried=tuple(dataclasses.replace(one, result=change(one.result)) for one in found.tried)
    )


def _under_priors(
    laid: Laid, result: LearnResult, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> PriorDifference | None:
    """What a worker does of `under_priors_apart`."""
    return under_priors(result, laid(), knowledge=knowledge, seed=seed, tick=tick)


def _calibrated(
    laid: Laid, result: LearnResult, tables: int, knowledge: Knowledge | None, seed: Seed, *, tick: Tick
) -> OwnCalibration:
    """What a worker does of `calibrate_apart`."""
    return calibrate(result, laid(), tables=tables, knowledge=knowledge, seed=seed, tick=tick)
