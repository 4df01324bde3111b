"""The number of resamples of a group chosen by the data: it grows until the probabilities of edges hardly move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...evaluation.posterior import Posterior

SETTLED = 0.05  # change of the probabilities, as a share of the expected number of edges, below which they have settled


@dataclass(frozen=True)
class Branching:
    """One number of resamples that was tried.

    Attributes
    ----------
    s : int
    n_classes : int
        Number of equivalence classes averaged.
    change : float
        Sum of the changes of P(edge) since the number before, divided by the expected number of edges; NaN for the
        first.
    """

    s: int
    n_classes: int
    change: float

    @property
    def settled(self) -> bool:
        """True if the probabilities hardly moved."""
        return self.change <= SETTLED


def branchings(posterior_of: Callable[[int], Posterior], most: int) -> tuple[Branching, ...]:
    """Try 1, 2, … resamples of each group until the probabilities have settled.

    Parameters
    ----------
    posterior_of : callable
        ``posterior_of(s)`` returns the posterior of a tree with s resamples of each group.
    most : int
        Largest number tried.

    Returns
    -------
    tuple of Branching
        The last one is the choice.
    """
    found: list[Branching] = []
    before = None
    for s in range(1, most + 1):
        posterior = posterior_of(s)
        adjacent = posterior.adjacent
        change = np.nan
        if before is not None:
            change = float(np.abs(adjacent - before).sum() / max(adjacent.sum(), before.sum(), 1.0))
        found.append(Branching(s, len(posterior.classes), change))
        if found[-1].settled:
            break
        before = adjacent
    return tuple(found)
