"""`learn`, which runs one of the learners of the catalogue, and what follows from its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .catalogue import LEARNERS
from .common.checks import check_choice, check_count, check_type
from .common.errors import DataError, ParameterError
from .common.memory import check_pair_memory
from .common.progress import Tick, silent
from .common.relabeling import relabeled
from .common.validation import Positive, Seed, validated
from .common.wording import quoted
from .data.dataset import Dataset
from .data.plan.data_use import use_of
from .graphs.knowledge import Knowledge
from .results.directions import Directions
from .results.information import Information
from .results.result import DataSize, LearnResult, as_learned
from .scores.selection import score_for
from .settings.calls import NoCache
from .settings.learner import Learner

if TYPE_CHECKING:
    from .averaging.bootstrap import LearnOne
    from .averaging.calibration import OwnCalibration


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
        Listener, ``tick(phase, done, total) -> keep going?``.
    seed : int, default 0
        Source of all randomness of learners that have any.
    **params
        Parameters of the learner; those left out take their declared defaults.

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
    Columns are taken in the order of their names, whatever their order in the table, unless a parameter asks for that:
    what a learner leaves to the order, such as ties, follows the names, and one table has one answer.

    Examples
    --------
    >>> from learners import learn, random_gaussian_network, sample
    >>> learn("pc", sample(random_gaussian_network(5, 4, seed=1), 500, seed=1), alpha=0.01).method
    'pc'
    """
    learner = learner_for(key, dataset, seed)
    return learn_checked(
        learner, dataset, learner.checked(dataset.kind, params), knowledge=knowledge, tick=tick, seed=seed
    )


def learner_for(key: str, dataset: Dataset, seed: Seed = 0) -> Learner:
    """The learner of that key; raises as `learn` if it cannot take the data."""
    check_choice("learner", key, list(LEARNERS))
    check_type("dataset", dataset, Dataset, "a Dataset")
    learner = LEARNERS[key]
    if refusal := learner.refusal(dataset):
        raise DataError(refusal)
    if dataset.p < 2:
        raise DataError(f"a graph needs at least two columns, found {quoted(dataset.names)}; use more columns")
    check_count("seed", seed, 0)
    check_pair_memory(dataset.p)
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
) -> LearnResult:
    """As `learn`, with all parameters of `Learner.checked`, and maybe beside other runs on the data."""
    cache = cache or NoCache()
    order = tuple(range(dataset.p)) if learner.follows_columns(checked) else dataset.by_name
    result = learner.run(
        cache.reordered(dataset, order),
        knowledge=knowledge,
        tick=tick or silent,
        seed=seed,
        cache=cache,
        **learner.with_first_column(checked, dataset.names[0]),
    )
    rows = DataSize(dataset.n, dataset.arity if dataset.kind == "categorical" else None)
    told = dataclasses.replace(
        relabeled(result, np.array(order)),
        method=learner.key,
        params=dict(checked),
        rows=rows,
        order=order,
        use=cache.once("use", partial(use_of, dataset)),
    )
    return bound(told, dataset)


def bound(result: LearnResult, dataset: Dataset) -> LearnResult:
    """The result with the data that it was learnt from at hand: directions are judged, and bits counted, when asked.

    What `learn` returns is; what was stored away and read again is not before.

    Parameters
    ----------
    result : LearnResult
    dataset : Dataset
        What it was learnt from.
    """
    return dataclasses.replace(
        result,
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
    """How often what a run said with a probability comes true, on tables like its own.

    The graph's network is fitted to the table, so many tables of as many rows are drawn from it, and the run is
    repeated on each with its own settings.

    Parameters
    ----------
    result : LearnResult
        Of a learner that gives probabilities.
    dataset : Dataset
        What it was learnt from: of one kind, complete.
    tables : int, default 20
    knowledge : Knowledge, optional
        What the run was told.
    seed : int, default 0
    tick : Tick, optional
        Listener; once it returns False those tables count that are done.

    Returns
    -------
    OwnCalibration

    Raises
    ------
    ParameterError
        If the run has no probabilities, or no table was done.
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

    from .averaging.calibration import calibrated  # networks too, which no other run needs

    def again(table: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(result.method, table, knowledge=knowledge, tick=tick, seed=t, **result.params)

    return calibrated(dataset, result.graph, again, tables=tables, seed=seed, tick=tick or silent)


def _bits(dataset: Dataset, order: tuple[int, ...], i: int, j: int) -> float:
    """What two variables share, in the order in which a learner takes them: the last digits depend on it."""
    from .evaluation.information import mutual_information_bits

    return mutual_information_bits(dataset, *sorted((i, j), key=order.index))


def _judged(result: LearnResult, dataset: Dataset) -> Directions:
    """How sure the arrows are, worked out in the order of the result's own variables."""
    from .evaluation.directions import direction_support

    data = dataset.reordered([dataset.index(name) for name in result.names])
    score = score_for(data, score="bdeu" if data.kind == "categorical" else "bic")
    return Directions(lambda: direction_support(result, score))


def repeated(_dataset: Dataset, *, base: str = "mmhc", knowledge: Knowledge | None = None, seed: Seed = 0) -> LearnOne:
    """The learner that the bootstrap repeats, with its own defaults and a seed for each resample."""

    def learn_one(resample: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(base, resample, knowledge=knowledge, tick=tick, seed=seed + t)

    return learn_one
