"""Tests of tables with nothing to learn: no column, one column, or at most one column that varies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from learners import LEARNERS, DataError, Dataset, LearnersError, learn
from learners.data.dataset import Kind
from learners.registry import learn_checked
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter

ROWS = 40
QUICK = {"steps": 2_000, "run_on": 0, "n_resamples": 2}  # settings that keep learners with repeated work quick
PAIRS = [(key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds]
TABLES = list(product((2, 3, 4), (None, 0, 1), (False, True)))  # number of columns, the varying one, missing cells
SOME = [(2, None, False), (3, 0, True), (4, None, True), (4, 1, False)]


ASKING = {"min_size", "cut"}  # with 0 edges or 0 bits, any information adds an edge


def table(kind: Kind, p: int, varies: int | None, missing: bool) -> Dataset:
    """Return constant columns, except for the varying one; mixed data alternate categorical and continuous columns."""
    codes, names = np.zeros((p, ROWS), dtype=int), [f"column {k}" for k in range(p)]
    if varies is not None:
        codes[varies] = np.arange(ROWS) % 3
    values = codes.T * 1.5 + 2.0
    if missing:
        for k in range(p):
            codes[k, k::5], values[k::5, k] = -1, np.nan
    coded = [kind == "categorical" or (kind == "mixed" and k % 2 == 0) for k in range(p)]
    parts, first = [], [k for k in range(p) if coded[k]]
    if first:
        arity = [max(1, int(codes[k].max()) + 1) for k in first]
        parts.append(Dataset.from_codes(codes[first], arity, [names[k] for k in first]))
    if len(first) < p:
        others = [k for k in range(p) if not coded[k]]
        parts.append(Dataset.from_values(values[:, others], [names[k] for k in others]))
    return Dataset.joined(names, *parts)


def values_of(parameter: Parameter) -> Iterator[Any]:
    """Yield each choice of a parameter, the ends of its range, and None if that is allowed."""
    if parameter.choices:
        yield from parameter.choices
    elif isinstance(parameter.example, bool):
        yield from (False, True)
    elif not parameter.column:
        ends = [parameter.low] if parameter.name in QUICK else [parameter.low, parameter.high]
        yield from [type(parameter.example)(end) for end in ends if np.isfinite(end) and not parameter.open_ends]
    if parameter.optional:
        yield None


def quick(learner: Learner, kind: Kind) -> dict[str, Any]:
    """Return the settings of a learner from `QUICK`, which keep repeated work short."""
    return {one.name: QUICK[one.name] for one in learner.parameters_for(kind) if one.name in QUICK}


def check(key: str, data: Dataset, **settings: Any) -> None:
    """Run a learner; check that it gives a result on all columns or an error of the library."""
    try:
        result = learn(key, data, **quick(LEARNERS[key], data.kind) | settings)
    except LearnersError:
        return
    assert result.complete
    assert result.graph.p == data.p
    # Averages over graphs may have edges without evidence in the data, because of their prior; so may a setting that
    # requires a number of edges for any data.
    if result.posterior is None and not ASKING & set(settings):
        assert not result.graph.n_edges


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(("key", "kind"), PAIRS)
def test_every_learner_takes_tables_in_which_nothing_depends_on_anything(key, kind):
    """Every learner accepts or refuses tables with at most one varying column, with and without missing cells."""
    for shape in SOME:
        check(key, table(kind, *shape))


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), PAIRS)
def test_every_parameter_value_goes_with_tables_in_which_nothing_depends_on_anything(key, kind):
    """Every choice and both ends of each range give a result or an error of the library on such tables."""
    settings = [{}] + [{one.name: value} for one in LEARNERS[key].parameters_for(kind) for value in values_of(one)]
    for shape, setting in product(TABLES, settings):
        check(key, table(kind, *shape), **setting)


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), PAIRS)
def test_one_column_is_refused_or_learned_from(key, kind):
    """`learn` refuses a single column with a message; a learner called directly returns a graph of one node."""
    if kind == "mixed":
        return  # a single column cannot be mixed
    for varies, missing in product((None, 0), (False, True)):
        data = table(kind, 1, varies, missing)
        with pytest.raises(DataError):
            learn(key, data)
        learner = LEARNERS[key]
        try:
            result = learn_checked(learner, data, learner.checked(kind, quick(learner, kind)))
        except LearnersError:
            continue
        assert not result.graph.n_edges


@pytest.mark.parametrize("key", LEARNERS)
def test_no_column_is_refused(key):
    """Without columns, either the data set cannot be created, or `learn` refuses it."""
    for make in (
        lambda: Dataset.from_codes(np.zeros((0, ROWS), dtype=int), [], []),
        lambda: Dataset.from_values(np.zeros((ROWS, 0)), []),
    ):
        with pytest.raises(DataError):
            learn(key, make())
