"""Tests of fitting networks: hand counts, known networks, missing cells, weights, mixed data, confidence intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import (
    PDAG,
    DataError,
    Dataset,
    DiscreteNetwork,
    GaussianNetwork,
    ParameterError,
    RegressionNetwork,
    cpdag,
    dags_of_class,
    fit,
    load_network,
    random_gaussian_network,
    sample,
)
from learners.completion.completed import with_completion

ASIA = load_network("asia")
PAIR = PDAG.from_edges(2, directed=[(0, 1)])


def test_equations_fitted_to_many_rows_are_those_that_drew_them():
    """Weights, noise variances and intercepts of a large sample are close to those of the network."""
    network = random_gaussian_network(5, 6, seed=2)
    found = fit(network.dag, sample(network, 200_000, seed=1))
    np.testing.assert_allclose(found.weights, network.weights, atol=0.05)
    np.testing.assert_allclose(found.noise_variance, network.noise_variance, rtol=0.05)
    np.testing.assert_allclose(found.intercept, network.intercept, atol=0.05)


def test_a_table_of_probabilities_counts_rows():
    """The probabilities equal a hand computation with a uniform prior worth one row; weights count as rows."""
    data = sample(ASIA, 300, seed=4)
    found = fit(ASIA.dag, data)
    j = next(j for j in range(8) if len(ASIA.dag.parents(j)) == 1)
    (i,) = ASIA.dag.parents(j)
    counts = np.array([[np.sum((data.codes[i] == a) & (data.codes[j] == b)) for b in (0, 1)] for a in (0, 1)]) + 0.25
    np.testing.assert_allclose(found.cpts[j], counts / counts.sum(axis=1, keepdims=True))
    merged = fit(ASIA.dag, data.merged())
    for one, other in zip(found.cpts, merged.cpts, strict=True):
        np.testing.assert_allclose(one, other)


def test_incomplete_rows_count_where_the_family_is_there():
    """Each family uses the rows that are complete for it, as in a computation by hand with weights.

    Parent configurations without rows are uniform under maximum likelihood.
    """
    data = Dataset.from_codes(
        [[0, 0, 1, -1, 1, 0], [0, 1, 1, 1, -1, 1]], [3, 2], ["a", "b"], weights=[1, 2, 3, 4, 5, 1]
    )
    found = fit(PAIR, data, ess=0)
    np.testing.assert_allclose(found.cpts[0], [[4 / 12, 8 / 12, 0]])
    np.testing.assert_allclose(found.cpts[1], [[1 / 4, 3 / 4], [0, 1], [0.5, 0.5]])
    assert found.fitted.nodes[1].rows.tolist() == [4, 3, 0]
    assert found.fitted.nodes[1].few.all()
    smooth = fit(PAIR, data, ess=6.0)
    np.testing.assert_allclose(smooth.cpts[1], [[2 / 6, 4 / 6], [1 / 5, 4 / 5], [0.5, 0.5]])


def test_a_member_of_the_class_is_fitted():
    """For a class, one member is fitted and flagged; marginals under evidence are the same for all members.

    Graphs without a DAG are refused.
    """
    data = sample(ASIA, 500, seed=1)
    found = fit(cpdag(ASIA.dag), data)
    assert found.fitted.member
    assert cpdag(found.dag) == cpdag(ASIA.dag)
    for dag in dags_of_class(cpdag(ASIA.dag)):
        other = fit(dag, data)
        assert not other.fitted.member
        np.testing.assert_allclose(other.posterior({"xray": "yes"})["lung"], found.posterior({"xray": "yes"})["lung"])
    square = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])
    with pytest.raises(ParameterError, match="no DAG has the arrows and v-structures"):
        fit(square, data.select(range(4)))
    with pytest.raises(ParameterError, match="form a cycle"):
        fit(PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)]), data.select(range(3)))
    with pytest.raises(ParameterError, match="a node for each of 8 columns"):
        fit(PAIR, data)


@pytest.mark.parametrize("ess", [-1.0, float("nan"), float("inf"), "1", None])
def test_ess_is_a_number_of_rows(ess):
    with pytest.raises(ParameterError, match="ess must be"):
        fit(ASIA.dag, sample(ASIA, 20, 1), ess)


def mixed_rows(n: int, seed: int = 0) -> pd.DataFrame:
    """Draw rows with group -> x (the slope depends on the group), and x and group -> y, a categorical variable."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["p", "q"], n)
    z = rng.normal(2.0, 3.0, n)
    x = np.where(group == "p", 1.0 + 2.0 * z, -1.0 - z) + rng.normal(0, np.where(group == "p", 0.5, 1.5), n)
    odds = np.column_stack([np.zeros(n), 0.5 + 0.8 * z, np.where(group == "p", 1.0, -1.0) - 0.6 * z])
    y = (odds + rng.gumbel(size=odds.shape)).argmax(axis=1)
    return pd.DataFrame({"group": group, "z": z, "x": x, "y": np.array(["u", "v", "w"])[y]})


MIXED = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (0, 3), (1, 3)])


def test_mixed_networks_are_fitted_by_configuration():
    """Each parent configuration has its own regression.

    About 95 % of the intervals contain the true slopes, and the estimated variances are close to the true ones.
    """
    found = fit(MIXED, Dataset.from_frame(mixed_rows(4_000)))
    assert isinstance(found, RegressionNetwork)
    linear, logistic = found.nodes[2], found.nodes[3]
    np.testing.assert_allclose(linear.coefficients, [[1, 2], [-1, -1]], atol=0.15)
    np.testing.assert_allclose(linear.variance, [0.25, 2.25], rtol=0.1)
    expected = np.array([[[0, 0.5, 1], [0, 0.8, -0.6]], [[0, 0.5, -1], [0, 0.8, -0.6]]])
    np.testing.assert_allclose(logistic.coefficients, expected, atol=0.35)
    inside = []
    for seed in range(20):
        fits = fit(MIXED, Dataset.from_frame(mixed_rows(400, seed))).fitted.nodes
        for one, truth in ((fits[2], np.array([[[1], [2]], [[-1], [-1]]])), (fits[3], expected)):
            low, high = one.interval()
            inside.append(((low <= truth) & (truth <= high)).ravel())
    assert 0.9 <= np.concatenate(inside).mean() <= 0.995


def test_a_configuration_with_too_few_rows_borrows_the_regression_of_all():
    """A configuration with too few rows uses the regression of all rows and is flagged.

    A level determined by its parent has finite log odds.
    """
    frame = mixed_rows(60)
    frame.loc[2:, "group"] = "p"
    frame.loc[:1, "group"] = "q"
    frame["y"] = np.where(frame["z"] > 2, "u", "v")
    found = fit(MIXED, Dataset.from_frame(frame))
    assert found.fitted.nodes[2].borrowed.tolist() == [False, True]
    assert found.fitted.nodes[2].few[1]
    assert np.isfinite(found.nodes[3].coefficients).all()
    assert found.conditional(3, np.array([[0.0], [9.0], [0.0], [0.0]]))[0, 0] > 0.95


def test_intervals_hold_what_drew_the_rows():
    """About 95 % of the intervals contain the true value, for tables with and without a prior and for equations."""
    network, gaussian, inside = ASIA, random_gaussian_network(5, 6, seed=3), {0.0: [], 1.0: [], "equations": []}
    for seed in range(25):
        data = sample(network, 300, seed)
        for ess in (0.0, 1.0):
            for cpt, one in zip(network.cpts, fit(network.dag, data, ess).fitted.nodes, strict=True):
                low, high = one.interval()
                known = (one.rows > 20)[:, None] & (cpt > 0.02) & (cpt < 0.98)
                inside[ess] += ((low <= cpt) & (cpt <= high))[known].tolist()
        fitted = fit(gaussian.dag, sample(gaussian, 60, seed)).fitted.nodes
        for j, one in enumerate(fitted):
            low, high = one.interval()
            truth = np.array([0.0, *gaussian.weights[list(gaussian.dag.parents(j)), j]])
            inside["equations"] += ((low[0, :, 0] <= truth) & (truth <= high[0, :, 0])).tolist()
    assert np.mean(inside[0.0]) >= 0.94  # Clopper-Pearson intervals are conservative
    assert 0.91 <= np.mean(inside[1.0]) <= 0.99
    assert 0.91 <= np.mean(inside["equations"]) <= 0.99


def test_a_parent_far_from_0_has_its_slope():
    """The slope of a parent with large values, such as a date in seconds, is estimated without loss of precision.

    A constant has slope 0 and does not affect the intercept.
    """
    rng = np.random.default_rng(4)
    date, noise = 1.6e9 + 1e6 * rng.normal(size=(2, 4_000))
    values = np.column_stack([date, 2e-6 * (date - 1.6e9) + 1e-6 * (noise - 1.6e9), np.full(4_000, 0.1)])
    data = Dataset.from_values(values, ["date", "y", "constant"])
    found = fit(PDAG.from_edges(3, directed=[(0, 1), (2, 1)]), data)
    np.testing.assert_allclose(found.weights[[0, 2], 1], [2e-6, 0.0], atol=1e-7)
    assert found.noise_variance[1] == pytest.approx(1.0, rel=0.1)
    low, high = found.fitted.nodes[1].interval()
    assert low[0, 1, 0] < 2e-6 < high[0, 1, 0] < 2.1e-6
    assert low[0, 0, 0] < -3200 < high[0, 0, 0]


def test_a_category_of_one_level_needs_no_regression():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "only": "a"})
    found = fit(PAIR, Dataset.from_frame(frame, kinds={"only": "categorical"}))
    assert found.posterior({"x": 1.5})["only"] == pytest.approx([1.0])


def test_no_row_with_the_family_is_a_sentence():
    """If no row is complete for a family, the error message names its columns."""
    data = Dataset.from_values(np.array([[1.0, np.nan], [np.nan, 2.0], [2.0, np.nan]]), ["u", "v"])
    with pytest.raises(DataError, match="no row has 'u' and 'v' together"):
        fit(PAIR, data)


def test_editing_makes_a_copy():
    """Editing a table or an equation drops the fit of its node only."""
    found = fit(PAIR, sample(ASIA, 100, 1).select([2, 3]))
    changed = found.with_table("lung", np.array([[0.2, 0.8], [0.5, 0.5]]))
    assert isinstance(changed, DiscreteNetwork)
    assert found.cpts[1].tolist() != [[0.2, 0.8], [0.5, 0.5]] == changed.cpts[1].tolist()
    assert changed.fitted.nodes[1] is None
    assert changed.fitted.nodes[0] is found.fitted.nodes[0]
    with pytest.raises(DataError, match="sum to 1"):
        found.with_table("lung", np.array([[0.2, 0.7], [0.5, 0.5]]))
    equations = fit(PAIR, Dataset.from_values(np.random.default_rng(0).normal(size=(50, 2)), ["u", "v"]))
    changed = equations.with_equation("v", {"u": 2.0}, 0.5, 1.0)
    assert isinstance(changed, GaussianNetwork)
    assert changed.posterior({"u": 3.0})["v"] == pytest.approx((7.0, 0.5))
    with pytest.raises(ParameterError, match="an effect of each parent"):
        equations.with_equation("v", {}, 0.5, 1.0)


def missing_by_effect(kind: str, n: int = 3_000) -> tuple[Dataset, Dataset]:
    """Return a table of a chain a -> b -> c, and the same without most cells of b where c is high."""
    rng = np.random.default_rng(5)
    a = rng.standard_normal(n)
    b = a + rng.standard_normal(n)
    c = b + rng.standard_normal(n)
    hidden = (c > 0.0) & (rng.random(n) < 0.7)
    columns = {"a": a, "b": b, "c": c}
    cut = {"continuous": (), "categorical": ("a", "b", "c"), "mixed": ("b",)}[kind]
    frame = pd.DataFrame({name: np.where(x > 0, "high", "low") if name in cut else x for name, x in columns.items()})
    whole = Dataset.from_frame(frame)
    return whole, Dataset.from_frame(frame.assign(b=frame["b"].mask(hidden)))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed"])
def test_filled_tables_undo_the_bias_of_the_rows_that_are_left(kind):
    """Cells of b are missing where its effect c is high; this biases P(b) in complete rows, not in imputed tables."""
    whole, data = missing_by_effect(kind)
    chain = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    truth, left, filled = (fit(chain, one) for one in (whole, data, with_completion(data)))
    assert filled.fitted.tables == 10
    assert left.fitted.tables == 0

    def of_b(network: object) -> float:
        found = network.posterior()["b"]
        return float(found.mean) if kind == "continuous" else float(found[0])  # "high" is the first level

    off = [abs(of_b(one) - of_b(truth)) for one in (left, filled)]
    assert off[0] > 0.08
    assert off[1] < 0.4 * off[0]


def test_intervals_allow_for_the_filling():
    """Intervals after filling are wider than those of the complete table, unless no cell of the family is missing."""
    for kind in ("continuous", "categorical"):
        whole, data = missing_by_effect(kind)
        chain = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
        complete, filled = fit(chain, whole), fit(chain, with_completion(data))

        def width(network: object, j: int) -> np.ndarray:
            low, high = network.fitted.nodes[j].interval()
            return high - low

        assert (width(filled, 1) > 1.1 * width(complete, 1)).all()
        np.testing.assert_allclose(width(filled, 0), width(complete, 0), rtol=1e-6)
