"""Tests of the skeleton of LMM for other learners: oracle, level, knowledge, other tests, and custom tests."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import (
    BIC,
    G2,
    Dataset,
    DegenerateGaussian,
    DSeparation,
    FisherZ,
    GaussianBIC,
    Knowledge,
    ParameterError,
    gsc,
    learn,
    random_mixed_network,
    sample,
)
from learners.common.progress import silent
from learners.families.lmm.ranking import _log_p, key_of
from learners.families.lmm.skeleton_for_searches import (
    LMMSearch,
    dependence_of,
    least_joint,
    lmm_skeleton,
    ranked_pairs,
)
from learners.graphs.knowledge import BoundKnowledge
from learners.independence.ci_test import CITest
from learners.networks.random_networks import random_dag
from learners.scores.selection import score_for
from tests import references
from tests.cancelling import cut_short

NONE = BoundKnowledge.none


def skeleton_of(test: CITest, alpha: float = 0.05, *, draws: bool = True) -> LMMSearch:
    """Run the search on a test."""
    restriction = lmm_skeleton(test, alpha, 3, NONE(test.p), draws=draws)
    restriction.run(silent)
    return restriction.search


@pytest.mark.parametrize("seed", range(12))
def test_with_the_oracle_the_skeleton_is_that_of_the_dag(seed):
    """With perfect tests and large enough sets the pairs left are those of the DAG, and sets separate the others."""
    dag = random_dag(7, 2.0, seed)
    test = DSeparation(dag)
    restriction = lmm_skeleton(test, 0.05, None, NONE(7), draws=True)
    restriction.run(silent)
    search = restriction.search
    np.testing.assert_array_equal(search.skeleton.skeleton, dag.skeleton)
    for (x, y), cond in dict(search.sepsets).items():
        assert test.test(x, y, cond).p_value == 1.0


@pytest.mark.parametrize("draws", [True, False])
@pytest.mark.parametrize("name", references.each("asia_n2000", "gauss_p12_n500"))
def test_a_pair_is_adjacent_iff_its_hardest_test_is_significant(name, draws):
    """Every pair has a test, and its largest p decides, with the set that the search states."""
    data = references.dataset(name)
    test = FisherZ(data) if data.kind == "continuous" else G2(data)
    search = skeleton_of(test, draws=draws)
    log_phi, members = search.evidence.log_phi, search.evidence.hardest.members
    above = np.triu(np.ones(log_phi.shape, dtype=bool), 1)
    assert not np.isnan(log_phi[above]).any()
    np.testing.assert_array_equal(search.skeleton.skeleton[above], log_phi[above] <= math.log(0.05))
    for x, y in np.argwhere(above).tolist():
        cond = [k for k in members[x, y].tolist() if k >= 0]
        assert test.test(x, y, cond).log_p == pytest.approx(log_phi[x, y], abs=1e-9)


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
def test_forward_selection_goes_as_far_as_the_level(alpha):
    """A pair whose p given its hardest set is at most alpha has a joint CPPD above the threshold of the selection."""
    test = FisherZ(references.dataset("gauss_p12_n500"))
    evidence = dependence_of(test).stored_evidence(3)
    least = key_of(least_joint(evidence, alpha))
    result = learn("lmm", references.dataset("gauss_p12_n500"), max_cond_size=3, omega=1.0)
    moves = result.extra.moves
    at = np.flatnonzero(moves.what == moves.ELIMINATED)
    significant = _log_p(moves, at, evidence) <= math.log(alpha)
    assert significant.any()
    assert (moves.key[at[significant]] > least).all()


def test_every_ranked_pair_has_one_set_without_its_ends():
    test = FisherZ(references.dataset("gauss_p12_n500"))
    pairs, sets = ranked_pairs(test, 0.05, 3, NONE(12), silent)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    for (x, y), cond in zip(pairs.tolist(), sets.tolist(), strict=True):
        assert not {x, y} & set(cond)


def test_gsc_takes_it_on_any_column_and_with_knowledge():
    """Mixed columns: required pairs are in the graph, forbidden ones are not, and the search stays in the skeleton."""
    data = sample(random_mixed_network(8, 10, seed=5), 400, seed=5)
    a, b, c, d = data.names[:4]
    known = Knowledge(required=[(a, b)], forbidden=[(c, d), (d, c)])
    result = learn("gsc", data, skeleton="lmm", knowledge=known)
    at = {name: j for j, name in enumerate(result.names)}
    assert result.graph.skeleton[at[a], at[b]]
    assert not result.graph.skeleton[at[c], at[d]]
    assert not (result.graph.skeleton & ~result.extra.skeleton.skeleton).any()


def test_columns_in_another_order_give_the_same_graph():
    data = sample(random_mixed_network(8, 10, seed=6), 500, seed=6)
    order = [5, 2, 7, 0, 3, 6, 1, 4]
    turned = Dataset.from_frame(data.to_frame().iloc[:, order])
    one, other = (gsc(DegenerateGaussian(each), score_for(each), skeleton="lmm").graph for each in (data, turned))
    np.testing.assert_array_equal(other.amat, one.amat[np.ix_(order, order)])


def test_a_cancelled_run_keeps_what_was_done():
    data = references.dataset("gauss_p12_n500")

    def run(tick):
        return gsc(FisherZ(data), GaussianBIC(data), skeleton="lmm", tick=tick)

    assert len(list(cut_short(run, (1, 2, 3)))) > 0


def test_a_test_without_its_data_is_refused():
    class Custom(CITest):
        """A test that states no data."""

        names = ("a", "b", "c")

        def test(self, x, y, cond=()):  # noqa: ARG002
            raise AssertionError

    asia = references.dataset("asia_n2000")
    with pytest.raises(ParameterError, match="needs a test with its data"):
        dependence_of(Custom())
    assert gsc(G2(asia), BIC(asia), skeleton="lmm").complete
