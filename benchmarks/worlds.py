"""Simulated tables whose causes are known, each world with another violated assumption.

A world is a function of a random generator, the number of seen columns and the number of rows. Columns are shuffled, so
that their order carries no information.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from learners import PDAG, Dataset, mag_of_dag, random_dag, random_mixed_network, sample
from learners.networks.random_networks import random_discrete_network

MEAN_DEGREE = 3.0


@dataclass(frozen=True, eq=False)
class Simulated:
    """A simulated table.

    Attributes
    ----------
    data : Dataset
    dag : (q, q) bool array
        True DAG over all variables, including hidden ones.
    seen : (p,) int64 array
        The node of each column.
    selected : bool
        True if rows were chosen by their values, so that the adjacencies of the DAG are not those of the table.
    """

    data: Dataset
    dag: np.ndarray
    seen: np.ndarray
    selected: bool = False

    @cached_property
    def causes(self) -> np.ndarray:
        """Return (p, p) bool: True if column i causes column j."""
        reach = self.dag | np.eye(len(self.dag), dtype=bool)
        for k in range(len(reach)):
            reach |= np.outer(reach[:, k], reach[k])
        np.fill_diagonal(reach, val=False)
        return reach[np.ix_(self.seen, self.seen)]

    @cached_property
    def adjacent(self) -> np.ndarray:
        """Return (p, p) bool: True if no set of other columns separates two columns."""
        hidden = sorted(set(range(len(self.dag))) - set(self.seen.tolist()))
        mag = mag_of_dag(PDAG(self.dag), hidden)
        order = np.argsort(np.argsort(self.seen))
        return (mag.marks > 0)[np.ix_(order, order)]


World = Callable[[np.random.Generator, int, int], Simulated]


def coefficients(
    rng: np.random.Generator, q: int, mean_degree: float = MEAN_DEGREE, low: float = 0.4, high: float = 1.0
) -> np.ndarray:
    """Return (q, q) float64: random coefficients of a DAG whose order is that of the nodes."""
    there = np.triu(rng.random((q, q)) < mean_degree / (q - 1), 1)
    return there * rng.choice([-1.0, 1.0], (q, q)) * rng.uniform(low, high, (q, q))


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return n standard normal numbers."""
    return rng.standard_normal(n)


def laplace(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return n Laplace numbers of variance 1."""
    return rng.laplace(size=n) / np.sqrt(2.0)


def serial(phi: float) -> Callable[[np.random.Generator, int], np.ndarray]:
    """Return noise of variance 1 with autocorrelation `phi` from row to row."""

    def noise(rng: np.random.Generator, n: int) -> np.ndarray:
        steps = rng.standard_normal(n)
        found = steps.copy()
        for t in range(1, n):
            found[t] = phi * found[t - 1] + np.sqrt(1.0 - phi**2) * steps[t]
        return found

    return noise


def linear(weights: np.ndarray, rng: np.random.Generator, n: int, noise: Callable = normal) -> np.ndarray:
    """Return (n, q) values of linear equations."""
    values = np.zeros((n, len(weights)))
    for j in range(len(weights)):
        values[:, j] = values @ weights[:, j] + noise(rng, n)
    return values


def curved(weights: np.ndarray, rng: np.random.Generator, n: int, curve: Callable, product: float = 0.0) -> np.ndarray:
    """Return (n, q) standardized values of sums of curves of the parents, plus a product of the first two."""
    values = np.zeros((n, len(weights)))
    for j in range(len(weights)):
        parents = np.flatnonzero(weights[:, j])
        own = rng.standard_normal(n)
        for i in parents:
            own += weights[i, j] * curve(values[:, i])
        if product and len(parents) > 1:
            both = values[:, parents[0]] * values[:, parents[1]]
            own += product * both / both.std()
        values[:, j] = (own - own.mean()) / own.std()
    return values


def _table(values: np.ndarray, dag: np.ndarray, seen: np.ndarray, rng: np.random.Generator, **more: bool) -> Simulated:
    """Return a table of the seen nodes in random order."""
    seen = rng.permutation(seen)
    names = [f"v{k + 1}" for k in range(len(seen))]
    return Simulated(Dataset.from_values(np.ascontiguousarray(values[:, seen]), names), dag != 0, seen, **more)


def _hidden(weights: np.ndarray, rng: np.random.Generator, count: int, *, most: bool = False) -> np.ndarray:
    """Return the observed nodes: all but `count` random ones with two children or more, or those with most."""
    children = (weights != 0).sum(axis=1)
    able = np.flatnonzero(children >= 2)
    chosen = np.argsort(-children, kind="stable")[:count] if most else rng.permutation(able)[:count]
    return np.setdiff1d(np.arange(len(weights)), chosen)


def linear_world(*, hidden: int = 0, most: bool = False, noise: Callable = normal, **graph: float) -> World:
    """Return a world of linear equations, some of whose variables are hidden."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        weights = coefficients(rng, p + hidden, **graph)
        values = linear(weights, rng, n, noise)
        seen = _hidden(weights, rng, hidden, most=most) if hidden else np.arange(p)
        return _table(values, weights, seen[:p], rng)

    return make


def curved_world(curve: Callable, product: float = 0.0) -> World:
    """Return a world of nonlinear relations."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        weights = coefficients(rng, p)
        return _table(curved(weights, rng, n, curve, product), weights, np.arange(p), rng)

    return make


def selection(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Keep the third of the rows in which the sum of two variables is largest."""
    weights = coefficients(rng, p)
    values = linear(weights, rng, 3 * n)
    both = rng.choice(p, 2, replace=False)
    total = (values[:, both] / values[:, both].std(axis=0)).sum(axis=1)
    kept = rng.permutation(np.argsort(-total)[:n])
    return _table(values[kept], weights, np.arange(p), rng, selected=True)


def copies(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Add a column that repeats another one with a little noise."""
    weights = coefficients(rng, p - 1)
    values = linear(weights, rng, n)
    j = int(rng.integers(p - 1))
    copy = values[:, j] + 0.05 * values[:, j].std() * rng.standard_normal(n)
    dag = np.zeros((p, p))
    dag[:-1, :-1], dag[j, -1] = weights, 1.0
    return _table(np.column_stack([values, copy]), dag, np.arange(p), rng)


def coarse(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Cut a third of the columns into two to four levels, stored as numbers."""
    weights = coefficients(rng, p)
    values = linear(weights, rng, n)
    for j in rng.choice(p, p // 3, replace=False):
        cuts = np.quantile(values[:, j], np.sort(rng.uniform(0.1, 0.9, int(rng.integers(1, 4)))))
        values[:, j] = np.searchsorted(cuts, values[:, j])
    return _table(values, weights, np.arange(p), rng)


def questionnaire(arrows: int) -> World:
    """Return a world of items of hidden factors, with some arrows between items."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        factors = max(2, p // 5)
        weights = np.zeros((factors + p,) * 2)
        weights[:factors, :factors] = np.triu(rng.random((factors, factors)) < 0.6, 1) * rng.uniform(
            0.4, 0.9, (factors, factors)
        )
        for k in range(p):
            weights[k % factors, factors + k] = rng.uniform(0.5, 1.2)
        for _ in range(arrows):
            a, b = np.sort(rng.choice(np.arange(factors, factors + p), 2, replace=False))
            weights[a, b] = rng.choice([-1.0, 1.0]) * rng.uniform(0.4, 1.0)
        values = linear(weights, rng, n)
        return _table(values, weights, np.arange(factors, factors + p), rng)

    return make


def strong_hidden(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Hide the three variables with most children, and make their effects 2.5 times as large."""
    weights = coefficients(rng, p + 3) * 0.6
    seen = _hidden(weights, rng, 3, most=True)
    weights[np.setdiff1d(np.arange(p + 3), seen)] *= 2.5
    return _table(linear(weights, rng, n), weights, seen, rng)


def broad(rng: np.random.Generator, p: int, _n: int) -> Simulated:
    """Draw rows, degree, strengths, noise and the number of hidden variables at random."""
    n = int(np.exp(rng.uniform(np.log(500), np.log(10_000))))
    hidden = int(rng.integers(0, 7))
    weights = coefficients(rng, p + hidden, rng.uniform(1.5, 4.5), rng.uniform(0.05, 0.4), rng.uniform(0.5, 1.2))
    seen = _hidden(weights, rng, hidden, most=rng.random() < 0.5) if hidden else np.arange(p)
    values = linear(weights, rng, n, laplace if rng.random() < 0.3 else normal)
    return _table(values, weights, seen[:p], rng)


def categorical(
    *,
    hidden: int = 0,
    most: bool = True,
    mean_degree: float = MEAN_DEGREE,
    most_levels: int = 3,
    concentration: float = 1.0,
    selected: bool = False,
) -> World:
    """Return a world of categorical columns, with hidden variables, or with a third of the rows selected."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        q = p + hidden
        graph = random_dag(q, mean_degree, int(rng.integers(2**31)))
        levels = rng.integers(2, most_levels + 1, q).tolist()
        network = random_discrete_network(graph, levels, int(rng.integers(2**31)), concentration)
        full = sample(network, 3 * n if selected else n, seed=int(rng.integers(2**31)))
        full = full.reordered([full.names.index(name) for name in network.names])
        dag = np.array(network.dag.amat)
        seen = rng.permutation(_hidden(dag, rng, hidden, most=most) if hidden else np.arange(q))
        if selected:
            total = full.codes[rng.choice(q, 2, replace=False)].sum(axis=0) + rng.random(full.n_rows)
            full = full.take(rng.permutation(np.argsort(-total)[:n]))
        return Simulated(full.select(seen.tolist()), dag, seen, selected)

    return make


def broad_categorical(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Vary how many variables are hidden, how dense the graph is, and how strong the edges are."""
    return categorical(
        hidden=int(rng.integers(0, 7)),
        most=rng.random() < 0.5,
        mean_degree=rng.uniform(1.5, 4.5),
        most_levels=int(rng.integers(2, 6)),
        concentration=rng.uniform(0.5, 2.0),
    )(rng, p, n)


def cut_numbers(*, share: float, hidden: int = 0) -> World:
    """Return a world of linear equations, with a share of the columns cut into two to five levels."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        weights = coefficients(rng, p + hidden)
        values = linear(weights, rng, n)
        seen = rng.permutation(_hidden(weights, rng, hidden, most=True) if hidden else np.arange(p))[:p]
        cut = set(rng.choice(p, round(share * p), replace=False).tolist())
        columns = {}
        for k, j in enumerate(seen.tolist()):
            cuts = np.quantile(values[:, j], np.sort(rng.uniform(0.1, 0.9, int(rng.integers(1, 5)))))
            columns[f"v{k + 1}"] = (
                np.searchsorted(cuts, values[:, j]).astype(str).tolist() if k in cut else values[:, j]
            )
        return Simulated(Dataset.from_frame(pd.DataFrame(columns)), weights != 0, seen)

    return make


def mixed(*, hidden: int = 0, most: bool = True, mean_degree: float = MEAN_DEGREE) -> World:
    """Return a world of numeric and categorical columns, some of whose variables are hidden."""

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        q = p + hidden
        network = random_mixed_network(q, int(mean_degree * q / 2), int(rng.integers(2**31)), categorical=0.4)
        full = sample(network, n, seed=int(rng.integers(2**31)))
        full = full.reordered([full.names.index(name) for name in network.names])
        dag = np.array(network.dag.amat)
        seen = rng.permutation(_hidden(dag, rng, hidden, most=most) if hidden else np.arange(q))
        return Simulated(full.select(seen.tolist()), dag, seen)

    return make


def broad_mixed(rng: np.random.Generator, p: int, n: int) -> Simulated:
    """Vary how many variables of a mixed table are hidden, and how dense the graph is."""
    return mixed(hidden=int(rng.integers(0, 7)), most=rng.random() < 0.5, mean_degree=rng.uniform(1.5, 4.5))(rng, p, n)


def _square(x: np.ndarray) -> np.ndarray:
    return (x**2 - 1.0) / 1.2


def _tanh(x: np.ndarray) -> np.ndarray:
    return 1.2 * np.tanh(2.0 * x)


NUMERIC: dict[str, World] = {
    "clean": linear_world(),
    "three hidden": linear_world(hidden=3),
    "three hubs hidden": linear_world(hidden=3, most=True),
    "six hidden": linear_world(hidden=6),
    "weak": linear_world(low=0.15, high=0.6),
    "dense": linear_world(mean_degree=5.0),
    "Laplace noise": linear_world(noise=laplace),
    "Laplace noise, hubs hidden": linear_world(noise=laplace, hidden=3, most=True),
    "squares": curved_world(_square),
    "tanh": curved_world(_tanh),
    "interactions": curved_world(lambda x: x, product=0.8),
    "selected rows": selection,
    "copies": copies,
    "coarse numbers": coarse,
    "serial rows": linear_world(noise=serial(0.9)),
    "questionnaire": questionnaire(0),
    "questionnaire with arrows": questionnaire(10),
    "strong hidden": strong_hidden,
    "broad": broad,
}
CATEGORICAL: dict[str, World] = {
    "categorical": categorical(),
    "categorical, hubs hidden": categorical(hidden=3),
    "categorical, three hidden": categorical(hidden=3, most=False),
    "categorical, six hidden": categorical(hidden=6, most=False),
    "categorical, dense": categorical(mean_degree=5.0),
    "categorical, weak": categorical(concentration=3.0),
    "categorical, selected rows": categorical(selected=True),
    "all numbers cut": cut_numbers(share=1.0),
    "all numbers cut, hubs hidden": cut_numbers(share=1.0, hidden=3),
    "broad categorical": broad_categorical,
}
MIXED: dict[str, World] = {
    "mixed": mixed(),
    "mixed, hubs hidden": mixed(hidden=3),
    "mixed, three hidden": mixed(hidden=3, most=False),
    "mixed, six hidden": mixed(hidden=6, most=False),
    "mixed, dense": mixed(mean_degree=5.0),
    "some numbers cut": cut_numbers(share=0.4),
    "some numbers cut, hubs hidden": cut_numbers(share=0.4, hidden=3),
    "broad mixed": broad_mixed,
}
WORLDS = NUMERIC | CATEGORICAL | MIXED


def simulate(world: str, seed: int, p: int = 20, n: int = 2_000) -> Simulated:
    """Return a table of a world; the same seed gives the same table."""
    return WORLDS[world](np.random.default_rng([seed, list(WORLDS).index(world)]), p, n)
