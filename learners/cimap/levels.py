"""What a run of CImap tells beside its graph: each order of tests, and each control of false discoveries."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated

from ..common.numbering import ByNode, ByPair, Nodes, as_nodes, fields
from ..independence.information import Turns
from ..kernels.cimap.information import GONE, KEPT, NO_SET, SEPARATED, SKIPPED
from ..results.phases import Phase


class Fate(IntEnum):
    """State of a turn, see `Turns`."""

    FALLS = SEPARATED
    STAYS = KEPT
    HAD_FALLEN = GONE
    UNTESTED = SKIPPED  # for want of power
    NO_NEIGHBOURS = NO_SET  # too few for a set of this size


@dataclass(frozen=True, eq=False)
class Level:
    """One order of tests.

    Attributes
    ----------
    size : int
        Members of each conditioning set.
    strength : (p,) float64 array
        σ of each node at the start, the information of its edges added up, in mbit.
    nodes : (m,) int64 array
        The nodes that had edges to test, in the order of their turns.
    edges : (t, 2) int64 array
        The turns: an edge i - j asked from i. Every edge has two, one from each end.
    turns : Turns
        What became of each.
    """

    size: int
    strength: ByNode
    nodes: Nodes
    edges: Nodes
    turns: Annotated[Turns, fields(cond=as_nodes)]


@dataclass(frozen=True, eq=False)
class Families:
    """One control of false discoveries: a family of p-values for each node.

    Attributes
    ----------
    phase : Phase
        FDR, or FDR_OF_LEVEL with its size.
    log_p : (p, p) float64 array
        Row i is the family of node i: ln of the largest p of each pair then. NaN: never tested, so not in the family.
    log_threshold : (p,) float64 array
        ln α* of each family; NaN where it rejects nothing.
    """

    phase: Phase
    log_p: ByPair
    log_threshold: ByNode


@dataclass
class Found:
    """What a run tells beside its graph, as far as it came."""

    levels: list[Level] = field(default_factory=list)
    families: list[Families] = field(default_factory=list)
