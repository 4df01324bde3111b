"""Candidates of a target: the variables that depend on it, and how the search decides on each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...kernels.ci.results import CIResults, empty_results
from .requests import UNTESTED, Association

# Rules that decide on a candidate; see `hpc_search.Neighborhoods`.
MARGINAL, SINGLE, SMALL_POOL, BLANKET, DECENTRALISED, REQUIRED, FORBIDDEN = range(7)


class Candidates:
    """Decision and deciding test for each candidate of one target.

    The test is the one that separates the pair, or for a neighbour the one with the largest p-value. Everything is
    stored in columns, because an object for each of a hundred thousand candidates would slow down garbage collection.

    Parameters
    ----------
    nodes : (m,) int64 array
    numbers : (3, m) float64 array
        ln p, statistic and dof of the marginal tests.

    Attributes
    ----------
    nodes : list of int
    log_p, statistic, dof : lists of float
    cond : list of tuple of int
    rule : list of int
    chosen : list of bool
        True if the candidate is a neighbour.
    """

    def __init__(self, nodes: np.ndarray, numbers: np.ndarray) -> None:
        self.nodes = nodes.tolist()
        self.log_p, self.statistic, self.dof = numbers.tolist()
        self.cond: list[tuple[int, ...]] = [()] * len(nodes)
        self.rule, self.chosen = [SINGLE] * len(nodes), [False] * len(nodes)
        self._index = {x: k for k, x in enumerate(self.nodes)}

    def __contains__(self, x: int) -> bool:
        return x in self._index

    def require(self, x: int) -> None:
        """Add a node that is a neighbour without a test, with the smallest p-value."""
        self._index[x] = len(self.nodes)
        entry = x, -math.inf, math.inf, math.nan, (), REQUIRED, False
        columns = self.nodes, self.log_p, self.statistic, self.dof, self.cond, self.rule, self.chosen
        for column, value in zip(columns, entry, strict=True):
            column.append(value)

    def test(self, x: int) -> Association:
        """Return the test of a candidate."""
        k = self._index[x]
        return Association(self.log_p[k], self.statistic[k], self.dof[k], self.cond[k])

    def replace_test(self, x: int, test: Association) -> None:
        """Replace the test of a candidate."""
        k = self._index[x]
        self.log_p[k], self.statistic[k], self.dof[k], self.cond[k] = test

    def decide(self, x: int, rule: int, *, chosen: bool) -> None:
        """Set the decision on a candidate and the rule that justifies the decision."""
        k = self._index[x]
        self.rule[k], self.chosen[k] = rule, chosen

    def is_chosen(self, x: int) -> bool:
        """Return True if the candidate is a neighbour."""
        return self.chosen[self._index[x]]


class CandidateTable(NamedTuple):
    """The candidates of several targets: (m, 2) targets and partners, each pair with its rule, decision and test."""

    pairs: np.ndarray
    rule: np.ndarray
    chosen: np.ndarray
    results: CIResults


def tabulated(candidates: Mapping[int, Candidates]) -> CandidateTable:
    """Return the candidates of all targets, sorted by target and partner.

    Parameters
    ----------
    candidates : mapping from target to Candidates
        Targets in ascending order.
    """
    of_each = list(candidates.values())

    def column(name: str, dtype: type) -> np.ndarray:
        return np.fromiter(chain.from_iterable(getattr(own, name) for own in of_each), dtype)[order]

    order = slice(None)
    target = np.repeat(np.array(list(candidates), dtype=np.int64), [len(own.nodes) for own in of_each])
    order = np.lexsort((column("nodes", np.int64), target))
    conds = [cond for own in of_each for cond in own.cond]
    log_p = column("log_p", np.float64)
    results = empty_results(len(order), max(map(len, conds), default=0))._replace(
        log_p=np.minimum(log_p, 0.0),
        tested=log_p < UNTESTED,
        statistic=column("statistic", np.float64),
        dof=column("dof", np.float64),
    )
    for row, k in enumerate(order.tolist()):
        results.cond[row, : len(conds[k])] = conds[k]
    return CandidateTable(
        pairs=np.column_stack([target[order], column("nodes", np.int64)]),
        rule=column("rule", np.int8),
        chosen=column("chosen", np.bool_),
        results=results,
    )
