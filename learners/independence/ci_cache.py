"""Cache of test results, shared by the runs of one kind of test on one data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..kernels.ci.g2 import rows_suffice
from ..kernels.ci.g2_cached_search import CICache, SearchCache, rehash_tests
from ..kernels.ci.results import CIResults

T = TypeVar("T")
PowerRule = Callable[[float], bool]  # returns True if the rows suffice for a test with this number of cells


# (low, high, few, many): a run has the same outcome for low ≤ ln alpha < high and for rules that allow `few` cells but
# not `many`.
Validity = tuple[float, float, float, float]
ALWAYS_VALID = (-np.inf, np.inf, 0.0, np.inf)  # no decisive test: the result holds for any level and power rule
MAX_RESULT_BYTES = 1 << 26  # maximum number of bytes of stored results
FIRST_SLOTS, MAX_SLOTS = 1 << 14, 1 << 21  # number of slots for tests; 32 bytes each, so at most 67 MB
# Number of slots for searches over sets of one size; about 86 bytes each.
FIRST_SEARCH_SLOTS, MAX_SEARCH_SLOTS = 1 << 12, 1 << 18


def no_power_rule(_cells: float) -> bool:
    """Return True: without a power rule tests of any number of cells are done."""
    return True


def rule_of(n: int, rows_per_cell: float) -> PowerRule:
    """Return the power rule that requires `rows_per_cell` of n rows for each cell; 0 allows all tests."""
    return partial(rows_suffice, n, rows_per_cell)


def same_rule(near: Validity, power_rule: PowerRule) -> bool:
    """Return True if a power rule allows `few` cells but not `many`, the last two numbers of `near`."""
    return power_rule(near[2]) and (near[3] == math.inf or not power_rule(near[3]))


class CIMemory:
    """Results of tests by x, y and set, and tables that each run would otherwise compute again.

    A run with a memory reports the same results as one without it, to the last digit: cached values were computed by
    the same code. Not thread-safe.

    Parameters
    ----------
    p : int
        Number of variables.
    max_slots : int, optional
        Slots for tests, of 32 bytes each; half of them are used. Default: 67 MB.

    Attributes
    ----------
    tables : dict
        Tables that a test has precomputed for many pairs.
    whole : bool
        True if every test of the current run, or at least its p-value, is cached here.
    """

    def __init__(self, p: int, max_slots: int | None = None) -> None:
        self.tables: dict[Hashable, Any] = {}
        self.whole = True
        member_key = np.random.default_rng(0).integers(1, 2**64, 4 * p, dtype=np.uint64)
        self._tests, self._max_slots = _empty_tests(FIRST_SLOTS, member_key), max_slots or MAX_SLOTS
        self._searches: dict[int, SearchCache] = {}
        self._near = np.array(ALWAYS_VALID)  # validity of the current request, as in `SearchCache.bounds`
        self._near_of_run = ALWAYS_VALID
        self._power_rule: PowerRule = no_power_rule
        self._results: dict[Hashable, NamedTuple] = {}
        self._done_searches: dict[Hashable, list[CachedSearch]] = {}
        self._room_left = MAX_RESULT_BYTES

    def begin(self, power_rule: PowerRule = no_power_rule) -> None:
        """Start a run that decides by `power_rule` which tests have enough rows."""
        self.whole = True
        self._near_of_run = ALWAYS_VALID
        self._power_rule = power_rule

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the table of a key; create it if necessary."""
        if key not in self.tables:
            self.tables[key] = make()
        return self.tables[key]

    def tests(self) -> CICache:
        """Return the tests, with room for further ones."""
        room = len(self._tests.keys)
        if 4 * int(self._tests.used[0]) > room and room < self._max_slots:
            old, self._tests = self._tests, _empty_tests(4 * room, self._tests.member_key)
            rehash_tests(old, self._tests)
        return self._tests

    def searches(self, size: int) -> SearchCache:
        """Return the cached searches over sets of `size` members; none if the table had to be enlarged."""
        own = self._searches.get(size)
        room = len(own.keys) if own else FIRST_SEARCH_SLOTS // 4
        if own is None or (4 * int(own.used[0]) > room and room < MAX_SEARCH_SLOTS):
            own = self._searches[size] = _empty_searches(4 * room, size, self._near)
        return own

    def leave_out(self) -> None:
        """Record that the run performs uncached tests."""
        self.whole = False

    def result(self, key: Hashable) -> NamedTuple | None:
        """Return the result of the same request, if it was stored."""
        return self._results.get(key)

    def store(self, key: Hashable, arrays: NamedTuple) -> None:
        """Store the result of a request as read-only if there is room."""
        if self._has_room(arrays):
            self._results[key] = arrays

    def find_searches(self, request: Hashable, log_alpha: float) -> CachedSearch | None:
        """Return the cached result of the searches at an equivalent level, if any."""
        self._near[:] = ALWAYS_VALID
        for done_search in self._done_searches.get(request, ()):
            near = done_search.near(log_alpha)
            if near[0] <= log_alpha < near[1] and same_rule(near, self._power_rule):
                self._narrow(near)
                return done_search
        return None

    def store_searches(
        self, request: Hashable, results: CIResults, log_alpha: float, cells: np.ndarray | None = None
    ) -> None:
        """Store results that `find_searches` did not have, with the levels and power rules for which they hold.

        The results must not be changed afterwards. `cells` is given if each search is a single test, of a table with
        that many cells: the result of a single test holds at any level.
        """
        near, log_p = tuple(self._near.tolist()), None
        if cells is not None:
            done, undone = cells[results.tested].max(initial=0.0), cells[~results.tested].min(initial=np.inf)
            near, log_p = (-np.inf, np.inf, float(done), float(undone)), np.sort(results.log_p)
        done_search = CachedSearch(near, log_p, results, int(results.n_tests.sum()))
        self._narrow(done_search.near(log_alpha))
        if self._has_room(results):
            self._done_searches.setdefault(request, []).append(done_search)

    def _narrow(self, near: Validity) -> None:
        """Intersect the validity of the run with that of a part of it."""
        below, above, done, undone = self._near_of_run
        self._near_of_run = max(below, near[0]), min(above, near[1]), max(done, near[2]), min(undone, near[3])

    def _has_room(self, arrays: NamedTuple) -> bool:
        self._room_left -= sum([array.nbytes for array in arrays])
        return self._room_left > 0

    @property
    def near(self) -> Validity:
        """The levels and power rules for which the last run has the same outcome."""
        return self._near_of_run


class CachedSearch(NamedTuple):
    """Read-only results of searches, and the intervals of levels in which they hold.

    Attributes
    ----------
    holds : Validity
    log_p : float64 array or None
        ln p of all single tests, ascending: they bound the levels at which runs have the same outcome.
    results : CIResults
    n_tests : int
    """

    holds: Validity
    log_p: np.ndarray | None
    results: CIResults
    n_tests: int

    def near(self, log_alpha: float) -> Validity:
        """Return the levels around this one at which these searches end in the same way: up to the nearest p-values."""
        if self.log_p is None:
            return self.holds
        at = int(np.searchsorted(self.log_p, log_alpha, side="right"))
        below = float(self.log_p[at - 1]) if at else -np.inf
        above = float(self.log_p[at]) if at < len(self.log_p) else np.inf
        return below, above, *self.holds[2:]


def _empty_tests(room: int, member_key: np.ndarray) -> CICache:
    return CICache(
        keys=np.zeros(room, dtype=np.uint64),
        statistic=np.empty(room),
        dof=np.empty(room),
        log_p=np.empty(room),
        used=np.zeros(1, dtype=np.int64),
        member_key=member_key,
    )


def _empty_searches(room: int, size: int, near: np.ndarray) -> SearchCache:
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
