"""Records of a run of CImap: the orders of tests, and the controls of false discoveries."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated

from ...common.relabeling import ByNode, ByPair, Nodes, as_nodes, fields
from ...kernels.cimap.sequential_tests import GONE, KEPT, NO_SET, SEPARATED, SKIPPED, TurnResults
from ...results.phases import Phase


class Fate(IntEnum):
    """Outcome of the tests of one edge at one level, see `Turns`."""

    FALLS = SEPARATED
    STAYS = KEPT
    HAD_FALLEN = GONE
    UNTESTED = SKIPPED  # skipped because of too little power
    NO_NEIGHBOURS = NO_SET  # too few neighbours for a set of this size


@dataclass(frozen=True, eq=False)
class Level:
    """One order of tests.

    Attributes
    ----------
    size : int
        Members of each conditioning set.
    strength : (p,) float64 array
        σ of each node at the start: the sum of the information of its edges, in mbit.
    nodes : (m,) int64 array
        The nodes with edges to test, in the order of their turns.
    edges : (t, 2) int64 array
        The turns: edge i - j, tested given neighbours of i. Each edge has two turns, one for each end.
    turns : Turns
        The outcome of each turn.
    """

    size: int
    strength: ByNode
    nodes: Nodes
    edges: Nodes
    turns: Annotated[TurnResults, fields(cond=as_nodes)]


@dataclass(frozen=True, eq=False)
class Families:
    """One control of false discoveries: a family of p-values for each node.

    Attributes
    ----------
    phase : Phase
        FDR, or FDR_OF_LEVEL with its size.
    log_p : (p, p) float64 array
        Row i is the family of node i: ln of the largest p-value of each pair so far; NaN if untested, so not in the
        family.
    log_threshold : (p,) float64 array
        ln α* of each family; NaN if it rejects nothing.
    """

    phase: Phase
    log_p: ByPair
    log_threshold: ByNode


@dataclass
class Records:
    """The levels and families that a run has finished so far."""

    levels: list[Level] = field(default_factory=list)
    families: list[Families] = field(default_factory=list)
