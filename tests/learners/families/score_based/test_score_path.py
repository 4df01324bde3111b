"""Tests of the score path: each graph is that of GES, and the ranking follows from the graphs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import (
    GaussianBIC,
    Knowledge,
    ParameterError,
    ges,
    learn,
    load_sample,
    random_gaussian_network,
    random_mixed_network,
    sample,
    score_path,
)
from learners.common.wording import format_number
from learners.evaluation.curves import partial_auroc, roc
from learners.explaining.explanation import explanation
from learners.scores import DegenerateBIC
from learners.scores.selection import MANY_VARIABLES, BICs, score_for
from tests.cancelling import cut_short

DATA = sample(random_gaussian_network(12, 18, seed=3), 200, seed=3)


def test_each_solution_is_what_ges_finds_at_its_penalty():
    """The penalties are a geometric sequence from 1 to the largest; the result is one of the graphs, with its trace."""
    result = score_path(BICs(DATA), n_penalties=5, most=16.0, penalty=3.0)
    path = result.extra
    np.testing.assert_allclose(path.penalties, [1, 2, 4, 8, 16])
    for penalty, graph in zip(path.penalties, path.graphs, strict=True):
        assert graph == ges(GaussianBIC(DATA, penalty=penalty)).graph
    assert path.choice == 2  # as a ratio, 3 is closer to 4 than to 2
    assert result.graph == path.graphs[2]
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.score == pytest.approx(GaussianBIC(DATA, penalty=4.0).network(path.dag))


def test_ranking_is_by_the_largest_penalty_survived():
    """Edges are ranked by their largest penalty, then by their number of penalties; other pairs have no rank."""
    path = score_path(BICs(DATA)).extra
    joined = np.array([graph.skeleton for graph in path.graphs])
    ranked = [tuple(sorted(pair)) for pair in path.pairs.tolist()]
    assert set(ranked) == {pair for pair in combinations(range(12), 2) if joined[:, pair[0], pair[1]].any()}
    keys = []
    for i, j in ranked:
        last = int(np.flatnonzero(joined[:, i, j]).max())
        assert path.survives[i, j] == path.survives[j, i] == path.penalties[last]
        keys.append((last, int(joined[:, i, j].sum())))
    assert keys == sorted(keys, reverse=True)
    assert np.isnan(path.survives[~joined.any(axis=0)]).all()


@pytest.mark.parametrize("name", ["gauss30", "asia"])
def test_the_result_has_the_default_penalty_of_other_searches(name):
    """The score is the extended BIC for many continuous variables, and BIC for categorical ones."""
    data = load_sample(name).dataset
    bics = BICs(data)
    gap = [score_for(data).local(0, (1,)) - score_for(data, score="bic", penalty=bics.usual).local(0, (1,))]
    assert gap == pytest.approx([0.0], abs=1e-6)
    assert (bics.usual > 1.0) == (data.kind == "continuous" and data.p >= MANY_VARIABLES)
    path = score_path(bics).extra
    ratios = np.abs(np.log(path.penalties / bics.usual))
    assert path.choice == ratios.argmin()


@pytest.mark.compiled
def test_ranks_averaged_with_those_of_lmm_are_means():
    """Mean ranks include every pair of either ranking and find more true edges than chance with few rows."""
    network = random_gaussian_network(40, 60, seed=7_603)
    data = sample(network, 80, seed=7_603)
    alone, both = (learn("score_path", data, average=average) for average in (False, True))
    other = learn("lmm", data)
    sets = [{tuple(sorted(pair)) for pair in one.extra.pairs.tolist()} for one in (alone, other, both)]
    assert sets[2] == sets[0] | sets[1]
    assert both.n_tests == other.n_tests
    assert both.graph == alone.graph
    ranks = [{tuple(sorted(pair)): k for k, pair in enumerate(one.extra.pairs.tolist(), 1)} for one in (alone, other)]
    lacking = [(len(own) + 1 + 780) / 2 for own in ranks]
    means = [
        sum(own.get(tuple(sorted(pair)), none) for own, none in zip(ranks, lacking, strict=True))
        for pair in both.extra.pairs.tolist()
    ]
    assert means == sorted(means)
    assert partial_auroc(roc(both.extra.pairs, network.dag)) > 0.3


def test_score_path_keeps_to_knowledge():
    known = Knowledge(required=(("X1", "X2"),), forbidden=(("X3", "X4"), ("X4", "X3")))
    path = score_path(BICs(DATA), n_penalties=3, knowledge=known).extra
    for graph in path.graphs:
        assert graph.mark(0, 1) == "forward"
        assert graph.mark(2, 3) == "none"
    assert path.survives[0, 1] == path.penalties[-1]


def test_score_path_cancelled_returns_the_penalties_done_so_far():
    """A cancelled run returns the graphs at the largest penalties and their ranking."""
    for result in cut_short(lambda tick: score_path(BICs(DATA), n_penalties=4, tick=tick), at=range(1, 60, 9)):
        path = result.extra
        assert 1 <= len(path.penalties) == len(path.graphs) <= 4
        assert path.penalties[-1] == 18.0
        assert result.complete == (len(result.warnings) == 0)
        assert result.graph == path.graphs[path.choice]
        assert set(map(tuple, np.sort(path.pairs, axis=1).tolist())) == set(
            map(tuple, np.argwhere(np.triu(np.isfinite(path.survives))).tolist())
        )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_penalties": 1}, "n_penalties must be"),
        ({"most": 1.0}, "most must be in"),
        ({"penalty": 0.0}, "penalty must"),
    ],
)
def test_score_path_refuses_wrong_settings(settings, message):
    with pytest.raises(ParameterError, match=message):
        score_path(BICs(DATA), **settings)


def test_bic_of_mixed_columns_is_degenerate():
    """Mixed data are scored by the degenerate Gaussian BIC, never extended, whatever the number of variables."""
    data = sample(random_mixed_network(MANY_VARIABLES, 20, 1), 100, seed=1)
    assert BICs(data).at(2.0).local(0, (1,)) == DegenerateBIC(data, penalty=2.0).local(0, (1,))


def test_losses_are_those_of_the_run_at_the_chosen_penalty():
    """Strengths are penalties, so explanations state the loss of score that GES found for the edge."""
    result = score_path(BICs(DATA), n_penalties=5, most=16.0, penalty=4.0)
    chosen = ges(GaussianBIC(DATA, penalty=4.0))
    np.testing.assert_allclose(result.extra.losses, chosen.strengths.values)
    for i, j in result.graph.edges():
        assert result.strengths.values[i, j] != pytest.approx(chosen.strengths.values[i, j])
        lost = format_number(chosen.strengths.values[i, j])
        assert any(
            f"Without it the final score would be {lost} lower" in one for one in explanation(result, (i, j)).written()
        )
