"""Tests whose walks run inside compiled kernels, on every core."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..errors import ParameterError
from ..kernels.separation import DiscreteSample, GaussianSample, Outcome, judge_one, walk_edges
from ..parallel import in_pieces
from ..progress import Tick, silent
from .base import CIResult, CITest, empty_outcome


class CompiledTest(CITest):
    """A test given by a sample in kernel form."""

    def __init__(
        self, names: tuple[str, ...], sample: DiscreteSample | GaussianSample, n_scratch: int, threads: int | None
    ) -> None:
        self.names = names
        self.n_tests = 0
        self._sample = sample
        self._n_scratch = n_scratch
        self._threads = threads

    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`."""
        if x == y or x in cond or y in cond:
            raise ParameterError(f"a test needs two variables and a set without them, got {x}, {y} given {list(cond)}")
        self.n_tests += 1
        members = np.array(sorted(cond), dtype=np.int32)
        scratch = np.empty(self._n_scratch, dtype=np.int64)
        log_p, statistic, dof, tested = judge_one(self._sample, x, y, members, scratch)
        return CIResult(statistic, dof, log_p, math.exp(log_p), tested)

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
        """As `CITest.separate_edges`, with the same result for any number of threads."""
        outcome = empty_outcome(len(edges), size)
        if len(edges) == 0:
            return outcome
        edges = np.ascontiguousarray(edges, dtype=np.int64)
        adjacency = np.ascontiguousarray(adjacency, dtype=bool)
        log_alpha = math.log(alpha)

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            walk_edges(self._sample, edges, begin, end, adjacency, log_alpha, outcome, self._n_scratch, stop, done)

        try:
            in_pieces(piece, len(edges), phase=phase, tick=tick, threads=self._threads)
        finally:
            self.n_tests += int(outcome.n_tests.sum())
        return outcome
