"""What takes long, in a worker process: the same result, bit for bit, and this process free for others.

The processes are `common.workers.Workers` of this machine, or a `common.cluster.Cluster` by address.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .averaging.own_calibration import OwnCalibration
from .common.pool import Laid, Pool, Running
from .common.progress import Tick
from .data.dataset import Dataset
from .graphs.knowledge import Knowledge
from .registry import bound, calibrate, learn
from .results.directions import Directions
from .results.information import Information
from .results.result import LearnResult
from .sweeping.sweep import swept, swept_two

Found = Iterator[tuple[int, LearnResult]]


def learn_apart(
    workers: Pool,
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: int = 0,
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
    seed: int = 0,
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


def calibrate_apart(
    workers: Pool,
    result: LearnResult,
    dataset: Dataset,
    *,
    tables: int = 20,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: int = 0,
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
    laid: Laid, key: str, knowledge: Knowledge | None, seed: int, params: Mapping[str, Any], *, tick: Tick
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
    seed: int,
    params: Mapping[str, Any],
    *,
    tick: Tick,
) -> Found:
    """What a worker does of `swept_apart`."""
    given = {"knowledge": knowledge, "tick": tick, "seed": seed, **params}
    if len(parameters) == 2:
        runs = swept_two(key, laid(), *parameters, *values, near=near, **given)
    else:
        runs = swept(key, laid(), *parameters, *values, near=near[0], **given)
    for position, result in runs:
        yield position, _plain(result)


def _calibrated(
    laid: Laid, result: LearnResult, tables: int, knowledge: Knowledge | None, seed: int, *, tick: Tick
) -> OwnCalibration:
    """What a worker does of `calibrate_apart`."""
    return calibrate(result, laid(), tables=tables, knowledge=knowledge, seed=seed, tick=tick)
