"""What became of an edge in one turn of CImap."""

from __future__ import annotations

from enum import IntEnum

from ..kernels.cimap.information import GONE, KEPT, NO_SET, SEPARATED, SKIPPED


class Fate(IntEnum):
    """State of a turn, see `Turns`."""

    FALLS = SEPARATED
    STAYS = KEPT
    HAD_FALLEN = GONE
    UNTESTED = SKIPPED  # for want of power
    NO_NEIGHBOURS = NO_SET  # too few for a set of this size
