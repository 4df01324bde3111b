"""Changes between two graphs over the same variables: added, removed and turned edges, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from ..common.validation import validated
from ..common.wording import count
from ..evaluation.comparison import differences
from ..graphs.graph import PDAG

NOTHING = "nothing changed"


@dataclass(frozen=True)
class Changes:
    """Changes from one graph to another, as pairs (i, j) with i < j.

    Attributes
    ----------
    more, fewer : tuple of (int, int)
        Pairs that are adjacent only in the second graph, and only in the first.
    turned : tuple of (int, int)
        Pairs that are adjacent in both, with different marks.
    """

    more: tuple[tuple[int, int], ...]
    fewer: tuple[tuple[int, int], ...]
    turned: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.more) + len(self.fewer) + len(self.turned)

    @property
    def sentence(self) -> str:
        """The numbers of changes in words, such as "3 edges more, 1 turned"."""
        parts = [(len(self.more), "more"), (len(self.fewer), "fewer"), (len(self.turned), "turned")]
        counts = [(n, word) for n, word in parts if n]
        if not counts:
            return NOTHING
        (first, word), *others = counts
        return ", ".join([f"{count(first, 'edge')} {word}", *(f"{n:,} {word}" for n, word in others)])


@validated
def changes(before: PDAG, after: PDAG) -> Changes:
    """Compare two graphs.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.

    Examples
    --------
    >>> a, b = PDAG.from_edges(3, directed=[(0, 1)]), PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    >>> changes(a, b).sentence
    '1 edge more, 1 turned'
    """
    found = differences(before, after)
    by_kind = {kind: tuple(pair for pair, own in found.items() if own == kind) for kind in set(found.values())}
    return Changes(by_kind.get("only_b", ()), by_kind.get("only_a", ()), by_kind.get("direction_differs", ()))
