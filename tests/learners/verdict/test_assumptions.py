"""Tests of the checks of a table, with a graph and without one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.worlds import simulate
from learners import (
    Dataset,
    FisherZ,
    check_assumptions,
    default_plan,
    fci,
    learn,
    prepare,
    random_mixed_network,
    read_table,
    sample,
    trust,
)
from learners.data.quality.health import with_found_groups
from learners.evaluation.relations import check_relations
from learners.graphs.graph import PDAG
from learners.verdict.assumptions import NO_REASON, HiddenCauses
from learners.verdict.serial_rows import serial_z
from tests.learners.verdict.test_hidden_factors import items


def curved(n: int = 500) -> Dataset:
    rng = np.random.default_rng(0)
    a, d = rng.standard_normal((2, n))
    b = a**2 + 0.5 * rng.standard_normal(n)
    return Dataset.from_values(np.column_stack([a, b, b + rng.standard_normal(n), d]), ["a", "b", "c", "d"])


def with_gaps(values: np.ndarray, share: float) -> Dataset:
    """Return a data set in which this share of the cells is missing completely at random."""
    gaps = np.random.default_rng(1).random(values.shape) < share
    return Dataset.from_values(np.where(gaps, np.nan, values), [f"v{j}" for j in range(values.shape[1])])


@pytest.mark.parametrize(
    ("curve", "n", "chain", "others", "kinds"),
    [(np.tanh, 1_500, 8, 0, {"nonlinear"}), pytest.param(lambda x: x, 20_000, 3, 20, set(), marks=pytest.mark.deep)],
    ids=["curved", "straight"],
)
def test_each_relation_is_checked_in_the_rows_that_have_its_columns(curve, n, chain, others, kinds):
    """Curves are found although few rows are complete; straight lines of imputed cells are not taken for curves."""
    rng = np.random.default_rng(0)
    columns = [rng.uniform(-2, 2, n)]
    for _ in range(chain - 1):
        columns.append(curve(columns[-1]) + 0.5 * rng.uniform(-1, 1, n))
    data = with_gaps(np.column_stack([*columns, *rng.standard_normal((others, n))]), 0.3)
    assert {one.kind for one in check_assumptions(data).violations} == kinds


def test_without_a_result_the_graph_is_that_of_boss():
    data = curved()
    assert check_assumptions(data) == check_assumptions(data, learn("boss", data))


def test_a_pag_is_checked_with_the_graph_of_boss():
    data = curved()
    assert check_assumptions(data, fci(FisherZ(data))) == check_assumptions(data)


def test_the_order_of_the_columns_does_not_matter():
    data = curved()
    result = learn("boss", data)
    assert check_assumptions(data, result) == check_assumptions(data.reordered([3, 1, 0, 2]), result)


def test_items_of_a_questionnaire_are_named():
    data = Dataset.from_values(items(), list("abcdefg"))
    found = check_assumptions(data)
    assert (found.hidden.kind, found.hidden.columns) == ("factors", (0, 1, 2, 3, 4))
    (sentence,) = found.sentences(data.names)
    assert sentence.startswith("columns 'a', 'b', 'c', 'd' and 'e' are correlated as if by one hidden variable")


@pytest.mark.deep
def test_hidden_hubs_are_suspected_and_a_clean_table_is_not():
    """At least three of five tables with hidden hubs and at most one of five clean tables get a warning."""
    hidden = [check_assumptions(simulate("three hubs hidden", seed).data) for seed in range(890_100, 890_105)]
    clean = [check_assumptions(simulate("clean", seed).data) for seed in range(890_100, 890_105)]
    assert sum(one.hidden is not None for one in hidden) >= 3
    assert sum(one.hidden is not None for one in clean) <= 1


@pytest.mark.parametrize(
    ("kinds", "found"),
    [(("causes", "causes", None), "causes"), (("causes", None, None), None), (("causes", "factors", None), None)],
    ids=str,
)
def test_signs_of_hidden_causes_must_be_in_most_filled_tables(kinds, found, monkeypatch):
    """With missing cells, signs count only if most of three imputed tables show the same kind."""
    signs = iter([(None if kind is None else HiddenCauses(kind, (0, 1)), NO_REASON) for kind in kinds])
    monkeypatch.setattr("learners.verdict.assumptions.hidden_causes", lambda *_: next(signs))
    data = with_gaps(np.random.default_rng(2).standard_normal((300, 4)), 0.1)
    hidden = check_assumptions(data).hidden
    assert (hidden and hidden.kind) == found


def test_serial_rows_are_not_called_nonlinear():
    """Serially dependent rows are not reported as nonlinear or drifting relations, which their residuals resemble."""
    found = [check_assumptions(simulate("serial rows", seed).data) for seed in range(930_000, 930_003)]
    assert {one.violations for one in found} == {()}
    assert all("linearity was not checked, because neighbouring rows are alike" in one.skipped[0] for one in found)


def test_groups_of_rows_and_sorted_columns_are_no_serial_rows():
    """Groups of rows and sorted columns, where neighbouring rows are similar, are not reported as serial dependence."""
    rng = np.random.default_rng(0)
    group = np.repeat(3.0 * rng.standard_normal(20), 20)
    x = np.sort(rng.standard_normal(400))
    data = Dataset.from_values(np.column_stack([group + rng.standard_normal(400), x]), ["a", "x"])
    assert max(serial_z(data).values()) < 5.0


def test_what_is_not_read_has_a_reason():
    rng = np.random.default_rng(0)
    noise = rng.standard_normal((401, 5))
    copies = rng.standard_normal((300, 4))
    copies = np.column_stack([copies, copies[:, 0] + 0.01 * rng.standard_normal(300)])
    parts = np.random.default_rng(1).standard_normal((300, 5))
    sums = np.column_stack([parts[:, :4], parts[:, :4].sum(axis=1) + 0.1 * parts[:, 4]])
    names = list("abcde")
    mixed = sample(random_mixed_network(6, 4, 3, categorical=0.5), 600, seed=3)
    levels = Dataset.from_codes(rng.integers(0, 2, (4, 200)), [2, 2, 2, 2], names[:4])
    constant = Dataset.from_codes(rng.integers(0, 2, (4, 200)) * [[1], [1], [1], [0]], [2, 2, 2, 2], names[:4])
    reasons = {
        "neighbouring rows are alike": Dataset.from_values(noise[1:] + 0.8 * noise[:-1], names),
        "nearly equals another column": Dataset.from_values(copies, names),
        "is nearly determined by other columns": Dataset.from_values(sums, names),
        "relations seem nonlinear": curved(),
        "this check fits linear equations to numeric columns": mixed,
        "this check fits linear equations to numeric columns. Drift and linearity": levels,
        "column 'd' never varies": constant,
        "it takes from 4 to 100 columns": Dataset.from_values(copies[:, :3], names[:3]),
        "only 80 rows of 100 needed": Dataset.from_values(copies[:80], names),
    }
    for reason, data in reasons.items():
        found = check_assumptions(data)
        assert found.hidden is None
        assert reason in found.unread, (reason, found)


def table(kind: str, rows: int, columns: int, constant: int = 0) -> Dataset:
    """Return a chain of columns, the first `constant` of which never vary; every second one is numeric if mixed."""
    values = np.random.default_rng(4).standard_normal((rows, columns))
    for j in range(1, columns):
        values[:, j] += 0.7 * values[:, j - 1]
    values[:, :constant] = 1.0
    numeric = {"continuous": range(columns), "mixed": range(0, columns, 2), "one number": [columns - 1]}.get(kind, ())
    names = [f"v{j}" for j in range(columns)]
    cells = [
        values[:, j] if j in numeric else np.where(values[:, j] > 0, "high", "low").tolist() for j in range(columns)
    ]
    return Dataset.from_frame(pd.DataFrame(dict(zip(names, cells, strict=True))))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed", "one number"])
@pytest.mark.parametrize(
    ("rows", "columns", "constant"),
    [(30, 40, 0), (400, 3, 0), (400, 2, 0), (400, 6, 1), (400, 6, 2), (120, 300, 0), (400, 6, 0)],
    ids=["fewer rows than columns", "3 columns", "2 columns", "constant", "constants", "300 columns", "usual"],
)
def test_a_check_that_is_not_done_has_a_sentence(kind, rows, columns, constant):
    """Relations and hidden causes are checked, or a sentence says that they are not; `trust` gives its reason, too."""
    data = table(kind, rows, columns, constant)
    result = learn("aracne" if kind == "categorical" and columns > 100 else "hc", data)
    found = check_assumptions(data, result)
    said = [*found.sentences(data.names), *([found.hidden_unchecked] if found.unread else [])]
    checkable = data.kinds.count("continuous") >= 2 and rows >= 100 and columns <= 100
    assert sum("linearity" in sentence for sentence in said) == (not checkable)
    usual = (rows, columns, constant) == (400, 6, 0)
    unread = sum("whether the variables share hidden causes was not checked, because" in sentence for sentence in said)
    assert unread == (not usual or kind != "continuous")
    if constant:
        assert ("column 'v0' never varies" if constant == 1 else "columns 'v0' and 'v1' never vary") in found.unread
    assert bool(trust(result, data).silent) == (not usual)


def test_relations_with_too_few_rows_are_named():
    """A column that is rarely seen with its parents is named; the others are checked."""
    rng = np.random.default_rng(5)
    values = rng.standard_normal((600, 4))
    values[:, 1:] += values[:, :3]
    values[80:, 3] = np.nan
    data = Dataset.from_values(values, list("abcd"))
    found = check_relations(data, PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)]))
    assert found.skipped == (
        "relations of column 'd' to their parents were not checked, because too few rows have all their cells",
    )
    complete = Dataset.from_values(values[:, :3], list("abc"))
    assert check_relations(complete, PDAG.from_edges(3, directed=[(0, 1), (1, 2)])).skipped == ()


def test_items_of_a_questionnaire_are_found_among_a_hundred_columns():
    """The widest table that is checked has the same gates as narrow ones."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((600, 100))
    values[:, 10:18] += 1.2 * rng.standard_normal((600, 1))
    found = check_assumptions(Dataset.from_values(values, [f"v{k}" for k in range(100)]))
    assert found.hidden is not None
    assert found.hidden.kind == "factors"
    assert found.hidden.columns == tuple(range(10, 18))


def test_nothing_is_learned_from_a_table_that_is_too_wide_to_check(monkeypatch):
    """A table that is too wide for the checks is reported without learning, which would take long on the Data page."""
    monkeypatch.setattr("learners.verdict.assumptions.learn", lambda *_args, **_settings: pytest.fail("a run began"))
    wide = Dataset.from_values(np.random.default_rng(0).standard_normal((10, 300)), [f"v{k}" for k in range(300)])
    found = check_assumptions(wide)
    assert "it takes at most 100 columns" in found.skipped[0]
    assert "it takes from 4 to 100 columns" in found.unread


def repeated(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return five measures of each of 120 subjects, in columns with an effect of the subject; and the subjects."""
    rng = np.random.default_rng(seed)
    subject = np.repeat(np.arange(120), 5)
    return rng.standard_normal((120, 5))[subject] + rng.standard_normal((600, 5)), subject


def test_groups_of_rows_are_the_units_of_the_checks():
    """Similar rows of one subject are no serial dependence; 3 of 40 such tables (seeds 100 to 139) got a warning."""
    values, subject = repeated(100)
    data = Dataset.from_values(values, list("abcde"))
    assert "neighbouring rows are alike" in check_assumptions(data).unread
    found = check_assumptions(data.with_groups(subject))
    assert found.holds
    assert not found.unread
    shuffled = np.random.default_rng(1).permutation(600)
    assert check_assumptions(data.take(shuffled).with_groups(subject[shuffled])).holds


def test_nonlinear_relations_are_seen_among_groups():
    values, subject = repeated(1)
    values[:, 1] += 0.7 * values[:, 0] ** 2
    found = check_assumptions(Dataset.from_values(values, list("abcde")).with_groups(subject))
    assert [one.kind for one in found.violations] == ["nonlinear"]
    few = check_assumptions(Dataset.from_values(values, list("abcde")).with_groups(subject // 10))
    assert "only 12 groups" in " ".join([few.unread, *few.skipped])


def test_groups_are_those_of_the_finding_on_repeated_measures(tmp_path):
    values, subject = repeated(3)
    frame = pd.DataFrame(values, columns=list("abcde")).round(3)
    frame.insert(0, "patient", [f"P{k:03d}" for k in subject])
    frame["sex"] = np.where(subject % 2, "f", "m")
    frame["site"] = [f"s{k % 7}" for k in subject]
    path = tmp_path / "visits.csv"
    frame.to_csv(path, index=False)
    table = read_table(path)
    plan = default_plan(table)
    data = prepare(table, plan).dataset
    assert data.groups is None
    np.testing.assert_array_equal(with_found_groups(data, table, plan).groups, subject)
    single = data.take(range(0, 600, 5))
    assert with_found_groups(single, table, plan) is single


def test_the_formula_of_a_group_is_not_called_nonlinear():
    """Weight is BMI times squared height. Only the curve between other columns is reported."""
    rng = np.random.default_rng(3)
    height, bmi, age = 1.7 + 0.15 * rng.standard_normal(600), rng.uniform(16, 45, 600), rng.standard_normal(600)
    pressure = age**2 + 0.5 * rng.standard_normal(600)
    weight = np.round(bmi * height**2, 1)
    names = ["weight", "height", "bmi", "age", "pressure"]
    data = Dataset.from_values(np.column_stack([weight, height, bmi, age, pressure]), names)
    found = check_relations(data, learn("boss", data).graph).violations
    assert any({one.child, one.other} <= {0, 1, 2} for one in found)
    kept = check_assumptions(data).violations
    assert {frozenset((one.child, one.other)) for one in kept} == {frozenset((3, 4))}
