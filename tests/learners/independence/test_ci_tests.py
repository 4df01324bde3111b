"""Tests of independence tests: bnlearn's values, the oracle, singular and degenerate data, and set searches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, PDAG, DataError, Dataset, DSeparation, FisherZ, ParameterError, PermutationG2
from learners.common.progress import Stopped
from learners.independence.ci_test import CIResult, CITest
from learners.independence.set_search import BatchSearch, LevelSearch
from learners.kernels.ci.pair_pools import PairPools
from tests import naive, naive_tests, references


def queries(name: str) -> list[tuple[int, int, list[int], dict]]:
    """Return bnlearn's tests of a sample, with columns as indices."""
    at = references.dataset(name).index
    return [
        (at(query["x"]), at(query["y"]), [at(k) for k in query["z"]], query)
        for query in references.load(f"bnlearn/{name}")["ci_tests"]
    ]


def samples(p: int = 5, n: int = 300, seed: int = 0) -> Dataset:
    """Draw the columns of a noisy chain, with 2 to 4 levels."""
    rng = np.random.default_rng(seed)
    arity = 2 + np.arange(p) % 3
    codes = [rng.integers(0, arity[0], n)]
    for r in arity[1:]:
        codes.append(np.where(rng.random(n) < 0.5, codes[-1] % r, rng.integers(0, r, n)))
    return Dataset.from_codes(np.array(codes), arity, [f"v{k}" for k in range(p)])


# --- bnlearn --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", references.DISCRETE)
def test_g2_plain_agrees_with_bnlearn_mi(name):
    """Statistic, degrees of freedom and p of every query equal bnlearn's."""
    test = G2(references.dataset(name), dof="plain")
    for x, y, cond, query in queries(name):
        result, expected = test.test(x, y, cond), query["mi"]
        assert result.statistic == pytest.approx(expected["stat"], rel=1e-9, abs=1e-8)
        assert result.dof == expected["df"]
        assert result.tested
        check_p(result, expected["p"])


@pytest.mark.parametrize("name", references.DISCRETE)
def test_g2_adjusted_agrees_with_bnlearn_mi_adf(name):
    """Adjusted degrees of freedom and the rule of five equal bnlearn's, except for two quirks of bnlearn."""
    test = G2(references.dataset(name), dof="adjusted", rows_per_cell=5)
    for x, y, cond, query in queries(name):
        result, expected = test.test(x, y, cond), query["mi-adf"]
        assert result.statistic == pytest.approx(query["mi"]["stat"], rel=1e-9, abs=1e-8)
        assert result.dof == expected["df"]
        assert result.tested == query["power_rule_ok"]
        if not query["power_rule_ok"] or expected["df"] == 0:
            assert result.log_p == 0.0
            assert result.p_value == 1.0
        else:
            assert result.statistic == pytest.approx(expected["stat"], rel=1e-9, abs=1e-8)
            check_p(result, expected["p"])


@pytest.mark.parametrize("name", references.GAUSSIAN)
def test_fisher_z_agrees_with_bnlearn_zf(name):
    """z and p equal bnlearn's; the partial correlation equals the statistic of `cor`."""
    data = references.dataset(name)
    test = FisherZ(data)
    for x, y, cond, query in queries(name):
        result = test.test(x, y, cond)
        assert result.statistic == pytest.approx(query["zf"]["stat"], abs=1e-10)
        rho = math.tanh(result.statistic / math.sqrt(data.n - len(cond) - 3))
        assert rho == pytest.approx(query["cor"]["stat"], abs=1e-12)
        assert math.isnan(result.dof)
        check_p(result, query["zf"]["p"])


def check_p(result: CIResult, expected: float) -> None:
    """Check that the p-value equals the expected one.

    R's p-values have a relative error of 1e-8 down to 1e-290. Of smaller values, only the smallness is checked.
    """
    assert result.p_value == pytest.approx(math.exp(result.log_p), rel=1e-12)
    if expected > 1e-290:
        assert result.p_value == pytest.approx(expected, rel=1e-8)
    else:
        assert result.log_p < math.log(1e-290)


# --- G² -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_levels", [2, 5])
def test_g2_log_p_of_a_copy_does_not_underflow(n_levels):
    """For 100 000 rows of a column and its copy, log p is finite and falls with n.

    In double precision, p itself is 0.
    """
    column = np.random.default_rng(1).integers(0, n_levels, 100_000)
    whole = G2(Dataset.from_codes([column, column], [n_levels] * 2, ["a", "b"])).test(0, 1)
    half = G2(Dataset.from_codes([column[:50_000]] * 2, [n_levels] * 2, ["a", "b"])).test(0, 1)
    assert whole.p_value == 0.0
    assert -math.inf < whole.log_p < half.log_p < -20_000


@pytest.mark.parametrize("dof", ["adjusted", "plain"])
@pytest.mark.parametrize("cond", [(), (2,), (2, 3), (2, 3, 4)], ids=len)
def test_g2_merged_rows_give_identical_results(dof, cond):
    """Weighted rows give the results of repeated rows, up to the order of summation."""
    data = samples()
    assert data.merged().n_rows < data.n_rows
    merged, plain = (G2(one, dof=dof).test(0, 1, cond) for one in (data.merged(), data))
    assert merged.statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert merged.log_p == pytest.approx(plain.log_p, rel=1e-11)
    assert (merged.dof, merged.tested) == (plain.dof, plain.tested)


def test_g2_rows_of_weight_0_do_not_exist():
    """Rows of weight 0 add neither counts nor observed states.

    The sample size of the power rule is the sum of weights.
    """
    data = samples(n=40)
    weights = np.arange(40) % 2
    kept = Dataset.from_codes(data.codes[:, weights == 1], data.arity, data.names)
    for cond in [(), (2,), (2, 3, 4)]:
        # 20 rows count, too few for 6 cells at 5 rows per cell; the 40 stored rows would suffice.
        left = G2(data.with_weights(weights), rows_per_cell=5).test(0, 1, cond)
        assert left == G2(kept, rows_per_cell=5).test(0, 1, cond)
        assert not left.tested


def test_g2_dof_kinds_differ_by_unseen_states():
    """A declared level without rows counts only for plain degrees of freedom."""
    data = Dataset.from_codes([[0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]], [3, 4], ["a", "b"])
    assert G2(data, dof="plain").test(0, 1).dof == 6
    assert G2(data, dof="adjusted").test(0, 1).dof == 2


def test_g2_adjusted_dof_skips_strata_that_show_one_state():
    """Each stratum adds (states of x - 1)(states of y - 1): 1 in the first, 0 in the second, 0 in the empty third."""
    data = Dataset.from_codes([[0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1]], [2, 2, 3], ["a", "b", "c"])
    assert G2(data, dof="adjusted").test(0, 1, [2]).dof == 1
    assert G2(data, dof="plain").test(0, 1, [2]).dof == 3


@pytest.mark.parametrize("dof", ["adjusted", "plain"])
def test_g2_constant_column_is_independent_of_everything(dof):
    """A constant column has no degrees of freedom and p = 1; in the conditioning set it changes nothing."""
    data = samples(p=3)
    codes = np.vstack([data.codes, np.zeros((1, data.n))]).astype(int)
    test = G2(Dataset.from_codes(codes, [*data.arity, 1], ["a", "b", "c", "flat"]), dof=dof)
    assert (test.test(0, 3).log_p, test.test(3, 0, [1]).dof) == (0.0, 0.0)
    assert test.test(0, 1, [2, 3]) == test.test(0, 1, [2])


@pytest.mark.parametrize(("n", "tested"), [(39, False), (40, True)])
def test_g2_power_rule_includes_its_boundary(n, tested):
    """A pair is tested if n is at least 5 times the cells. An untested pair counts as independent."""
    rng = np.random.default_rng(0)
    column = rng.integers(0, 2, n)
    data = Dataset.from_codes([column, column, rng.integers(0, 2, n)], [2, 2, 2], ["a", "b", "c"])
    result = G2(data, rows_per_cell=5).test(0, 1, [2])
    assert result.tested == tested
    assert (result.log_p == 0.0) != tested
    assert result.statistic > 1.0


@pytest.mark.parametrize("repeats", [1, 3, 7])
def test_g2_is_never_negative(repeats):
    """Exactly independent tables leave rounding errors of either sign, which tests and set searches clamp at 0."""
    for ra in range(2, 12):
        for rb in range(2, 12):
            grid = np.indices((ra, rb, repeats)).reshape(3, -1)
            flat = np.zeros_like(grid[0])
            test = G2(Dataset.from_codes([grid[0], grid[1], flat], [ra, rb, 2], ["a", "b", "flat"]))
            found = [test.test(0, 1), test.test(0, 1, [2]), separate(test, 0, 1, [], 0, 0.5)]
            found.append(separate(test, 0, 1, [2], 1, 0.5))
            assert all(0.0 <= result.statistic < 1e-8 for result in found)


def test_g2_p_values_are_uniform_under_independence():
    """The p-values of 400 independent pairs stay within 0.1 of the uniform distribution (1e-3 quantile)."""
    rng = np.random.default_rng(11)
    p_values = [
        G2(Dataset.from_codes(rng.integers(0, 3, (2, 500)), [3, 3], ["a", "b"])).test(0, 1).p_value for _ in range(400)
    ]
    assert np.abs(np.sort(p_values) - np.linspace(0, 1, 400)).max() < 0.1


# --- Fisher's z -----------------------------------------------------------------------------------------------------


def test_fisher_z_p_values_are_uniform_under_independence():
    """P-values of independent pairs are uniform, also given another column."""
    rng = np.random.default_rng(12)
    p_values = [
        FisherZ(Dataset.from_values(rng.normal(size=(50, 3)), ["a", "b", "c"])).test(0, 1, [2]).p_value
        for _ in range(400)
    ]
    assert np.abs(np.sort(p_values) - np.linspace(0, 1, 400)).max() < 0.1


def test_fisher_z_log_p_of_a_copy_does_not_underflow():
    """log p is finite for 100 000 rows of a column and its scaled copy."""
    column = np.random.default_rng(1).normal(size=100_000)
    result = FisherZ(Dataset.from_values(np.column_stack([column, 3.0 - 2.0 * column]), ["a", "b"])).test(0, 1)
    assert result.p_value == 0.0
    assert -math.inf < result.log_p < -1e6
    assert result.statistic < 0.0


@pytest.mark.parametrize("size", range(5))
def test_fisher_z_is_never_nan_on_singular_data(size):
    """Copies, sums and constants never give NaN, whatever the pair and the set."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 30))
    data = Dataset.from_values(np.column_stack([a, b, a, a + b, np.full(30, 5.0), 1e9 * b]), list("abcdef"))
    test = FisherZ(data)
    for x, y in combinations(range(6), 2):
        for cond in combinations([k for k in range(6) if k not in (x, y)], size):
            result = test.test(x, y, cond)
            assert math.isfinite(result.statistic)
            assert -math.inf < result.log_p <= 0.0


def test_fisher_z_redundant_member_of_the_set_changes_nothing():
    """A copy of a member changes no result and costs no degree of freedom."""
    rng = np.random.default_rng(5)
    a, b, c = rng.normal(size=(3, 40))
    test = FisherZ(Dataset.from_values(np.column_stack([a + c, b + c, c, 2 * c]), list("abcd")))
    once, twice = test.test(0, 1, [2]), test.test(0, 1, [2, 3])
    assert twice.statistic == pytest.approx(once.statistic, abs=1e-9)


@pytest.mark.parametrize(("size", "tested"), [(0, True), (1, True), (2, False), (3, False)])
def test_fisher_z_does_not_test_sets_too_large_for_the_sample(size, tested):
    """n - |Z| - 3 must be positive, so with 5 rows the set has at most one member."""
    values = np.random.default_rng(6).normal(size=(5, 5))
    result = FisherZ(Dataset.from_values(values, list("abcde"))).test(0, 1, [2, 3, 4][:size])
    assert result.tested == tested
    assert (result.log_p < 0.0) == tested


# --- the oracle -----------------------------------------------------------------------------------------------------


def check_oracle(amat: np.ndarray) -> None:
    """Check that d-separation of all pairs given all sets equals separation in the moral graph."""
    p = len(amat)
    oracle = DSeparation(PDAG(amat))
    for x, y in combinations(range(p), 2):
        rest = [k for k in range(p) if k not in (x, y)]
        for size in range(p - 1):
            for cond in combinations(rest, size):
                expected = naive_tests.d_separated(amat, x, y, cond)
                for result in (oracle.test(x, y, cond), oracle.test(y, x, cond)):
                    assert result.p_value == float(expected)
                    assert result.log_p == (0.0 if expected else -math.inf)


def test_d_separation_agrees_with_moral_graphs_on_all_dags_of_four_nodes():
    """The oracle is right for all 543 DAGs, every pair and every set."""
    for amat in naive.all_dags(4):
        check_oracle(amat)


@pytest.mark.parametrize("seed", range(30))
def test_d_separation_agrees_with_moral_graphs_on_dags_of_five_nodes(seed):
    """The oracle is right for random DAGs with up to 10 edges, every pair and every set."""
    check_oracle(naive.random_dag(np.random.default_rng(seed), 5, 10))


@pytest.mark.parametrize("name", ["asia", "child", "insurance", "alarm"])
def test_d_separation_agrees_with_bnlearn(name):
    """120 queries on a published network equal bnlearn's."""
    sample = next(s for s in references.DISCRETE if s.startswith(name))
    data = references.dataset(sample)
    oracle = DSeparation(references.true_dag(sample), data.names)
    for x, y, cond, separated in references.load("dsep")[name]:
        assert oracle.test(data.index(x), data.index(y), [data.index(k) for k in cond]).p_value == separated


@pytest.mark.parametrize(
    "graph",
    [PDAG.from_edges(2, undirected=[(0, 1)]), PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)])],
    ids=["undirected", "cyclic"],
)
def test_d_separation_refuses_what_is_no_dag(graph):
    with pytest.raises(ParameterError, match="^d-separation needs a DAG"):
        DSeparation(graph)


# --- set searches ---------------------------------------------------------------------------------------------------


class Slow(CITest):
    """A wrapper that answers one query at a time, like a user's own test that defines only `test`."""

    def __init__(self, inner: CITest) -> None:
        self.names = inner.names
        self.inner = inner
        self.asked: list[tuple[int, ...]] = []

    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        self.n_tests += 1
        self.asked.append(tuple(cond))
        return self.inner.test(x, y, cond)


def separate(
    test: CITest, x: int, y: int, pool: Sequence[int], size: int, alpha: float, *, beside: Sequence[int] = ()
) -> SimpleNamespace:
    """Search the sets of the neighbours `pool` of x, then of the neighbours `beside` of y, and return the result."""
    adjacency = np.zeros((test.p, test.p), dtype=bool)
    adjacency[x, list(pool)] = adjacency[y, list(beside)] = True
    results = test.separate(LevelSearch(np.array([[x, y]]), adjacency, size), alpha)
    found = SimpleNamespace(**{name: column[0] for name, column in results._asdict().items() if len(column)})
    found.separated = bool(found.n_tests and found.log_p > math.log(alpha))
    found.cond = tuple(found.cond.tolist()) if found.n_tests else None
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3), st.sampled_from([0.9, 0.05, 1e-6]), st.booleans())
def test_separate_compiled_and_one_by_one_agree(seed, size, alpha, gaussian):
    """Compiled searches give the same set, values and number of tests as single tests, for one pool or two."""
    rng = np.random.default_rng(seed)
    if gaussian:
        test = FisherZ(Dataset.from_values(rng.normal(size=(60, 6)) + rng.normal(size=(60, 1)), list("abcdef")))
    else:
        test = G2(samples(p=6, n=200, seed=seed))
    pool, beside = [[int(k) for k in range(2, 6) if rng.random() < 0.7] for _ in range(2)]
    fast, slow = (separate(t, 0, 1, pool, size, alpha, beside=beside) for t in (test, Slow(test)))
    np.testing.assert_equal(vars(fast), vars(slow))


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
@pytest.mark.parametrize("n", [7, 9, 12, 13])
def test_separate_compiled_and_one_by_one_agree_on_singular_sets(n, alpha):
    """A set with a redundant member costs fewer degrees of freedom, so a larger |ρ| may have the larger p."""
    for seed in range(150):
        rng = np.random.default_rng([seed, n])
        values = rng.normal(size=(n, 6)) + rng.normal(size=(n, 1))
        values[:, 3] = 2.0 * values[:, 2] + 1.0
        test = FisherZ(Dataset.from_values(values, list("abcdef")))
        for pool, beside in (([2, 3, 4, 5], []), ([2, 3], [3, 4, 5])):
            fast, slow = (separate(t, 0, 1, pool, 2, alpha, beside=beside) for t in (test, Slow(test)))
            assert (fast.separated, fast.cond, fast.n_tests) == (slow.separated, slow.cond, slow.n_tests)
            assert fast.log_p == pytest.approx(slow.log_p, rel=1e-9)


def test_separate_tests_distinct_sets_in_order_and_stops_at_the_first_that_separates():
    """The sets of the first pool come first, in lexicographic order.

    The sets of the second pool that are not within the first follow.
    """
    test = Slow(DSeparation(PDAG.from_edges(6, directed=[(0, 5), (5, 1)])))
    found = separate(test, 0, 1, [2, 3, 4], 2, 0.05, beside=[3, 4, 5])
    assert test.asked == [(2, 3), (2, 4), (3, 4), (3, 5)]
    assert found.separated
    assert found.cond == (3, 5)
    assert found.n_tests == 4


def test_separate_reports_the_first_set_with_the_largest_p():
    """If no set separates, the hardest test is reported, or the first of equally hard tests."""
    data = samples(p=6)
    test = Slow(G2(data))
    found = separate(test, 0, 1, [2, 3, 4, 5], 2, 0.999_999)
    results = [G2(data).test(0, 1, cond) for cond in combinations([2, 3, 4, 5], 2)]
    best = max(range(6), key=lambda t: results[t].log_p)
    assert not found.separated
    assert found.n_tests == 6
    assert found.cond == list(combinations([2, 3, 4, 5], 2))[best]
    assert (found.log_p, found.statistic, found.dof) == (
        results[best].log_p,
        results[best].statistic,
        results[best].dof,
    )
    copies = Dataset.from_codes(data.codes[[0, 1, 2, 2, 2]], data.arity[[0, 1, 2, 2, 2]], list("abcde"))
    for ties in (G2(copies), Slow(G2(copies))):
        assert separate(ties, 0, 1, [2, 3, 4], 1, 0.999_999).cond == (2,)


def test_separate_size_0_is_one_marginal_test():
    """The empty set is tested once, with pools or without."""
    test = G2(samples())
    assert separate(test, 0, 1, [2, 3], 0, 0.05, beside=[4]).n_tests == 1
    assert separate(test, 0, 1, [], 0, 0.05).cond == ()
    assert test.n_tests == 2


@pytest.mark.parametrize("make", [lambda: G2(samples()), lambda: Slow(G2(samples()))], ids=["compiled", "one by one"])
def test_separate_without_a_set_of_the_size_says_so(make):
    """Without a set of the requested size there is no test, no set and no separation."""
    found = separate(make(), 0, 1, [2], 2, 0.05)
    assert (found.separated, found.cond, found.n_tests) == (False, None, 0)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, math.nan, True])
def test_separate_refuses_alpha_outside_the_unit_interval(alpha):
    """Values of alpha outside (0, 1) are refused, including 0 and 1."""
    with pytest.raises(ParameterError, match=r"^alpha must be in \(0, 1\)"):
        separate(G2(samples()), 0, 1, [2], 1, alpha)


def test_independence_means_p_above_alpha_not_at_alpha():
    """A pair with p = alpha stays adjacent, since p <= alpha means dependent."""
    test = G2(samples(n=100))
    log_p = test.test(0, 4).log_p
    below, above = math.exp(log_p) * 0.999_999, math.exp(log_p) * 1.000_001
    assert separate(test, 0, 4, [], 0, below).separated
    assert not separate(test, 0, 4, [], 0, above).separated

    class Exact(CITest):
        names = ("a", "b")

        def test(self, _x: int, _y: int, _cond: Sequence[int] = ()) -> CIResult:
            return CIResult(0.0, 1.0, math.log(0.05), 0.05)

    assert not separate(Exact(), 0, 1, [], 0, 0.05).separated


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_separate_does_not_depend_on_the_number_of_threads(threads):
    """All columns of the results and the number of tests are equal for any number of threads."""
    data = references.dataset("child_n2000")
    edges = np.argwhere(np.triu(np.ones((data.p, data.p)), 1))
    adjacency = ~np.eye(data.p, dtype=bool)
    one, many = G2(data, threads=1), G2(data, threads=threads)
    walks = LevelSearch(edges, adjacency, 1)
    expected, results = one.separate(walks, 0.05), many.separate(walks, 0.05)
    for ours, theirs in zip(results, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert many.n_tests == one.n_tests == expected.n_tests.sum()


def long_walks() -> list:
    """Return pairs (test, size) for which no set separates and the search takes seconds."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 32))
    values[:, 1] = values[:, 0] + 0.01 * values[:, 1]
    codes = rng.integers(0, 2, (32, 30_000))
    codes[1] = codes[0] ^ (rng.random(30_000) < 0.1)
    names = [f"v{k}" for k in range(32)]
    return [
        pytest.param(lambda: FisherZ(Dataset.from_values(values, names), threads=1), 10, id="FisherZ"),
        pytest.param(lambda: G2(Dataset.from_codes(codes, [2] * 32, names), threads=1), 6, id="G2"),
    ]


@pytest.mark.parametrize(("make", "size"), long_walks())
def test_separate_stops_within_a_long_search(make, size):
    """A tick that returns False ends the search of an edge with up to 30 million sets.

    The tests done so far are counted and returned.
    """
    test = make()
    adjacency = np.zeros((32, 32), dtype=bool)
    adjacency[0, 2:] = True
    separate(test, 0, 1, [2], 1, 0.05)  # compiles the kernel
    before = test.n_tests
    calls = []

    def tick(*progress: object) -> bool:
        calls.append(progress)
        return len(calls) < 2

    with pytest.raises(Stopped) as stopped:
        test.separate(LevelSearch(np.array([[0, 1]]), adjacency, size), 0.05, phase="the level", tick=tick)
    assert len(calls) == 2
    assert 0 < test.n_tests - before < math.comb(30, size) / 2
    assert stopped.value.partial.n_tests.sum() == test.n_tests - before
    assert all(phase.startswith("the level") for phase, *_ in calls)


def test_separate_of_no_pairs_is_empty():
    results = G2(samples()).separate(LevelSearch(np.empty((0, 2), int), np.zeros((5, 5), bool), 1), 0.05)
    assert results.log_p.shape == (0,)
    assert results.cond.shape == (0, 1)


def test_levels_list_each_set_once():
    """The sets of neighbours of x without y come first, then those of y without x; no set is repeated."""
    adjacency = np.zeros((5, 5), dtype=bool)
    adjacency[0, [1, 2, 3]] = adjacency[1, [0, 3, 4]] = True
    for size, sets in enumerate(([()], [(2,), (3,), (4,)], [(2, 3), (3, 4)])):
        assert list(LevelSearch(np.array([[0, 1]]), adjacency, size).sets(0)) == sets


def batch_of(rng: np.random.Generator, p: int, m: int, *, skips_untested: bool) -> BatchSearch:
    """Draw requests with bases and pools of any size and with pairs in both orders."""
    nodes = [rng.permutation(p).tolist() for _ in range(m)]
    n_base, n_pool, sizes = rng.integers(0, 3, m), rng.integers(0, 4, m), rng.integers(0, 3, m)
    bases = [sorted(some[2 : 2 + n]) for some, n in zip(nodes, n_base, strict=True)]
    pools = [some[5 : 5 + n] for some, n in zip(nodes, n_pool, strict=True)]
    lists = (
        PairPools(np.cumsum([0, *map(len, one)]), np.array([k for some in one for k in some], dtype=np.int32))
        for one in (bases, pools)
    )
    return BatchSearch(np.array([some[:2] for some in nodes]), *lists, sizes, skips_untested=skips_untested)


@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("kind", ["G2", "short of rows", "FisherZ", "permutations"])
def test_batch_compiled_and_one_by_one_agree(kind, skips):
    """Compiled batches equal single tests, with bases, pools, both or neither.

    A test with too few rows ends its search or does not separate the pair.
    """
    rng = np.random.default_rng(5)
    batch = batch_of(rng, 8, 200, skips_untested=skips)
    codes = samples(p=8, n=150)
    test = {
        "G2": lambda: G2(codes),
        "short of rows": lambda: G2(codes, rows_per_cell=6),
        "FisherZ": lambda: FisherZ(Dataset.from_values(rng.normal(size=(6, 8)), list("abcdefgh"))),
        "permutations": lambda: PermutationG2(codes, permutations=20, rows_per_cell=6),
    }[kind]()
    found = test.separate(batch, 0.3)
    assert test.n_tests == found.n_tests.sum()
    expected = CITest.separate(test, batch, 0.3)
    np.testing.assert_array_equal(found.n_tests, expected.n_tests)
    done = found.n_tests > 0
    assert 0 < done.sum() < len(batch)
    for name in ("log_p", "tested", "cond"):
        np.testing.assert_array_equal(getattr(found, name)[done], getattr(expected, name)[done])
    if kind in ("short of rows", "permutations", "FisherZ"):
        assert not found.tested[done].all()


def test_batch_takes_the_base_with_every_set_of_the_pool():
    """The sets follow the order of the pool, with ascending members. A part of the batch keeps the sets of its rows."""
    batch = batch_of(np.random.default_rng(1), 8, 50, skips_untested=False)
    which = np.arange(50) % 3 == 0
    some = batch.rows(which)
    assert [list(some.sets(e)) for e in range(len(some))] == [list(batch.sets(e)) for e in np.flatnonzero(which)]
    three = BatchSearch(
        np.array([[0, 1]]),
        PairPools(np.array([0, 1]), np.array([3], dtype=np.int32)),
        PairPools(np.array([0, 3]), np.array([5, 2, 4], dtype=np.int32)),
        np.array([2]),
        skips_untested=False,
    )
    assert list(three.sets(0)) == [(2, 3, 5), (3, 4, 5), (2, 3, 4)]
    assert (three.width, three.max_tests) == (3, 3)


# --- input validation -----------------------------------------------------------------------------------------------

VALUES = Dataset.from_values(np.arange(8.0).reshape(4, 2) ** 2, ["a", "b"])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: G2(VALUES),
            DataError,
            "G2 counts levels, which numbers do not have. Cut columns",
        ),
        (lambda: FisherZ(samples()), DataError, "Fisher's z uses correlations, which the categories of"),
        (
            lambda: FisherZ(Dataset.from_values(np.eye(3), list("abc"))),
            DataError,
            "Fisher's z needs at least 4 rows, f",
        ),
        (
            lambda: G2(Dataset.from_codes(np.empty((2, 0), int), [2, 2], list("ab"))),
            DataError,
            "a test needs rows, found none",
        ),
        (lambda: G2(samples(n=2).with_weights([0, 0])), DataError, "a test needs rows, found none"),
        (lambda: G2(samples(), dof="adjused"), ParameterError, "unknown dof 'adjused'; did you mean 'adjusted'"),
        (
            lambda: G2(samples(), rows_per_cell=-1),
            ParameterError,
            r"rows_per_cell must be in \[0, 100\], got -1",
        ),
        (
            lambda: G2(samples(), rows_per_cell=math.nan),
            ParameterError,
            r"rows_per_cell must be in \[0, 100\], got nan",
        ),
        (lambda: G2(samples()).test(1, 1), ParameterError, "a test needs two variables"),
        (lambda: G2(samples()).test(0, 1, [1]), ParameterError, "a test needs two variables"),
        (lambda: FisherZ(VALUES).test(0, 1, [0]), ParameterError, "a test needs two variables"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_tests_refuse_what_they_cannot_judge(make, error, message):
    """Data and arguments that a test cannot handle are refused with the cause and the fix."""
    with pytest.raises(error, match="^" + message):
        make()


@pytest.mark.parametrize("make", [lambda: G2(samples()), lambda: FisherZ(VALUES), lambda: DSeparation(PDAG.empty(2))])
@pytest.mark.parametrize(("x", "y", "cond"), [(0, 99, ()), (-1, 1, ()), (0, 1, (99,)), (0, 1, (-1,))], ids=str)
def test_tests_refuse_positions_outside_the_table(make, x, y, cond):
    """Indices outside the table are refused, since a compiled kernel would read invalid memory."""
    with pytest.raises(ParameterError):
        make().test(x, y, cond)


def test_g2_counts_a_repeated_member_of_the_set_once():
    for dof in ("plain", "adjusted"):
        test = G2(samples(), dof=dof)
        assert test.test(0, 1, [2, 2]) == test.test(0, 1, [2])


def test_test_does_not_depend_on_the_order_of_the_set():
    """Tests give equal results to the last bit for any order of the conditioning set."""
    test = G2(samples())
    assert test.test(0, 1, [2, 3, 4]) == test.test(0, 1, [4, 2, 3])
    z = FisherZ(references.dataset("gauss_p12_n500"))
    assert z.test(0, 1, [2, 3, 4]).statistic == z.test(0, 1, [4, 2, 3]).statistic
