"""Changes between two graphs over the same variables: added and removed edges, other directions, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from ..common.validation import validated
from ..common.wording import count
from ..evaluation.comparison import differences
from ..graphs.graph import PDAG

NOTHING = "nothing changed"
LINE, ARROW = frozenset({"undirected"}), frozenset({"forward", "backward"})


@dataclass(frozen=True)
class Changes:
    """Changes from one graph to another, as pairs (i, j) with i < j.

    Attributes
    ----------
    more, fewer : tuple of (int, int)
        Pairs that are adjacent only in the second graph, and only in the first.
    turned : tuple of (int, int)
        Pairs that are adjacent in both, with different marks.
    newly_directed, no_longer_directed : tuple of (int, int)
        Those of `turned` that are lines in the first graph and arrows in the second, and the reverse.
    reversed_arrows : tuple of (int, int)
        Those of `turned` that are arrows in both.
    """

    more: tuple[tuple[int, int], ...]
    fewer: tuple[tuple[int, int], ...]
    turned: tuple[tuple[int, int], ...]
    newly_directed: tuple[tuple[int, int], ...] = ()
    no_longer_directed: tuple[tuple[int, int], ...] = ()
    reversed_arrows: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.more) + len(self.fewer) + len(self.turned)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of changes of each kind that occurs, in words: {"added": 3, "reversed": 1}."""
        others = len(self.turned) - len(self.reversed_arrows) - len(self.newly_directed) - len(self.no_longer_directed)
        found = {
            "added": len(self.more),
            "removed": len(self.fewer),
            "reversed": len(self.reversed_arrows),
            "newly directed": len(self.newly_directed),
            "no longer directed": len(self.no_longer_directed),
            "with other ends": others,
        }
        return {word: n for word, n in found.items() if n}

    @property
    def sentence(self) -> str:
        """The numbers of changes in words, such as "3 edges added, 1 reversed"."""
        counts = list(self.numbers.items())
        if not counts:
            return NOTHING
        (word, first), *others = counts
        return ", ".join([f"{count(first, 'edge')} {word}", *(f"{n:,} {word}" for word, n in others)])


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
    '1 edge added, 1 no longer directed'
    """
    found = differences(before, after)
    by_kind = {kind: tuple(pair for pair, own in found.items() if own == kind) for kind in set(found.values())}
    turned = by_kind.get("direction_differs", ())
    marks = {pair: (before.mark(*pair), after.mark(*pair)) for pair in turned}

    def of(first: frozenset[str], second: frozenset[str]) -> tuple[tuple[int, int], ...]:
        return tuple(pair for pair in turned if marks[pair][0] in first and marks[pair][1] in second)

    return Changes(
        by_kind.get("only_b", ()),
        by_kind.get("only_a", ()),
        turned,
        newly_directed=of(LINE, ARROW),
        no_longer_directed=of(ARROW, LINE),
        reversed_arrows=of(ARROW, ARROW),
    )
