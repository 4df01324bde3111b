"""Tests of BOSS-FCI: the true PAGs of DAGs with hidden variables, and its evidence."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    PDAG,
    Dataset,
    DSeparation,
    FisherZ,
    GaussianBIC,
    Knowledge,
    boss_fci,
    learn,
    load_network,
    mag_of_dag,
    pag_of_mag,
    sample,
)
from learners.effects.implications import implications
from learners.explaining.explanation import event_sentence, explanation
from learners.graphs.graph import ancestors
from learners.graphs.pag import PAG
from learners.results.phases import Stage
from tests.learners.families.latent.test_fci import confounded

N = 4_000
ALMOST_NONE = 1e-4  # penalty; exact covariances need one only against edges without any effect


def exact_world(rng: np.random.Generator, p: int = 7, hidden: int = 2) -> tuple[PDAG, Dataset]:
    """Return a DAG whose last nodes are hidden, and rows of the other nodes with exactly the covariances of the DAG."""
    q = p + hidden
    edges = rng.random((q, q)) < 3.0 / (q - 1)
    weights = np.triu(edges * rng.choice([-1.0, 1.0], (q, q)) * rng.uniform(0.5, 1.0, (q, q)), 1)
    left_out = np.argsort(-(weights != 0).sum(axis=1), kind="stable")[:hidden]
    seen = np.setdiff1d(np.arange(q), left_out)
    order = np.concatenate([seen, left_out])
    noise = rng.normal(size=(N, q))
    noise -= noise.mean(axis=0)
    noise = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise / N)).T
    values = noise @ np.linalg.inv(np.eye(q) - weights)
    names = [str(k) for k in range(p)]
    return PDAG((weights != 0)[np.ix_(order, order)]), Dataset.from_values(values[:, seen], names)


def check_true_pag(rng: np.random.Generator, repeats: int) -> None:
    """Check that the PAG is the true one if the DAG implies only true independences, and that nearly all DAGs do."""
    right = 0
    for _ in range(repeats):
        dag, data = exact_world(rng)
        truth = pag_of_mag(mag_of_dag(dag, range(data.p, dag.p)))
        for colliders in ("sepset", "max", "conservative"):
            oracle = DSeparation(dag, data.names)
            result = boss_fci(
                oracle,
                GaussianBIC(data, penalty=ALMOST_NONE),
                max_cond_size=None,
                colliders=colliders,
                possible_d_sep=True,
            )
            for step in range(len(result.trace.changes) + 1):
                assert isinstance(result.trace.graph_at(step), PAG)  # illegal marks raise an error
            implied = implications(result.extra.dag)
            if all(oracle.test(one.x, one.y, one.given).p_value == 1.0 for one in implied):
                assert result.graph == truth
                right += 1
    assert right >= 0.9 * 3 * repeats


def test_with_an_oracle_the_result_is_the_true_pag():
    """With exact covariances for the score and an oracle as the test, the result is the true PAG."""
    check_true_pag(np.random.default_rng(792_000), 5)


@pytest.mark.deep
def test_with_an_oracle_the_result_is_the_true_pag_of_many_dags():
    """With an oracle, the result is the true PAG for 100 DAGs with two hidden variables."""
    check_true_pag(np.random.default_rng(792_100), 100)


def test_a_hidden_common_cause_is_found_in_rows():
    """A hidden common cause gives an edge with two arrowheads, after a test has removed an edge of the best DAG."""
    result = learn("boss_fci", confounded(4_000, 1), alpha=0.01)
    assert result.graph == PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])
    assert result.extra.dag.n_edges == 5
    assert result.trace.start.n_edges == 0
    first = [event for event in result.trace if event.phase.stage is Stage.INITIAL_GRAPH]
    assert {(event.i, event.j) for event in first} == {(0, 1), (0, 2), (1, 2), (1, 4), (2, 3)}
    assert all(event_sentence(result, event).text(result.names) for event in result.trace)


def test_pairs_that_were_not_tested_are_explained_by_the_dag():
    """Edges outside triangles and non-adjacent pairs of the DAG are not tested; the explanation says so."""
    data = confounded(4_000, 1)
    result = learn("boss_fci", data, alpha=0.01)
    assert "It was not tested, because its ends have no common neighbour" in explanation(result, (1, 4)).sentences[0]
    assert explanation(result, (0, 3)).sentences[0].startswith("The best DAG, which the run started from, has no edge")
    assert "judged independent given" in explanation(result, (0, 2)).sentences[0]
    assert np.isfinite(result.strengths.values[1, 4])


def test_knowledge_restricts_both_steps():
    """Required edges are causes, forbidden pairs are not adjacent, and a tier excludes a cause."""
    data = confounded(4_000, 1)
    known = Knowledge(required=[("a", "b")], forbidden=[("b", "e"), ("e", "b")], tiers={"d": 1, "c": 0})
    graph = learn("boss_fci", data, knowledge=known).graph
    assert graph.sign(0, 1) == "->"
    assert graph.mark(1, 4) == "none"
    assert graph.sign(3, 2) in ("<->", "<-", "<-o", "")


def test_it_takes_levels():
    """On categorical data of asia, which has no hidden variables, no arrow of the PAG is false."""
    network = load_network("asia")
    result = learn("boss_fci", sample(network, 5_000, seed=792_200))
    assert result.graph.n_edges >= 5
    causes = ancestors(network.dag)
    assert all(causes[i, j] for i, j in result.graph.directed_edges())


def test_a_cancelled_run_has_circles_only():
    """The edges of a cancelled run have circles at all ends, because no end is marked before all tests are done."""
    data = confounded(400, 3)
    for last in (0, 5):
        calls = iter(range(10_000))
        result = boss_fci(FisherZ(data), GaussianBIC(data), tick=lambda *_: next(calls) < last)  # noqa: B023
        assert not result.complete
        assert result.graph.n_circles == 2 * result.graph.n_edges
