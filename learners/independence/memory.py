"""What tests of one kind on one data set have in common, for runs that come back to it."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from ..kernels.tests.recalled import Known, gap_around, move_known
from ..kernels.tests.results import TestResults

MOST_TOLD = 1 << 26  # bytes of answers
FIRST_ROOM, MOST_ROOM = 1 << 14, 1 << 21  # places; 33 bytes each, so at most 69 MB


class TestMemory:
    """Tests done so far by x, y and set, and tables that each run would make anew.

    A run with it tells the same as one without, to the last digit: what is remembered is what the same code computed.
    Not to be shared by threads.

    Parameters
    ----------
    p : int
        Number of variables.

    Attributes
    ----------
    tables : dict
        What a test has made of the data before it is asked for many pairs.
    """

    __test__ = False

    def __init__(self, p: int) -> None:
        self.tables: dict[str, Any] = {}
        self._whole = True
        member_key = np.random.default_rng(0).integers(1, 2**64, p, dtype=np.uint64)
        self._known = _empty(FIRST_ROOM, member_key)
        self._marginal = np.empty(0)
        self._told: dict[Hashable, NamedTuple] = {}
        self._room_left = MOST_TOLD

    def known(self) -> Known:
        """The tests, with room for further ones."""
        room = len(self._known.keys)
        self._whole = self.whole
        if 4 * int(self._known.used[0]) > room and room < MOST_ROOM:
            old, self._known = self._known, _empty(4 * room, self._known.member_key)
            move_known(old, self._known)
        return self._known

    @property
    def whole(self) -> bool:
        """Whether every test of the runs so far is remembered here."""
        return self._whole and 2 * int(self._known.used[0]) <= len(self._known.keys)

    def leave_out(self) -> None:
        """Hear that a run does tests that are not remembered."""
        self._whole = False

    def note_marginal(self, results: TestResults) -> None:
        """Hear of tests without a set, which are not kept one by one."""
        self._marginal = np.unique(np.concatenate([self._marginal, results.log_p]))

    def told(self, key: Hashable) -> NamedTuple | None:
        """The answer to a request that was asked before, word for word."""
        return self._told.get(key)

    def tell(self, key: Hashable, arrays: NamedTuple) -> None:
        """Keep the answer to a request, while there is room; nobody may change it."""
        self._room_left -= sum(array.nbytes for array in arrays)
        if self._room_left > 0:
            self._told[key] = arrays

    def gap(self, alpha: float) -> tuple[float, float]:
        """ln of the nearest p of any test so far that is at most `alpha`, and of the nearest above.

        Every run whose tests are among these decides alike at all levels between the two, the first included.
        """
        log_alpha = math.log(alpha)
        below, above = gap_around(self._known, log_alpha)
        at = int(np.searchsorted(self._marginal, log_alpha, side="right"))
        below = max([below, *self._marginal[at - 1 : at].tolist()])
        return below, min([above, *self._marginal[at : at + 1].tolist()])


def _empty(room: int, member_key: np.ndarray) -> Known:
    return Known(
        keys=np.zeros(room, dtype=np.uint64),
        statistic=np.empty(room),
        dof=np.empty(room),
        log_p=np.empty(room),
        tested=np.empty(room, dtype=np.bool_),
        used=np.zeros(1, dtype=np.int64),
        member_key=member_key,
    )
