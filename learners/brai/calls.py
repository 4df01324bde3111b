"""The calls of the recursion, and the leaves in which they end.

Rohekar et al. (2018), algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..kernels.brai.extension import ARROW, TURNED, leaf_edges
from ..kernels.tests.deciding import Cut

Path = tuple[int, ...]  # t and group by turns, from the root down


@dataclass(frozen=True)
class Rules:
    """What every call keeps to.

    Attributes
    ----------
    cut, resampled_cut : Cut
        When a test says "independent", on the data and on a resample.
    wide : bool
        Whether conditioning sets may hold children of the node beside its potential parents.
    collider_check : int
        What a v-structure must pass: `UNCHECKED`, `ENDS` or `STRICT` of `kernels.brai.directions`.
    max_cond_size : int or None
        Largest conditioning set.
    """

    cut: Cut
    resampled_cut: Cut
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
        Parent and child of each edge into the group, as in a DAG that can be scored; sorted by child, then parent.
    kinds : (e,) uint8 array
        What each is in the graph: `ARROW`, `LINE` or `TURNED` of `kernels.brai.extension`.
    valid : bool
        Whether the DAG has the arrows and v-structures of the graph.
    """

    nodes: np.ndarray
    edges: np.ndarray
    kinds: np.ndarray
    valid: bool

    def draw(self, amat: np.ndarray) -> None:
        """Add the edges to `amat` (p, p) bool as they are in the graph."""
        i, j = self.edges.T
        amat[i, j] |= self.kinds != TURNED
        amat[j, i] |= self.kinds != ARROW


class State(NamedTuple):
    """Graph and separating sets of one call, as in `kernels.brai.refinement`."""

    nodes: np.ndarray
    inside: np.ndarray
    amat: np.ndarray
    members: np.ndarray

    def leaf(self) -> Leaf:
        """The group as it is."""
        return Leaf(self.nodes[self.inside], *leaf_edges(self.nodes, self.inside, self.amat))

    def group(self, label: np.ndarray, g: int) -> State:
        """The nodes of one label and their parents, without the edges among those."""
        inside = label == g
        at = np.flatnonzero(inside | self.amat[:, inside].any(axis=1))
        inside = inside[at]
        amat = self.amat[np.ix_(at, at)]
        amat[:, ~inside] = False
        return State(self.nodes[at], inside, amat, self.members[np.ix_(at, at)])

    def named(self) -> np.ndarray:
        """Numbers of all nodes that a test of this call or of one below may name, ascending."""
        # A separating set may hold nodes that have no part in the group any more.
        return np.union1d(self.nodes, self.members[self.members >= 0])

    def with_capacity(self, size: int) -> State:
        """The same with room for separating sets of `size` members."""
        m, _, width = self.members.shape
        if width >= max(size, 1):
            return self
        members = np.full((m, m, max(size, 1)), -1, dtype=np.int32)
        members[:, :, :width] = self.members
        return self._replace(members=members)


class Story(NamedTuple):
    """What happened in a call: `TestResults` a tested edge with its fate, and what the two stages directed.

    Rows are in numbers of the data. `n_first` edges belong to stage A. `groups` are the groups found, descendants last.
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
    """One call of the recursion, finished.

    Attributes
    ----------
    path : Path
        Where it is in the tree.
    size : int
        Members of the sets it tested given.
    cut : Cut
        When its tests said "independent".
    nodes, exogenous : (m,) int32 arrays
        The group, and the parents of its members outside.
    n_tests : (2,) int64 array
        Tests of edges, and of v-structures.
    groups : list of list of (Call or Leaf or None)
        For each autonomous group, the descendants last, what became of it on each resample; a group that no test can
        refine any more is one leaf. None where the run was stopped before.
    story : Story or None
    """

    path: Path
    size: int
    cut: Cut
    nodes: np.ndarray
    exogenous: np.ndarray
    n_tests: np.ndarray
    groups: list[list]
    story: Story | None
    state: State | None = None  # until all resamples are begun
    label: np.ndarray | None = None
    left: int = 0

    def finished(self) -> list[list]:
        """`groups` with the resamples that were begun for all groups; empty if there is none."""
        tried = max(len(group) for group in self.groups)
        whole = [
            t for t in range(tried) if all(len(group) == 1 < tried or group[t] is not None for group in self.groups)
        ]
        return (
            [group if len(group) == 1 < tried else [group[t] for t in whole] for group in self.groups] if whole else []
        )
