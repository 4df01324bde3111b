"""Record of the completion of missing cells in a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.relabeling import by_node, by_pair
from ..common.wording import count
from ..graphs.knowledge import Knowledge


@dataclass(frozen=True, eq=False)
class CompletedCells:
    """The treatment of missing cells that a run used; see `completion.completed.with_completion`.

    Attributes
    ----------
    missing : (p,) float64 array
        Share of missing cells of each variable.
    tables : int
        Number of imputed tables whose counts scores add up; 1 if the learner saw one imputed table; 0 if
        correlations were estimated instead.
    knowledge : Knowledge or None
        Background knowledge of the networks from which cells were drawn.
    seed : int
        Seed of the draws.
    adjacent : (p, p) float64 array, or None
        Share of the networks, each learned from one imputed table, in which two variables are adjacent; None without
        tables.
    networks : int
        Number of these networks.
    averaged : int
        Number of imputed tables over which basis functions averaged their correlations; 0 without basis functions.
    """

    missing: Annotated[np.ndarray, by_node]
    tables: int
    knowledge: Knowledge | None
    seed: int
    adjacent: Annotated[np.ndarray | None, by_pair] = None
    networks: int = 0
    averaged: int = 0

    @property
    def imputed(self) -> bool:
        """True if missing cells were drawn; False if the run used moments that EM estimates, which fills in no cell."""
        return self.tables > 0 or self.averaged > 0

    @property
    def share(self) -> float:
        """Share of missing cells in the data."""
        return float(self.missing.mean())

    @property
    def sentence(self) -> str:
        """Sentences on the share of missing cells, on their treatment, and on what it assumes."""
        return f"{100 * self.share:.2g}% of the cells are missing. {self.treatment}"

    @property
    def treatment(self) -> str:
        """Sentences on the treatment of missing cells, and on what it assumes."""
        if self.averaged:
            how = (
                "Missing cells were imputed: basis functions use the mean correlations of "
                f"{self.averaged} imputed tables."
            )
        elif self.tables == 0:
            how = (
                "The run uses correlations that EM estimates from all observed cells, without filling in missing "
                "ones; levels count as columns of 0 and 1."
            )
        elif self.tables == 1:
            how = "Missing cells were imputed: the learner saw one table with cells drawn from learned networks."
        else:
            how = (
                f"Missing cells were imputed: scores use {count(self.tables, 'table')} with cells drawn from learned "
                "networks."
            )
        return f"{how} This assumes that missingness depends only on observed cells."
