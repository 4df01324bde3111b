"""Tests of LMM's dependence of categorical and mixed columns."""

import math

import numpy as np
import pytest
from scipy.special import log_ndtr

from learners import G2, DataError, Dataset, DependencePosterior, TestedDependence, learn
from learners.explaining.explanation import explanation
from learners.explaining.explanation_record import texts
from learners.families.lmm.lmm import lmm
from learners.families.lmm.ranking import Moves
from learners.families.lmm.words import move_sentences
from learners.kernels.lmm.dependence import log_odds, squared_at
from learners.kernels.lmm.tested import squared_below, squared_normal, squared_of_test
from tests import naive_mixed
from tests.references import dataset as reference
from viz.lmm.tables import ranking_table, v_structure_table
from viz.lmm.timeline import lmm_timeline

MIXED = naive_mixed.mixed_rows(6, 300, seed=2)


@pytest.mark.parametrize("z", [1e-6, 1e-3, 0.5, 1.0, 3.0, 8.0, 40.0, 500.0])
def test_the_square_has_the_p_of_the_test(z):
    """ln P(|Z| > z) is inverted over the whole range, also where p itself underflows."""
    assert squared_normal(math.log(2.0) + float(log_ndtr(-z))) == pytest.approx(z * z, rel=1e-6)


def test_certain_and_impossible_tests_have_limits():
    assert squared_normal(0.0) == 0.0
    assert squared_normal(-math.inf) == math.inf
    assert squared_of_test(100.0, 2, 9.0, 4.0, False) == 0.0
    assert squared_of_test(100.0, 2, 0.0, 0.0, True) == 0.0


def test_a_value_is_exact_unless_it_is_not_below_the_bound():
    """A search that skips values finds the same minimum, bit for bit, also where values are nearly equal."""
    rng = np.random.default_rng(991_471)
    for rows, size in ((60.0, 0), (1_000.0, 2), (50_000.0, 4)):
        dof = rng.integers(1, 400, 4_000).astype(float)
        statistic = np.where(rng.random(4_000) < 0.7, rng.chisquare(dof), dof * 10 ** rng.uniform(0, 3, 4_000))
        exact = np.array([squared_of_test(rows, size, s, d, True) for s, d in zip(statistic, dof, strict=True)])
        near = exact * (1 + rng.choice([-1e-3, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-3], 4_000))
        bounds = np.where(rng.random(4_000) < 0.5, near, rng.permutation(exact))
        for bound, s, d, value in zip(bounds, statistic, dof, exact, strict=True):
            found = squared_below(bound, rows, size, s, d, True)
            assert found == value or (found == math.inf and value >= bound)


def test_a_bound_lies_just_above_its_log_odds():
    """What is not below the bound cannot lower the value that it was computed from."""
    evidence = TestedDependence(MIXED).evidence(4)
    for size in range(5):
        for s in (*np.linspace(-8.0, 400.0, 300), -1e300, 1e300):
            squared = squared_at(evidence, size, s)
            assert squared == 0.0 or squared == math.inf or 0.0 < log_odds(evidence, size, squared) - s < 1e-5
            assert squared > 0.0 or log_odds(evidence, size, 0.0) > s


def test_one_degree_of_freedom_is_the_paper():
    """For numbers, log-odds from tests with one degree of freedom equal those from partial correlations."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((400, 4))
    values[:, 1] += 0.5 * values[:, 0]
    values[:, 2] += 0.4 * values[:, 1]
    data = Dataset.from_values(values, list("abcd"))
    tested, posterior = TestedDependence(data, prior=0.1), DependencePosterior(data, prior=0.1)
    for x, y, cond in [(0, 1, ()), (0, 2, (1,)), (1, 2, ()), (0, 3, (1, 2)), (1, 2, (0, 3))]:
        assert tested.log_odds(x, y, cond) == pytest.approx(posterior.log_odds(x, y, cond), rel=1e-9)


@pytest.mark.parametrize("data", [reference("asia_n2000"), MIXED], ids=["categories", "mixed"])
def test_each_value_is_that_of_its_hardest_set(data):
    """Each one-sided value equals the log-odds of its hardest set."""
    posterior = TestedDependence(data)
    moves = lmm(posterior).extra.moves
    assert len(moves)
    for move in np.flatnonzero(moves.what == Moves.ELIMINATED).tolist():
        x, y = int(moves.i[move]), int(moves.j[move])
        for side in (0, 1):
            expected = posterior.log_odds(x, y, moves.hardest_set(move, side))
            assert moves.one_sided[move, side] == pytest.approx(expected, rel=1e-9)


def test_log_odds_rise_with_the_evidence_of_the_test():
    """For sets of equal size, a smaller p gives higher log-odds."""
    data = reference("asia_n2000")
    posterior, test = TestedDependence(data), G2(data)
    pairs = [(x, y) for x in range(8) for y in range(x + 1, 8)]
    by_p = sorted(pairs, key=lambda pair: -test.test(*pair).log_p)
    odds = [posterior.log_odds(*pair) for pair in by_p]
    assert odds == sorted(odds)


def test_what_is_no_probability_is_not_shown_as_one():
    """Sentences, tables and the slider show rank and margin instead of a joint CPPD, which is not defined here."""
    data = reference("asia_n2000")
    result = learn("lmm", data, orientation="lmm_eo")
    ranking = result.extra
    said = list(texts(move_sentences(result), result.names))
    for x in range(8):
        for y in range(x + 1, 8):
            said += texts(explanation(result, (x, y)).evidence, result.names)
    assert any("margin" in one for one in said)
    assert not [one for one in said if "CPPD" in one or "probability of dependence" in one]
    assert not [
        name for table in (ranking_table(result), v_structure_table(result)) for name in table if "CPPD" in name
    ]
    steps = lmm_timeline(result, np.zeros((8, 2)))["steps"]
    assert steps["series"][0]["label"] == "margin"
    assert "probability" not in steps["series"][0]
    kept = ranking.moves.key[[m for m in ranking.ranked if m >= ranking.choice]]
    assert (ranking.margin(kept[-1:]) > 0).all()
    assert ranking.gamma_at(ranking.margin(0.3)) == pytest.approx(math.exp(-math.exp(-0.3)))


def test_refusals():
    lacking = naive_mixed.with_holes(MIXED, 0.1, seed=1)
    with pytest.raises(DataError, match="LMM needs every cell"):
        TestedDependence(lacking)
    with pytest.raises(DataError, match="at least 5 rows"):
        TestedDependence(reference("asia_n2000").take(np.arange(4)))
    with pytest.raises(DataError, match="need at least 11 rows, found 8"):
        lmm(TestedDependence(reference("asia_n2000").take(np.arange(8))), max_cond_size=7)
    assert learn("lmm", lacking).completed is not None
