"""Tests of the score of ranks of ordered levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from benchmarks.ordered_levels import table
from learners import Dataset, DegenerateBIC, GaussianBIC, learn
from learners.data.level_ranks import with_ranks
from learners.families.catalogue import LEARNERS
from learners.scores.selection import score_for

WITH_RANKS = [
    key
    for key, learner in LEARNERS.items()
    if any(parameter.name == "score" and "ranks" in parameter.choices for parameter in learner.parameters)
]


def random_table(seed: int, *, missing: bool = False) -> Dataset:
    """Return 200 rows of seven columns of 2 to 5 levels that depend on one another, all but the last two ordered."""
    rng = np.random.default_rng(seed)
    arity, n = [4, 3, 5, 2, 4, 3, 4], 200
    values = np.cumsum(rng.normal(size=(7, n)), axis=0)
    codes = np.array(
        [np.searchsorted(np.quantile(v, np.arange(1, r) / r), v) for v, r in zip(values, arity, strict=True)]
    )
    if missing:
        codes[rng.random(codes.shape) < 0.1] = -1
    names = [f"v{k}" for k in range(7)]
    return Dataset.from_codes(codes, arity, names).with_ordered_levels(names[:5])


@pytest.mark.parametrize("missing", [False, True])
def test_ranks_are_those_of_scipy(missing):
    """Ordered and binary columns become the mean ranks of their rows; the others and missing cells stay."""
    data = random_table(1, missing=missing)
    ranked = with_ranks(data)
    assert ranked.kinds == ("continuous",) * 5 + ("categorical",) * 2
    for j in range(5):
        there, codes = data.is_there(j), data.codes[j].astype(int)
        expected = (rankdata(codes[there]) - 0.5) / there.sum() - 0.5
        np.testing.assert_allclose(ranked.values[there, j], expected, atol=1e-12)
        assert np.isnan(ranked.values[~there, j]).all()
    np.testing.assert_array_equal(ranked.codes, data.codes[5:])


def test_rows_with_counts_have_the_ranks_of_repeated_rows():
    data = random_table(2)
    counts = np.random.default_rng(2).integers(1, 4, data.n_rows)
    counted = score_for(replace(data, weights=counts), score="ranks")
    repeated = score_for(data.take(np.repeat(np.arange(data.n_rows), counts)), score="ranks")
    for child, parents in ((0, [1, 5]), (6, [2]), (3, [4])):
        gains = [score.local(child, parents) - score.local(child, []) for score in (counted, repeated)]
        assert gains[0] == pytest.approx(gains[1], rel=1e-9)


def test_the_score_is_that_of_numbers():
    """With ordered levels it is BIC of the ranks, extended from 15 columns on; otherwise that of mixed data."""
    data, _ = table("latent", 930_101)
    ordered = data.with_ordered_levels(data.names)
    wanted = GaussianBIC(with_ranks(ordered), extended=True)
    found = score_for(ordered, score="ranks")
    assert found.local(3, [1, 2]) == wanted.local(3, [1, 2])
    mixed = random_table(3)
    assert score_for(mixed, score="ranks").local(6, [0]) == DegenerateBIC(with_ranks(mixed)).local(6, [0])
    plain = mixed.with_ordered_levels([])
    assert isinstance(score_for(plain.select([0, 1, 2]), score="ranks"), DegenerateBIC)


@pytest.mark.parametrize("key", WITH_RANKS)
def test_learners_ignore_the_direction_of_levels(key):
    """The graph is the same if the levels of some columns run from high to low."""
    data = random_table(4)
    back = data.codes.astype(int)
    for j in (0, 2):
        back[j] = data.arity[j] - 1 - back[j]
    turned = Dataset.from_codes(back, data.arity, data.names).with_ordered_levels(data.ordered)
    one, other = (learn(key, own, score="ranks") for own in (data, turned))
    assert one.graph == other.graph
    assert one.graph.skeleton.any()


@pytest.mark.parametrize("key", ["hc", "ges", "boss"])
@pytest.mark.parametrize("missing", ["auto", "available"])
def test_missing_cells_change_few_edges(key, missing):
    """With a tenth of the cells missing, the graph differs by at most two pairs from that of the complete table."""
    graphs = [
        learn(key, random_table(6, missing=holes), score="ranks", missing=missing).graph for holes in (True, False)
    ]
    differing = graphs[0].skeleton != graphs[1].skeleton
    assert differing.sum() // 2 <= 2


@pytest.mark.deep
def test_more_true_edges_are_found_at_300_rows():
    """On held-out tables BOSS finds more true edges by ranks than by BDeu, and few false ones."""
    counts = np.zeros((2, 2), int)
    for kind in ("latent", "cumulative"):
        for seed in range(930_101, 930_104):
            data, truth = table(kind, seed)
            data = data.with_ordered_levels(data.names)
            for row, score in enumerate(("bdeu", "ranks")):
                edges = learn("boss", data, score=score).graph.skeleton
                counts[row] += (edges & truth).sum() // 2, (edges & ~truth).sum() // 2
    (plain_true, _), (ranks_true, ranks_false) = counts.tolist()
    assert ranks_true >= 1.25 * plain_true
    assert ranks_false <= 0.1 * ranks_true
