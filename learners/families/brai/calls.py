"""The calls of the recursion and their leaves: Rohekar et al. (2018), algorithm 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...graphs.knowledge import BoundKnowledge
from ...kernels.brai.leaves import ARROW, DIRECTED, REQUIRED, TURNED, leaf_edges
from ...kernels.ci.evidence import Threshold

Path = tuple[int, ...]  # resample and group in turn, from the root down


@dataclass(frozen=True)
class Rules:
    """The rules of all calls.

    Attributes
    ----------
    cut, resampled_cut : Threshold
        The decision of a test on the data and on a resample.
    wide : bool
        True if conditioning sets may have children of the node as well as its potential parents.
    collider_check : int
        The check of v-structures: `UNCHECKED`, `ENDS` or `STRICT` of `kernels.brai.orientation`.
    max_cond_size : int or None
        Largest conditioning set.
    """

    cut: Threshold
    resampled_cut: Threshold
    wide: bool
    collider_check: int
    max_cond_size: int | None


class Leaf(NamedTuple):
    """The graph over one group at the end of a route.

    Attributes
    ----------
    nodes : (m,) int32 array
        The group.
    edges : (e, 2) int32 array
        Parent and child of each edge into the group in the DAG that is scored; sorted by child, then parent.
    kinds : (e,) uint8 array
        The form of each edge in the graph: `ARROW`, `LINE` or `TURNED` of `kernels.brai.leaves`.
    valid : bool
        True if the DAG has the arrows and v-structures of the graph.
    """

    nodes: np.ndarray
    edges: np.ndarray
    kinds: np.ndarray
    valid: bool

    def draw(self, amat: np.ndarray) -> None:
        """Add the edges to `amat`, (p, p) bool, in their form in the graph."""
        i, j = self.edges.T
        amat[i, j] |= self.kinds != TURNED
        amat[j, i] |= self.kinds != ARROW


class State(NamedTuple):
    """Graph and separating sets of one call, as in `kernels.brai.refinement`."""

    nodes: np.ndarray
    inside: np.ndarray
    amat: np.ndarray
    members: np.ndarray

    def leaf(self, knowledge: BoundKnowledge) -> Leaf:
        """Return the group in its current state as a leaf, without forbidden edges that no test removed."""
        at = np.ix_(self.nodes, self.nodes)
        known = np.where(knowledge.required, REQUIRED, np.where(knowledge.directions, DIRECTED, 0)).astype(np.int8)
        amat = self.amat & ~knowledge.apart[at]
        return Leaf(self.nodes[self.inside], *leaf_edges(self.nodes, self.inside, amat, known[at]))

    def group(self, label: np.ndarray, g: int) -> State:
        """Return the nodes of one label and their parents, without the edges between these parents."""
        inside = label == g
        at = np.flatnonzero(inside | self.amat[:, inside].any(axis=1))
        inside = inside[at]
        amat = self.amat[np.ix_(at, at)]
        amat[:, ~inside] = False
        return State(self.nodes[at], inside, amat, self.members[np.ix_(at, at)])

    def named(self) -> np.ndarray:
        """Return the nodes that tests of this call or of a later one may involve, ascending."""
        # A separating set may have nodes that are no longer in the group.
        return np.union1d(self.nodes, self.members[self.members >= 0])

    def with_capacity(self, size: int) -> State:
        """Return the same state with room for separating sets of `size` members."""
        m, _, width = self.members.shape
        if width >= max(size, 1):
            return self
        members = np.full((m, m, max(size, 1)), -1, dtype=np.int32)
        members[:, :, :width] = self.members
        return self._replace(members=members)


class CallLog(NamedTuple):
    """The tests and orientations of a call: the fate and `CIResults` of each edge, and the arrows of both stages.

    Nodes have their numbers in the data. The first `n_first` edges belong to stage A. `groups` are the groups after the
    split, the descendants last.
    """

    fates: np.ndarray
    pairs: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray
    n_first: int
    arrows_first: np.ndarray
    arrows: np.ndarray
    groups: tuple[np.ndarray, ...]


@dataclass(eq=False)
class Call:
    """A finished call of the recursion.

    Attributes
    ----------
    path : Path
        Its position in the tree.
    size : int
        Size of its conditioning sets.
    cut : Threshold
        The decision of its tests.
    nodes, exogenous : (m,) int32 arrays
        The group, and the parents of its members outside of it.
    n_tests : (2,) int64 array
        Numbers of tests of edges, and of v-structures.
    groups : list of list of (Call or Leaf or None)
        For each autonomous group, the descendants last, its call or leaf on each resample; a group that cannot be
        tested any more is one leaf. None if the run was cancelled before.
    log : CallLog or None
    """

    path: Path
    size: int
    cut: Threshold
    nodes: np.ndarray
    exogenous: np.ndarray
    n_tests: np.ndarray
    groups: list[list]
    log: CallLog | None
    state: State | None = None  # None once all resamples have begun
    label: np.ndarray | None = None
    left: int = 0

    def finished(self) -> list[list]:
        """Return `groups` with the resamples that have begun for all groups; empty if there are none."""
        tried = max(len(group) for group in self.groups)
        complete = [
            t for t in range(tried) if all(len(group) == 1 < tried or group[t] is not None for group in self.groups)
        ]
        if not complete:
            return []
        return [group if len(group) == 1 < tried else [group[t] for t in complete] for group in self.groups]
