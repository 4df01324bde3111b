"""Tests of scores: bnlearn's values, reference implementations, score equivalence, and counts of computed families."""

from __future__ import annotations

import math
import re
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import BIC, PDAG, BDeu, DataError, Dataset, DegenerateBIC, GaussianBIC, ParameterError
from learners.families.score_based.tabu import tabu
from learners.kernels.scores import bdeu_and_bic, configurations, families
from learners.scores import categorical_families
from learners.scores.score import FitMemory
from learners.scores.selection import MANY_VARIABLES, score_for
from tests import naive_scores, references
from tests.learners.test_registry import sample as ordinary

SCORES = {"bic": BIC, "bdeu1": BDeu, "bdeu10": lambda data: BDeu(data, ess=10.0)}
EXPECTED = references.load("bnlearn_scores")


def dag_of(model: str, names: tuple[str, ...]) -> PDAG:
    """Return the DAG of a model string such as "[a][b|a]"."""
    families = [node.partition("|") for node in re.findall(r"\[([^\]]*)\]", model)]
    edges = [(parent, child) for child, _, parents in families for parent in parents.split(":") if parent]
    return PDAG.from_edges(len(names), directed=[(names.index(a), names.index(b)) for a, b in edges])


def random_codes(seed: int, n: int, arity: list[int], weighted: bool) -> Dataset:
    """Return columns that each depend on the previous one; some states never occur."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, arity[0], n)]
    for r in arity[1:]:
        codes.append(np.where(rng.random(n) < 0.6, codes[-1] % r, rng.integers(0, max(1, r - 1), n)))
    weights = rng.integers(0, 4, n) if weighted else None
    return Dataset.from_codes(np.array(codes), arity, [f"v{k}" for k in range(len(arity))], weights=weights)


def reference(data: Dataset, node: int, parents: tuple[int, ...], ess: float = 0.0) -> float:
    """Return the score of the family by the reference implementation."""
    weights = data.weights if data.weights is not None else np.ones(data.n_rows, int)
    return naive_scores.discrete_score(
        data.codes, data.arity, weights, node, parents, ess=ess, penalty=0.0 if ess else 0.5 * math.log(data.n)
    )


# --- reference values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["true_dag", "empty_dag"])
@pytest.mark.parametrize("key", SCORES)
@pytest.mark.parametrize("name", references.DISCRETE)
def test_discrete_scores_agree_with_bnlearn(name, key, which):
    """Network and node scores equal bnlearn's; unobserved levels count."""
    data = references.dataset(name)
    expected = EXPECTED[name]["scores"][which]
    dag, score = dag_of(expected["modelstring"], data.names), SCORES[key](data)
    assert score.network(dag) == pytest.approx(expected[key], rel=1e-9)
    for node, value in expected.get("by_node", {}).get(key, {}).items():
        j = data.index(node)
        assert score.local(j, dag.parents(j)) == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", references.DISCRETE)
def test_bic_without_its_penalty_is_the_log_likelihood_of_bnlearn(name):
    """BIC plus ½ ln n for each parameter that bnlearn counts is bnlearn's log-likelihood."""
    data = references.dataset(name)
    expected = EXPECTED[name]["scores"]["true_dag"]
    value = BIC(data).network(dag_of(expected["modelstring"], data.names))
    assert value + 0.5 * math.log(data.n) * expected["nparams"] == pytest.approx(expected["loglik"], rel=1e-9)


@pytest.mark.parametrize("name", references.GAUSSIAN)
def test_gaussian_bic_agrees_with_plain_maximum_likelihood(name):
    """The score uses the maximum-likelihood variance RSS / n, not the RSS / (n - k - 1) of bnlearn."""
    data = references.dataset(name)
    score, dag = GaussianBIC(data), references.true_dag(name)
    for node, (log_likelihood, bic) in references.load("gauss_ml_scores")[name]["true_dag"].items():
        if node == "total":
            assert score.network(dag) == pytest.approx(bic, rel=1e-9)
            continue
        j = data.index(node)
        parents = dag.parents(j)
        assert score.local(j, parents) == pytest.approx(bic, rel=1e-9)
        free = 0.5 * math.log(data.n) * (len(parents) + 2)
        assert score.local(j, parents) + free == pytest.approx(log_likelihood, rel=1e-9)


# --- reference implementations ----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.sampled_from([1, 2, 63, 64, 65, 300]),
    arity=st.lists(st.sampled_from([1, 2, 3, 5, 17, 300]), min_size=2, max_size=5),
    weighted=st.booleans(),
    ess=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    edge_penalty=st.sampled_from([0.0, 2.5]),
)
def test_discrete_kernel_equals_its_reference(seed, n, arity, weighted, ess, edge_penalty):
    """Scores agree for any arity, zero weights, unobserved levels, constant columns, and single rows.

    The families have one or many candidate parents.
    """
    data = random_codes(seed, n, arity, weighted)
    if data.n == 0:
        return
    score = BDeu(data, ess=ess, edge_penalty=edge_penalty) if ess else BIC(data)
    p = data.p
    rng = np.random.default_rng(seed)
    child, *rest = rng.permutation(p).tolist()
    parents = sorted(rest[: rng.integers(0, len(rest))])
    candidates = np.array([-1, *(k for k in rest if k not in parents)])
    out = np.empty(len(candidates))
    families.score_families(score.sample, child, np.array(parents, dtype=np.int64), candidates, out)
    for k, value in zip(candidates.tolist(), out.tolist(), strict=True):
        family = (*parents, k) if k >= 0 else tuple(parents)
        expected = reference(data, child, family, ess)
        if ess and edge_penalty:
            cells = math.prod(int(data.arity[j]) for j in (child, *family))
            expected -= edge_penalty * len(family) + sparse_price(data, cells)
            expected += sparse_price(data, cells // int(data.arity[child]))
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-8)
        assert score.local(child, family) == pytest.approx(expected, rel=1e-9, abs=1e-8)


def sparse_price(data, cells):
    """Return ½ ln n for each cell above the larger of n² and the size of the largest table of two columns."""
    return 0.5 * math.log(data.n) * max(0.0, cells - max(data.n**2, int(data.arity.max()) ** 2))


@pytest.mark.parametrize(("levels", "n"), [(60, 3000), (20, 300)])
def test_columns_of_many_levels_are_not_adjacent_by_chance(levels, n):
    """Tabu search, which passes through worse graphs, draws no edge between independent columns of many levels."""
    rng = np.random.default_rng(45)
    data = Dataset.from_codes(rng.integers(0, levels, (8, n)), [levels] * 8, list("abcdefgh"))
    assert tabu(BDeu(data, ess=10.0, edge_penalty=0.0)).graph.skeleton.any()  # without the penalty there are edges
    assert not tabu(BDeu(data, ess=10.0, edge_penalty=None)).graph.skeleton.any()


def test_each_edge_subtracts_its_penalty_from_bdeu():
    """The automatic penalty of an edge is ½ ln n + ln p, also with missing cells; equivalent graphs score equally."""
    whole = random_codes(1, 300, [2, 3, 4, 2], weighted=True)
    codes = whole.codes.astype(int)
    codes[1, :40] = codes[3, 30:90] = -1
    incomplete = Dataset.from_codes(codes, whole.arity, whole.names, weights=whole.weights)
    chain, fork = (PDAG.from_edges(4, directed=edges) for edges in ([(0, 1), (1, 2)], [(1, 0), (1, 2)]))
    for data in (whole, incomplete):
        plain = BDeu(data, ess=10.0)
        for price in (2.5, None):
            score, each = BDeu(data, ess=10.0, edge_penalty=price), price or 0.5 * math.log(data.n) + math.log(4)
            assert score.edge_penalty == each
            assert score.network(chain) == pytest.approx(plain.network(chain) - 2 * each, rel=1e-12)
            assert score.local(3, (0, 1, 2)) == pytest.approx(plain.local(3, (0, 1, 2)) - 3 * each, rel=1e-12)
            assert score.local(3) == plain.local(3)
    score = BDeu(whole, edge_penalty=None)
    assert score.network(chain) == pytest.approx(score.network(fork), rel=1e-12)


@pytest.mark.parametrize("price", [-0.1, math.inf, math.nan, "much"])
def test_an_invalid_edge_penalty_is_refused(price):
    """An invalid edge penalty is refused with a message that names the parameter."""
    with pytest.raises(ParameterError, match=r"edge_penalty must be (in \[0, 1e\+06\]|a number)"):
        BDeu(random_codes(1, 30, [2, 2], weighted=False), edge_penalty=price)


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("r", [2, 3, 16, 17])
@pytest.mark.parametrize("n", [640, 5_000])
def test_discrete_kernel_with_bit_planes_equals_its_reference(n, r):
    """Scores equal the reference if strata have enough rows for bit planes, on either side of the threshold."""
    data = random_codes(r, n, [r, 2, 4, 3, r], weighted=False)
    score = BIC(data)
    for parents in [(), (1,), (1, 2), (1, 2, 3), (0, 2, 3)]:
        assert score.local(4, parents) == pytest.approx(reference(data, 4, parents), rel=1e-12)
        candidates = np.array([k for k in range(4) if k not in parents], dtype=np.int64)
        out = np.empty(len(candidates))
        families.score_families(score.sample, 4, np.array(parents, dtype=np.int64), candidates, out)
        for k, value in zip(candidates.tolist(), out.tolist(), strict=True):
            assert value == pytest.approx(reference(data, 4, (*parents, k)), rel=1e-12)


@pytest.mark.deep
@pytest.mark.parametrize("weighted", [False, True])
def test_levels_off_planes_are_those_of_the_codes(weighted):
    """Levels and scores are equal to the last digit, for up to 17 levels, with and without bit planes."""
    sample = BIC(random_codes(3, 150, [3, 2, 4, 3, 1, 5, 17], weighted=weighted)).sample
    for codes, first, r in zip(sample.codes, sample.first_plane.tolist(), sample.arity.tolist(), strict=True):
        planes = sample.planes[first : first + r - 1]
        assert first < 0 or [bdeu_and_bic.level_at(planes, t) for t in range(150)] == codes.tolist()
    beyond = np.zeros(
        (bdeu_and_bic.MAX_CACHED_CODES // sample.codes.shape[1], sample.codes.shape[1]), sample.codes.dtype
    )
    far = sample._replace(codes=np.concatenate([sample.codes, beyond]))
    for parents in [(1, 2), (2, 5), (1, 2, 3)]:
        candidates, out, out_far = np.array([-1, 3, 4, 5, 6]), np.empty(5), np.empty(5)
        candidates = candidates[~np.isin(candidates, parents)]
        for one, found in ((sample, out), (far, out_far)):
            families.score_families(one, 0, np.array(parents), candidates, found)
        assert out[: len(candidates)].tolist() == out_far[: len(candidates)].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_discrete_labels_by_hashing_and_by_table_part_the_rows_alike(seed):
    """Both methods give labels 0 .. q - 1 that are equal exactly where the configurations are equal."""
    rng = np.random.default_rng(seed)
    label, codes = rng.integers(0, 100, 200).astype(np.int32), rng.integers(0, 5, 200)
    by_table, by_hashing = label.copy(), label.copy()
    configuration = 5 * label + codes
    q = len(np.unique(configuration))
    assert configurations.relabel_by_table(by_table, codes, 5, 500) == q
    assert configurations.relabel_by_hashing(by_hashing, codes, 5) == q
    assert by_table.tolist() == by_hashing.tolist()
    for new in (by_table, by_hashing):
        assert set(new.tolist()) == set(range(q))
        assert len(set(zip(new.tolist(), configuration.tolist(), strict=True))) == q


@pytest.mark.parametrize("parents", [(), (0,), (0, 2), (1, 2, 3, 4)], ids=str)
def test_gaussian_kernel_agrees_with_least_squares(parents):
    """Scores agree with least squares for columns of any scale."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(80, 6)) @ rng.normal(size=(6, 6)) * 10.0 ** np.arange(-9, 9, 3) + 5.0
    data = Dataset.from_values(values, list("abcdef"))
    expected = naive_scores.gaussian_score(values, 5, parents, 0.5 * math.log(80))
    assert GaussianBIC(data).local(5, parents) == pytest.approx(expected, rel=1e-9)


# --- invariants -------------------------------------------------------------------------------------------------------


def reversed_covered_edges(dag: PDAG, rng: np.random.Generator, steps: int):
    """Return equivalent DAGs that differ from `dag` by random reversals of covered edges."""
    amat = dag.amat.copy()
    for _ in range(steps):
        edges = np.argwhere(amat)
        covered = [(i, j) for i, j in edges if np.array_equal(np.delete(amat[:, i], i), np.delete(amat[:, j], i))]
        if not covered:
            return
        i, j = covered[rng.integers(len(covered))]
        amat[i, j], amat[j, i] = False, True
        yield PDAG(amat)


@pytest.mark.parametrize("key", [*SCORES, "gaussian"])
@pytest.mark.parametrize("seed", range(5))
def test_scores_are_equal_within_an_equivalence_class(key, seed):
    """Reversing a covered edge leaves the score unchanged (Chickering 1995)."""
    rng = np.random.default_rng(seed)
    p = 7
    if key == "gaussian":
        score = GaussianBIC(Dataset.from_values(rng.normal(size=(60, p)), [f"v{k}" for k in range(p)]))
    else:
        score = SCORES[key](random_codes(seed, 150, [2, 3, 4, 2, 3, 5, 2], weighted=seed % 2 == 1))
    dag = PDAG(np.triu(rng.random((p, p)) < 0.5, 1))
    value, visited = score.network(dag), 0
    for other in reversed_covered_edges(dag, rng, 20):
        visited += 1
        assert score.network(other) == pytest.approx(value, rel=1e-9)
    assert visited


@pytest.mark.parametrize("key", SCORES)
def test_scores_of_merged_rows_are_the_same(key):
    """Scores of merged rows equal those of repeated rows: a weight w counts as w rows."""
    data = random_codes(1, 400, [2, 2, 3, 2], weighted=False)
    whole, merged = SCORES[key](data), SCORES[key](data.merged())
    for node in range(4):
        parents = [k for k in range(4) if k != node]
        assert merged.local(node, parents) == pytest.approx(whole.local(node, parents), rel=1e-12)


@pytest.mark.parametrize(("n", "most"), [(600_000, 8), (1_100_000, 8), (3_200_000, 5), (4_000_000, 5)])
def test_a_large_cache_has_few_slots_a_score(n, most):
    """A quarter of the slots stays free, and the memory of a search over many columns grows little at once."""
    score = GaussianBIC(Dataset.from_values(np.random.default_rng(0).normal(size=(20, 3)), ["a", "b", "c"]))
    before = score.local(0, [1])
    score.make_room(n)
    assert 4 * n < 3 * len(score.cache.keys) <= most * (n + 2)
    assert score.local(0, [1]) == before
    score.make_room(0, power_of_two=True)
    assert len(score.cache.keys) in {1 << 20, 1 << 21, 1 << 23}
    assert score.local(0, [1]) == before
    assert score.n_scores == 1


def test_a_cache_that_is_being_read_is_not_moved():
    """A kernel of another thread may hold its arrays; the new ones have all scores, the old ones keep theirs."""
    values = np.random.default_rng(0).standard_normal((200, 12)).cumsum(axis=1)
    score = GaussianBIC(Dataset.from_values(values, [f"v{k}" for k in range(12)]))
    families = [(j, parents) for j in range(12) for parents in combinations([k for k in range(12) if k != j], 2)]
    known = [score.local(*family) for family in families[:100]]
    reader = score.cache.keys, score.cache.values
    before = [array.copy() for array in reader]
    score.make_room(50_000)
    assert score.cache.keys is not reader[0]
    for array, old in zip(reader, before, strict=True):
        np.testing.assert_array_equal(array, old)
    n = score.n_scores
    assert [score.local(*family) for family in families[:100]] == known
    assert score.n_scores == n


def test_scores_count_families_once():
    """A repeated family, in any order of parents, is not computed again; the cache grows without losing entries."""
    data = random_codes(0, 50, [2] * 14, weighted=False)
    score = BIC(data)
    first = score.local(0, (1, 2))
    assert score.n_scores == 1
    assert score.local(0, (2, 1)) == first
    assert score.n_scores == 1
    rng = np.random.default_rng(0)
    masks = rng.random((300, 14, 14)) < 0.5
    families = {(j, tuple(k for k in range(14) if k != j and mask[j, k])) for mask in masks for j in range(14)}
    families.discard((0, (1, 2)))
    values = {family: score.local(*family) for family in families}
    assert score.n_scores == len(families) + 1
    assert {family: score.local(*family) for family in families} == values
    assert score.local(0, (1, 2)) == first
    assert score.n_scores == len(families) + 1


def test_gaussian_bic_is_finite_on_singular_data():
    """Scores of copies, constants and sums are finite at any scale; a redundant parent adds only its penalty."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 50))
    data = Dataset.from_values(np.column_stack([x, x, x + y, y, np.full(50, 3e200), 1e200 * y]), list("abcdef"))
    score = GaussianBIC(data)
    price = 0.5 * math.log(50)
    for node in range(6):
        for mask in range(64):
            parents = [k for k in range(6) if mask >> k & 1 and k != node]
            assert math.isfinite(score.local(node, parents))
    assert score.local(3, (0, 1)) == pytest.approx(score.local(3, (0,)) - price, abs=1e-9)
    assert score.local(4, (0,)) == pytest.approx(score.local(4) - price, abs=1e-9)


def test_gaussian_bic_penalty_is_a_factor():
    """A doubled penalty subtracts the penalty of each parameter once more."""
    data = Dataset.from_values(np.random.default_rng(0).normal(size=(40, 3)), list("abc"))
    once, twice = (GaussianBIC(data, penalty=factor).local(0, (1, 2)) for factor in (1.0, 2.0))
    assert once - twice == pytest.approx(4 * 0.5 * math.log(40))


@pytest.mark.parametrize("p", [5, MANY_VARIABLES])
def test_extended_bic_charges_ln_p_more_for_each_parameter(p):
    """Extended BIC adds ln p per parameter; the factor multiplies both terms; learners use it for many variables."""
    values = Dataset.from_values(np.random.default_rng(0).normal(size=(40, p)), [f"v{k}" for k in range(p)])
    for score, n_parameters in ((GaussianBIC, 4), (DegenerateBIC, 3)):
        plain, extended = score(values, penalty=2.0), score(values, penalty=2.0, extended=True)
        more = 2.0 * n_parameters * math.log(p)
        assert plain.local(0, (1, 2)) - extended.local(0, (1, 2)) == pytest.approx(more)
    many = p >= MANY_VARIABLES
    for name, extended in (("bic", False), ("ebic", True), ("auto", many), (None, many)):
        assert score_for(values, score=name).local(0, (1,)) == GaussianBIC(values, extended=extended).local(0, (1,))


@pytest.mark.gate_cases(15)
@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=6, max_size=6),
    st.sampled_from([1, 5, 63, 64, 65, 130, 900]),
    st.integers(0, 4),
    st.integers(0, 2**32 - 1),
)
def test_parent_configurations_by_planes_or_codes_give_equal_scores(arity, n, n_parents, seed):
    """Strata come in the same order, so sums agree to the last bit by either method, also with masks in groups."""
    rng = np.random.default_rng(seed)
    sample = BDeu(random_codes(seed, n, arity, weighted=False)).sample
    child, *others = rng.permutation(6).tolist()
    parents, candidates = np.array(sorted(others[:n_parents]), dtype=np.int64), np.array([-1, *others[n_parents:]])
    candidates = candidates[: rng.integers(1, len(candidates) + 1)]
    methods, sums = (
        (configurations.stratify_by_planes, configurations.stratify_by_codes),
        np.empty((4, len(candidates))),
    )
    no_floors = np.full(len(candidates), -np.inf)
    for out, (method, max_bytes) in zip(sums, product(methods, (2**20, 1)), strict=True):
        strata = method(sample, child, parents, candidates, max_bytes)
        assert strata.order.dtype == np.int32
        bdeu_and_bic.sum_strata(sample, child, parents, candidates, strata, strata.turns, no_floors, max_bytes, out)
        sizes = np.diff(strata.begin)[strata.turns].tolist()
        assert sizes == np.diff(methods[1](sample, child, parents, candidates, 0).begin).tolist()
    assert (sums == sums[0]).all()
    floors = np.full(len(candidates), np.median(sums[0]))
    for method in methods:
        strata, found = method(sample, child, parents, candidates, 1), np.empty(len(candidates))
        bdeu_and_bic.sum_strata(sample, child, parents, candidates, strata, strata.turns, floors, 1, found)
        assert (found == np.where(sums[0] < floors - 1e-9, -np.inf, sums[0]))[abs(sums[0] - floors) > 1e-9].all()


def n_left_out(score, rng) -> int:
    """Score random families above several floors, compare them with exact scores, and return how many were left out."""
    child, *rest = rng.permutation(score.p).tolist()
    n = int(rng.integers(0, 4))
    parents, candidates = np.array(sorted(rest[:n]), dtype=np.int64), np.array([*rest[n:], -1])
    exact, found = np.empty(len(candidates)), np.empty(len(candidates))
    families.score_families(score.sample, child, parents, candidates, exact)
    left_out = 0
    for floor in (*exact, exact.max() + 1.0, exact.min() - 1.0, -np.inf):
        families.score_new_above(score.sample, score.cache, child, parents, candidates, floor, found)
        np.testing.assert_array_equal(found[found > -np.inf], exact[found > -np.inf])
        assert (found[exact > floor] > -np.inf).all()
        left_out += int(np.isinf(found).sum())
    return left_out


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ess", [0.0, 10.0])
def test_scores_above_a_floor_are_exact_and_only_others_are_left_out(ess, weighted):
    """Scores above the floor are equal to the last bit. Most scores far below it are left out."""
    left_out, rng = 0, np.random.default_rng(11)
    for seed in range(15):
        data = random_codes(seed, int(rng.integers(1, 400)), rng.choice([1, 2, 3, 5, 17], 6).tolist(), weighted)
        score = BDeu(data, ess=ess, edge_penalty=1.5) if ess else BIC(data)
        left_out += n_left_out(score, rng)
    assert left_out > 100


def test_scores_of_numbers_above_a_floor_are_exact_and_only_others_are_left_out():
    """As for categories, also for columns that are copies, sums, nearly sums, or constant."""
    left_out, rng = 0, np.random.default_rng(12)
    for seed in range(12):
        values = rng.normal(size=(40, 5)) @ rng.normal(size=(5, 9))
        values[:, 6] = values[:, 0] + values[:, 1]
        values[:, 7] = values[:, 2] if seed % 2 else values[:, 6] + 1e-7 * rng.normal(size=40)
        values[:, 8] = 1.0 if seed % 3 == 0 else values[:, 8]
        score = GaussianBIC(Dataset.from_values(values, [f"x{k}" for k in range(9)]))
        left_out += n_left_out(score, rng)
    assert left_out > 100


# --- refusals -------------------------------------------------------------------------------------------------------

CATEGORICAL = random_codes(0, 20, [2, 2], weighted=False)
CONTINUOUS = Dataset.from_values(np.random.default_rng(0).normal(size=(20, 2)), ["x", "y"])


def test_more_rows_than_kernels_can_number_are_refused(monkeypatch):
    monkeypatch.setattr(categorical_families, "MAX_ROWS", 19)
    with pytest.raises(DataError, match="a score takes at most 19 rows, found 20; learn from a part"):
        BIC(CATEGORICAL)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: BIC(CONTINUOUS), DataError, "BIC counts levels, which numbers do not have. Cut"),
        (lambda: GaussianBIC(CATEGORICAL), DataError, "GaussianBIC uses covariances, which the categories"),
        (lambda: BIC(random_codes(0, 0, [2, 2], False)), DataError, "a score needs rows, found none"),
        (lambda: BDeu(CATEGORICAL, ess=0.0), ParameterError, r"ess must be in \(0, 1e\+06\), got 0.0"),
        (lambda: GaussianBIC(CONTINUOUS, penalty=-1.0), ParameterError, "penalty must be in"),
        (lambda: GaussianBIC(CONTINUOUS, extended=1), ParameterError, "extended must be True or False, got 1"),
        (
            lambda: BIC(random_codes(0, 9, [12_000, 2, 12_000], False)),
            DataError,
            "a table of columns 'v0' and 'v2', of 12,000 and",
        ),
        (lambda: BIC(CATEGORICAL).local(0, (0,)), ParameterError, "a family needs different nodes of 0 .. 1"),
        (lambda: BIC(CATEGORICAL).local(0, (1, 1)), ParameterError, "a family needs different nodes"),
        (lambda: BIC(CATEGORICAL).local(0, (2,)), ParameterError, "a family needs different nodes"),
        (lambda: BIC(CATEGORICAL).network(PDAG.complete(2)), ParameterError, "the graph must be a DAG"),
        (lambda: BIC(CATEGORICAL).network(PDAG.empty(3)), ParameterError, "the graph must have a node for each of 2"),
    ],
    ids=[
        "kind",
        "kind 2",
        "rows",
        "ess",
        "penalty",
        "extended",
        "levels",
        "own parent",
        "twice",
        "unknown",
        "no dag",
        "size",
    ],
)
def test_scores_refuse_wrong_calls_with_a_sentence(call, error, message):
    """Invalid calls are refused with a message that states the requirement, the value and the fix."""
    with pytest.raises(error, match="^" + message):
        call()


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed", "holes"])
def test_recalled_fits_give_the_digits_of_those_counted(kind):
    """Cached fits equal new ones to the last digit, whatever the order of requests, the candidates and the penalty."""
    data, rng = ordinary("categorical" if kind == "holes" else kind, p=6, n=90), np.random.default_rng(1)
    if kind == "holes":
        codes = np.where(rng.random(data.codes.shape) < 0.1, -1, data.codes.astype(int))
        data = Dataset.from_codes(codes, data.arity, data.names)
    memory, asked = FitMemory(6), 0
    for _ in range(200):
        score = score_for(data, score="bic", penalty=float(rng.choice([0.5, 1.0, 2.0])))
        child, *rest = rng.permutation(6).tolist()
        n = int(rng.integers(0, 4))
        parents, candidates = np.array(rest[:n], dtype=np.int64), np.array([*rest[n : n + 1 + rng.integers(3)], -1])
        alone, recalled = np.empty(len(candidates)), np.empty(len(candidates))
        families.score_families(score.sample, child, parents, candidates, alone)
        score.remember_in(memory)
        families.score_new(score.sample, score.cache, child, parents, candidates, recalled)
        assert alone.tobytes() == recalled.tobytes()
        asked += len(candidates)
    assert 0 < memory.fits().used[0] < 0.9 * asked


def test_the_score_of_a_network_is_the_sum_of_its_families():
    data = random_codes(3, 200, [2, 3, 4, 2, 3], weighted=False)
    dag = PDAG.from_edges(5, directed=[(0, 1), (2, 1), (1, 3), (0, 4)])
    score, other = BIC(data), BIC(data)
    assert score.network(dag) == sum(other.local(j, dag.parents(j)) for j in range(5))
    assert score.n_scores == other.n_scores == 5
