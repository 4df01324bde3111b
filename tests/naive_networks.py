"""Reference implementations of network queries: the joint distribution, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from learners import DiscreteNetwork


def joint(network: DiscreteNetwork) -> np.ndarray:
    """Return P of every case, with an axis per variable."""
    found = np.empty(tuple(network.arity))
    for case in np.ndindex(found.shape):
        found[case] = 1.0
        for j in range(network.p):
            row = 0
            for i in network.dag.parents(j):
                row = row * int(network.arity[i]) + case[i]
            found[case] *= network.cpts[j][row, case[j]]
    return found


def weighed(
    network: DiscreteNetwork, known: Mapping[str, str], virtual: Mapping[str, np.ndarray] | None = None
) -> np.ndarray:
    """Return the joint distribution times the likelihood of the evidence, scaled to a maximum likelihood of 1."""
    found = joint(network)
    given = {
        name: [level == value for level in network.levels[network.names.index(name)]] for name, value in known.items()
    }
    for name, likely in {**given, **(virtual or {})}.items():
        shape = [1] * network.p
        j = network.names.index(name)
        shape[j] = -1
        found = found * (np.asarray(likely, float) / np.max(likely)).reshape(shape)
    return found


def margin(table: np.ndarray, *kept: int) -> np.ndarray:
    """Return the table summed to some of its axes, in ascending order."""
    return table.sum(axis=tuple(set(range(table.ndim)) - set(kept)))


def information(table: np.ndarray, a: int, b: int) -> float:
    """Return the mutual information of two axes in bits."""
    pair = margin(table, a, b) / table.sum()
    apart = np.outer(pair.sum(axis=1), pair.sum(axis=0))
    seen = pair > 0
    return float(np.sum(pair[seen] * np.log2(pair[seen] / apart[seen])))


def summed(network: DiscreteNetwork, known: Mapping[str, str], kept: int) -> np.ndarray:
    """Return P(level, evidence) for each level of a variable, an (r,) array, by `numpy.einsum`."""
    terms = []
    for j in range(network.p):
        scope = [*network.dag.parents(j), j]
        terms += [network.cpts[j].reshape([network.arity[i] for i in scope]), scope]
    for name, level in known.items():
        j = network.names.index(name)
        terms += [np.array([one == level for one in network.levels[j]], dtype=float), [j]]
    return np.einsum(*terms, [kept], optimize="greedy")
