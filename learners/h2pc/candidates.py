"""The candidates of a target: partners that it depends on, and what its search says of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..kernels.tests.results import TestResults, empty_results
from .requests import UNTESTED, Association

MARGINAL, SINGLE, ALONE, BLANKET, DECENTRALISED, REQUIRED, FORBIDDEN = range(7)  # what settles a partner


class Candidates:
    """Of each candidate a test, what settled it, and whether it is held.

    The test is the one that separates; of a partner that is held, the hardest. All stand in columns: an object for each
    of a hundred thousand candidates would keep the collector of rubbish busy.

    Parameters
    ----------
    nodes : (m,) int64 array
    numbers : (3, m) float64 array
        ln p, statistic and dof of the test of each given nothing.

    Attributes
    ----------
    nodes : list of int
    log_p, statistic, dof : lists of float
    cond : list of tuple of int
    rule : list of int
    held : list of bool
    """

    def __init__(self, nodes: np.ndarray, numbers: np.ndarray) -> None:
        self.nodes = nodes.tolist()
        self.log_p, self.statistic, self.dof = numbers.tolist()
        self.cond: list[tuple[int, ...]] = [()] * len(nodes)
        self.rule, self.held = [SINGLE] * len(nodes), [False] * len(nodes)
        self._place = {x: k for k, x in enumerate(self.nodes)}

    def __contains__(self, x: int) -> bool:
        return x in self._place

    def require(self, x: int) -> None:
        """Take in a node that is a neighbour without a test, as the strongest."""
        self._place[x] = len(self.nodes)
        entry = x, -math.inf, math.inf, math.nan, (), REQUIRED, False
        columns = self.nodes, self.log_p, self.statistic, self.dof, self.cond, self.rule, self.held
        for column, value in zip(columns, entry, strict=True):
            column.append(value)

    def test(self, x: int) -> Association:
        """The test of a candidate."""
        k = self._place[x]
        return Association(self.log_p[k], self.statistic[k], self.dof[k], self.cond[k])

    def note(self, x: int, test: Association) -> None:
        """Put another test in place."""
        k = self._place[x]
        self.log_p[k], self.statistic[k], self.dof[k], self.cond[k] = test

    def settle(self, x: int, rule: int, *, held: bool) -> None:
        """Say what settles a candidate, and how."""
        k = self._place[x]
        self.rule[k], self.held[k] = rule, held

    def is_held(self, x: int) -> bool:
        """Whether the candidate is held."""
        return self.held[self._place[x]]


class Listed(NamedTuple):
    """All candidates as arrays: (m, 2) target and partner, what settled each, whether it is held, and the test."""

    pairs: np.ndarray
    rule: np.ndarray
    held: np.ndarray
    results: TestResults


def listed(candidates: Mapping[int, Candidates]) -> Listed:
    """The candidates of each target, targets ascending, by target, then partner."""
    of_each = list(candidates.values())

    def column(name: str, dtype: type) -> np.ndarray:
        return np.fromiter(chain.from_iterable(getattr(one, name) for one in of_each), dtype)[order]

    order = slice(None)
    target = np.repeat(np.array(list(candidates), dtype=np.int64), [len(one.nodes) for one in of_each])
    order = np.lexsort((column("nodes", np.int64), target))
    conds = [cond for one in of_each for cond in one.cond]
    log_p = column("log_p", np.float64)
    results = empty_results(len(order), max(map(len, conds), default=0))._replace(
        log_p=np.minimum(log_p, 0.0),
        tested=log_p < UNTESTED,
        statistic=column("statistic", np.float64),
        dof=column("dof", np.float64),
    )
    for row, k in enumerate(order.tolist()):
        results.cond[row, : len(conds[k])] = conds[k]
    return Listed(
        pairs=np.column_stack([target[order], column("nodes", np.int64)]),
        rule=column("rule", np.int8),
        held=column("held", np.bool_),
        results=results,
    )
