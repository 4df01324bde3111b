"""Tests of FCI: the true PAGs of random MAGs, and the options of the learner."""

from __future__ import annotations

import numpy as np
import pytest

from learners import (
    PAG,
    Dataset,
    DSeparation,
    FisherZ,
    Knowledge,
    ParameterError,
    canonical_dag,
    fci,
    fit,
    learn,
    pag_of_mag,
    possible_effects,
    random_dag,
)
from learners.explaining.explanation import explanation
from learners.families.latent.fci import possible_d_sep_sets
from learners.graphs.graph import topological_order
from learners.graphs.rules import Rule
from learners.results.events import Action
from tests.naive_pag import random_mag


def oracle(mag: PAG) -> DSeparation:
    """Return a test that knows the separations of a MAG."""
    return DSeparation(canonical_dag(mag), [str(k) for k in range(mag.p)])


def check_true_pag(rng: np.random.Generator, p: int) -> None:
    """Check that all three methods to find colliders give the true PAG, and that each step of the run is legal."""
    mag = random_mag(rng, p, p // 2, 3.0)
    for colliders in ("sepset", "conservative", "max"):
        result = fci(oracle(mag), max_cond_size=None, colliders=colliders)
        assert result.graph == pag_of_mag(mag)
        assert result.warnings == ()
        for step in range(len(result.trace.changes) + 1):
            assert isinstance(result.trace.graph_at(step), PAG)  # illegal marks raise an error


@pytest.mark.deep
def test_with_an_oracle_the_result_is_the_true_pag():
    """With an oracle, the result is the true PAG for MAGs of random DAGs with hidden variables."""
    rng = np.random.default_rng(790_400)
    for _ in range(20):
        check_true_pag(rng, 6)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(10))
def test_with_an_oracle_the_result_is_the_true_pag_of_larger_mags(seed):
    """With an oracle, the result is the true PAG for 300 larger MAGs in total."""
    rng = np.random.default_rng(790_500 + seed)
    for _ in range(30):
        check_true_pag(rng, 10)


def test_the_search_beyond_neighbours_is_needed():
    """In this MAG, one pair is separated only by a set that includes non-neighbours."""
    edges = [(0, "<-", 1), (0, "<-", 3), (1, "<-", 3), (1, "<->", 5), (2, "<->", 3), (2, "<-", 5), (3, "<-", 4)]
    mag = PAG.from_ends(6, [*edges, (4, "<->", 5)])
    narrow = fci(oracle(mag), max_cond_size=None, possible_d_sep=False).graph
    assert narrow.n_edges == mag.n_edges + 1
    assert fci(oracle(mag), max_cond_size=None).graph == pag_of_mag(mag)


def test_possible_d_sep_follows_colliders_and_triangles():
    """Possible-D-SEP of 0 continues at the collider 1 and ends at 2, which is not a collider."""
    pag = PAG.from_ends(5, [(0, "o->", 1), (2, "o->", 1), (2, "o-o", 3), (3, "o-o", 4), (2, "o-o", 4)])
    assert np.flatnonzero(possible_d_sep_sets(pag)[0]).tolist() == [1, 2]
    assert np.flatnonzero(possible_d_sep_sets(pag)[3]).tolist() == [2, 4]


def confounded(n: int, seed: int) -> Dataset:
    """Return rows in which a hidden variable causes b and c."""
    rng = np.random.default_rng(seed)
    a, d, hidden = rng.normal(size=(3, n))
    b = a + hidden + rng.normal(size=n)
    c = d + hidden + rng.normal(size=n)
    e = b + rng.normal(size=n)
    return Dataset.from_values(np.column_stack([a, b, c, d, e]), list("abcde"))


def test_a_hidden_common_cause_is_found_in_rows():
    """A hidden common cause gives b <-> c, where PC draws an arrow or leaves the direction open."""
    result = learn("fci", confounded(4_000, 1), alpha=0.01)
    assert result.graph == PAG.from_ends(5, [(0, "o->", 1), (3, "o->", 2), (1, "<->", 2), (1, "->", 4)])
    assert {event.rule for event in result.trace if event.action == Action.ORIENT} == {Rule.ENDS_R1}
    found = explanation(result, (1, 2))
    assert found.headline == "b ↔ c is in the graph."
    assert "If the ends are right, neither causes the other: hidden variables connect them." in found.sentences
    assert (
        "If the ends are right, e does not cause b, and b causes e, possibly through others."
        in explanation(result, (1, 4)).sentences
    )
    circle = " ".join(explanation(result, (0, 1)).sentences)
    assert "The circle at a: independences cannot show whether a causes b" in circle


def test_knowledge_becomes_arrowheads_and_causes():
    """A tier or a forbidden direction excludes a cause, and a required edge becomes a cause."""
    data = confounded(4_000, 1)
    tiers = Knowledge(tiers={"a": 1, "b": 0})
    assert learn("fci", data, knowledge=tiers).graph.sign(0, 1) == "<->"
    required = Knowledge(required=[("a", "b")], forbidden=[("d", "c")])
    graph = learn("fci", data, knowledge=required).graph
    assert graph.sign(0, 1) == "->"
    assert graph.sign(3, 2) in ("<-", "<->", "<-o")


def test_ambiguous_triples_stay_open_and_are_explained():
    """Triples for which tests disagree stay open with an explanation, except with colliders by one separating set."""
    for seed in range(60):
        data = confounded(60, 790_700 + seed)
        result = learn("fci", data, alpha=0.1)
        if result.trace.made_by({Rule.AMBIGUOUS}).any():
            break
    event = next(event for event in result.trace if event.rule is Rule.AMBIGUOUS)
    assert event.action == Action.REFUSE
    text = " ".join(explanation(result, (event.i, event.cond[0])).sentences)
    assert "because sets with and without it separate" in text
    assert "More rows could settle it." in text
    plain = learn("fci", data, alpha=0.1, colliders="sepset")
    assert not plain.trace.made_by({Rule.AMBIGUOUS}).any()


def test_a_pag_is_no_network_of_its_columns():
    """Fitting a network and estimating effects refuse a PAG with a clear message."""
    data = confounded(400, 2)
    graph = learn("fci", data).graph
    for call in (lambda: fit(graph, data), lambda: possible_effects(graph, data, 0, 1)):
        with pytest.raises(ParameterError, match="^a PAG allows hidden common causes, so it is no network of these"):
            call()


@pytest.mark.parametrize("colliders", ["sepset", "conservative", "max"])
def test_the_order_of_the_columns_changes_nothing(colliders):
    """The order of the columns has no effect, because the learner sorts them by name."""
    rng = np.random.default_rng(790_800)
    dag = random_dag(8, 2.5, seed=5)
    values = np.zeros((300, 8))
    for j in topological_order(dag):
        values[:, j] = values[:, list(dag.parents(j))].sum(axis=1) + rng.normal(size=300)
    names = [f"v{k}" for k in range(8)]
    order = rng.permutation(8)
    one = learn("fci", Dataset.from_values(values, names), colliders=colliders)
    other = learn("fci", Dataset.from_values(values[:, order], [names[k] for k in order]), colliders=colliders)
    assert np.array_equal(one.graph.marks[np.ix_(order, order)], other.graph.marks)


def test_a_cancelled_run_has_circles_only():
    """The edges of a cancelled run have circles at all ends, because no end is marked before all tests are done."""
    data = confounded(400, 3)
    result = fci(FisherZ(data), tick=lambda *_: False)
    assert not result.complete
    assert result.graph.n_circles == 2 * result.graph.n_edges
