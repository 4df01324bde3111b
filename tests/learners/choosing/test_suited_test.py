"""The comparison of tests on permuted columns: levels, power, recommendation, and columns that are really permuted."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from learners import (
    LEARNERS,
    DataError,
    Dataset,
    ParameterError,
    learn,
    load_network,
    random_mixed_network,
    sample,
    suited_test,
    with_missing_cells,
)
from learners.choosing.suited_test import TESTS, TestedLevel, _best, _by_basis, _by_test, _is_fast, _with_permuted
from learners.common.progress import Stopped


def mixed(n: int = 120):
    return sample(random_mixed_network(6, 7, 2), n, 1)


@pytest.mark.parametrize("kind", ["categorical", "mixed", "continuous"])
def test_copies_have_the_values_of_their_column_in_another_order(kind):
    data = mixed() if kind == "mixed" else sample(load_network("asia" if kind == "categorical" else "ecoli70"), 120, 1)
    columns = [3, 0, 3]
    both = _with_permuted(data, columns, np.random.default_rng(0))
    frame = both.to_frame()
    assert both.kinds == (*data.kinds, *(data.kinds[j] for j in columns))
    pd.testing.assert_frame_equal(frame.iloc[:, : data.p], data.to_frame())
    for t, j in enumerate(columns):
        copy, own = frame.iloc[:, data.p + t], frame.iloc[:, j]
        assert sorted(copy.astype(str)) == sorted(own.astype(str))
        assert (copy.astype(str) != own.astype(str)).any()


def test_every_test_of_a_kind_can_be_chosen_in_a_learner():
    tables = {
        "categorical": sample(load_network("asia"), 60, 1),
        "mixed": mixed(60),
        "continuous": sample(load_network("ecoli70"), 60, 1).select(range(5)),
    }
    for kind, data in tables.items():
        for _, settings in TESTS[kind]:
            assert learn("pc", data, max_cond_size=0, **settings).complete


def test_every_test_that_a_learner_offers_is_compared():
    for kind, compared in TESTS.items():
        (offered,) = [one.choices for one in LEARNERS["pc"].parameters_for(kind) if one.name == "test"]
        assert {settings["test"] for _, settings in compared} == set(offered)


def test_basis_functions_are_recommended_for_curves_and_not_for_lines():
    rng = np.random.default_rng(4702)
    x, noise = rng.uniform(-1.0, 1.0, (300, 2)), 0.2 * rng.normal(size=(300, 2))
    curved, lines = np.column_stack([x, x**2 + noise]), np.column_stack([x, x + noise])
    found = [
        suited_test(Dataset.from_values(one, list("abcd")), n_pairs=60).recommended.label for one in (curved, lines)
    ]
    assert found == ["Basis-function test", "Fisher's z"]


def test_dependent_columns_are_found_and_permuted_ones_are_not():
    data = mixed(400)
    found = suited_test(data, n_pairs=60)
    assert [one.label for one in found.tests] == ["Degenerate Gaussian", "Basis-function test", "Regression"]
    for one in found.tests:
        assert one.false_share < 0.2 < one.found_share
    assert found.recommended in found.tests
    assert found == suited_test(data, n_pairs=60)


@pytest.mark.parametrize("kind", ["mixed", "continuous"])
def test_tests_are_compared_on_tables_with_missing_cells(kind):
    data = mixed() if kind == "mixed" else sample(load_network("ecoli70"), 120, 1).select(range(6))
    found = suited_test(with_missing_cells(data, 0.05, seed=1), n_pairs=20)
    assert len(found.tests) == len(TESTS[kind])


def test_a_test_bound_to_the_columns_of_a_query_is_that_of_all_columns():
    data = mixed()
    both = _with_permuted(data, [2, 0], np.random.default_rng(0))
    alone, at_once = _by_basis(both, data.p), _by_test(both, data.p, {"test": "basis"})
    for query in ((0, 1, 2, ()), (1, 3, 0, (4, 5))):
        np.testing.assert_allclose(alone(*query), at_once(*query), rtol=1e-9)


@pytest.mark.parametrize(("test", "rows", "complete", "fast"), [
    ("basis", 120, True, True), ("basis", 200_000, True, False), ("basis", 3_000, False, False),
    ("permutation", 3_000, True, False), ("dg", 200_000, True, True),
])  # fmt: skip
def test_tests_that_take_minutes_are_left_out(test, rows, complete, fast):
    values = np.zeros((rows, 6))
    values[0, 0] = 0.0 if complete else np.nan
    assert _is_fast(test, Dataset.from_values(values, list("abcdef"))) is fast


def level(label: str, false: float, found: float, keeps: bool) -> TestedLevel:
    return TestedLevel(label, {}, false, found, keeps)


def rejected(*counts: int) -> list[np.ndarray]:
    return [np.arange(100) < count for count in counts]


def test_an_expensive_test_must_find_clearly_more():
    tests = (level("A", 0.05, 0.5, True), level("B", 0.05, 0.52, True), level("C", 0.05, 0.7, True))
    assert _best(tests[:2], rejected(50, 52), 0.05)[0].label == "A"
    assert _best(tests, rejected(50, 52, 70), 0.05)[0].label == "C"


def test_a_test_that_exceeds_its_level_is_never_recommended_beside_one_that_keeps_it():
    tests = (level("A", 0.4, 0.9, False), level("B", 0.05, 0.3, True))
    best, reason = _best(tests, rejected(90, 30), 0.05)
    assert best.label == "B"
    assert "A finds 40% of them" in reason
    best, reason = _best((level("A", 0.4, 0.9, False), level("B", 0.2, 0.3, False)), rejected(90, 30), 0.05)
    assert best.label == "B"
    assert "No test keeps its level" in reason


def test_counts_of_copies_repeat_rows_and_many_rows_leave_permutations_out():
    data = sample(load_network("asia"), 6_000, 1)
    counted = suited_test(data.merged(), n_pairs=20)
    assert {one.label for one in counted.tests}.isdisjoint({"Permutation", "Semi-parametric"})
    assert dataclasses.replace(data, weights=None).n_rows == 6_000


def test_wrong_input_is_named():
    with pytest.raises(ParameterError, match="n_pairs"):
        suited_test(mixed(), n_pairs=5)
    with pytest.raises(DataError, match="at least 2 columns"):
        suited_test(Dataset.from_frame(pd.DataFrame({"a": np.arange(10.0)})))


def test_it_can_be_cancelled():
    with pytest.raises(Stopped):
        suited_test(mixed(), tick=lambda *_: False)
