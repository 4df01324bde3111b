"""LEARNERS, the table of all learners, and `learn`, which runs one of them.

Each family lists its learners in its own `entry.py`. Only the bootstrap, which runs any other learner, is listed here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from .averaging import entry as averaging
from .averaging.bootstrap import LearnOne, bootstrap
from .averaging.own_calibration import OwnCalibration, calibrated
from .averaging.settings import FREQUENT, N_RESAMPLES, SHARE
from .brai import entry as brai
from .cimap import entry as cimap
from .common.checks import check_choice, check_count, check_type, quoted
from .common.errors import DataError, ParameterError
from .common.memory import allow_pairs
from .common.numbering import renumbered
from .common.progress import Tick, silent
from .common.validation import Seed, validated
from .constraint_based import entry as constraint_based
from .data.dataset import Dataset
from .data.use import use_of
from .evaluation.directions import judged
from .evaluation.information import bits_shared
from .graphs.knowledge import Knowledge
from .h2pc import entry as h2pc
from .hybrid import entry as hybrid
from .lmm import entry as lmm
from .phgs import entry as phgs
from .results.directions import Directions
from .results.information import Information
from .results.result import LearnResult, Rows, as_learned
from .score_based import entry as score_based
from .settings.binding import score_for, the_data
from .settings.learner import EVERY_KIND, Learner
from .settings.parameter import Parameter
from .settings.shared import ESS, SCORE, SCORE_OF_NUMBERS
from .settings.sharing import Alone

FAMILIES = (constraint_based, score_based, hybrid, lmm, phgs, cimap, brai, h2pc, averaging)
LEARNERS: dict[str, Learner] = {one.key: one for one in chain.from_iterable(family.ENTRIES for family in FAMILIES)}


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
    allow_pairs(dataset.p)
    return learner


def learn_checked(
    learner: Learner,
    dataset: Dataset,
    checked: Mapping[str, Any],
    *,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    sharing: Alone | None = None,
) -> LearnResult:
    """As `learn`, with all parameters of `Learner.checked`, and maybe beside other runs on the data."""
    sharing = sharing or Alone()
    order = tuple(range(dataset.p)) if learner.follows_columns(checked) else dataset.by_name
    result = learner.run(
        sharing.reordered(dataset, order),
        knowledge=knowledge,
        tick=tick or silent,
        seed=seed,
        sharing=sharing,
        **learner.with_first_column(checked, dataset.names[0]),
    )
    rows = Rows(dataset.n, dataset.arity if dataset.kind == "categorical" else None)
    told = dataclasses.replace(
        renumbered(result, np.array(order)),
        method=learner.key,
        params=dict(checked),
        rows=rows,
        order=order,
        use=sharing.once("use", partial(use_of, dataset)),
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
    tables: int = 20,
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

    def again(table: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(result.method, table, knowledge=knowledge, tick=tick, seed=t, **result.params)

    return calibrated(dataset, result.graph, again, tables=tables, seed=seed, tick=tick or silent)


def _bits(dataset: Dataset, order: tuple[int, ...], i: int, j: int) -> float:
    """What two variables share, in the order in which a learner takes them: the last digits depend on it."""
    return bits_shared(dataset, *sorted((i, j), key=order.index))


def _judged(result: LearnResult, dataset: Dataset) -> Directions:
    """How sure the arrows are, worked out in the order of the result's own variables."""
    data = dataset.reordered([dataset.index(name) for name in result.names])
    score = score_for(data, score="bdeu" if data.kind == "categorical" else "bic")
    return Directions(lambda: judged(result, score))


def repeated(_dataset: Dataset, *, base: str = "mmhc", knowledge: Knowledge | None = None, seed: Seed = 0) -> LearnOne:
    """The learner that the bootstrap repeats, with its own defaults and a seed for each resample."""

    def learn_one(resample: Dataset, t: int, tick: Tick) -> LearnResult:
        return learn(base, resample, knowledge=knowledge, tick=tick, seed=seed + t)

    return learn_one


def cost_of_bootstrap(dataset: Dataset, *, base: str, n_resamples: int, **_others: Any) -> float:
    """Seconds of the learner times the resamples; 0 if it cannot take the data."""
    if LEARNERS[base].refusal(dataset):
        return 0.0
    return n_resamples * LEARNERS[base].estimate(dataset, **LEARNERS[base].checked(dataset.kind, {}))


LEARNERS["bootstrap"] = Learner(
    key="bootstrap",
    label="Bootstrap",
    summary="Runs another learner on many resamples of the rows, and tells how often each kind of edge came up.",
    choose_if="you want to know which edges would come back on other rows",
    paper="Friedman, Goldszmidt and Wyner (1999)",
    family="hybrid",
    kinds=EVERY_KIND,
    settings=(
        Parameter(
            "base",
            "Learner repeated",
            choices=tuple(LEARNERS),
            words=tuple(learner.label for learner in LEARNERS.values()),
            help="What runs on each resample, with its own defaults.",
            up="",
            down="",
            source="MMHC: the comparison of Rohekar et al. (2018)",
        ),
        N_RESAMPLES,
        FREQUENT,
        SHARE,
        SCORE,
        SCORE_OF_NUMBERS,
        ESS,
    ),
    function=bootstrap,
    needs=(the_data, score_for, repeated),
    cost=cost_of_bootstrap,
    cost_needs=(the_data,),
    spreads=True,
)
