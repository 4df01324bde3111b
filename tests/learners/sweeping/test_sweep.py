"""Tests that each result of a sweep equals that of an independent run to the last digit, for every parameter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from learners import (
    LEARNERS,
    DataError,
    Dataset,
    Knowledge,
    LearnersError,
    ParameterError,
    learn,
    load_sample,
    sweep,
    sweep_two,
)
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter
from learners.sweeping import plateaus, survival, sweep_values, swept
from learners.sweeping.runs import default_values
from learners.sweeping.survival import ABSENT
from tests.learners.test_column_order import check_same
from tests.learners.test_registry import sample
from tests.limited import limit

pytestmark = pytest.mark.compiled  # these tests do thousands of runs

FEW = {"bootstrap": {"n_resamples": 3}, "brai": {"roots": 2, "s": 2}}  # short runs of learners that repeat work
MAX_VALUES = {
    "n_resamples": 4,
    "roots": 3,
    "s": 3,
    "restarts": 4,
    "steps": 1_000,
    "chains": 3,
}  # maximum number of values tried for parameters that repeat work
KNOWN = Knowledge(forbidden=(("column 0", "column 1"),), tiers={"column 2": 0, "column 3": 1})
CASES = [
    pytest.param(key, kind, parameter.name, id=f"{key} {kind} {parameter.name}")
    for key, learner in LEARNERS.items()
    for kind in learner.kinds
    for parameter in learner.parameters_for(kind)
    if not parameter.column
]


def some_values(learner: Learner, data: Dataset, parameter: Parameter, params: dict[str, Any], n: int = 4) -> list:
    """Return the first, the last and some other values of the parameter, including the default, in random order."""
    every = [
        value
        for value in default_values(learner, data, parameter.name, params)
        if not isinstance(value, int) or value <= MAX_VALUES.get(parameter.name, value)
    ]
    kept = {0, len(every) - 1, *np.linspace(0, len(every) - 1, n).astype(int).tolist()}
    kept |= {k for k, value in enumerate(every) if value == parameter.default}
    return [every[k] for k in sorted(kept, key=lambda k: (k % 2, k))]


def check_sweep(key: str, data: Dataset, name: str, knowledge: Knowledge | None = None) -> None:
    learner = LEARNERS[key]
    (parameter,) = (one for one in learner.parameters_for(data.kind) if one.name == name)
    params = {k: v for k, v in FEW.get(key, {}).items() if k != name}
    if parameter.only_if and parameter.only_if[0] in {one.name for one in learner.parameters_for(data.kind)}:
        params[parameter.only_if[0]] = parameter.only_if[1]
    values = some_values(learner, data, parameter, params)
    try:
        single = [learn(key, data, knowledge=knowledge, **params, **{name: value}) for value in values]
    except LearnersError as refused:
        with pytest.raises(type(refused)):
            sweep(key, data, name, values, knowledge=knowledge, **params)
        return
    found = sweep(key, data, name, values, knowledge=knowledge, **params)
    assert found.values == tuple(values)
    assert found.complete
    for one, other in zip(found.results, single, strict=True):
        check_same(one, other)
        assert dict(one.directions) == dict(other.directions)


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(("key", "kind", "name"), CASES)
def test_every_value_is_a_single_run_bit_for_bit(key, kind, name):
    check_sweep(key, sample(kind, p=6, n=200), name)


@pytest.mark.parametrize(("key", "name"), [("pc", "alpha"), ("path", "tau"), ("mmpc", "alpha"), ("hc", "score")])
def test_with_knowledge_too(key, name):
    check_sweep(key, sample("categorical", p=6), name, KNOWN)


@pytest.mark.parametrize("key", ["pc", "ppc", "mmpc", "rai", "hc"])
def test_with_missing_cells_too(key):
    whole = sample("categorical", p=6, n=300)
    missing = np.random.default_rng(5).random(whole.codes.shape) < 0.05
    data = Dataset.from_codes(np.where(missing, -1, whole.codes.astype(int)), whole.arity, whole.names)
    check_sweep(key, data, "max_parents" if key == "hc" else "alpha")


@pytest.mark.parametrize(("test", "key"), [("shrinkage", "pc"), ("semi-parametric", "ppc")])
def test_with_tests_that_are_done_one_by_one(test, key):
    data, values = sample("categorical", p=4, n=120), [0.3, 0.01]
    for value, found in zip(values, sweep(key, data, "alpha", values, test=test).results, strict=True):
        check_same(found, learn(key, data, alpha=value, test=test))


def test_sixty_alphas_of_a_real_table_are_sixty_runs():
    """Sixty alphas give the results of sixty runs, although most are derived from a neighbour."""
    data = load_sample("asia").dataset
    values = np.geomspace(1e-6, 0.5, 60)
    found = sweep("pc", data, "alpha", values, near=values[30].item())
    for value, result in zip(values.tolist(), found.results, strict=True):
        check_same(result, learn("pc", data, alpha=value))


def test_skeletons_of_pc_are_not_nested_and_nothing_assumes_it():
    """With a larger alpha more sets are tested, so a pair may be separated that is adjacent at a smaller alpha."""
    data = load_sample("alarm").dataset
    graphs = [one.graph for one in sweep("pc", data, "alpha", np.geomspace(1e-6, 0.5, 60)).results]
    alive = survival(graphs).marks != ABSENT
    assert (alive[:, :-1] & ~alive[:, 1:]).any(), "no edge leaves as alpha rises: the table shows nothing"
    for pair, lives in zip(survival(graphs).pairs.tolist(), alive.tolist(), strict=True):
        assert lives == [bool(graph.skeleton[tuple(pair)]) for graph in graphs]


def test_tests_are_done_once(monkeypatch):
    """Sixty alphas compute fewer than three times the tests of the densest graph."""
    data, values = load_sample("alarm").dataset, np.geomspace(1e-5, 0.2, 60).tolist()
    memories = []
    from learners.sweeping import shared_cache

    class Kept(shared_cache.CIMemory):
        def __init__(self, p: int) -> None:
            super().__init__(p)
            memories.append(self)

    monkeypatch.setattr(shared_cache, "CIMemory", Kept)
    results = sweep("pc", data, "alpha", values).results
    (memory,) = memories
    most = max(result.n_tests for result in results)
    assert int(memory.tests().used[0]) < 3 * most < sum(result.n_tests for result in results) / 10


def test_nearest_values_come_first():
    data = load_sample("asia").dataset
    order = [position for position, _ in swept("pc", data, "alpha", [0.001, 0.01, 0.05, 0.1, 0.2], near=0.05)]
    assert order == [2, 1, 3, 0, 4]


def test_a_cancelled_sweep_keeps_what_is_done():
    data, seen = load_sample("asia").dataset, []

    def twice(phase: str, done: int, _total: int) -> bool:
        seen.append((phase, done))
        return not (phase == "values" and done == 2)

    found = sweep("pc", data, "alpha", [0.001, 0.01, 0.05, 0.1], tick=twice)
    assert [result is None for result in found.results] == [False, False, True, True]
    assert not found.complete
    check_same(found.results[1], learn("pc", data, alpha=0.01))


def test_a_run_in_the_middle_is_cancelled_at_its_next_tick():
    """After a cancellation, each run ticks at most once more, instead of thousands of times."""
    data, asked = load_sample("alarm").dataset, []

    def no_from_the_tenth(*_progress: object) -> bool:
        asked.append(len(asked) < 9)
        return asked[-1]

    found = sweep("hc", data, "restarts", [200, 300], tick=no_from_the_tenth)
    assert found.results == (None, None)
    assert asked.count(False) <= 1 + len(found.results)


def test_repeated_values_in_any_order():
    data = load_sample("asia").dataset
    found = sweep("pc", data, "alpha", [0.05, 0.01, 0.05])
    check_same(found.results[0], found.results[2])
    assert found.results[1].params["alpha"] == 0.01


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    ("key", "parameter", "values", "params", "error", "words"),
    [
        ("nothing", "alpha", [0.1], {}, ParameterError, "learner"),
        ("pc", "penalty", [1.0], {}, ParameterError, "no parameter 'penalty'; choose one of"),
        ("pc", "alpha", [], {}, ParameterError, "at least one value"),
        ("pc", "alpha", 0.05, {}, ParameterError, "values must be"),
        ("pc", "alpha", [0.05, 2.0], {}, ParameterError, "alpha must be"),
        ("pc", "alpha", [0.05], {"alpha": 0.1}, ParameterError, "is swept"),
        ("pc", "alpha", [0.05], {"test": "none"}, ParameterError, "unknown test"),
        ("path", "alpha_min", [0.2], {"alpha": 0.1}, ParameterError, "below alpha"),
        ("lmm", "gamma", [0.1], {}, DataError, "needs continuous"),
    ],
)
def test_wrong_sweeps_end_in_a_sentence_before_anything_runs(key, parameter, values, params, error, words, monkeypatch):
    limit(monkeypatch, "lmm", "continuous")
    with pytest.raises(error, match=words):
        swept(key, load_sample("asia").dataset, parameter, values, **params)
    with pytest.raises(error, match=words):
        sweep(key, load_sample("asia").dataset, parameter, values, **params)


def test_too_many_results_for_the_memory_are_refused(monkeypatch):
    monkeypatch.setenv("EDGEWISE_STEP_MB", "0.2")
    with pytest.raises(DataError, match="sweep fewer values"):
        sweep("pc", load_sample("asia").dataset, "alpha", np.linspace(0.001, 0.5, 100))


def test_full_memories_count_again(monkeypatch):
    """With full caches, tests are computed again, and the results are the same."""
    from learners.independence import memory

    monkeypatch.setattr(memory, "FIRST_SLOTS", 64)
    monkeypatch.setattr(memory, "MAX_SLOTS", 64)
    data, values = load_sample("asia").dataset, [0.01, 0.05, 0.2]
    for value, result in zip(values, sweep("pc", data, "alpha", values).results, strict=True):
        check_same(result, learn("pc", data, alpha=value))


@pytest.mark.parametrize("key", list(LEARNERS))
def test_default_values_suit_every_parameter(key):
    """The default values of a sweep are valid and include the parameter's default; levels are spaced by ratios."""
    learner = LEARNERS[key]
    for parameter in learner.parameters:
        values = sweep_values(parameter)
        if parameter.column:
            assert values == ()
            continue
        assert [parameter.checked(value) for value in values] == list(values)
        assert len(set(values)) == len(values) <= 61
        assert parameter.default in values
        if parameter.name in ("alpha", "q", "beta"):
            assert values[1] / values[0] == pytest.approx(values[2] / values[1], rel=0.05)


def test_default_values_go_with_the_other_parameters():
    values = sweep("path", load_sample("asia").dataset, "alpha_min", alpha=0.05).values
    assert len(values) > 0
    assert max(values) < 0.05


@pytest.mark.parametrize(
    ("key", "kind", "first", "second"),
    [
        ("pc", "categorical", "alpha", "max_cond_size"),
        ("pc", "continuous", "max_cond_size", "alpha"),
        ("ges", "categorical", "penalty", "max_parents"),
    ],
)
def test_every_pair_of_values_is_a_single_run_bit_for_bit(key, kind, first, second):
    data, some = sample(kind, p=6, n=200), {"alpha": [0.2, 0.01, 0.012], "max_cond_size": [None, 0, 1]}
    some |= {"penalty": [1.0, 0.5], "max_parents": [1, 3]}
    found = sweep_two(key, data, first, second, some[first], some[second], near=(some[first][-1], some[second][0]))
    assert found.parameters == (first, second)
    assert found.complete
    for value, row in zip(some[first], found.results, strict=True):
        for other, result in zip(some[second], row, strict=True):
            check_same(result, learn(key, data, **{first: value, second: other}))


def test_two_parameters_are_swept_around_a_pair_and_may_be_cancelled():
    data, calls = load_sample("asia").dataset, []

    def thrice(phase: str, done: int, _total: int) -> bool:
        calls.append(done)
        return not (phase == "values" and done == 3)

    values = [0.001, 0.01, 0.05], [0, 1, 2]
    found = sweep_two("pc", data, "alpha", "max_cond_size", *values, near=(0.01, 2), tick=thrice)
    there = [(a, b) for a in range(3) for b in range(3) if found.results[a][b] is not None]
    assert len(there) == 3
    assert (1, 2) in there
    assert all(b > 0 for _, b in there)
    assert not found.complete
    with pytest.raises(ParameterError, match="two parameters"):
        sweep_two("pc", data, "alpha", "alpha")


def test_bands_of_a_sweep_hold_one_graph():
    data = load_sample("asia").dataset
    graphs = [one.graph for one in sweep("pc", data, "alpha", np.geomspace(1e-6, 0.5, 30)).results]
    bands = plateaus(graphs)
    assert sum(len(band) for band in bands) == 30
    for band in bands:
        assert len({graphs[k] for k in range(band.first, band.last + 1)}) == 1
    for left, right in zip(bands, bands[1:], strict=False):
        assert graphs[left.last] != graphs[right.first]
