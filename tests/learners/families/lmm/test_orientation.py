"""Tests of LMM_EO: ranked v-structures and their conflicts, the incremental orienter, and the far closure."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import PDAG, Dataset, DependencePosterior
from learners.common.progress import Stopped
from learners.families.lmm.lmm import lmm
from learners.families.lmm.orientation import Orienter
from learners.graphs.meek_closure import closure
from learners.kernels.lmm.induced_dependence import orient_triples
from tests import naive, naive_lmm


def gaussian(p: int, n: int, seed: int) -> DependencePosterior:
    rng = np.random.default_rng([seed, p, n])
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.4), 1)
    values = rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights)
    return DependencePosterior(Dataset.from_values(values, [f"v{k}" for k in range(p)]), prior=0.05)


def random_skeleton(rng: np.random.Generator, p: int, density: float) -> np.ndarray:
    upper = np.triu(rng.random((p, p)) < density, 1)
    return upper | upper.T


@pytest.mark.parametrize("cap", [0, 1, 2, 4])
@pytest.mark.parametrize("seed", range(8))
def test_induced_dependence_equals_the_reference(seed, cap):
    """For all unshielded triples of a random skeleton, CDs, one-sided values and their sets equal the reference."""
    posterior = gaussian(9, [15, 60, 500, 20_000][seed % 4], seed)
    evidence = posterior.evidence(max(cap, 1))
    skeleton = random_skeleton(np.random.default_rng(seed), 9, 0.4)
    value = naive_lmm.from_data(evidence.corr, posterior.n, 0.05)
    graph, found = Orienter(evidence, skeleton, cap).cpdag()
    expected = naive_lmm.induced_dependence(value, skeleton, cap)
    assert {tuple(triple) for triple in found.triples.tolist()} == expected.keys()
    for row, (x, w, y) in enumerate(found.triples.tolist()):
        assert found.induced[row] == pytest.approx(expected[x, w, y][0], abs=2e-12)
        for side, (a, b) in enumerate(((x, y), (y, x))):
            for values, sets, added in (
                (found.with_w, found.sets_with, {w}),
                (found.without_w, found.sets_without, set()),
            ):
                cond = set(sets[row, side].tolist()) - {-1}
                assert cond <= set(np.flatnonzero(skeleton[a])) - {w}
                s = value(a, b, frozenset(cond | added))
                assert values[row, side] == pytest.approx(s, rel=1e-8, abs=1e-9)
    assert np.array_equal(graph.amat, naive_lmm.lmm_eo(value, skeleton, cap))


def test_v_structures_come_surest_first():
    """The v-structures are in descending order of CD, and only those with a positive CD are accepted."""
    found, _ = Orienter(
        gaussian(12, 300, 3).evidence(4), random_skeleton(np.random.default_rng(1), 12, 0.3), 4
    ).v_structures()
    assert (np.diff(found.induced) <= 0).all()
    assert not found.accepted[found.induced <= 0].any()
    assert found.accepted.any()


def test_saturated_v_structures_are_distinguished_for_any_order_of_columns():
    """Two common effects of a pair have equal CD; the one with more evidence comes first, whatever the column order."""
    rng = np.random.default_rng(5)
    x, y, *noise = rng.normal(size=(4, 20_000))
    values = np.column_stack([x, y, x + y + 0.5 * noise[0], x + y + noise[1]])
    skeleton = np.zeros((4, 4), dtype=bool)
    skeleton[:2, 2:] = skeleton[2:, :2] = True
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        dataset = Dataset.from_values(values[:, order], [f"v{k}" for k in order])
        evidence = DependencePosterior(dataset, prior=0.05).evidence(1)
        found, _ = Orienter(evidence, skeleton[np.ix_(order, order)], 1).v_structures()
        assert found.induced[0] == found.induced[1] > 0.99
        assert [order[triple[1]] for triple in found.triples[:2]] == [2, 3]


def test_v_structures_without_a_real_difference_are_none():
    """If a pair is dependent given any set, CD is only a rounding error and orients nothing."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=400)
    y, w = x + 0.3 * rng.normal(size=400), rng.normal(size=400)
    w = w + 0.05 * x
    evidence = DependencePosterior(Dataset.from_values(np.column_stack([x, w, y]), ["x", "w", "y"])).evidence(4)
    skeleton = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    graph, found = Orienter(evidence, skeleton, 4).cpdag()
    assert min(found.with_w.min(), found.without_w.min()) > 40.0
    assert found.induced.tolist() == [0.0]
    assert graph == PDAG(skeleton)


@pytest.mark.parametrize(
    ("triples", "arrows", "fate"),
    [
        ([(0, 1, 2), (0, 1, 3)], {(0, 1), (2, 1), (3, 1)}, [True, True]),
        ([(0, 1, 2), (1, 2, 4)], {(0, 1), (2, 1)}, [True, False]),
        ([(1, 2, 4), (0, 1, 2)], {(1, 2), (4, 2)}, [True, False]),
    ],
    ids=["third parent", "conflict", "conflict the other way"],
)
def test_v_structures_are_refused_only_if_an_edge_points_out_of_their_middle(triples, arrows, fate):
    """A v-structure is refused if one of its edges points out of its middle node; further parents are accepted."""
    amat = np.zeros((5, 5), dtype=bool)
    for i, j in ((0, 1), (1, 2), (1, 3), (2, 4)):
        amat[i, j] = amat[j, i] = True
    accepted = orient_triples(amat, np.array(triples), len(triples))
    assert set(PDAG(amat).directed_edges()) == arrows
    assert accepted.tolist() == fate


@pytest.mark.parametrize("seed", range(6))
def test_random_order_shuffles_candidates_only(seed):
    """A random order keeps the CDs, lists the candidates before other triples, and is determined by the seed."""
    posterior = gaussian(12, 40, seed)
    orienter = Orienter(posterior.evidence(4), random_skeleton(np.random.default_rng(seed), 12, 0.35), 4)
    ranked, _ = orienter.v_structures()
    shuffled, amat = orienter.v_structures(np.random.default_rng(seed))
    again, same = orienter.v_structures(np.random.default_rng(seed))
    as_rows = [dict(zip(map(tuple, f.triples.tolist()), f.induced.tolist(), strict=True)) for f in (ranked, shuffled)]
    assert as_rows[0] == as_rows[1]
    n_candidates = int((ranked.induced > 0).sum())
    assert (shuffled.induced[:n_candidates] > 0).all()
    assert shuffled.triples[:n_candidates].tolist() != ranked.triples[:n_candidates].tolist()
    assert shuffled.triples.tolist() == again.triples.tolist()
    assert np.array_equal(amat, same)


def test_lmm_takes_the_seed_of_the_random_order():
    """The same seed gives the same graph; other seeds give other graphs on small samples."""
    posterior = gaussian(15, 30, 2)
    graphs = [lmm(posterior, min_size=30, orientation="lmm_eo_random", seed=seed).graph for seed in (0, 0, 1, 2, 3, 4)]
    assert graphs[0] == graphs[1]
    assert len({graph.amat.tobytes() for graph in graphs}) > 1


@pytest.mark.parametrize("seed", range(10))
def test_orienter_that_follows_toggles_equals_a_new_one(seed):
    """After 40 random toggles with known directions, triples, values, sets and graph are those of a new orienter."""
    rng = np.random.default_rng(seed)
    evidence = gaussian(10, 50, seed).evidence(3)
    directions = np.triu(rng.random((10, 10)) < 0.1, 1)
    orienter = Orienter(evidence, random_skeleton(rng, 10, 0.3), 3, directions)
    for _ in range(40):
        i, j = rng.choice(10, 2, replace=False)
        orienter.toggle(i, j)
        graph, found = orienter.cpdag()
        expected_graph, expected = Orienter(evidence, orienter.skeleton, 3, directions).cpdag()
        assert graph == expected_graph
        for name in vars(expected):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_orienter_does_not_change_the_given_skeleton():
    """Toggling an edge changes a copy of the skeleton."""
    skeleton = random_skeleton(np.random.default_rng(1), 6, 0.5)
    before = skeleton.copy()
    Orienter(gaussian(6, 40, 1).evidence(2), skeleton, 2).toggle(0, 1)
    assert np.array_equal(skeleton, before)


def test_orienter_stops_when_cancelled():
    """A set stop flag raises `Stopped` before half of the work is assigned."""
    with pytest.raises(Stopped):
        Orienter(
            gaussian(6, 40, 1).evidence(2),
            random_skeleton(np.random.default_rng(1), 6, 0.5),
            2,
            stop=np.ones(1, np.int8),
        )


# --- closure with paths of any length -------------------------------------------------------------------------------


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("p", [4, 5, 6, 7])
@pytest.mark.parametrize("seed", range(40))
def test_far_closure_of_true_v_structures_is_the_cpdag(seed, p):
    """Without contradictions, the closure over paths of any length is the CPDAG, as for paths of two arrows."""
    dag = naive.random_dag(np.random.default_rng([seed, p, 9]), p, 2 * p)
    pattern = dag | dag.T
    for i, k, j in naive.v_structures(dag):
        pattern[k, i] = pattern[k, j] = False
    assert closure(PDAG(pattern), far=True) == closure(PDAG(pattern)) == PDAG(naive.cpdag(dag))


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("seed", range(150))
def test_far_closure_equals_the_reference(seed):
    """The far closure equals the reference for graphs with cycles and contradictions."""
    rng = np.random.default_rng([seed, 3])
    amat = naive.random_pdag(rng, int(rng.integers(3, 9)), rng.uniform(0.2, 0.9))
    assert np.array_equal(closure(PDAG(amat), far=True).amat, naive_lmm.closure(amat))


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("seed", range(150))
def test_far_closure_never_orients_an_edge_against_a_path(seed):
    """If given arrows lead from j to i, no edge becomes i -> j."""
    rng = np.random.default_rng([seed, 4])
    amat = naive.random_pdag(rng, 8, 0.35)
    closed = closure(PDAG(amat), far=True).amat
    for i, j in combinations(range(8), 2):
        for a, b in ((i, j), (j, i)):
            if naive.line(amat, a, b) and naive.arrow(closed, a, b):
                assert a not in naive.reachable(amat, b)


def test_far_closure_takes_a_path_that_two_arrows_are_not():
    """In 0 -> 1 -> 2 -> 3 with 0 - 3, 0 - 2 and 1 - 3, the far rule directs the edge 0 - 3."""
    amat = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (0, 3), (3, 0), (0, 2), (2, 0), (1, 3), (3, 1)):
        amat[i, j] = True
    events = []
    closed = closure(PDAG(amat), far=True, record=lambda *event: events.append(event))
    assert closed.is_dag
    assert (0, 3) in closed.directed_edges()
    assert (2, (2,)) in [(rule, witnesses) for i, j, rule, witnesses in events if (i, j) == (0, 3)]
