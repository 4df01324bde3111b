"""Equal scores of all DAGs of one class, also where columns determine one another."""

from collections.abc import Iterator

import numpy as np
import pytest

from learners import BasisBIC, BGe, DegenerateBIC, GaussianBIC
from learners.data.dataset import Dataset

N, P = 300, 5
SCORES = {"gaussian": GaussianBIC, "bge": BGe, "degenerate": DegenerateBIC, "basis": BasisBIC}


def near(scale):
    """Return a maker of a near sum and a near copy, which differ from exact ones by `scale` standard deviations."""
    return lambda x, noise: [x[:, 0] + x[:, 1] + scale * noise[:, 0], x[:, 0] + scale * noise[:, 1]]


COLUMNS = {
    "sum": lambda x, _noise: [x[:, 0] + x[:, 1], x[:, 0] - x[:, 2]],
    "weighted sum": lambda x, _noise: [x @ [0.3, -7.0, 0.0], x @ [1e-3, 1.0, 1e3]],
    "copies": lambda x, _noise: [x[:, 0], 2.0 - 3.0 * x[:, 0]],
    "other units": lambda x, _noise: [1e6 * x[:, 0], 1e-6 * x[:, 1] + 1.0],
    **{f"near {scale:.0e}": near(scale) for scale in (1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 1e-12)},
}


def random_dag(rng: np.random.Generator, p: int) -> np.ndarray:
    order, parents = rng.permutation(p), np.zeros((p, p), dtype=bool)
    for k, i in enumerate(order):
        parents[i, order[k + 1 :]] = rng.random(p - k - 1) < 0.6
    return parents


def members(graph: np.ndarray, rng: np.random.Generator, moves: int) -> Iterator[np.ndarray]:
    """Yield a DAG and others of its class, by reversals of covered edges (Chickering 1995)."""
    graph = graph.copy()
    yield graph.copy()
    for _ in range(moves):
        covered = [(a, b) for a, b in np.argwhere(graph) if not np.delete(graph[:, a] ^ graph[:, b], a).any()]
        if not covered:
            return
        a, b = covered[rng.integers(len(covered))]
        graph[a, b], graph[b, a] = False, True
        yield graph.copy()


def spread(score, rng: np.random.Generator) -> float:
    """Return the largest relative difference of the scores of DAGs of one class, over some classes."""
    largest = 0.0
    for _ in range(6):
        graphs = members(random_dag(rng, score.p), rng, 8)
        totals = [sum(score.local(v, np.flatnonzero(g[:, v]).tolist()) for v in range(score.p)) for g in graphs]
        largest = max(largest, np.ptp(totals) / max(abs(totals[0]), 1.0))
    return largest


@pytest.mark.gate_cases(79)
@pytest.mark.parametrize("seed", range(972_001, 972_004))
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("name", SCORES)
def test_dags_of_one_class_score_the_same(name, kind, seed):
    """Exact sums, copies and near ones change nothing about the equality of scores."""
    rng = np.random.default_rng(seed)
    x, noise = rng.normal(size=(N, 3)), rng.normal(size=(N, 2))
    data = Dataset.from_values(np.column_stack([x, *COLUMNS[kind](x, noise)]), list("abcde"))
    assert spread(SCORES[name](data), rng) < 1e-9


@pytest.mark.parametrize("seed", range(972_011, 972_014))
@pytest.mark.parametrize("name", ["degenerate", "basis"])
def test_dags_of_one_class_score_the_same_on_mixed_data(name, seed):
    """Levels that are bands or merged levels of another column have equal scores in all DAGs of a class, too."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(N, 2))
    bands = np.digitize(x[:, 0], [-0.5, 0.5])
    frame = Dataset.from_values(np.column_stack([x, x.sum(axis=1)]), list("abc")).to_frame()
    frame = frame.assign(d=np.array(list("uvw"))[bands], e=np.array(list("yn"))[(bands == 1) + 0])
    assert spread(SCORES[name](Dataset.from_frame(frame)), rng) < 1e-9


@pytest.mark.parametrize("name", SCORES)
def test_the_score_of_a_determined_column_is_that_of_any_order_of_columns(name):
    """The order of the columns changes the score of a sum by rounding alone."""
    rng = np.random.default_rng(972_021)
    x = rng.normal(size=(N, 3))
    values = np.column_stack([x, x.sum(axis=1), x[:, 0]])
    scores = []
    for order in (np.arange(P), np.arange(P)[::-1], rng.permutation(P)):
        score, place = SCORES[name](Dataset.from_values(values[:, order], [f"v{k}" for k in order])), np.argsort(order)
        scores.append(score.local(int(place[3]), place[[0, 1, 2]].tolist()))
    assert scores == pytest.approx([scores[0]] * 3, abs=1.0)


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize(("score", "missing"), [*((name, 0.0) for name in SCORES), ("gaussian", 0.05), ("basis", 0.05)])
def test_scores_do_not_depend_on_the_order_of_the_table(score, missing, kind):
    """A family has the same score in each order of the columns, also if they determine one another or lack cells."""
    rng = np.random.default_rng(990_501)
    x = rng.standard_normal((3_000, 3))
    values = np.column_stack([x, *COLUMNS[kind](x, rng.standard_normal((3_000, 2)))])
    values[np.random.default_rng(990_502).random(values.shape) < missing] = np.nan
    names, families = [f"x{j}" for j in range(P)], [rng.permutation(P)[: 2 + k % 4] for k in range(12)]

    def scores(order: np.ndarray) -> np.ndarray:
        place = np.argsort(order)
        own = SCORES[score](Dataset.from_values(values[:, order], [names[j] for j in order]))
        return np.array([own.local(int(place[v]), place[parents].tolist()) for v, *parents in families])

    known = scores(np.arange(P))
    for _ in range(4):
        np.testing.assert_allclose(scores(rng.permutation(P)), known, rtol=1e-9, atol=1e-9)
