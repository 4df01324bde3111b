"""Tests of the independence tests for small samples: reference implementations, all learners, seeds and threads."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import permutations

import numpy as np
import pytest

from learners import G2, Dataset, ParameterError, PearsonX2, PermutationG2, ShrinkageMI, pc
from learners.registry import LEARNERS, learn
from learners.settings.shared import TEST
from tests import naive_tests

TESTS = {
    "permutation": lambda data, **more: PermutationG2(data, permutations=200, **more),
    "semi-parametric": lambda data, **more: PermutationG2(data, permutations=50, semi_parametric=True, **more),
    "shrinkage": ShrinkageMI,
    "x2": PearsonX2,
}
# These learners run many tests with many permutations each.
LEARNT = [pytest.param(name, marks=[pytest.mark.compiled] * (name == "permutation")) for name in TESTS]
TESTING = [key for key, one in LEARNERS.items() if TEST in one.settings]


def table(n: int, seed: int = 0, *, arity=(2, 3, 2, 3, 2), strength: float = 0.7) -> Dataset:
    """Draw a chain: each cell copies that of the previous column with probability `strength`, else it is uniform."""
    rng = np.random.default_rng(seed)
    codes = np.empty((len(arity), n), dtype=np.uint8)
    codes[0] = rng.integers(arity[0], size=n)
    for k in range(1, len(arity)):
        codes[k] = np.where(rng.random(n) < strength, codes[k - 1] % arity[k], rng.integers(arity[k], size=n))
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(len(arity))])


def all_shuffles(codes: np.ndarray, x: int, y: int) -> float:
    """Return the share of all permutations of y whose G² is at least the observed one."""
    found = naive_tests.g2(codes, x, y, ())[0]
    hits = total = 0
    for order in permutations(range(codes.shape[1])):
        shuffled = codes.copy()
        shuffled[y] = codes[y][list(order)]
        hits += naive_tests.g2(shuffled, x, y, ())[0] >= found - 1e-9
        total += 1
    return hits / total


def shrunk_twin(data: Dataset, x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
    """Return (information in nats, λ) from the complete table of shrunk cells, including empty cells and strata."""
    cells: dict[tuple, float] = Counter(zip(*(data.codes[[x, y, *cond]].tolist()), strict=True))
    n, r = data.n_rows, [int(data.arity[k]) for k in (x, y, *cond)]
    every = list(np.ndindex(*r))
    share = {c: cells.get(c, 0) / n for c in every}
    target = 1 / len(every)
    spread = (n - 1) * sum((target - s) ** 2 for s in share.values())
    shrink = min(1.0, (1 - sum(s**2 for s in share.values())) / spread) if spread else 1.0
    share = {c: shrink * target + (1 - shrink) * s for c, s in share.items()}
    margins = [defaultdict(float) for _ in range(3)]
    for (a, b, *z), s in share.items():
        for margin, key in zip(margins, ((a, *z), (b, *z), tuple(z)), strict=True):
            margin[key] += s
    information = math.fsum(
        s * math.log(s * margins[2][tuple(z)] / (margins[0][a, *z] * margins[1][b, *z]))
        for (a, b, *z), s in share.items()
        if s > 0
    )
    return information, shrink


# --- shrinkage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cond", [(), (2,), (2, 3)], ids=str)
@pytest.mark.parametrize("n", [3, 20, 500])
def test_shrunk_information_equals_the_whole_table_written_out(n, cond):
    """Intensity and information of the shrunk cells follow Hausser and Strimmer (2009)."""
    data = table(n, seed=n)
    found = ShrinkageMI(data).shrunk_information(0, 1, np.array(cond, dtype=np.int32))
    assert found == pytest.approx(shrunk_twin(data, 0, 1, cond), abs=1e-12)


def test_shrinkage_comes_close_to_g2_with_many_rows_and_keeps_small_samples_humble():
    """λ falls with the number of rows; the statistic is far below G² with few rows and close to it with many."""
    few, many = table(12, seed=1), table(20_000, seed=1)
    none = np.empty(0, dtype=np.int32)
    assert ShrinkageMI(few).shrunk_information(0, 1, none)[1] > 10 * ShrinkageMI(many).shrunk_information(0, 1, none)[1]
    assert ShrinkageMI(few).test(0, 1, (3,)).statistic < 0.9 * G2(few).test(0, 1, (3,)).statistic
    assert ShrinkageMI(many).test(0, 1).statistic == pytest.approx(G2(many).test(0, 1).statistic, rel=0.02)


# --- Pearson --------------------------------------------------------------------------------------------------------


def x2_twin(data: Dataset, x: int, y: int, cond: tuple[int, ...]) -> tuple[float, int]:
    """Return (Σ (1 - 1/n_s) X²_s, Σ (r_s - 1)(c_s - 1)), where X² sums (observed - expected)² / expected over cells."""
    strata = defaultdict(list)
    for a, b, *z in data.codes[[x, y, *cond]].T.tolist():
        strata[tuple(z)].append((a, b))
    total, dof = 0.0, 0
    for rows in strata.values():
        n, cells = len(rows), Counter(rows)
        firsts, seconds = Counter(a for a, _ in rows), Counter(b for _, b in rows)
        expected = {(a, b): firsts[a] * seconds[b] / n for a in firsts for b in seconds}
        total += (1 - 1 / n) * sum((cells[cell] - e) ** 2 / e for cell, e in expected.items())
        dof += (len(firsts) - 1) * (len(seconds) - 1)
    return total, dof


@pytest.mark.parametrize("cond", [(), (2,), (2, 3)], ids=str)
@pytest.mark.parametrize("n", [3, 20, 500])
def test_x2_equals_its_cells_written_out(n, cond):
    data = table(n, seed=n)
    plain, found = PearsonX2(data, dof="plain").test(0, 1, cond), PearsonX2(data).test(0, 1, cond)
    statistic, mean = x2_twin(data, 0, 1, cond)
    assert plain.statistic == pytest.approx(statistic, abs=1e-9)
    assert plain.dof == naive_tests.plain_dof(data.arity, 0, 1, cond)
    # The fitted distribution is shifted and scaled, so the signs of the excess over the mean are equal.
    assert (found.statistic > found.dof) == (statistic > mean + 1e-9)


def test_the_mean_of_x2_over_all_orders_is_its_degrees_of_freedom():
    """The mean of X² over all permutations is its degrees of freedom; that of G² is larger for two rows per stratum."""
    codes = np.array([[0, 0, 1, 1, 1, 0], [0, 1, 2, 0, 2, 1]], dtype=np.uint8)
    found = {"x2": [], "g2": []}
    for order in permutations(range(6)):
        data = Dataset.from_codes(np.array([codes[0], codes[1][list(order)]]), [2, 3], ["a", "b"])
        found["x2"].append(PearsonX2(data, dof="plain").test(0, 1).statistic)
        found["g2"].append(G2(data).test(0, 1).statistic)
    assert np.mean(found["x2"]) == pytest.approx(2.0)
    assert np.mean(found["g2"]) > 2.3


def test_x2_is_calibrated_where_g2_is_not():
    """G² rejects all of 60 independent pairs with 60 levels and 3,000 rows at .05, X² at most 8."""
    rng = np.random.default_rng(60)
    draws = [Dataset.from_codes(rng.integers(60, size=(2, 3_000)), [60, 60], ["a", "b"]) for _ in range(60)]
    assert sum(G2(data).test(0, 1).log_p <= np.log(0.05) for data in draws) == 60
    assert sum(PearsonX2(data).test(0, 1).log_p <= np.log(0.05) for data in draws) <= 8


# --- permutation ----------------------------------------------------------------------------------------------------


def test_permutation_p_approaches_the_share_of_all_orders():
    """For seven rows with 5 040 orders, 20 000 permutations give p within four standard errors of the exact share."""
    codes = np.array([[0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 1]], dtype=np.uint8)
    data = Dataset.from_codes(codes, [2, 3], ["a", "b"])
    exact = all_shuffles(codes, 0, 1)
    found = PermutationG2(data, permutations=20_000).test(0, 1)
    assert found.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact / 20_000))
    assert found.statistic == pytest.approx(naive_tests.g2(codes, 0, 1, ())[0])


def test_permutation_shuffles_only_within_strata():
    """Rows are permuted only within strata.

    If the set determines a variable, p is 1; given their common cause, two variables are independent.
    """
    rng = np.random.default_rng(0)
    z = rng.integers(2, size=400)
    noisy = [np.where(rng.random(400) < 0.9, z, 1 - z) for _ in range(2)]
    data = Dataset.from_codes(np.array([*noisy, z, z], dtype=np.uint8), [2] * 4, list("abcd"))
    test = PermutationG2(data, permutations=500)
    assert test.test(0, 1).p_value == pytest.approx(1 / 501)
    assert test.test(0, 1, (2,)).p_value > 0.05
    assert test.test(2, 0, (3,)).p_value == 1.0


@pytest.mark.parametrize(("semi", "levels"), [(False, 9), (True, 4)], ids=["counted", "semi-parametric"])
def test_permutation_keeps_its_level_where_the_table_is_sparse(semi, levels):
    """About one in twenty independent pairs of columns with many levels and 30 rows is found dependent."""
    found = 0
    for seed in range(150):
        rng = np.random.default_rng([seed, 5])
        data = Dataset.from_codes(rng.integers(levels, size=(2, 30)).astype(np.uint8), [levels] * 2, ["a", "b"])
        found += PermutationG2(data, permutations=100, semi_parametric=semi).test(0, 1).p_value <= 0.05
    assert 1 <= found <= 17


def test_semi_parametric_degrees_of_freedom_are_the_mean_of_the_shuffles():
    """The degrees of freedom are the mean permuted statistic, near the plain ones for many rows and full tables."""
    data = table(1000, strength=0.0, arity=(3, 4, 2))
    found = PermutationG2(data, permutations=400, semi_parametric=True).test(0, 1, (2,))
    assert found.dof == pytest.approx(12, rel=0.05)
    assert found.p_value == pytest.approx(G2(data).test(0, 1, (2,)).p_value, abs=0.05)


def test_permutation_follows_seed_and_names_and_not_order_of_columns_or_questions():
    """A table with reversed columns gives the same p-values; another seed gives different ones."""
    data = table(60, strength=0.3)
    test, turned = PermutationG2(data, seed=7), PermutationG2(data.select([4, 3, 2, 1, 0]), seed=7)
    first = test.test(0, 3, (1, 2)).p_value
    test.test(1, 2)
    assert test.test(3, 0, (2, 1)).p_value == first
    assert turned.test(4, 1, (3, 2)).p_value == first
    others = {PermutationG2(data, seed=seed).test(0, 3, (1, 2)).p_value for seed in range(5)}
    assert len(others) > 1


def test_weighted_rows_are_rows():
    """Merged rows give the same tests as repeated rows."""
    data = table(200)
    for make in TESTS.values():
        one, other = make(data).test(0, 2, (1,)), make(data.merged()).test(0, 2, (1,))
        assert one.statistic == pytest.approx(other.statistic, rel=1e-9)
    assert ShrinkageMI(data).test(0, 2, (1,)).log_p == pytest.approx(ShrinkageMI(data.merged()).test(0, 2, (1,)).log_p)


# --- in the learners ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEARNT)
def test_set_searches_equal_single_tests_on_any_number_of_threads(name):
    """PC gives the same graph, sets and largest p with one thread and with two."""
    data = table(150)
    one, two = (pc(TESTS[name](data, threads=threads), alpha=0.1) for threads in (1, 2))
    assert one.graph == two.graph
    assert dict(one.sepsets) == dict(two.sepsets)
    np.testing.assert_array_equal(one.extra.log_phi, two.extra.log_phi)
    test = TESTS[name](data)
    for pair, cond in one.sepsets.items():
        assert test.test(*sorted(pair), tuple(sorted(cond))).log_p == one.extra.log_phi[*sorted(pair)]


@pytest.mark.gate_cases(6)
@pytest.mark.compiled
@pytest.mark.parametrize("test", LEARNT)
@pytest.mark.parametrize("key", TESTING)
def test_every_learner_that_tests_takes_them(key, test):
    """Every learner with tests accepts them; the same seed gives the same result, and the settings are recorded."""
    data = table(80, arity=(2, 3, 2, 2))
    one, other = (learn(key, data, seed=3, test=test) for _ in range(2))
    assert one.graph == other.graph
    assert one.params["test"] == test


@pytest.mark.parametrize("name", ["permutations", "seed"])
def test_permutation_refuses_values_out_of_range(name):
    """Values out of range are refused with a message that names the parameter."""
    with pytest.raises(ParameterError, match=f"^{name} must be"):
        PermutationG2(table(10), **{name: -1})
