"""What changed between two graphs over the same variables: edges more, fewer and turned, and a sentence on it."""

from __future__ import annotations

from dataclasses import dataclass

from ..common.validation import validated
from ..common.wording import count
from ..evaluation.comparison import differences
from ..graphs.graph import PDAG

NOTHING = "nothing changed"


@dataclass(frozen=True)
class Changes:
    """From one graph to another, pairs (i, j) with i < j.

    Attributes
    ----------
    more, fewer : tuple of (int, int)
        Pairs that only the second graph joins, and those that only the first does.
    turned : tuple of (int, int)
        Pairs that both join, with other marks.
    """

    more: tuple[tuple[int, int], ...]
    fewer: tuple[tuple[int, int], ...]
    turned: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.more) + len(self.fewer) + len(self.turned)

    @property
    def sentence(self) -> str:
        """How many of each kind: "3 edges more, 1 turned"."""
        parts = [(len(self.more), "more"), (len(self.fewer), "fewer"), (len(self.turned), "turned")]
        told = [(n, word) for n, word in parts if n]
        if not told:
            return NOTHING
        (first, word), *others = told
        return ", ".join([f"{count(first, 'edge')} {word}", *(f"{n:,} {word}" for n, word in others)])


@validated
def changes(before: PDAG, after: PDAG) -> Changes:
    """What changed from one graph to another.

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
