"""Event of a trace and its effect on the graph, and moves in an order of the variables."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ..graphs.rules import Rule
from .phases import Phase


class Action(IntEnum):
    """Effect of an event on the pair i, j. Only the members below `KEEP` change the graph.

    In a `PAG`, an undirected edge is i o-o j.
    """

    REMOVE = 0  # the pair loses its edge
    ADD = 1  # the pair gains an undirected edge
    ORIENT = 2  # the edge becomes i -> j
    UNORIENT = 3  # the edge becomes i - j
    POINT = 4  # the end at j becomes an arrowhead, and the other end stays; only in a `PAG`
    BIDIRECT = 5  # the edge becomes i <-> j; only in a `PAG`
    KEEP = 10  # the edge was tested and stayed
    CONFLICT = 11  # evidence for both directions; the edge was left as it is
    REFUSE = 12  # a v-structure or direction was proposed and not accepted
    APART = 13  # a pair that had no edge was separated


@dataclass(frozen=True)
class Event:
    """One row of a trace; numbers that do not apply are NaN.

    Attributes
    ----------
    phase : Phase
    action : Action
    i, j : int
        The pair; for ORIENT the direction is i -> j.
    cond : tuple of int
        Conditioning set of the test that decided, or the nodes that imply an orientation.
    statistic, dof, log_p, threshold : float
        Statistic, degrees of freedom, natural log of p and alpha of that test.
    n_tests : int
        Number of tests that this event summarizes.
    n_rows : int
        Number of rows of that test if cells are missing and each test uses its complete rows; otherwise 0.
    rule : Rule
        Rule that decided.
    """

    phase: Phase
    action: Action
    i: int
    j: int
    cond: tuple[int, ...]
    statistic: float
    dof: float
    log_p: float
    threshold: float
    n_tests: int
    n_rows: int
    rule: Rule

    @property
    def p_value(self) -> float:
        """p-value, which may underflow to 0; compare `log_p` instead."""
        return float(np.exp(self.log_p))


class Placements(NamedTuple):
    """Moves of variables in the order, one entry of the (q,) arrays each.

    Attributes
    ----------
    nodes : (q,) int64 array
        The variables moved.
    homes, places : (q,) int64 arrays
        Positions before and after.
    begins, ends : (q,) int64 arrays
        Number of changes of edges before the move, and after it.
    gains : (q,) float64 array
        Increase of the score.
    """

    nodes: np.ndarray
    homes: np.ndarray
    places: np.ndarray
    begins: np.ndarray
    ends: np.ndarray
    gains: np.ndarray

    def after(self, n: int) -> Placements:
        """Return the moves shifted by `n` changes of edges."""
        return self._replace(begins=self.begins + n, ends=self.ends + n)
