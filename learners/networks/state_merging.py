"""Reduce the states of a discrete network: remove impossible ones, and merge those of large variables.

Huang and Zhou (2022), section 5.1.
"""

from __future__ import annotations

import numpy as np

from ..common.checks import check_count
from ..common.errors import DataError
from ..common.validation import Seed, validated
from ..graphs.graph import PDAG, topological_order
from .network import DiscreteNetwork
from .sampling import sample

ROWS = 25_000  # number of rows of the sample that estimates the frequencies of the states


@validated
def without_impossible_states(network: DiscreteNetwork) -> DiscreteNetwork:
    """Remove states of probability 0, and variables that are left with one state.

    Raises
    ------
    DataError
        If no variable has two possible states.

    Notes
    -----
    A state counts as possible if its probability is positive in a row of possible states of the parents. Where states
    of two parents exclude each other, a state of probability 0 may therefore stay.
    """
    possible: list[np.ndarray] = [np.empty(0, dtype=np.int64)] * network.p
    tables = list(network.cpts)
    for j in topological_order(network.dag):
        parents = network.dag.parents(j)
        table = _by_parents(network, j)[np.ix_(*(possible[i] for i in parents), range(network.arity[j]))]
        possible[j] = np.flatnonzero(table.any(axis=tuple(range(len(parents)))))
        tables[j] = table[..., possible[j]]
    kept = [j for j in range(network.p) if len(possible[j]) > 1]
    if not kept:
        raise DataError("a network needs a variable of two possible states, found none; take another network")
    return DiscreteNetwork(
        tuple(network.names[j] for j in kept),
        tuple(tuple(network.levels[j][k] for k in possible[j]) for j in kept),
        PDAG(network.dag.amat[np.ix_(kept, kept)]),
        tuple(tables[j].reshape(-1, len(possible[j])) for j in kept),
    )


@validated
def merge_states(network: DiscreteNetwork, most: int = 8, *, seed: Seed) -> DiscreteNetwork:
    """Merge pairs of random states of each variable that has more than `most`.

    Parameters
    ----------
    network : DiscreteNetwork
    most : int, default 8
        Maximum number of states of a variable, at least 2.
    seed : int
        At least 0.

    Returns
    -------
    DiscreteNetwork
        The same graph. A merged state is named by its members, as in ``low+mid``.

    Raises
    ------
    ParameterError
        If `most` or `seed` is out of range.

    Notes
    -----
    A child's rows for merged states of a parent are averaged, weighted by the frequencies of the states in a
    sample of 25 000 rows; equally if none occurs.
    """
    check_count("most", most, 2)
    rng = np.random.default_rng(np.random.SeedSequence([seed]))
    groups = [_groups(int(r), most, rng) for r in network.arity]
    codes = sample(network, ROWS, seed).codes
    members = [_membership(group, int(r)) for group, r in zip(groups, network.arity, strict=True)]
    shares = [_shares(m, np.bincount(codes[j], minlength=m.shape[1])) for j, m in enumerate(members)]
    cpts = []
    for j in range(network.p):
        table = _by_parents(network, j)
        for axis, i in enumerate(network.dag.parents(j)):
            table = np.moveaxis(np.tensordot(shares[i], table, axes=(1, axis)), 0, axis)
        merged = (table @ members[j].T).reshape(-1, len(groups[j]))
        cpts.append(merged / merged.sum(axis=1, keepdims=True))
    levels = tuple(
        tuple("+".join(node[k] for k in group) for group in own)
        for node, own in zip(network.levels, groups, strict=True)
    )
    return DiscreteNetwork(network.names, levels, network.dag, tuple(cpts))


def _by_parents(network: DiscreteNetwork, j: int) -> np.ndarray:
    """Return the table of a node with one axis per parent, and the last one for its own states."""
    return network.cpts[j].reshape(*(network.arity[i] for i in network.dag.parents(j)), -1)


def _groups(r: int, most: int, rng: np.random.Generator) -> list[list[int]]:
    """Merge two random groups of states at a time; return groups and their members in ascending order."""
    groups = [[k] for k in range(r)]
    while len(groups) > most:
        a, b = sorted(rng.choice(len(groups), 2, replace=False).tolist())
        groups[a] = sorted(groups[a] + groups.pop(b))
    return sorted(groups)


def _membership(groups: list[list[int]], r: int) -> np.ndarray:
    """Return the (groups, r) float64 membership: 1 where a state belongs to a group."""
    member = np.zeros((len(groups), r))
    for g, group in enumerate(groups):
        member[g, group] = 1.0
    return member


def _shares(member: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the (groups, r) float64 share of each state in its group; rows sum to 1."""
    weighted = member * counts
    total = weighted.sum(axis=1, keepdims=True)
    return np.where(total > 0, weighted / np.maximum(total, 1), member / member.sum(axis=1, keepdims=True))
