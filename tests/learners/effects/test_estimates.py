"""Tests of estimated effects: hand computations, published tables, simulated coverage of intervals, invalid input."""

import warnings
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

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
    sample,
)
from learners.completion.completed import with_completion
from learners.effects.estimates import adjusted_effect, effect_difference
from learners.effects.front_door import front_door_effect
from learners.effects.ida import effect_interval, effect_range, possible_effects
from learners.effects.implications import check_implications
from learners.effects.interventions import chosen_directions, intervene
from learners.independence import FisherZ
from learners.networks.regression_network import LinearRegression, LogisticRegression, ProbabilityTable

# x and y have the common cause z; x acts on y directly and through m.
MEDIATED = PDAG.from_edges(4, directed=[(0, 1), (0, 3), (1, 2), (2, 3), (1, 3)])
RUNS = 200


def binary_network(seed):
    rng = np.random.default_rng(seed)
    cpts = tuple(rng.dirichlet((3, 3), 2 ** len(MEDIATED.parents(j))) for j in range(4))
    return DiscreteNetwork(tuple("zxmy"), (("0", "1"),) * 4, MEDIATED, cpts)


def marginal(network, j):
    """Return the probability of each level of a node by summing over all cases."""
    found = np.zeros(network.arity[j])
    for case in product(*map(range, network.arity)):
        p = 1.0
        for k, cpt in enumerate(network.cpts):
            parents = network.dag.parents(k)
            row = np.ravel_multi_index([case[i] for i in parents], network.arity[list(parents)]) if parents else 0
            p *= cpt[row, case[k]]
        found[case[j]] += p
    return found


def test_shares_are_those_of_the_kidney_stones():
    """The kidney stone data of Charig et al. (1986) give their published shares.

    Treatment A is better after adjustment for the size of the stone.
    """
    rows = {(0, 1, 0): 81, (0, 0, 0): 6, (0, 1, 1): 192, (0, 0, 1): 71,
            (1, 1, 0): 234, (1, 0, 0): 36, (1, 1, 1): 55, (1, 0, 1): 25}  # fmt: skip
    counted = Dataset.from_codes(np.array(list(rows)).T, [2, 2, 2], ["A", "well", "size"], weights=list(rows.values()))
    each = Dataset.from_codes(np.repeat(np.array(list(rows)).T, list(rows.values()), axis=1), [2, 2, 2], counted.names)
    for data in (counted, each):
        assert adjusted_effect(data, 0, 1).values[:, 1] == pytest.approx([273 / 350, 289 / 350])
        found = adjusted_effect(data, 0, 1, [2])
        small, large = 357 / 700, 343 / 700
        wanted = [81 / 87 * small + 192 / 263 * large, 234 / 270 * small + 55 / 80 * large]
        assert found.values[:, 1] == pytest.approx(wanted)
        assert (found.n, found.covered.tolist()) == (700, [1, 1])


def test_intervals_of_numbers_cover_the_effect_as_often_as_they_say():
    rng = np.random.default_rng(1)
    weights = np.where(MEDIATED.amat, rng.uniform(0.5, 1, (4, 4)), 0.0)
    network = GaussianNetwork(tuple("zxmy"), weights, np.ones(4), np.zeros(4))
    truth = weights[1, 3] + weights[1, 2] * weights[2, 3]
    found = [adjusted_effect(sample(network, 60, seed), 1, 3, [0]) for seed in range(RUNS)]
    assert 0.91 <= np.mean([one.low <= truth <= one.high for one in found]) <= 0.99
    assert np.mean([one.values for one in found]) == pytest.approx(truth, abs=0.05)


def test_intervals_allow_spreads_that_differ_between_rows():
    """The variance of each mean is that of its own rows (HC3); one variance for all covers 71 % in the first."""
    covered = np.zeros(3)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        group = np.repeat([0, 1, 2], (20, 30, 50))
        y = np.array([1.0, 2.0, 4.0])[group] + np.array([3.0, 1.5, 0.7])[group] * rng.normal(size=100)
        found = adjusted_effect(
            Dataset.from_frame(pd.DataFrame({"g": pd.Categorical(group.astype(str)), "y": y})), 0, 1
        )
        for k, n in enumerate((20, 30, 50)):
            own = y[group == k]
            half = stdtrit(97, 0.975) * np.sqrt(((own - own.mean()) ** 2).sum()) / (n - 1)
            assert (found.low[k], found.high[k]) == pytest.approx((own.mean() - half, own.mean() + half))
        covered += (found.low <= [1, 2, 4]) & (found.high >= [1, 2, 4])
    assert (covered >= 88).all()  # each with probability .998 at 95 %


def test_intervals_of_shares_cover_the_truncated_factorisation_as_often_as_they_say():
    network = binary_network(2)
    truth = [marginal(intervene(network, {"x": level}), 3)[1] for level in ("0", "1")]
    inside = []
    for seed in range(RUNS):
        found = adjusted_effect(sample(network, 150, seed), 1, 3, [0])
        inside.append((found.low[:, 1] <= truth) & (truth <= found.high[:, 1]))
    assert 0.91 <= np.mean(inside) <= 0.99
    shares = [intervene(network, {"x": level}).posterior({})["y"][1] for level in ("0", "1")]
    assert shares == pytest.approx(truth, abs=1e-9)


def test_means_are_those_of_a_regression_with_indicators():
    rng = np.random.default_rng(3)
    codes, z = rng.integers(3, size=(1, 200)), rng.normal(size=200)
    y = np.array([0.0, 1.0, 3.0])[codes[0]] + z + rng.normal(size=200)
    data = Dataset.joined(
        ["x", "y", "z"], Dataset.from_codes(codes, [4], ["x"]), Dataset.from_values(np.column_stack([y, z]), ["y", "z"])
    )
    design = np.column_stack([codes[0] == 0, codes[0] == 1, codes[0] == 2, z - z.mean()]).astype(float)
    found = adjusted_effect(data, 0, 1, [2])
    assert found.values[:3] == pytest.approx(np.linalg.lstsq(design, y, rcond=None)[0][:3])
    assert np.isnan(found.values[3])
    assert found.covered.tolist() == [1, 1, 1, 0]


def test_differences_are_those_of_the_shares_and_their_intervals_cover_the_truth():
    """If all strata have both levels, the difference is that of the adjusted shares; intervals cover the truth."""
    network = binary_network(2)
    before, after = (marginal(intervene(network, {"x": level}), 3)[1] for level in ("0", "1"))
    inside = []
    for seed in range(RUNS):
        data = sample(network, 150, seed)
        one, whole = effect_difference(data, 1, 3, [0], of=1), adjusted_effect(data, 1, 3, [0])
        if (whole.covered == 1.0).all():
            assert one.value == pytest.approx(whole.values[1, 1] - whole.values[0, 1])
        assert effect_difference(data, 1, 3, [0], levels=(1, 0), of=1).value == pytest.approx(-one.value)
        inside.append(one.low <= after - before <= one.high)
    assert 0.91 <= np.mean(inside) <= 0.99


def test_the_zero_of_a_number_changes_no_effect():
    """Seconds since 1970 give the effects of deviations: slopes, means, differences, and through the front door."""
    rng = np.random.default_rng(8)
    z, codes = rng.normal(size=300), rng.integers(3, size=(1, 300))
    x = z + rng.normal(size=300)
    columns = np.column_stack([x, z, x + z + codes[0] + rng.normal(size=300)])
    found = []
    for zero in (0.0, 1e12):
        numbers = Dataset.from_values(columns + [zero, zero, 0.0], ["x", "z", "y"])
        data = Dataset.joined(["g", "x", "z", "y"], Dataset.from_codes(codes, [3], ["g"]), numbers)
        effects = adjusted_effect(data, 1, 3, [0, 2]), adjusted_effect(data, 0, 3, [1, 2])
        others = effect_difference(data, 0, 3, [1, 2]), front_door_effect(numbers, 1, 2, [0])
        found.append(
            [
                *(part for one in effects for part in (*np.ravel(one.values), *np.ravel(one.low))),
                *(part for one in others for part in (one.value, one.low, one.high)),
            ]
        )
    assert found[1] == pytest.approx(found[0], rel=1e-3)


def test_a_difference_of_means_is_one_of_coefficients():
    rng = np.random.default_rng(3)
    codes, z = rng.integers(3, size=(1, 200)), rng.normal(size=200)
    y = np.array([0.0, 1.0, 3.0])[codes[0]] + z + rng.normal(size=200)
    data = Dataset.joined(
        ["x", "y", "z"], Dataset.from_codes(codes, [4], ["x"]), Dataset.from_values(np.column_stack([y, z]), ["y", "z"])
    )
    means, found = adjusted_effect(data, 0, 1, [2]), effect_difference(data, 0, 1, [2], levels=(2, 1))
    assert found.value == pytest.approx(means.values[1] - means.values[2])
    assert found.low < found.value < found.high
    with pytest.raises(DataError, match="both levels"):
        effect_difference(data, 0, 1, [2], levels=(0, 3))
    slope = effect_difference(data, 2, 1, [0])
    assert slope.value == adjusted_effect(data, 2, 1, [0]).values


def test_a_difference_without_comparable_rows_is_refused():
    codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1]])
    with pytest.raises(DataError, match="no rows differ only in"):
        effect_difference(Dataset.from_codes(codes, [2, 2, 2], ["x", "y", "z"]), 0, 1, [2])


def test_levels_that_never_come_together_are_reported():
    codes = np.array([[0, 0, 1, 1, 0], [0, 1, 0, 1, 1], [0, 0, 0, 0, 1]])
    found = adjusted_effect(Dataset.from_codes(codes, [2, 2, 2], ["x", "y", "z"]), 0, 1, [2])
    assert found.covered.tolist() == [1.0, 0.8]
    assert found.values[1].tolist() == [0.5, 0.5]


def test_rows_without_a_cell_are_left_out():
    values = np.random.default_rng(4).normal(size=(50, 3))
    incomplete = values.copy()
    incomplete[:10, 2] = np.nan
    names = ["x", "y", "z"]
    found = adjusted_effect(Dataset.from_values(incomplete, names), 0, 1, [2])
    assert found.n == 40
    assert found.values == adjusted_effect(Dataset.from_values(values[10:], names), 0, 1, [2]).values
    assert adjusted_effect(Dataset.from_values(incomplete, names), 0, 1).n == 50


def test_a_class_leaves_a_range_of_effects():
    """The class x - y - z gives a range of effects: y has no parent, the parent x, or the parent z.

    In the last case y has no effect on z.
    """
    data = sample(GaussianNetwork(tuple("xyz"), np.diag([0.8, 0.8], 1), np.ones(3), np.zeros(3)), 500, 1)
    graph = PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    found = possible_effects(graph, data, 1, 2)
    assert [one.given for one in found] == [(), (0,), (2,)]
    assert found[0].values == adjusted_effect(data, 1, 2).values
    assert found[2].values == 0
    assert effect_range(found) == (0, max(found[0].values, found[1].values))
    levels = sample(binary_network(5), 300, 1)
    chain = PDAG.from_edges(4, undirected=[(0, 1), (1, 2)])
    none = possible_effects(chain, levels, 1, 2)[-1]
    share = np.mean(levels.codes[2])
    assert none.values == pytest.approx(np.array([[1 - share, share]] * 2))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["numbers", "levels"])
def test_the_interval_of_a_class_contains_that_of_each_of_its_dags(kind, seed):
    """For each pair of a random class, the union of intervals encloses estimates and intervals in every DAG."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.choice([0.0, 0.7, -0.5], size=(5, 5), p=[0.5, 0.3, 0.2]), 1)
    numbers = sample(GaussianNetwork(tuple("abcde"), weights, np.ones(5), np.zeros(5)), 200, seed)
    codes = (numbers.values > 0).astype(np.int64).T
    data = numbers if kind == "numbers" else Dataset.from_codes(codes, [2] * 5, numbers.names)
    graph = cpdag(PDAG(weights != 0))
    for x, y in permutations(range(5), 2):
        low, high = effect_interval(possible_effects(graph, data, x, y))
        for dag in dags_of_class(graph):
            own = possible_effects(dag, data, x, y)[0]
            assert (low <= own.low).all()
            assert (own.low <= own.values).all()
            assert (own.values <= own.high).all()
            assert (own.high <= high).all()


def test_setting_a_variable_cuts_what_leads_to_it():
    network = load_network("cancer")
    done = intervene(network, {"Cancer": "True", "Smoker": "False"})
    assert done.dag.parents(2) == ()
    assert (done.cpts[2].tolist(), done.cpts[1].tolist()) == ([[1, 0]], [[0, 1]])
    assert done.cpts[3] is not None
    np.testing.assert_array_equal(done.cpts[3], network.cpts[3])
    linear = intervene(load_network("ecoli70"), {"lacA": 2.0})
    j = linear.names.index("lacA")
    assert (linear.intercept[j], linear.weights[:, j].any()) == (2.0, False)
    for values, message in (
        ({"Smoke": "True"}, "did you mean"),
        ({"Smoker": "Perhaps"}, "no level"),
        ([], "values must be a mapping"),
    ):
        with pytest.raises(ParameterError, match=message):
            intervene(network, values)


def test_an_intervention_warns_of_the_directions_that_its_dag_chose():
    """The warning names the open edges at the set variables; it comes exactly if do() differs between the DAGs."""
    network = load_network("asia")
    data = sample(network, 500, seed=1)
    whole = cpdag(network.dag)
    fitted, others = fit(whole, data), [fit(dag, data) for dag in dags_of_class(whole)]
    for j, name in enumerate(network.names):
        done = {name: network.levels[j][0]}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            intervene(fitted, done)
        chosen = chosen_directions(fitted, done)
        assert len(caught) == bool(chosen)
        for a, b in chosen:
            assert fitted.dag.mark(a, b) == "forward"
            assert f"{network.names[a]!r} -> {network.names[b]!r}" in str(caught[0].message)
        assert not caught or caught[0].filename == __file__
        answers = [intervene(one, done).posterior() for one in others]
        spread = max(np.ptp([one[k] for one in answers], axis=0).max() for k in network.names)
        assert (spread > 1e-9) == bool(chosen)
    assert chosen_directions(fitted, ["smoke"]) != []
    assert chosen_directions(fitted, ["smoke", "lung", "bronc"]) == []
    assert chosen_directions(others[0], ["smoke"]) == []


def test_interventions_in_mixed_networks_follow_the_truncated_factorisation():
    """Interventions in a mixed network equal the truncated factorization computed by hand.

    z (levels) acts on x and y (numbers), and x acts on y and w (levels). Setting x leaves the distribution of z as it
    is.
    """
    dag = PDAG.from_edges(4, directed=[(0, 1), (0, 2), (1, 2), (1, 3)])
    nodes = (
        ProbabilityTable(np.array([[0.3, 0.7]])),
        LinearRegression(np.array([[0.0], [4.0]]), np.ones(2)),
        LinearRegression(np.array([[1.0, 2.0], [5.0, -1.0]]), np.ones(2)),
        LogisticRegression(np.array([[[0.0, 0.5], [0.0, 1.0]]])),
    )
    network = RegressionNetwork(tuple("zxyw"), (("0", "1"), (), (), ("0", "1")), dag, nodes)
    found = intervene(network, {"x": 3}).posterior()
    assert found["y"].mean == pytest.approx(0.3 * (1 + 2 * 3) + 0.7 * (5 - 3), abs=5 * found.error["y"])
    assert found["z"] == pytest.approx([0.3, 0.7], abs=5 * found.error["z"])
    assert found["w"][1] == pytest.approx(1 / (1 + np.exp(-3.5)), abs=5 * found.error["w"])
    assert found["x"].mean == pytest.approx(3, abs=1e-6)
    seen = network.posterior({"x": 3})["y"].mean
    assert abs(seen - found["y"].mean) > 0.5
    done = intervene(network, {"z": "1", "w": "0"})
    assert (done.dag.parents(1), done.dag.parents(3)) == ((0,), ())
    assert done.posterior()["x"].mean == pytest.approx(4, abs=0.1)
    assert done.posterior()["w"].tolist() == [1, 0]
    changed = network.with_regression("y", [[0, 0], [5, -1]], [2, 2])
    assert (changed.nodes[2].variance.tolist(), network.nodes[2].variance.tolist()) == ([2, 2], [1, 1])
    for ask in (
        lambda: network.with_regression("z", [[1]]),
        lambda: network.with_table("x", [[1]]),
        lambda: intervene(network, {"x": "1"}),
    ):
        with pytest.raises(ParameterError, match="'[zx]'"):
            ask()


def test_what_is_set_is_read_as_evidence_is():
    """Interventions accept NumPy numbers and, for levels "True" and "False", truth values; other values are refused."""
    linear = load_network("ecoli70")
    done = intervene(linear, {"lacA": np.float32(2.0), "lacZ": np.int64(3)})
    assert done.intercept[[linear.names.index(name) for name in ("lacA", "lacZ")]].tolist() == [2.0, 3.0]
    assert intervene(load_network("cancer"), {"Smoker": True}).cpts[1].tolist() == [[1, 0]]
    for network, name in ((linear, "lacA"), (load_network("cancer"), "Smoker")):
        with pytest.raises(ParameterError, match=name):
            intervene(network, {name: None})


def test_no_row_with_the_columns_is_a_sentence():
    values = np.array([[1.0, np.nan], [np.nan, 2.0], [2.0, np.nan]])
    with pytest.raises(DataError, match="no row has a value in all of the columns 'u' and 'v'"):
        adjusted_effect(Dataset.from_values(values, ["u", "v"]), 0, 1)


def test_a_missing_edge_is_what_fits_worst():
    network = GaussianNetwork(tuple("abcd"), np.diag([0.8, 0.8, 0.8], 1), np.ones(4), np.zeros(4))
    data = sample(network, 500, 2)
    wrong = PDAG.from_edges(4, directed=[(0, 1), (2, 3)])
    found = check_implications(wrong, FisherZ(data))
    assert {one.implication[:2] for one in found[:2]} >= {(1, 2)}
    assert [one.result.log_p for one in found] == sorted(one.result.log_p for one in found)
    assert found[0].rejected
    assert not any(one.rejected for one in check_implications(network.dag, FisherZ(data)))
    assert len(check_implications(wrong, FisherZ(data), tick=lambda _phase, done, _total: done < 2)) == 2


@pytest.mark.parametrize(
    ("ask", "message"),
    {
        "confidence": (lambda data: adjusted_effect(data, 0, 1, confidence=1.0), "confidence"),
        "itself": (lambda data: adjusted_effect(data, 0, 0), "different"),
        "few rows": (lambda data: adjusted_effect(data.take([0, 1]), 0, 1, [2]), "more than 3 rows"),
        "dependent": (lambda data: adjusted_effect(data, 0, 1, [3]), "linearly dependent"),
        "graph": (lambda data: possible_effects(PDAG.empty(3), data, 0, 1), "a node for each of 4"),
        "data": (lambda _data: adjusted_effect(None, 0, 1), "must be a Dataset"),
        "test": (lambda data: check_implications(PDAG.empty(3), FisherZ(data.select([0, 1]))), "a node for each of 2"),
    }.values(),
)
def test_wrong_questions_are_refused(ask, message):
    values = np.random.default_rng(6).normal(size=(20, 4))
    values[:, 3] = values[:, 0]
    with pytest.raises((DataError, ParameterError), match=message):
        ask(Dataset.from_values(values, list("abcd")))


def missing_by_effect(seed: int, n: int) -> Dataset:
    """Return a chain a -> b -> c of slopes 1, without most cells of b where c is high."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(n)
    b = a + rng.standard_normal(n)
    c = b + rng.standard_normal(n)
    hidden = (c > 0.5) & (rng.random(n) < 0.8)
    return Dataset.from_values(np.column_stack([a, np.where(hidden, np.nan, b), c]), ["a", "b", "c"])


@pytest.mark.deep
def test_intervals_from_filled_tables_cover_the_effect():
    """At least 43 of 50 intervals of 95 % cover (fewer with probability .004); with complete rows, far fewer do."""
    covers = {"filled": 0, "left": 0}
    for seed in range(50):
        data = missing_by_effect(seed, 300)
        for name, one in (("filled", with_completion(data)), ("left", data)):
            found = adjusted_effect(one, 0, 1)
            covers[name] += bool(found.low < 1.0 < found.high)
            assert found.tables == (10 if name == "filled" else 0)
    assert covers["filled"] >= 43
    assert covers["left"] < 37


def test_filled_tables_serve_each_kind_of_effect():
    """Levels and differences are pooled, too: the bias of the rows that are left is gone."""
    data = missing_by_effect(7, 4_000)
    low = {name: np.where(data.values[:, k] > 0, "high", "low") for name, k in (("a", 0), ("c", 2))}
    b = np.where(np.isnan(data.values[:, 1]), None, np.where(data.values[:, 1] > 0, "high", "low"))
    levels = Dataset.from_frame(pd.DataFrame({"a": low["a"], "b": b, "c": low["c"]}))
    mixed = Dataset.from_frame(pd.DataFrame({"a": low["a"], "b": data.values[:, 1], "c": data.values[:, 2]}))
    # P(b > 0 | a > 0) is 3/4 for normal columns of correlation sqrt(1/2); the difference of the means of a is 2 E|a|.
    shares = effect_difference(with_completion(levels), 0, 1, levels=(1, 0), of=0)
    means = effect_difference(with_completion(mixed), 0, 1, levels=(1, 0))
    assert shares.tables == means.tables == 10
    assert shares.value == pytest.approx(0.5, abs=0.05)
    assert means.value == pytest.approx(2 * np.sqrt(2 / np.pi), abs=0.1)
    assert abs(effect_difference(levels, 0, 1, levels=(1, 0), of=0).value - 0.5) > 0.05
    assert abs(effect_difference(mixed, 0, 1, levels=(1, 0)).value - 2 * np.sqrt(2 / np.pi)) > 0.1
    zero = possible_effects(PDAG.from_edges(3, directed=[(1, 0)]), with_completion(mixed), 0, 1)[0]
    assert zero.tables == 10
    assert abs(zero.values[0]) < 0.1  # the mean of b over all rows; over complete rows it is far from 0
