"""What every test of independence offers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..kernels.tests.judging import NormalSample, TrueSample
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.questions import Answers, Questions, fold
from ..kernels.tests.separation import DiscreteSample, Outcome
from .pools import Pools


@dataclass(frozen=True)
class CIResult:
    """Outcome of one test. Independent iff ``p_value > alpha``; compare `log_p`, which never underflows.

    Attributes
    ----------
    statistic : float
        G² or Fisher's z; NaN for the oracle.
    dof : float
        Degrees of freedom; NaN where the test has none.
    log_p : float
        Natural logarithm of the p-value, in [-inf, 0].
    p_value : float
    tested : bool
        False if there were too few rows to test; the pair then counts as independent with p = 1.
    """

    statistic: float
    dof: float
    log_p: float
    p_value: float
    tested: bool = True


@dataclass(frozen=True)
class Separation:
    """Outcome of a walk over conditioning sets.

    `cond` is the first set that separates, or else the set with the largest p; `log_p`, `statistic`, `dof` and
    `tested` belong to it. `n_tests` is 0, and `cond` None, where no set of the size exists.
    """

    separated: bool
    cond: tuple[int, ...] | None
    log_p: float
    statistic: float
    dof: float
    tested: bool
    n_tests: int


class InKernels(NamedTuple):
    """A test as `kernels.tests.judging` takes it.

    Attributes
    ----------
    sample : DiscreteSample, NormalSample or TrueSample
    scratch : callable
        ``scratch(size)`` is working memory of one thread for sets of up to `size` members.
    """

    sample: DiscreteSample | NormalSample | TrueSample
    scratch: Callable[[int], Any]


class CITest(ABC):
    """A test of x and y given a set, bound to its data. A learner sees nothing else of the data.

    A test of one's own needs `names` and `test`; the walks below then work, one test at a time.

    Attributes
    ----------
    names : tuple of str
        The variables; nodes are positions in it.
    n_tests : int
        Tests done so far.
    """

    names: tuple[str, ...]
    n_tests: int = 0

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @abstractmethod
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`, counting it in `n_tests`."""

    def separate(
        self, x: int, y: int, pool: Sequence[int], size: int, alpha: float, *, beside: Sequence[int] = ()
    ) -> Separation:
        """Walk the `size`-subsets of `pool` in lexicographic order, up to the first given which p > alpha.

        Parameters
        ----------
        x, y : int
            The pair.
        pool : sequence of int
            Candidates for the set, without x and y.
        size : int
            Members of each set.
        alpha : float
            Significance level in (0, 1).
        beside : sequence of int
            A second pool, walked after the first; sets within the first are not repeated.
        """
        check_open_interval("alpha", alpha, 0.0, 1.0)
        self._members(x, y, (*pool, *beside))
        adjacency = np.zeros((self.p, self.p), dtype=bool)
        adjacency[x, list(pool)] = True
        adjacency[y, list(beside)] = True
        outcome = self.separate_edges(np.array([[x, y]]), adjacency, size, alpha)
        log_p, n_tests = float(outcome.log_p[0]), int(outcome.n_tests[0])
        return Separation(
            separated=bool(n_tests) and log_p > math.log(alpha),
            cond=tuple(int(k) for k in outcome.cond[0]) if n_tests else None,
            log_p=log_p,
            statistic=float(outcome.statistic[0]),
            dof=float(outcome.dof[0]),
            tested=bool(outcome.tested[0]),
            n_tests=n_tests,
        )

    def separate_edges(
        self,
        edges: np.ndarray,
        adjacency: np.ndarray,
        size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """`separate` for many pairs at once: each from the neighbours of its first node, then of its second.

        Parameters
        ----------
        edges : (m, 2) integer array
        adjacency : (p, p) bool array
            Row x holds the candidates for sets of x; the partner is left out by itself.
        size, alpha
            As in `separate`.
        phase, tick
            Listener.

        Raises
        ------
        Stopped
            If cancelled; `partial` is the outcome so far.
        """
        outcome = empty_outcome(len(edges), size)
        for e, (x, y) in enumerate(edges):
            sets = conditioning_sets(adjacency, int(x), int(y), size)
            self._walk_sets(int(x), int(y), sets, math.log(alpha), outcome, e)
            if not tick(phase, e + 1, len(edges)):
                raise Stopped(outcome)
        return outcome

    def separate_by_new(
        self,
        edges: np.ndarray,
        pools: Pools,
        max_size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """Walk, for many pairs, the sets that the pool of the first node newly offers, up to the first that separates.

        Parameters
        ----------
        edges : (m, 2) integer array
        pools : Pools
            None holds a partner of its node.
        max_size : int
            Most members of a set, at least 1.
        alpha, phase, tick
            As in `separate_edges`.

        Raises
        ------
        Stopped
            If cancelled; `partial` is the outcome so far.
        """
        outcome = empty_outcome(len(edges), max_size)
        for e, (x, y) in enumerate(edges.tolist()):
            self._walk_sets(x, y, pools.new_sets(x, max_size), math.log(alpha), outcome, e)
            if not tick(phase, e + 1, len(edges)):
                raise Stopped(outcome)
        return outcome

    def separate_pools(
        self,
        edges: np.ndarray,
        pools: PairPools,
        skip: np.ndarray,
        size: int,
        alpha: float,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> Outcome:
        """Walk, for many pairs, the `size`-subsets of a pool of their own, up to the first that separates.

        Parameters
        ----------
        edges : (m, 2) integer array
        pools : PairPools
            One pool a pair, without the pair itself, in the order to walk in.
        skip : (m, s, p) bool array
            Sets that lie within one of the s rows of their pair are left out.
        size : int
            Members of each set, at least 1.
        alpha, phase, tick
            As in `separate_edges`.

        Raises
        ------
        Stopped
            If cancelled; `partial` is the outcome so far.
        """
        outcome = empty_outcome(len(edges), size)
        for e, (x, y) in enumerate(edges.tolist()):
            pool = pools.members[pools.begin[e] : pools.begin[e + 1]].tolist()
            sets = (cond for cond in combinations(pool, size) if not skip[e][:, cond].all(axis=1).any())
            self._walk_sets(x, y, sets, math.log(alpha), outcome, e)
            if not tick(phase, e + 1, len(edges)):
                raise Stopped(outcome)
        return outcome

    def order(self) -> np.ndarray:
        """(p,) int64: the nodes in an order for learners that need one; the data settle it where they can."""
        return np.arange(self.p)

    def in_kernels(self) -> InKernels:
        """The test in a form that kernels can call by themselves.

        Raises
        ------
        ParameterError
            If the test has none.
        """
        raise ParameterError("this learner runs whole in kernels and needs G2, FisherZ or DSeparation; use one of them")

    def answer(self, questions: Questions, *, phase: str = "", tick: Tick = silent) -> Answers:
        """Many tests at once, each with a set of its own, in walks that end at the first that separates.

        Parameters
        ----------
        questions : Questions
            See `kernels.tests.questions`.
        phase, tick
            As in `separate_edges`.

        Raises
        ------
        Stopped
            If cancelled; its `partial` has the walks done so far.
        """
        walks = len(questions.begin_of) - 1
        answers = no_answers(walks)
        for w in range(walks):
            begin, end = questions.begin_of[w : w + 2].tolist()
            for q in range(begin, end):
                cond = questions.members[questions.ends[q] : questions.ends[q + 1]].tolist()
                result = self.test(int(questions.x[q]), int(questions.y[q]), cond)
                told = (result.log_p, result.statistic, result.dof, result.tested)
                if fold(questions.log_alpha, questions.skip, answers, w, q - begin, *told):
                    break
            if not tick(phase, w + 1, walks):
                raise Stopped(answers)
        return answers

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Rows there are for each cell of the table of x, y and `cond`; infinitely many for a test that needs none."""
        return math.inf

    def log_p_given_rest(self) -> np.ndarray:
        """ln p of every pair given all other variables.

        Returns
        -------
        (p, p) float64 array
            Symmetric, -inf on the diagonal.

        Raises
        ------
        DataError
            If the test cannot condition on so many.
        """
        log_p = np.full((self.p, self.p), -math.inf)
        for x, y in combinations(range(self.p), 2):
            log_p[x, y] = log_p[y, x] = self.test(x, y, set(range(self.p)) - {x, y}).log_p
        return log_p

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """(p, p) distances of the variables, 0 where they tell the same and 1 where they tell nothing of one another.

        Parameters
        ----------
        statistic : (p, p) float64 array
            Of each pair tested without a conditioning set, symmetric; 0 where no test was done.

        Raises
        ------
        ParameterError
            If the test knows no distance.
        """
        raise ParameterError("this test knows no distance between variables, so clusters must be given; pass labels")

    def _members(self, x: int, y: int, cond: Sequence[int]) -> list[int]:
        """`cond` ascending, each member once; ParameterError unless x, y and they are different nodes."""
        members = sorted(set(cond))
        nodes = {x, y, *members}
        if len(nodes) < 2 + len(members) or not all(0 <= k < self.p for k in nodes):
            raise ParameterError(
                f"a test needs two variables and a set without them, numbered 0 .. {self.p - 1}, "
                f"got {x}, {y} given {members}"
            )
        return members

    def _walk_sets(
        self, x: int, y: int, sets: Iterable[tuple[int, ...]], log_alpha: float, outcome: Outcome, e: int
    ) -> None:
        for cond in sets:
            result = self.test(x, y, cond)
            if outcome.n_tests[e] == 0 or result.log_p > outcome.log_p[e]:
                outcome.log_p[e] = result.log_p
                outcome.statistic[e] = result.statistic
                outcome.dof[e] = result.dof
                outcome.tested[e] = result.tested
                outcome.cond[e, : len(cond)] = cond
            outcome.n_tests[e] += 1
            if result.log_p > log_alpha:
                return


def conditioning_sets(adjacency: np.ndarray, x: int, y: int, size: int) -> Iterator[tuple[int, ...]]:
    """The sets of one pair in the order of the walk, each once."""
    first = [int(k) for k in np.flatnonzero(adjacency[x]) if k != y]
    second = [int(k) for k in np.flatnonzero(adjacency[y]) if k != x]
    yield from combinations(first, size)
    yield from (cond for cond in combinations(second, size) if size and not set(cond) <= set(first))


def empty_outcome(m: int, size: int) -> Outcome:
    """Rows for `m` edges about which nothing is known yet."""
    return Outcome(
        log_p=np.full(m, -np.inf),
        statistic=np.full(m, np.nan),
        dof=np.full(m, np.nan),
        tested=np.ones(m, dtype=bool),
        cond=np.full((m, size), -1, dtype=np.int32),
        n_tests=np.zeros(m, dtype=np.int64),
    )


def no_answers(k: int) -> Answers:
    """Rows for `k` walks of which nothing is known yet."""
    return Answers(
        log_p=np.full(k, -np.inf),
        statistic=np.full(k, np.nan),
        dof=np.full(k, np.nan),
        tested=np.ones(k, dtype=bool),
        at=np.zeros(k, dtype=np.int64),
        n_tests=np.zeros(k, dtype=np.int64),
    )
