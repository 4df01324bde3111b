"""Tests of B-RAI: its tree against a reference implementation, samples and rankings, and runs without resampling."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from learners import G2, BDeu, Dataset, DSeparation, Knowledge, ParameterError, cpdag, learn, rai
from learners.common.progress import silent
from learners.data.resampling import resample_weights
from learners.families.brai.brai import brai
from learners.families.brai.calls import Rules
from learners.families.brai.recursion import Recursion
from learners.families.brai.routes import completed, ranked_routes, route, union
from learners.families.brai.tree import GenerativeTree
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge
from learners.graphs.rules import Rule
from learners.kernels.brai.orientation import ENDS
from learners.kernels.ci.evidence import LOG_P, Threshold
from learners.networks.random_networks import random_dag
from tests import naive_brai, references
from tests.cancelling import cut_short
from tests.learners.test_registry import sample as ordinary
from tests.references import dataset as reference_sample


def chain(p: int, n: int, seed: int, arity: int = 2) -> Dataset:
    """Draw columns that each depend on one or two earlier columns, with noise."""
    rng = np.random.default_rng([p, n, seed])
    codes = [rng.integers(0, arity, n)]
    for k in range(1, p):
        sources = [codes[int(v)] for v in rng.integers(0, k, 2)]
        column = np.where(rng.random(n) < 0.5, sources[0], (sources[0] + sources[1]) % arity)
        codes.append(np.where(rng.random(n) < 0.75, column, rng.integers(0, arity, n)))
    data = Dataset.from_codes(codes, [arity] * p, [f"v{k}" for k in range(p)])
    # The columns are sorted as the learner sorts them, because the reference implementations keep the given order.
    return data.select(G2(data, dof="plain").order().tolist())


def run(data: Dataset, **settings):
    """Run B-RAI with a cut that keeps many edges, so that there are many routes."""
    return brai(G2(data, dof="plain"), BDeu(data), **{"cut": "c1", "roots": 1, **settings})


def all_routes(tree: GenerativeTree, item: int = 0) -> list[list[int]]:
    """Return the leaves of every route by enumeration."""
    if not tree.slots(item):
        return [[item]]
    ways = [[way for child in tree.children(slot) for way in all_routes(tree, child)] for slot in tree.slots(item)]
    return [[leaf for way in choice for leaf in way] for choice in product(*ways)]


def nodes_of(tree: GenerativeTree, item: int) -> list[int]:
    return sorted(tree.nodes[tree.node_begin[item] : tree.node_begin[item + 1]].tolist())


SMALL = [(p, n, seed, s) for p, s in ((4, 3), (5, 3), (6, 2), (7, 2)) for n in (60, 150) for seed in (0, 1, 2)]


# --- the tree -------------------------------------------------------------------------------------------------------


@pytest.mark.gate_cases(7)
@pytest.mark.parametrize(("p", "n", "seed", "s"), SMALL, ids=str)
@pytest.mark.parametrize("check", ["off", "ends", "strict"])
@pytest.mark.parametrize("pools", ["parents", "neighbours"])
def test_tree_equals_the_reference(p, n, seed, s, pools, check):
    """Routes, their order and their leaves equal those of the reference implementation, although tests err."""
    data = chain(p, n, seed)
    factor = 1.0 + seed % 2
    tree = run(data, s=s, seed=seed, pools=pools, collider_check=check, resample_factor=factor).extra.tree

    def asked_at(path):
        rows = np.arange(n) if not path else np.repeat(np.arange(n), resample_weights(data, seed, path))
        test = G2(Dataset.from_codes(data.codes[:, rows], data.arity, data.names), dof="plain")

        def independent(x, y, cond):
            one = test.test(x, y, cond)
            return one.dof == 0 or one.statistic / one.dof < (factor if path else 1.0)

        return independent

    expected = naive_brai.tree(p, asked_at, s, pools=pools, check=check)
    assert tree.n_routes == naive_brai.n_routes(expected, s)
    ours, theirs = all_routes(tree), naive_brai.routes(expected)
    assert len(ours) == len(theirs)
    for leaves, other in zip(ours, theirs, strict=True):
        assert [nodes_of(tree, leaf) for leaf in leaves] == [list(group) for group, _ in other]
        assert np.array_equal(tree.union(np.array(leaves)), np.any([into for _, into in other], axis=0))


@pytest.mark.gate_cases(11)
@pytest.mark.parametrize(("p", "n", "seed", "s"), SMALL, ids=str)
def test_tree_keeps_its_laws(p, n, seed, s):
    """The leaves of a route and the groups of a call partition the nodes; the score is that of the graph."""
    data = chain(p, n, seed)
    result = run(data, s=s, seed=seed)
    tree, score = result.extra.tree, BDeu(data)
    for item in range(len(tree)):
        slots = tree.slots(item)
        for slot in slots:
            assert len({tuple(nodes_of(tree, child)) for child in tree.children(slot)}) == 1
        if slots:
            together = sorted(node for slot in slots for node in nodes_of(tree, tree.children(slot)[0]))
            assert together == nodes_of(tree, item)
    for leaves in all_routes(tree):
        assert sorted(node for leaf in leaves for node in nodes_of(tree, leaf)) == list(range(p))
        dag = PDAG(tree.dag(np.array(leaves)))
        total = float(tree.scores[leaves].sum())
        assert total == pytest.approx(score.network(dag), rel=1e-9)
        graph = result.extra.graph_of(np.array(leaves))
        assert score.network(consistent_extension(graph).dag) == pytest.approx(total, rel=1e-9)


def test_tree_records_parents_and_resamples():
    """Parents and resamples agree with the slots and children of the tree."""
    tree = run(chain(7, 150, 1), s=3, seed=1).extra.tree
    parent, resample = tree.parent, tree.resample
    assert len(parent) == len(resample) == len(tree)
    assert parent[0] == resample[0] == -1
    for item in range(len(tree)):
        for slot in tree.slots(item):
            children = list(tree.children(slot))
            assert (parent[children] == item).all()
            expected = [-1] if tree.copies[slot] > 1 else list(range(len(children)))
            assert resample[children].tolist() == expected


@pytest.mark.compiled
def test_tree_of_perfect_tests_holds_one_graph_the_truth():
    """With perfect tests all routes give the true class, whatever their resamples."""
    cut = Threshold(LOG_P, math.log(0.5))
    for seed in range(20):
        dag = random_dag(8, 3.0, seed)
        recursion = Recursion(DSeparation(dag), Rules(cut, cut, True, ENDS, None), BoundKnowledge.none(8), 3)
        recursion.grow(silent)
        rng = np.random.default_rng(seed)
        for _ in range(5):
            found = route(recursion.root, lambda _call, _g: int(rng.integers(3)), recursion.knowledge)  # noqa: B023
            assert completed(union(found.leaves, 8), recursion.knowledge) == cpdag(dag)


@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000"))
@pytest.mark.parametrize("check", ["off", "ends", "strict"])
def test_brai_of_one_sample_that_is_the_data_is_rai(name, check):
    """With the data as the only sample, tests, separating sets and trace equal RAI's, and so does any valid graph."""
    data = reference_sample(name)
    one = run(data, s=1, resampling=False, collider_check=check)
    other = rai(G2(data, dof="plain"), cut="c1", collider_check=check)
    tree, knowledge = one.extra.tree, one.extra.knowledge
    assert completed(tree.union(tree.leaves), knowledge) == other.graph
    assert np.array_equal(one.graph.skeleton, other.graph.skeleton)
    assert one.graph == other.graph or not tree.valid[tree.leaves].all()
    assert one.n_tests == other.n_tests
    np.testing.assert_array_equal(one.extra.n_tests, other.extra.n_tests)
    assert dict(one.sepsets) == dict(other.sepsets)
    assert one.extra.calls == other.extra.calls
    actual = [[repr(event) for event in result.trace if event.rule != Rule.PATTERN] for result in (one, other)]
    assert actual[0] == actual[1]
    assert tree.n_routes == 1


def test_brai_holds_resamples_against_a_higher_c1():
    """The first level uses the data and the first cut, later levels use resamples; the trace records each cut."""
    result = run(reference_sample("asia_n2000"), c1_factor=1.5, resample_factor=2.0)
    cuts = {(event.phase.size == 0, event.threshold) for event in result.trace if event.rule is Rule.C1}
    assert cuts == {(True, 1.5), (False, 3.0)}


@pytest.mark.compiled
def test_brai_repeats_itself_and_another_seed_differs():
    """The seed changes the result, but the number of threads does not."""
    data = reference_sample("insurance_n1000")
    first, again, other = (run(data, s=2, seed=seed, threads=threads) for seed, threads in ((1, 1), (1, 4), (2, 1)))
    for column in ("level", "slot_begin", "child_begin", "nodes", "edges", "kinds", "scores", "n_tests"):
        np.testing.assert_array_equal(getattr(first.extra.tree, column), getattr(again.extra.tree, column))
    assert first.graph == again.graph
    assert first.extra.tree.scores.shape != other.extra.tree.scores.shape or not np.array_equal(
        first.extra.tree.scores, other.extra.tree.scores, equal_nan=True
    )


@pytest.mark.compiled
def test_brai_cut_short_keeps_the_part_of_the_tree_that_is_done(monkeypatch):
    """The routes of the partial tree of a cancelled run are complete, so it can be sampled and averaged."""
    monkeypatch.setattr("learners.common.parallel.TICK_SECONDS", 0.0005)
    data = reference_sample("insurance_n1000")
    sizes = []
    runs = cut_short(lambda tick: run(data, s=4, threads=1, tick=tick), at=(1, 3, 10, 30, 100))
    for result in runs:
        tree = result.extra.tree
        if tree is None:
            assert result.graph.n_edges == 27 * 26 // 2
            continue
        sizes.append(len(tree))
        _, routes = tree.sample(20, seed=1)
        for leaves in routes:
            assert sorted(node for leaf in leaves for node in nodes_of(tree, int(leaf))) == list(range(27))
        assert result.extra.posterior(3).adjacent.max() == 1.0
    assert max(sizes) > 1


# --- routes ---------------------------------------------------------------------------------------------------------


@pytest.mark.gate_cases(11)
@pytest.mark.parametrize(("p", "n", "seed", "s"), SMALL, ids=str)
def test_ranked_routes_are_all_graphs_of_the_tree_the_best_first(p, n, seed, s):
    """The ranking equals full enumeration; its first route is the best, and no sample has a higher score."""
    tree = run(chain(p, n, seed), s=s, seed=seed).extra.tree
    listed: dict[bytes, float] = {}
    for leaves in all_routes(tree):
        listed[tree.union(np.array(leaves)).tobytes()] = float(tree.scores[leaves].sum())
    ranked = [(one.score, tree.union(np.array(one.leaves)).tobytes()) for one in ranked_routes(tree)]
    scores = [score for score, _ in ranked]
    assert all(after <= before + 1e-9 for before, after in zip(scores, scores[1:], strict=False))
    assert {graph for _, graph in ranked} == set(listed)
    assert len(ranked) == len(listed)
    assert scores == pytest.approx(sorted(listed.values(), reverse=True))
    best, leaves = tree.best()
    assert best == pytest.approx(scores[0])
    assert tree.scores[leaves].sum() == pytest.approx(best)
    drawn, routes = tree.sample(300, gamma=5.0, seed=seed)
    assert drawn.max() <= best + 1e-9
    assert drawn == pytest.approx([tree.scores[leaves].sum() for leaves in routes])


def hand_made(scores: dict[int, float], slots: list[list[list[int]]]) -> GenerativeTree:
    """Build a tree over one node; `slots` lists the children in each slot of each item."""
    m = len(slots)
    flat = [children for item in slots for children in item]
    return GenerativeTree(
        p=1,
        level=np.zeros(m, dtype=np.int64),
        slot_begin=np.cumsum([0, *(len(item) for item in slots)]),
        child_begin=np.array([children[0] for children in flat] + [m]),
        copies=np.ones(len(flat), dtype=np.int64),
        node_begin=np.arange(m + 1),
        nodes=np.zeros(m, dtype=np.int32),
        edge_begin=np.zeros(m + 1, dtype=np.int64),
        edges=np.zeros((0, 2), dtype=np.int32),
        kinds=np.zeros(0, dtype=np.uint8),
        valid=np.ones(m, dtype=bool),
        scores=np.array([scores.get(item, math.nan) for item in range(m)]),
        n_tests=np.zeros((m, 2), dtype=np.int64),
    )


NESTED = hand_made({2: -11.0, 3: -10.0, 4: -12.0}, [[[1, 2]], [[3, 4]], [], [], []])


@pytest.mark.deep
@pytest.mark.parametrize(
    ("gamma", "distribution"),
    [
        (1.0, {3: 0.6439, 4: 0.0321, 2: 0.3240}),
        (0.0, {3: 1.0}),
        (math.inf, {3: 0.25, 4: 0.25, 2: 0.5}),
    ],
    ids=["nested softmax", "best alone", "alike at each call"],
)
def test_sample_follows_the_nested_law(gamma, distribution):
    """Routes are drawn slot by slot: leaves with scores -10 and -12 share a resample, the leaf with -11 has another."""
    _, routes = NESTED.sample(200_000, gamma=gamma, seed=4)
    found = np.bincount([int(leaves[0]) for leaves in routes], minlength=5) / 200_000
    for leaf in (2, 3, 4):
        assert found[leaf] == pytest.approx(distribution.get(leaf, 0.0), abs=0.005)


def test_sample_refuses_a_negative_temperature():
    with pytest.raises(ParameterError, match="^gamma must be at least 0, got -1"):
        NESTED.sample(1, gamma=-1.0)


# --- posterior ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_classes_differ_fall_in_score_and_begin_with_the_result(seed):
    """Classes are distinct, in descending order of the scores of their DAGs, and start with the result."""
    data = chain(7, 150, seed)
    result = run(data, s=3, seed=seed)
    classes = result.extra.classes(30)
    assert len({one.graph.amat.tobytes() for one in classes}) == len(classes)
    assert all(a.score >= b.score - 1e-9 for a, b in zip(classes, classes[1:], strict=False))
    assert classes[0].score == pytest.approx(result.score)
    for one in classes:
        assert BDeu(data).network(consistent_extension(one.graph).dag) == pytest.approx(one.score, rel=1e-9)
        assert one.graph == cpdag(consistent_extension(one.graph).dag)
    assert classes[0].graph == result.graph
    assert result.extra.n_classes(30) == len(classes)
    assert len(result.extra.classes()) == min(10, len(classes))


def test_graph_that_no_dag_has_is_drawn_as_it_was_scored_and_counted():
    """If contradictory tests allow no DAG, the graph is that of the replacement, and a warning counts such classes."""
    results = [run(chain(7, 60, seed), s=3, seed=seed, k=5) for seed in range(12)]
    stand_ins = [result for result in results if not result.extra.classes(1)[0].valid]
    assert 0 < len(stand_ins) < len(results)
    for result in results:
        assert result.graph == result.extra.classes(1)[0].graph
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        assert consistent_extension(result.graph).valid
        n = sum(not one.valid for one in result.extra.classes())
        actual = [warning for warning in result.warnings if "the tests contradict one another" in warning]
        assert len(actual) == (n > 0)
        assert all(warning.startswith(f"in {n:,} of ") for warning in actual)


def test_brai_strengths_are_the_posterior_of_an_edge():
    """The strength of an edge is its posterior probability over the k classes of the run."""
    result = learn("brai", reference_sample("asia_n2000"), k=4)
    np.testing.assert_array_equal(result.strengths.values, result.extra.posterior(4).adjacent)


def test_brai_samples_are_graphs_of_the_tree():
    """Sampled graphs are graphs of the tree; temperature and seed default to those of the run."""
    result = learn("brai", chain(7, 150, 1), gamma=0.0, s=2)
    scores, graphs = result.extra.sample(5)
    assert set(graphs) == {result.graph}
    assert scores == pytest.approx([result.score] * 5)
    _, graphs = result.extra.sample(200, gamma=math.inf, seed=1)
    every = {result.extra.graph_of(np.array(leaves)) for leaves in all_routes(result.extra.tree)}
    assert set(graphs) <= every
    assert len(set(graphs)) > 1


def test_brai_keeps_to_what_is_known():
    """Background knowledge holds in every class and in the counted DAGs."""
    data = chain(6, 200, 2)
    a, b, c, d = data.names[0], data.names[1], data.names[2], data.names[3]
    known = Knowledge(required=((a, b),), forbidden=((c, d), (d, c)))
    result = run(data, s=3, knowledge=known)
    posterior = result.extra.posterior(20)
    assert posterior.directed[0, 1] == 1.0
    assert posterior.adjacent[2, 3] == 0.0
    np.testing.assert_allclose(posterior.directed + posterior.directed.T, posterior.adjacent, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"s": 0}, "^s must be"),
        ({"k": 0}, "^k must be"),
        ({"gamma": -0.5}, "^gamma must be"),
        ({"c1_factor": 0.0}, "^c1_factor must be"),
    ],
    ids=["s", "k", "gamma", "c1_factor"],
)
def test_brai_refuses_values_out_of_range(settings, message):
    with pytest.raises(ParameterError, match=message):
        run(chain(3, 40, 0), **settings)


def test_brai_needs_counted_rows_and_matching_columns():
    """B-RAI refuses the oracle and a score of another table."""
    data = chain(4, 60, 0)
    with pytest.raises(ParameterError, match="ci_test must be a G2"):
        brai(DSeparation(random_dag(4, 1.0, 0)), BDeu(data), cut="alpha")
    with pytest.raises(ParameterError, match="bound to the same columns"):
        brai(G2(data), BDeu(data.select([1, 0, 2, 3])))


# --- the number of resamples by the data ------------------------------------------------------------------------------


def test_the_number_by_the_data_is_the_first_at_which_probabilities_settle():
    """The run equals one with the chosen number; each change is that between the runs with the numbers before."""
    data = chain(6, 150, 1)
    result = run(data, s=5, s_by="data", roots=2)
    tried = result.extra.branchings
    assert [one.s for one in tried] == list(range(1, len(tried) + 1))
    assert all(not one.settled for one in tried[:-1])
    assert tried[-1].settled or len(tried) == 5
    given = run(data, s=tried[-1].s, roots=2)
    assert np.array_equal(result.posterior.adjacent, given.posterior.adjacent)
    assert result.graph == given.graph
    single = [run(data, s=one.s).posterior.adjacent for one in tried]
    for one, now, before in zip(tried[1:], single[1:], single, strict=False):
        assert one.change == pytest.approx(np.abs(now - before).sum() / max(now.sum(), before.sum(), 1.0))
    assert given.extra.branchings == ()


def test_without_resampling_one_resample_suffices():
    """Without resampling each resample equals the data, so a second one changes nothing."""
    tried = run(chain(5, 100, 0), s=4, s_by="data", resampling=False).extra.branchings
    assert [(one.s, one.change) for one in tried[1:]] == [(2, 0.0)]


def test_a_run_cancelled_while_it_chooses_keeps_what_it_has():
    calls = iter(range(3))
    result = run(chain(6, 150, 1), s=5, s_by="data", tick=lambda *_: next(calls, None) is not None)
    assert not result.complete


@pytest.mark.parametrize("kind", ["categorical", "continuous", "mixed"])
def test_a_number_of_resamples_that_the_data_choose_gives_the_run_with_that_number(kind):
    """The trees that were tried leave no trace in the result, down to the last bit."""
    data = ordinary(kind, p=6, n=200)
    chosen = learn("brai", data, s_by="data", roots=2)
    again = learn("brai", data, s=chosen.extra.branchings[-1].s, roots=2)
    assert chosen.graph == again.graph
    np.testing.assert_array_equal(chosen.trace.statistic, again.trace.statistic)
    np.testing.assert_array_equal(chosen.posterior.adjacent, again.posterior.adjacent)
    assert chosen.n_scores > again.n_scores
