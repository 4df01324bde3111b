"""Tests of the score of basis functions."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.polynomial import legendre
from scipy.stats import rankdata

from learners import BasisBIC, Dataset, learn
from learners.families.catalogue import LEARNERS
from learners.results.result import follows_curves
from learners.scores.selection import score_for
from tests import naive_mixed
from tests.learners.independence.test_basis_test import DATA

NUMBERS = DATA.select([0, 2, 3, 4])
WITH_CURVES = [
    key
    for key, learner in LEARNERS.items()
    if any(one.name == "score" and "basis" in one.choices for one in learner.parameters_for("continuous"))
]


def _columns(frame: pd.DataFrame, name: str) -> np.ndarray:
    column = frame[name]
    if column.dtype == "category":
        seen = [level for level in column.cat.categories if (column == level).any()]
        return np.column_stack([column == level for level in seen[1:]]).astype(float)
    place = (2 * rankdata(column) - 1) / len(column) - 1
    return np.column_stack([legendre.Legendre.basis(k)(place) for k in (1, 2, 3)])


def naive(data: Dataset, child: int, parents: list[int], *, extended: bool = False) -> float:
    """Return BIC of a multivariate regression of the child's columns on those of its parents."""
    frame = data.to_frame()
    own = _columns(frame, data.names[child])
    own = (own - own.mean(axis=0)) / own.std(axis=0)
    n, d = own.shape
    given = np.column_stack([np.ones(n), *(_columns(frame, data.names[k]) for k in parents)])
    left = own - given @ np.linalg.lstsq(given, own, rcond=None)[0]
    log_likelihood = -0.5 * n * (d * (math.log(2 * math.pi) + 1) + np.linalg.slogdet(left.T @ left / n)[1])
    per_parameter = 0.5 * math.log(n) + extended * math.log(data.p) / 3
    return log_likelihood - per_parameter * (d * (given.shape[1] - 1) + d * (d + 1) / 2)


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize(("child", "parents"), [(3, [0, 2]), (1, [0]), (4, [3, 1]), (5, [1, 4])])
def test_score_is_bic_of_a_regression(child, parents, extended):
    """The gain of parents is that of a regression; for numbers the score itself is, too."""
    score, expected = BasisBIC(DATA, extended=extended), partial(naive, DATA, child, extended=extended)
    gain = score.local(child, parents) - score.local(child, [])
    assert gain == pytest.approx(expected(parents) - expected([]), rel=1e-9)
    if DATA.kinds[child] == "continuous":
        assert score.local(child, parents) == pytest.approx(expected(parents), rel=1e-9)


def test_equivalent_dags_and_monotone_columns_have_equal_scores():
    """Both directions of an edge score the same, and exp of a column changes nothing."""
    score = BasisBIC(DATA)
    forward = score.local(0, [2, 1]) + score.local(3, [0, 2, 1])
    backward = score.local(3, [2, 1]) + score.local(0, [3, 2, 1])
    assert forward == pytest.approx(backward, rel=1e-10)
    bent = BasisBIC(Dataset.from_values(np.exp(NUMBERS.values), NUMBERS.names))
    assert bent.local(3, [0, 2]) == pytest.approx(BasisBIC(NUMBERS).local(3, [0, 2]), rel=1e-10)


def test_rows_with_counts_have_the_gain_of_repeated_rows():
    counts = np.random.default_rng(2).integers(1, 4, DATA.n_rows)
    rows = replace(DATA, weights=counts), DATA.take(np.repeat(np.arange(DATA.n_rows), counts))
    gains = [score.local(3, [0, 1]) - score.local(3, []) for score in map(BasisBIC, rows)]
    assert gains[0] == pytest.approx(gains[1], rel=1e-7)


def test_few_values_have_few_polynomials():
    """A column of two values has the score of its indicator, one of three values two polynomials."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=300)
    values = np.column_stack([x, (x + rng.normal(size=300) > 0) + 0.0, np.digitize(x + rng.normal(size=300), [-1, 1])])
    numbers = Dataset.from_values(values, ["x", "two", "three"])
    levels = Dataset.from_frame(numbers.to_frame().assign(two=pd.Categorical(values[:, 1])))
    assert BasisBIC(numbers).local(1, [0]) == pytest.approx(BasisBIC(levels).local(1, [0]), rel=1e-9)
    assert np.diff(BasisBIC(numbers).sample.columns.first).tolist() == [3, 1, 2]


@pytest.mark.gate_cases(2)
@pytest.mark.compiled
@pytest.mark.parametrize("key", WITH_CURVES)
def test_every_search_by_score_takes_it(key):
    """Searches of curved tables find an edge that BIC misses, with missing cells and mixed columns, too."""
    assert {"hc", "tabu", "ges", "boss", "mmhc", "h2pc"} <= set(WITH_CURVES)
    for data in (NUMBERS, naive_mixed.with_holes(DATA, 0.05, seed=6)):
        if LEARNERS[key].refusal(data) is None:
            params = {"score": "basis"} | {
                one.name: "basis" for one in LEARNERS[key].parameters_for(data.kind) if one.name == "test"
            }
            result = learn(key, data, **params)
            i, j = (result.names.index(name) for name in ("a", "c"))
            assert result.graph.skeleton[i, j], key
            assert follows_curves(result)


def test_only_runs_of_basis_functions_follow_curves():
    assert not follows_curves(learn("boss", NUMBERS))
    assert not follows_curves(learn("h2pc", NUMBERS, score="basis"))
    assert not follows_curves(learn("order_mcmc", NUMBERS, steps=200))
    assert score_for(NUMBERS, score="basis").settings == {"penalty": 1.0, "extended": False}


@pytest.mark.compiled
@pytest.mark.parametrize(("key", "name"), [("pc", "test"), ("boss", "score")])
def test_a_run_says_how_basis_functions_use_imputed_cells(key, name):
    """The statement on missing cells is that of basis functions, and changes with the setting alone."""
    data = naive_mixed.with_holes(DATA, 0.05, seed=6)
    said = learn(key, data, **{name: "basis"}).completed.sentence
    assert "basis functions use the mean correlations of 10 imputed tables." in said
    assert "The run uses correlations" in learn(key, data).completed.sentence
