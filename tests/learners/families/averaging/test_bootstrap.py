"""Tests of the bootstrap: counts of graphs over resamples, and graphs built from the counts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from learners import BDeu, DataError, GaussianBIC, Knowledge, LearnResult, ParameterError, bootstrap, learn
from learners.data.resampling import resampled
from learners.evaluation.frequencies import Frequencies, left_out
from learners.graphs.consistent_extension import consistent_extension
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from tests.limited import limit
from tests.references import dataset as reference_sample


def counted(*graphs: PDAG) -> Frequencies:
    """Return the frequencies of these graphs, each found on one resample."""
    return Frequencies("rai", graphs, np.arange(len(graphs)), np.zeros(len(graphs)))


@pytest.mark.compiled
@pytest.mark.parametrize("base", ["rai", "mmhc", "pc", "hc"])
def test_shares_are_counts_over_the_resamples(base):
    """Shares of edge types, graphs and the number of tests equal those of separate runs on each resample."""
    data = reference_sample("asia_n2000")
    result = learn("bootstrap", data, base=base, n_resamples=6, seed=3)
    runs = [learn(base, resampled(data, 3, (t,)), seed=3 + t) for t in range(6)]
    extra = result.extra
    assert extra.n == 6
    assert extra.learner == base
    for i in range(8):
        for j in range(8):
            marks = [one.graph.mark(i, j) for one in runs]
            types = extra.types(i, j)
            found = [types["->"], types["<-"], types["-"], types["none"]]
            expected = [marks.count(mark) / 6 for mark in ("forward", "backward", "undirected", "none")]
            assert found == pytest.approx(expected)
    assert result.n_tests == sum(one.n_tests for one in runs)
    assert [extra.graphs[k] for k in extra.which] == [one.graph for one in runs]
    off = ~np.eye(8, dtype=bool)
    np.testing.assert_array_equal(result.strengths.values[off], extra.adjacent[off])


def test_best_graph_is_the_one_of_the_best_score():
    """The best graph is scored on the original data, not on its resample."""
    data = reference_sample("asia_n2000")
    result = learn("bootstrap", data, base="rai", n_resamples=12, graph="best", score="bdeu")
    score = BDeu(data)
    scores = [score.network(consistent_extension(graph).dag) for graph in result.extra.graphs]
    assert result.score == pytest.approx(max(scores))
    assert result.graph == result.extra.graphs[int(np.argmax(scores))]
    assert result.extra.best() == result.graph


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_frequent_graph_has_the_pairs_adjacent_often_enough(share):
    """Arrows of the graph are more frequent than the reverse and the undirected edge, and form no cycle."""
    result = learn("bootstrap", reference_sample("asia_n2000"), base="rai", n_resamples=10, share=share)
    extra, graph = result.extra, result.graph
    assert np.array_equal(graph.skeleton, (extra.adjacent >= share) & (extra.adjacent > 0))
    assert not graph.has_directed_cycle()
    for i, j in graph.directed_edges():
        assert extra.forward[i, j] > extra.forward[j, i]
        assert extra.forward[i, j] >= extra.undirected[i, j]
    assert extra.at(share) == graph


def test_arrows_that_would_close_a_cycle_stay_undirected():
    """If the arrows would form a cycle, its rarest arrow becomes undirected."""
    round_trip = [(0, 1), (1, 2)], [(0, 1), (2, 0)], [(0, 1), (1, 2)], [(0, 1), (2, 0), (1, 2)], [(0, 1), (2, 0)]
    found = counted(*(PDAG.from_edges(3, directed=edges) for edges in round_trip[:3]), *(
        PDAG.from_edges(3, directed=edges) for edges in round_trip[4:]))  # fmt: skip
    graph = found.at(0.3)
    assert graph.mark(0, 1) == "forward"
    assert {graph.mark(1, 2), graph.mark(2, 0)} == {"forward", "undirected"}


def test_an_edge_whose_only_direction_closes_a_cycle_is_left_out():
    """The rarest of three known arrows that form a cycle is left out; without knowledge it is undirected."""
    known = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 0)]).amat
    graphs = [
        PDAG.from_edges(4, directed=edges)
        for edges in ([(0, 1), (1, 2), (0, 3)], [(0, 1), (2, 0), (0, 3), (3, 2)], [(0, 1), (1, 2), (3, 2)])
    ]
    found = counted(*graphs)
    graph = dataclasses.replace(found, directions=known).at(0.3)
    assert graph == PDAG.from_edges(4, directed=[(0, 1), (1, 2), (0, 3), (3, 2)])
    assert found.at(0.3).mark(0, 2) == "undirected"
    (warning,) = left_out(graph, found.adjacent >= 0.3)
    assert warning.startswith("1 edge is left out")
    assert left_out(found.at(0.3), found.adjacent >= 0.3) == ()


def test_first_equals_a_run_with_fewer_resamples():
    """`first(n)` equals a run with n resamples."""
    data = reference_sample("asia_n2000")
    long, short = (learn("bootstrap", data, base="rai", n_resamples=n, seed=1).extra for n in (8, 3))
    np.testing.assert_allclose(long.first(3).forward, short.forward)
    np.testing.assert_allclose(long.first(3).undirected, short.undirected)
    assert long.first(3).n == 3


@pytest.mark.compiled
def test_posterior_weighs_the_classes_found_by_score():
    """Each class is listed once, in descending order of its score, however many resamples found it."""
    data = reference_sample("asia_n2000")
    extra = learn("bootstrap", data, base="mmhc", n_resamples=10, score="bdeu").extra
    posterior = extra.posterior()
    score = BDeu(data)
    assert len({one.graph for one in posterior.classes}) == len(posterior.classes) <= 10
    for one in posterior.classes:
        assert one.graph == cpdag(consistent_extension(one.graph).dag)
        assert one.score == pytest.approx(score.network(consistent_extension(one.graph).dag))
    values = [one.score for one in posterior.classes]
    assert values == sorted(values, reverse=True)


def test_bootstrap_takes_continuous_data_and_knowledge():
    """For continuous data, too, the graphs of all resamples respect the background knowledge."""
    data = reference_sample("gauss_p12_n500")
    a, b, c = data.names[:3]
    known = Knowledge(required=((a, b),), forbidden=((b, c), (c, b)))
    result = learn("bootstrap", data, base="pc", n_resamples=5, knowledge=known)
    assert result.extra.forward[0, 1] == 1.0
    assert result.extra.adjacent[1, 2] == 0.0
    assert result.graph.mark(0, 1) == "forward"


def test_bootstrap_cut_short_counts_what_is_done():
    """The shares of a cancelled run refer to the finished resamples."""
    data = reference_sample("asia_n2000")
    calls = []

    def three(phase: str, done: int, total: int) -> bool:
        calls.append((phase, total))
        return done < 3

    result = learn("bootstrap", data, base="rai", n_resamples=9, tick=three)
    assert not result.complete
    assert result.extra.n == 3
    assert set(calls) == {("resamples", 9)}
    assert result.warnings == ("the run was cancelled after 3 of 9 resamples; the shares refer to these",)


def test_bootstrap_runs_any_callable_with_settings_of_its_own():
    """`bootstrap` accepts any function as its learner, with its own settings."""
    data = reference_sample("gauss_p12_n500")

    def strict(resample, _t, tick) -> LearnResult:
        return learn("pc", resample, alpha=1e-6, tick=tick)

    found = bootstrap(data, GaussianBIC(data), strict, n_resamples=3)
    loose = bootstrap(data, GaussianBIC(data), lambda d, _, tick: learn("pc", d, alpha=0.2, tick=tick), n_resamples=3)
    assert found.extra.adjacent.sum() < loose.extra.adjacent.sum()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_resamples": 0}, "n_resamples"),
        ({"graph": "some"}, "graph"),
        ({"share": 1.0}, "share"),
        ({"base": "no"}, "base"),
    ],
    ids=["n_resamples", "graph", "share", "base"],
)
def test_bootstrap_refuses_values_out_of_range(settings, message):
    with pytest.raises(ParameterError, match=message):
        learn("bootstrap", reference_sample("asia_n2000"), **{"base": "rai", **settings})


def test_bootstrap_of_a_learner_of_other_data_says_so(monkeypatch):
    """Data that the base learner does not support raise its own error."""
    limit(monkeypatch, "lmm", "continuous")
    with pytest.raises(DataError, match="LMM needs continuous columns"):
        learn("bootstrap", reference_sample("asia_n2000"), base="lmm")
