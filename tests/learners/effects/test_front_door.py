"""Tests of the front-door criterion and its estimates, against brute force and exact networks."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from learners import Dataset, front_door_effect, front_door_sets, sample
from learners.common.errors import DataError
from learners.effects.interventions import intervene
from learners.graphs.graph import PDAG
from learners.networks.network import DiscreteNetwork
from tests import naive, naive_effects


def is_front_door(dag, x, y, members):
    """Return True if a set satisfies the criterion, by listing all paths."""
    through = [path for path in naive_effects.paths(dag, x, y) if all(dag[a, b] for a, b in pairwise(path))]
    intercepts = through and all(set(path[1:-1]) & set(members) for path in through)
    enters = [path for m in members for path in naive_effects.paths(dag, x, m) if dag[path[1], x]]
    cut = dag.copy()
    cut[list(members)] = False  # back-door paths of the set begin with an arrow into each of its members
    onward = [path for m in members for path in naive_effects.paths(cut, m, y)]
    blocked = not any(naive_effects.is_open(dag, path, ()) for path in enters)
    return bool(intercepts) and blocked and not any(naive_effects.is_open(cut, path, (x,)) for path in onward)


def check(seed):
    """Compare all sets of nodes of a random DAG with brute force, for each pair; return the number found."""
    dag, n = naive.random_dag(np.random.default_rng(seed), 6, 8), 0
    for x, y in permutations(range(6), 2):
        if y not in naive.reachable(dag, x) or dag[x, y]:
            continue
        hidden = (x + y + seed) % 6
        free = [k for k in range(6) if k not in (x, y, hidden)]
        right = [set(one) for size in (1, 2, 3) for one in combinations(free, size) if is_front_door(dag, x, y, one)]
        minimal = {tuple(sorted(one)) for one in right if not any(other < one for other in right)}
        between = {k for k in free if k in naive.reachable(dag, x) and y in naive.reachable(dag, k)}
        found = front_door_sets(PDAG(dag), x, y, unmeasured={hidden} - {x, y})
        assert {one for one in minimal if set(one) <= between} == set(found), (seed, x, y)
        n += len(found)
    return n


def test_front_door_sets_are_those_of_brute_force():
    assert sum(map(check, range(30))) > 10


@pytest.mark.deep
def test_front_door_sets_are_those_of_brute_force_on_a_thousand_graphs():
    assert sum(map(check, range(20_000, 21_000))) > 100


def smoking():
    """Return a network: gene -> smoking -> tar -> cancer, gene -> cancer, all with two levels."""
    dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3), (0, 3)])
    tables = (
        np.array([[0.5, 0.5]]),
        np.array([[0.8, 0.2], [0.3, 0.7]]),
        np.array([[0.9, 0.1], [0.2, 0.8]]),
        np.array([[0.9, 0.1], [0.5, 0.5], [0.8, 0.2], [0.3, 0.7]]),
    )
    return DiscreteNetwork(("gene", "smoking", "tar", "cancer"), (("no", "yes"),) * 4, dag, tables)


def test_the_estimate_finds_the_effect_without_the_hidden_cause():
    """The interval has the exact effect of the network, which the unadjusted difference misses."""
    network = smoking()
    done = [
        intervene(network, {"smoking": level}).posterior({"smoking": level})["cancer"][1] for level in ("no", "yes")
    ]
    truth = done[1] - done[0]
    data = sample(network, 20_000, 3).select([1, 2, 3])
    found = front_door_effect(data, 0, 2, [1], of=1)
    assert found.low < truth < found.high
    assert found.high - found.low < 0.05
    assert found.given == (1,)
    assert found == front_door_effect(data, 0, 2, [1], of=1)
    x, y = data.codes[0], data.codes[2]
    assert abs((y[x == 1] == 1).mean() - (y[x == 0] == 1).mean() - truth) > 0.05


@pytest.mark.deep
def test_intervals_cover_the_effect():
    """Of 100 intervals each, at least 90 contain the true effect, for counts and for slopes of two mediators."""
    network = smoking()
    done = [
        intervene(network, {"smoking": level}).posterior({"smoking": level})["cancer"][1] for level in ("no", "yes")
    ]
    counts = slopes = 0
    for seed in range(100):
        found = front_door_effect(sample(network, 1_000, seed).select([1, 2, 3]), 0, 2, [1], of=1)
        counts += found.low < done[1] - done[0] < found.high
        found = front_door_effect(linear(seed, 500), 0, 1, [2, 3])
        slopes += found.low < 1.4 < found.high
    assert min(counts, slopes) >= 90


def linear(seed, n):
    """Return rows of x -> m, k -> y with a hidden common cause of x and y; the effect is 2 · 0.5 + 0.8 · 0.5 = 1.4."""
    rng = np.random.default_rng(seed)
    u, e = rng.normal(size=n), rng.normal(size=(4, n))
    x = u + e[0]
    m, k = 2 * x + e[1], 0.8 * x + e[2]
    return Dataset.from_values(np.column_stack([x, 0.5 * m + 0.5 * k - 3 * u + e[3], m, k]), list("xymk"))


def test_slopes_of_several_mediators_add_up():
    found = front_door_effect(linear(3, 5_000), 0, 1, [2, 3])
    assert found.low < 1.4 < found.high


def test_what_cannot_be_estimated_is_refused():
    """Mixed types, no mediator, and values of the mediator with one level of the cause only are refused."""
    numbers = linear(0, 50)
    with pytest.raises(DataError, match="needs a mediator"):
        front_door_effect(numbers, 0, 1, [])
    codes = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]])
    table = Dataset.from_codes(codes, [2, 2, 2], list("xmy"))
    with pytest.raises(DataError, match="occur with some levels of 'x' only"):
        front_door_effect(table, 0, 2, [1])
    mixed = Dataset.joined(("x", "m", "y"), Dataset.from_codes(codes[:1], [2], ["x"]),
                           Dataset.from_values(codes[1:].T.astype(float), ["m", "y"]))  # fmt: skip
    with pytest.raises(DataError, match="are of both types. Bin the numeric ones"):
        front_door_effect(mixed, 0, 2, [1])
