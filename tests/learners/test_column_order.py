"""Tests that results of every learner do not depend on the order of the columns, bit for bit."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, get_type_hints

import numpy as np
import pytest

from learners import LEARNERS, DataError, Dataset, Knowledge, LearnersError, learn, load_sample
from learners.common.relabeling import relabeled
from learners.families.lmm.step_graphs import step_graphs
from learners.families.phgs.alpha_steps import alpha_steps, solution_steps
from learners.results.result import LearnResult
from tests.learners.test_registry import CASES as EVERY_KIND
from tests.learners.test_registry import sample as ordinary
from tests.limited import limit
from tests.tiers import family

pytestmark = pytest.mark.compiled  # these tests do thousands of runs

NAMES = ("ham", "bed", "gas", "Ada", "eel", "cat", "fig", "dog")  # in no particular order
QUICK = {"bootstrap": {"n_resamples": 3}, "brai": {"roots": 2}, "order_mcmc": {"steps": 2_000, "run_on": 0}}
OTHER_NUMBERS = {  # integer fields of results that are not variable indices
    *(
        "AutonomyRun.n_tests",
        "BootstrapRun.n_tests",
        "CallRecord.n_tests",
        "Frequencies.which",
        "LearnResult.rows_used",
    ),
    *(f"Trace.{name}" for name in ("action", "cond_end", "n_rows", "n_tests", "phase", "rule")),
    *(f"GenerativeTree.{name}" for name in ("child_begin", "copies", "edge_begin", "kinds", "level", "n_tests")),
    *(f"GenerativeTree.{name}" for name in ("node_begin", "slot_begin")),
}
TIMES = ("seconds", "_judge", "_measure")  # names of fields with times or with lazily evaluated functions
BY_COLUMNS = [
    pytest.param(key, parameter, value, id=f"{key} {parameter.name} {value}")
    for key, learner in LEARNERS.items()
    for parameter in learner.parameters
    for value in parameter.by_columns
]

CHOICES = [
    pytest.param(key, parameter, choice, id=f"{key} {parameter.name} {choice}")
    for key, learner in LEARNERS.items()
    for parameter in learner.parameters
    for choice in parameter.choices
    if choice not in (parameter.default, *parameter.by_columns) and key != "bootstrap"  # its choices are learners
]


def named(data: Dataset) -> Dataset:
    return dataclasses.replace(data, names=NAMES[: data.p])


def linear(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.normal(size=(n, 8)) @ np.linalg.inv(np.eye(8) - np.triu(rng.integers(0, 2, (8, 8)), 1))


def mixed(codes: np.ndarray, values: np.ndarray, missing: np.ndarray) -> Dataset:
    """Return alternating categorical and continuous columns with missing cells."""
    coded = Dataset.from_codes(np.where(missing.T, -1, codes)[::2], [2] * 4, NAMES[::2])
    return Dataset.joined(NAMES, coded, Dataset.from_values(np.where(missing, np.nan, values)[:, 1::2], NAMES[1::2]))


def equals(kind: str) -> Dataset:
    """Return few rows of binary or small integer values, so that many tests and gains tie."""
    rng = np.random.default_rng(12)
    values = linear(rng, 60)
    codes, steps = (values.T > 0) * 1, np.round(values / 2)
    if kind == "mixed":
        return mixed(codes, steps, rng.random((60, 8)) < 0.05)
    return Dataset.from_values(steps, NAMES) if kind == "continuous" else Dataset.from_codes(codes, [2] * 8, NAMES)


def twins(kind: str) -> Dataset:
    """Return columns that differ only by name: a copy, and three that determine one another."""
    a, b, c, d, e = np.random.default_rng(3).integers(0, 2, (5, 80))
    codes = np.array([a, b, a ^ b, c, a & c, a & c, d, c | d])
    if kind == "categorical":
        return Dataset.from_codes(codes, [2] * 8, NAMES)
    values = np.array([a, b, a + b, c, a + c + e, a + c + e, d, c + d + e], dtype=np.float64).T
    if kind == "continuous":
        return Dataset.from_values(values, NAMES)
    return mixed(codes, values, np.zeros((80, 8), dtype=bool))


SAMPLES = {"ties": equals, "twins": twins, "rows": lambda kind: named(ordinary(kind))}
CASES = [
    pytest.param(key, kind, which, id=f"{key} {kind} {which}")
    for key, learner in LEARNERS.items()
    for kind in learner.kinds
    for which in SAMPLES
    if (key, kind, which) != ("lmm", "continuous", "twins")  # LMM refuses equal columns
]


def reported(value: Any, at: str = "result") -> Iterator[tuple[str, Any]]:
    """Yield the path and value of each leaf; graphs and mappings are expanded."""
    if isinstance(value, Mapping):
        for key in sorted(value, key=str):
            yield from reported(value[key], f"{at}[{key}]")
    elif isinstance(value, (list, tuple)):
        for k, one in enumerate(value):
            yield from reported(one, f"{at}[{k}]")
        yield f"len({at})", len(value)
    elif hasattr(value, "__dict__") and not isinstance(value, type) and type(value).__module__.startswith("learners"):
        names = [one.name for one in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else vars(value)
        for name in names:
            if name not in TIMES:
                yield from reported(getattr(value, name), f"{at}.{name}")
    else:
        yield at, value


def check_same(one: Any, other: Any) -> None:
    mine, yours = dict(reported(one)), dict(reported(other))
    assert mine.keys() == yours.keys()
    for at, value in mine.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, yours[at], err_msg=at)
        else:
            assert value == yours[at] or (value != value and yours[at] != yours[at]), at


def learned(key: str, data: Dataset, **params: Any) -> LearnResult:
    """Run a learner, with the same target for any order of the columns, and return the result."""
    target = {one.name: min(data.names) for one in LEARNERS[key].parameters if one.column}
    return learn(key, data, **{**target, **QUICK.get(key, {}), **params})


def other_orders(data: Dataset, n: int = 3) -> Iterator[list[int]]:
    """Yield the order of the names and random orders."""
    rng = np.random.default_rng(22)
    yield list(data.by_name)
    yield from (rng.permutation(data.p).tolist() for _ in range(n - 1))


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind", "which"), CASES)
def test_result_does_not_depend_on_the_order_of_columns(key, kind, which):
    """Graph, ranking, probabilities, sets, trace and the learner's own results are equal."""
    data = SAMPLES[which](kind)
    base = learned(key, data)
    for order in other_orders(data):
        check_same(learned(key, data.select(order)), relabeled(base, np.argsort(order)))


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(("key", "parameter", "choice"), CHOICES)
def test_result_of_each_choice_does_not_depend_on_the_order_of_columns(key, parameter, choice):
    """With each choice, except those that use the order of columns, the result does not depend on the order."""
    data, settings = equals(parameter.kinds[0]), {parameter.name: choice}
    base = reported_or_refused(key, data, settings)
    for order in other_orders(data, 2):
        other = reported_or_refused(key, data.select(order), settings)
        check_same(other, relabeled(base, np.argsort(order)))


def reported_or_refused(key: str, data: Dataset, settings: dict[str, Any]) -> LearnResult | str:
    """Return the parts of the result, or "refused" if the choice is incompatible with the other defaults."""
    try:
        return learned(key, data, **settings)
    except LearnersError:
        return "refused"


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize(
    "key", [key for key, one in LEARNERS.items() if "categorical" in one.kinds and not one.most_columns]
)
@pytest.mark.parametrize("name", ["child", "alarm"])
def test_result_on_few_rows_does_not_depend_on_the_order_of_columns(key, name):
    """Results do not depend on the order with few rows, where p-values tie and tests contradict one another."""
    data = load_sample(name).dataset
    data = data.take(np.random.default_rng(5).choice(data.n_rows, 200, replace=False))
    base = learned(key, data)
    for order in other_orders(data, 2):
        check_same(learned(key, data.select(order)), relabeled(base, np.argsort(order)))


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), EVERY_KIND)
def test_whatever_has_a_place_for_each_variable_says_so(key, kind):
    """Only arrays that are declared to be relabeled with the variables grow with the number of variables."""
    shapes = []
    for p in (9, 11):
        data = ordinary(kind, p=p)
        result, new = learned(key, data), np.arange(p)[::-1]
        there, moved = dict(reported(result)), dict(reported(relabeled(result, new)))
        shapes.append({at: one.shape for at, one in there.items() if isinstance(one, np.ndarray) and one is moved[at]})
    grown = {at for at in shapes[0].keys() & shapes[1].keys() if 9 in shapes[0][at] and 11 in shapes[1][at]}
    assert not grown


def whole_numbers(value: Any, where: str = "") -> Iterator[str]:
    """Yield the fields, as Class.name, with integers that are not declared as variable indices."""
    if hasattr(value, "relabeled"):
        return
    if dataclasses.is_dataclass(value):
        hints = get_type_hints(type(value), include_extras=True)
        for one in dataclasses.fields(value):
            if not hasattr(hints[one.name], "__metadata__"):
                yield from whole_numbers(getattr(value, one.name), f"{type(value).__name__}.{one.name}")
    elif isinstance(value, (list, tuple)):
        if value and all(type(one) is int for one in value):
            yield where
        for one in value:
            yield from whole_numbers(one, where)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        yield where


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), EVERY_KIND)
def test_whatever_names_variables_says_so(key, kind):
    """All integer fields are declared as variable indices or listed as counts and other indices."""
    assert set(whole_numbers(learned(key, ordinary(kind)))) <= OTHER_NUMBERS


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
@pytest.mark.parametrize("key", ["path", "phgs"])
def test_steps_along_the_level_are_the_same_whatever_the_order(key, kind):
    """Graphs computed after the run break ties as the run did."""
    data = equals(kind)
    known = Knowledge(required=((NAMES[1], NAMES[0]),))
    base = learned(key, data, knowledge=known, alpha=0.3)
    steps = alpha_steps(base, known.bind(data.names), seconds=math.inf)
    solutions = solution_steps(base, known.bind(data.names))
    if key == "path":
        assert solutions.at(solutions.choice, data.p) == base.graph
    for order in other_orders(data):
        other = learned(key, data.select(order), knowledge=known, alpha=0.3)
        bound, new = known.bind(other.names), np.argsort(order)
        check_same(alpha_steps(other, bound, seconds=math.inf), relabeled(steps, new))
        check_same(solution_steps(other, bound), relabeled(solutions, new))


def test_steps_of_a_ranking_are_the_same_whatever_the_order():
    """The CPDAG at every move of a ranking does not depend on the order of the columns."""
    data = equals("continuous")
    steps = step_graphs(learned("lmm", data), seconds=math.inf)
    for order in other_orders(data):
        check_same(
            step_graphs(learned("lmm", data.select(order)), seconds=math.inf), relabeled(steps, np.argsort(order))
        )


@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
def test_bits_that_two_variables_share_are_the_same_whatever_the_order(kind):
    """Shared information is equal to the last digit for any order of the columns, also for a relabeled result."""
    data = equals(kind)
    base = learned("pc", data).information
    for order in other_orders(data):
        other, moved = learned("pc", data.select(order)).information, relabeled(base, np.argsort(order))
        for i, j in combinations(range(data.p), 2):
            assert other(i, j) == moved(i, j) == base(order[i], order[j])


@pytest.mark.parametrize(("key", "parameter", "value"), BY_COLUMNS)
def test_what_follows_the_columns_says_so(key, parameter, value):
    """If a choice uses the order of the columns, the help says so, and the columns keep their order."""
    assert "order of the columns" in parameter.help
    assert "result" in parameter.help
    assert "depends" in parameter.help
    kind = parameter.kinds[0]
    data, settings = equals(kind), {parameter.name: value}
    result = learned(key, data, **settings)
    assert result.order == tuple(range(data.p))
    learner = LEARNERS[key]
    alone = learner.run(data, **learner.checked(kind, {**QUICK.get(key, {}), **settings}))
    assert result.graph == alone.graph
    np.testing.assert_array_equal(result.strengths.values, alone.strengths.values)


def test_only_what_says_so_follows_the_columns():
    """Only parameters with a choice that uses the order mention it in their help."""
    speaking = {one.name for x in LEARNERS.values() for one in x.parameters if "order of the columns" in one.help}
    assert speaking == {case.values[1].name for case in BY_COLUMNS}


def test_ties_by_columns_depend_on_the_columns():
    """With ties broken by column order, the first of two equal columns is preferred."""
    data = twins("categorical")
    base = learn("hc", data, ties="columns").graph
    graphs = [(order, learn("hc", data.select(order), ties="columns").graph) for order in other_orders(data, 5)]
    assert any(graph != relabeled(base, np.argsort(order)) for order, graph in graphs)


def test_a_table_in_the_order_of_its_names_is_taken_as_it_stands():
    """A table in the order of its names is used as it is; tables in other orders are sorted by name."""
    data = equals("categorical")
    assert learned("pc", data.select(data.by_name)).order == tuple(range(data.p))
    assert learned("pc", data).order == data.by_name
    assert [data.names[k] for k in data.by_name] == sorted(NAMES)


def test_a_first_column_is_that_of_the_table():
    """Without a target, the table's first column is used."""
    result = learn("hpc_target", equals("categorical"))
    assert result.names[result.extra.target] == NAMES[0]
    assert result.params["target"] == ""


def test_a_refusal_names_columns_in_the_order_of_the_table(monkeypatch):
    """An error about refused columns names them in the order of the table."""
    limit(monkeypatch, "brai", "categorical")
    numbers = Dataset.from_values([[0.0, 1.5], [1.0, 2.5]], ["b", "a"])
    with pytest.raises(DataError, match="'b', 'a'|'b' and 'a'"):
        learn("brai", numbers)


def test_numbers_in_names_are_compared_as_numbers():
    """Numbers in names are compared as numbers of any length, so X2 precedes X10."""
    names = ["X10", "X2", "X1b", "9" * 5_000, "X02", "a", "X"]
    data = Dataset.from_codes(np.zeros((7, 3), dtype=np.uint8), [1] * 7, names)
    assert [names[j] for j in data.by_name] == ["9" * 5_000, "X", "X1b", "X02", "X2", "X10", "a"]
