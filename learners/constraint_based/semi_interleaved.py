"""Semi-interleaved HITON-PC: every variable takes candidates in the order of their dependence given nothing.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), figures 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numbering import Triples
from ..common.progress import Tick
from ..results.phases import Phase, Stage
from .max_min import OPEN, CandidateSets, MaxMinSearch


@dataclass(frozen=True, eq=False)
class OrientedCandidateSets(CandidateSets):
    """Candidate sets, and what directions were read off.

    Attributes
    ----------
    v_structures : (m, 3) int64 array
        Triples i, k, j that tests given k call v-structures.
    """

    v_structures: Triples


class SemiInterleavedSearch(MaxMinSearch):
    """The candidate sets of `MaxMinSearch`, filled another way: a newcomer is tested once, given what is there."""

    kind = "tests"

    def _forward(self, tick: Tick) -> None:
        """Each round every target looks at its next partner: in, unless a set of those taken before separates them."""
        self.pools = self._required_pools()
        number = 1
        while len(turn := self._strongest_open()):  # untried ones, of which only the test given nothing is known
            phase = Phase(Stage.ROUND, round=number)
            self._try(phase, turn, self.pools._replace(known=np.zeros_like(self.pools.known)), tick)
            self._take(phase, turn[self._state[turn] == OPEN])
            number += 1
