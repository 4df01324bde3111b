"""PAG: graphs with a mark at each end of an edge, for tables with hidden common causes.

Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of latent confounders and
selection bias. Artificial Intelligence 172. Selection is excluded here, so no edge has two tails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..common.arrays import as_array, frozen
from ..common.errors import ParameterError
from ..common.relabeling import ByPair
from ..common.validation import validated
from ..common.wording import shown_value
from .graph import PDAG, SHOWN_EDGES, Mark

NONE, CIRCLE, ARROW, TAIL = 0, 1, 2, 3  # the mark at one end of an edge
# The word and the sign of an edge i, j by its marks at i and at j.
MARKS: dict[tuple[int, int], tuple[Mark, str]] = {
    (NONE, NONE): ("none", ""),
    (CIRCLE, CIRCLE): ("circles", "o-o"),
    (CIRCLE, ARROW): ("circle-forward", "o->"),
    (ARROW, CIRCLE): ("circle-backward", "<-o"),
    (ARROW, ARROW): ("bidirected", "<->"),
    (TAIL, ARROW): ("forward", "->"),
    (ARROW, TAIL): ("backward", "<-"),
}
ENDS = {sign: ends for ends, (_word, sign) in MARKS.items() if sign}


@validated
@dataclass(frozen=True, eq=False)
class PAG(PDAG):
    """A partial ancestral graph, or a MAG if no end has a circle.

    An arrowhead at j means that j does not cause i, a tail at i that i causes j; a circle means that the end is not
    settled. ``i -> j`` is therefore a cause, ``i <-> j`` has a hidden common cause, and ``i o-> j`` is one of the two.

    Where a `PDAG` is expected, only causes count as directed: ``i -> j`` is directed, and every other edge is not.

    Attributes
    ----------
    marks : (p, p) int8 array
        ``marks[i, j]`` is the mark at j of the edge between i and j: 0 no edge, 1 circle, 2 arrowhead, 3 tail. Copied
        and read-only.
    amat : (p, p) bool array
        The graph as a `PDAG`.

    Raises
    ------
    ParameterError
        If `marks` is not square, has other numbers, marks one end only, has a tail opposite a tail or a circle, or
        contradicts itself: an arrowhead at j from i although directed edges lead from j to i.

    References
    ----------
    .. [1] Richardson and Spirtes (2002), Ancestral graph Markov models. Annals of Statistics 30.
    .. [2] Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of latent
       confounders and selection bias. Artificial Intelligence 172.

    Examples
    --------
    >>> PAG.from_ends(3, [(0, "o->", 2), (1, "o->", 2)])
    PAG(p=3: 0 o-> 2, 1 o-> 2)
    """

    amat: ByPair = field(init=False)
    marks: ByPair

    def __post_init__(self) -> None:
        marks = as_array("marks", self.marks, "iu", "whole numbers from 0 to 3")
        if marks.ndim != 2 or marks.shape[0] != marks.shape[1]:
            raise ParameterError(f"marks must be a square matrix, got shape {marks.shape}")
        if marks.size and not (marks.min() >= 0 and marks.max() <= TAIL):
            raise ParameterError("marks must hold only whole numbers from 0 to 3, got others")
        marks = np.array(marks, dtype=np.int8, order="C")
        object.__setattr__(self, "marks", frozen(marks))
        object.__setattr__(self, "amat", (marks == ARROW) & (marks.T == TAIL) | _open(marks))
        super().__post_init__()
        if ((marks > NONE) != (marks.T > NONE)).any():
            raise ParameterError("marks must hold a mark at both ends of each edge; set both or none")
        if ((marks == TAIL) & (marks.T != ARROW)).any():
            raise ParameterError("a tail needs an arrowhead at the other end; set one there")
        contradictions = np.argwhere((marks == ARROW) & _descends(marks).T)
        if len(contradictions):
            i, j = contradictions[0].tolist()
            raise ParameterError(f"an arrowhead at {j} from {i} contradicts the directed path from {j} to {i}")

    @classmethod
    @validated
    def from_ends(cls, p: int, edges: Iterable[tuple[int, str, int]]) -> PAG:
        """Return a graph of `p` nodes with edges such as ``(0, "o->", 1)``.

        Raises
        ------
        ParameterError
            If a node or the sign of an edge is unknown, a pair is given twice, or the graph contradicts itself.
        """
        marks = PDAG.empty(p).amat.astype(np.int8)
        for i, sign, j in edges:
            if sign not in ENDS:
                raise ParameterError(f"an edge must be one of {', '.join(ENDS)}, got {shown_value(sign)}")
            if not (0 <= i < p and 0 <= j < p and i != j):
                raise ParameterError(
                    f"an edge must connect two different nodes of 0 .. {p - 1}, got {shown_value((i, j))}"
                )
            if marks[i, j]:
                raise ParameterError(f"each pair must be given once, got {(i, j)} again")
            marks[j, i], marks[i, j] = ENDS[sign]
        return cls(marks)

    @classmethod
    def _of(cls, amat: np.ndarray) -> PAG:
        """Return directed edges with a tail and an arrowhead, and undirected ones with two circles."""
        return cls(np.select([amat & amat.T, amat, amat.T], [CIRCLE, ARROW, TAIL], NONE).astype(np.int8))

    @cached_property
    def is_mag(self) -> bool:
        """True if no end has a circle."""
        return not (self.marks == CIRCLE).any()

    @cached_property
    def causes(self) -> np.ndarray:
        """(p, p) bool, read-only: entry [i, j] is True if directed edges lead from i to j."""
        return frozen(_descends(self.marks))

    @property
    def n_circles(self) -> int:
        """Number of ends with a circle."""
        return int((self.marks == CIRCLE).sum())

    def mark(self, i: int, j: int) -> Mark:
        """Return the word of the pair, such as "bidirected"; ParameterError if a node does not exist."""
        self._check(i, j)
        return MARKS[int(self.marks[j, i]), int(self.marks[i, j])][0]

    def sign(self, i: int, j: int) -> str:
        """Return the sign of the pair, such as "<->", or ""; ParameterError if a node does not exist."""
        self._check(i, j)
        return MARKS[int(self.marks[j, i]), int(self.marks[i, j])][1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PAG) and np.array_equal(self.marks, other.marks)

    def __hash__(self) -> int:
        return hash((self.p, self.marks.tobytes()))

    def __reduce__(self) -> tuple:
        return PAG, (np.array(self.marks),)

    def __repr__(self) -> str:
        pairs = np.argwhere(np.triu(self.marks > NONE)).tolist()
        shown = [f"{i} {self.sign(i, j)} {j}" for i, j in pairs[:SHOWN_EDGES]]
        rest = len(pairs) - len(shown)
        text = ", ".join(shown) + (f", and {rest} more" if rest else "")
        return f"PAG(p={self.p}: {text or 'no edges'})"


def same_ends(one: PDAG, other: PDAG, i: int, j: int) -> bool:
    """Return True if two graphs mark a pair alike; two graphs of different types are compared as `PDAG`."""
    if isinstance(one, PAG) == isinstance(other, PAG):
        return one.mark(i, j) == other.mark(i, j)
    return bool(one.amat[i, j] == other.amat[i, j] and one.amat[j, i] == other.amat[j, i])


def check_no_hidden(graph: PDAG) -> None:
    """Raise ParameterError if the graph allows hidden common causes, so that no network of its nodes alone fits."""
    if isinstance(graph, PAG):
        raise ParameterError(
            "a PAG allows hidden common causes, so it is no network of these columns alone; use a learner of DAGs"
        )


def _open(marks: np.ndarray) -> np.ndarray:
    """Return (p, p) bool, symmetric: the edges that are not directed."""
    directed = (marks == ARROW) & (marks.T == TAIL)
    return (marks > NONE) & ~directed & ~directed.T


def _descends(marks: np.ndarray) -> np.ndarray:
    """Return (p, p) bool: entry [i, j] is True if one or more directed edges lead from i to j."""
    reach = (marks == ARROW) & (marks.T == TAIL)
    for k in np.flatnonzero(reach.any(axis=0) & reach.any(axis=1)).tolist():
        reach[reach[:, k]] |= reach[k]
    return reach
