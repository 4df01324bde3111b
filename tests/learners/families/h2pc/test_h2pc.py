"""Tests of H2PC: the restriction to its skeleton, the search that it shares with MMHC, its trace and evidence."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, G2, BDeu, DSeparation, FisherZ, GaussianBIC, Knowledge, ParameterError, hpc, mmhc, tabu
from learners.families.h2pc.h2pc import h2pc
from learners.families.h2pc.hpc_search import Neighborhoods
from learners.graphs.cpdag import cpdag
from learners.registry import LEARNERS
from learners.results.events import Action
from tests import references


def bound_to(name):
    """Return the paper's test and score on a sample, or the test and score for continuous data."""
    data = references.dataset(name)
    if data.kind == "continuous":
        return FisherZ(data), GaussianBIC(data)
    return G2(data, rows_per_cell=5), BDeu(data, ess=10.0)


@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000", "gauss_p12_n500"))
def test_h2pc_searches_within_the_skeleton_of_hpc(name):
    """Tests and separating sets equal those of HPC; a tabu search within the same pairs gives the same graph."""
    test, score = bound_to(name)
    result, skeleton = h2pc(test, score, polish=False), hpc(test)
    assert not (result.graph.skeleton & ~skeleton.graph.skeleton).any()
    assert result.extra.skeleton == skeleton.graph
    assert result.n_tests == skeleton.n_tests
    assert dict(result.sepsets) == dict(skeleton.sepsets)
    assert isinstance(result.extra.evidence, Neighborhoods)
    np.testing.assert_array_equal(result.extra.evidence.rule, skeleton.extra.rule)
    alone = tabu(score, allowed=skeleton.graph.skeleton, tabu_length=100, patience=15, ties="data")
    assert result.graph == alone.graph == cpdag(result.extra.dag)
    assert result.score == alone.score


@pytest.mark.parametrize("settings", [{"pc_method": "fdr"}, {"unreliable": "skip"}, {"max_cond_size": 1}], ids=str)
def test_h2pc_hands_its_settings_to_hpc(settings):
    """The skeleton equals that of HPC with the same settings, which the result records."""
    test, score = bound_to("sachs_n1000")
    result = h2pc(test, score, **settings)
    assert result.extra.skeleton == hpc(test, **settings).graph
    assert settings.items() <= result.params.items()


def test_h2pc_and_mmhc_differ_in_the_skeleton_alone():
    """H2PC and MMHC share the defaults of the search (100 DAGs, 15 moves) and the paper's score."""
    learners = (LEARNERS[key].parameters_for("categorical") for key in ("h2pc", "mmhc"))
    of_h2pc, of_mmhc = ({one.name: one for one in parameters} for parameters in learners)
    shared = set(of_h2pc) & set(of_mmhc) - {"max_cond_size"}  # max_cond_size is not in the paper
    assert {"score", "ess", "tabu_length", "patience", "alpha", "test", "dof", "rows_per_cell"} <= shared
    for name in shared:
        assert of_h2pc[name].default == of_mmhc[name].default, name
    defaults = {name: of_h2pc[name].default for name in ("score", "ess", "tabu_length", "patience", "rows_per_cell")}
    assert defaults == {"score": "bdeu", "ess": 10.0, "tabu_length": 100, "patience": 15, "rows_per_cell": 5.0}
    test, score = bound_to("survey_n2000")
    one, other = h2pc(test, score), mmhc(test, score)
    assert one.extra.skeleton == other.extra.skeleton
    assert (one.graph, one.score) == (other.graph, other.score)


@pytest.mark.compiled
def test_h2pc_trace_records_the_tests_first_and_draws_only_moves():
    """The tests change no edge, every change has a score, and the counts add up."""
    result = h2pc(*bound_to("child_n2000"))
    trace = result.trace
    assert trace.n_tests.sum() == result.n_tests > 0
    tests = np.flatnonzero(trace.n_tests > 0)
    assert set(trace.action[tests].tolist()) == {Action.KEEP, Action.APART}
    assert tests.max() < trace.changes.min()
    assert len(result.extra.scores) == len(trace.changes) + 1
    assert trace.graph_at(len(trace.changes)) == result.graph


def test_h2pc_keeps_required_edges_that_tests_would_not():
    known = Knowledge(required=(("xray", "asia"),), forbidden=(("bronc", "dysp"), ("dysp", "bronc")))
    result = h2pc(*bound_to("asia_n2000"), knowledge=known)
    at = result.names.index
    assert result.graph.mark(at("xray"), at("asia")) == "forward"
    assert result.graph.mark(at("bronc"), at("dysp")) == "none"


def test_h2pc_cancelled_during_the_tests_returns_no_edge():
    """A run that is cancelled before the search returns an empty graph with a warning."""
    result = h2pc(*bound_to("asia_n2000"), tick=lambda *_: False)
    assert (result.complete, result.graph.n_edges) == (False, 0)
    assert any("cancelled" in warning for warning in result.warnings)


def test_h2pc_needs_test_and_score_of_the_same_columns():
    with pytest.raises(ParameterError, match="^test and score must be bound to the same columns"):
        h2pc(DSeparation(references.true_dag("sachs_n1000")), BIC(references.dataset("asia_n2000")))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", 0),
        ("max_cond_size", -1),
        ("unreliable", "maybe"),
        ("pc_method", "iamb"),
        ("tabu_length", 0),
        ("patience", 0),
        ("max_parents", 0),
    ],
)
def test_h2pc_refuses_values_out_of_range(name, value):
    with pytest.raises(ParameterError, match=f"{name} "):
        h2pc(*bound_to("asia_n2000"), **{name: value})
