"""Effects by brute force: random linear equations decide whether a set is a valid adjustment set.

It shares no code with the library. Weights are random, so the answers hold for almost all weights.
"""

from itertools import combinations

import numpy as np

from tests import naive


class Equations:
    """A DAG with random weights: its exact covariances and total effects."""

    def __init__(self, dag, rng):
        p = len(dag)
        weights = np.where(dag, rng.uniform(0.5, 1.5, (p, p)) * rng.choice([-1.0, 1.0], (p, p)), 0.0)
        self.total = np.linalg.inv(np.eye(p) - weights)  # entry (i, j): total effect of i on j
        self.covariance = self.total.T @ np.diag(rng.uniform(0.5, 1.5, p)) @ self.total

    def slope(self, x, y, given):
        """Return the coefficient of x in the regression of y on x and a set."""
        columns = [x, *given]
        return np.linalg.solve(self.covariance[np.ix_(columns, columns)], self.covariance[columns, y])[0]

    def partial(self, a, b, given):
        """Return the partial covariance of a and b given a set."""
        given = list(given)
        if not given:
            return self.covariance[a, b]
        inner = np.linalg.solve(self.covariance[np.ix_(given, given)], self.covariance[given, b])
        return self.covariance[a, b] - self.covariance[a, given] @ inner


def subsets(members):
    """Return all subsets, small ones first."""
    return [set(one) for size in range(len(members) + 1) for one in combinations(members, size)]


def minimal(sets):
    """Return the sets without a proper subset in the list, in ascending order, small sets first."""
    least = [one for one in sets if not any(other < one for other in sets)]
    return sorted((tuple(sorted(one)) for one in least), key=lambda one: (len(one), one))


def adjustment_sets(members, x, y, allowed, seed=0):
    """Return the minimal sets that identify the effect of x on y in each of the DAGs."""
    drawn = [Equations(dag, np.random.default_rng(seed)) for dag in members]
    return minimal(
        [
            given
            for given in subsets(allowed)
            if all(abs(one.slope(x, y, sorted(given)) - one.total[x, y]) < 1e-9 for one in drawn)
        ]
    )


def parents_in(members, x):
    """Return the sets of parents of x in the DAGs."""
    return {tuple(np.flatnonzero(dag[:, x]).tolist()) for dag in members}


def paths(dag, x, y):
    """Yield every path between two nodes, whatever the directions of its arrows."""

    def walk(path):
        if path[-1] == y:
            yield tuple(path)
            return
        for k in range(len(dag)):
            if naive.adjacent(dag, path[-1], k) and k not in path:
                yield from walk([*path, k])

    return walk([x])


def is_open(dag, path, given):
    """Return True if a path is open given a set."""
    return all(_passes(dag, a, k, b, given) for a, k, b in zip(path, path[1:], path[2:], strict=False))


def _passes(dag, a, k, b, given):
    if dag[a, k] and dag[b, k]:
        return bool(({k} | naive.reachable(dag, k)) & set(given))
    return k not in given
