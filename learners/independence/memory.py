"""What tests of one kind on one data set have in common, for runs that come back to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..kernels.ci.g2_cached_search import CICache, SearchCache, rehash_tests
from ..kernels.ci.results import CIResults

T = TypeVar("T")
Enough = Callable[[float], bool]  # whether the rows suffice for a test of so many cells
# Where a run or a part of one is the same: from a first ln alpha on and below a second, and by any power rule that
# lets tests of so many cells be done, and none from so many on.
Near = tuple[float, float, float, float]
ANYWHERE = (-np.inf, np.inf, 0.0, np.inf)  # no test decided anything: any level and any power rule gives the same
MOST_TOLD = 1 << 26  # bytes of answers
FIRST_ROOM, MOST_ROOM = 1 << 14, 1 << 21  # places; 32 bytes each, so at most 67 MB
FIRST_WALKS, MOST_WALKS = 1 << 12, 1 << 18  # places of each size of sets; about 86 bytes each


def always(_cells: float) -> bool:
    """The power rule of tests that are done however many cells they have."""
    return True


def same_rule(near: Near, enough: Enough) -> bool:
    """Whether a power rule lets the same tests be done."""
    return enough(near[2]) and (near[3] == math.inf or not enough(near[3]))


class CIMemory:
    """Tests done so far by x, y and set, and tables that each run would make anew.

    A run with it tells the same as one without, to the last digit: what is remembered is what the same code computed.
    Not to be shared by threads.

    Parameters
    ----------
    p : int
        Number of variables.
    most_room : int, optional
        Places for tests at most, of 32 bytes; half of them are filled. Default: 67 MB of them.

    Attributes
    ----------
    tables : dict
        What a test has made of the data before it is asked for many pairs.
    whole : bool
        Whether every test of the run that was begun last is remembered here, or at least its p.
    """

    def __init__(self, p: int, most_room: int | None = None) -> None:
        self.tables: dict[Hashable, Any] = {}
        self.whole = True
        member_key = np.random.default_rng(0).integers(1, 2**64, 4 * p, dtype=np.uint64)
        self._known, self._most_room = _empty(FIRST_ROOM, member_key), most_room or MOST_ROOM
        self._walks: dict[int, SearchCache] = {}
        self._near = np.array(ANYWHERE)  # of the request that is being answered, as `KnownWalks.near`
        self._near_of_run = ANYWHERE
        self._enough: Enough = always
        self._told: dict[Hashable, NamedTuple] = {}
        self._walked: dict[Hashable, list[Walked]] = {}
        self._room_left = MOST_TOLD

    def begin(self, enough: Enough = always) -> None:
        """Hear that a run begins, and of how many cells its power rule lets a test be."""
        self.whole = True
        self._near_of_run = ANYWHERE
        self._enough = enough

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What the first that asked has made."""
        if key not in self.tables:
            self.tables[key] = make()
        return self.tables[key]

    def known(self) -> CICache:
        """The tests, with room for further ones."""
        room = len(self._known.keys)
        if 4 * int(self._known.used[0]) > room and room < self._most_room:
            old, self._known = self._known, _empty(4 * room, self._known.member_key)
            rehash_tests(old, self._known)
        return self._known

    def walks(self, size: int) -> SearchCache:
        """The walks of sets of so many members; none any more where their room became scarce, and was made larger."""
        own = self._walks.get(size)
        room = len(own.keys) if own else FIRST_WALKS // 4
        if own is None or (4 * int(own.used[0]) > room and room < MOST_WALKS):
            own = self._walks[size] = _no_walks(4 * room, size, self._near)
        return own

    def leave_out(self) -> None:
        """Hear that the run does tests that are not remembered."""
        self.whole = False

    def told(self, key: Hashable) -> NamedTuple | None:
        """The answer to a request that was asked before, word for word."""
        return self._told.get(key)

    def tell(self, key: Hashable, arrays: NamedTuple) -> None:
        """Keep the answer to a request, while there is room; nobody may change it."""
        if self._has_room(arrays):
            self._told[key] = arrays

    def walked(self, request: Hashable, log_alpha: float) -> Walked | None:
        """The same walks, if some at this level were done before."""
        self._near[:] = ANYWHERE
        for one in self._walked.get(request, ()):
            near = one.near(log_alpha)
            if near[0] <= log_alpha < near[1] and same_rule(near, self._enough):
                self._note(near)
                return one
        return None

    def walk(self, request: Hashable, results: CIResults, log_alpha: float, cells: np.ndarray | None = None) -> None:
        """Keep what walks gave that `walked` did not know, while there is room, with the levels and the power rules
        that it holds for; nobody may change it any more.

        `cells` are given where each walk is one test, of so many cells: its result holds at any level, on whichever
        side of it p lies.
        """
        near, log_p = tuple(self._near.tolist()), None
        if cells is not None:
            done, undone = cells[results.tested].max(initial=0.0), cells[~results.tested].min(initial=np.inf)
            near, log_p = (-np.inf, np.inf, float(done), float(undone)), np.sort(results.log_p)
        one = Walked(near, log_p, results, int(results.n_tests.sum()))
        self._note(one.near(log_alpha))
        if self._has_room(results):
            self._walked.setdefault(request, []).append(one)

    def _note(self, near: Near) -> None:
        """A part of the run is the same where these hold."""
        below, above, done, undone = self._near_of_run
        self._near_of_run = max(below, near[0]), min(above, near[1]), max(done, near[2]), min(undone, near[3])

    def _has_room(self, arrays: NamedTuple) -> bool:
        self._room_left -= sum([array.nbytes for array in arrays])
        return self._room_left > 0

    @property
    def near(self) -> Near:
        """Where the run that was begun last, and is over, is the same."""
        return self._near_of_run


class Walked(NamedTuple):
    """Results of walks, which nobody may change, and where they hold; of single tests all ln p, ascending, which say
    where runs are the same."""

    holds: Near
    log_p: np.ndarray | None
    results: CIResults
    n_tests: int

    def near(self, log_alpha: float) -> Near:
        """Where a run at this level is the same, as far as these walks go: up to the nearest p on either side."""
        if self.log_p is None:
            return self.holds
        at = int(np.searchsorted(self.log_p, log_alpha, side="right"))
        below = float(self.log_p[at - 1]) if at else -np.inf
        above = float(self.log_p[at]) if at < len(self.log_p) else np.inf
        return below, above, *self.holds[2:]


def _empty(room: int, member_key: np.ndarray) -> CICache:
    return CICache(
        keys=np.zeros(room, dtype=np.uint64),
        statistic=np.empty(room),
        dof=np.empty(room),
        log_p=np.empty(room),
        used=np.zeros(1, dtype=np.int64),
        member_key=member_key,
    )


def _no_walks(room: int, size: int, near: np.ndarray) -> SearchCache:
    numbers = {name: np.empty(room) for name in ("low", "high", "done", "undone", "log_p", "statistic", "dof")}
    return SearchCache(
        keys=np.zeros(room, dtype=np.uint64),
        tested=np.empty(room, dtype=np.bool_),
        cond=np.empty((room, size), dtype=np.int32),
        n_tests=np.empty(room, dtype=np.int64),
        used=np.zeros(1, dtype=np.int64),
        bounds=near,
        **numbers,
    )
