"""Expensive tests of categorical data: their walks do one test after the other, on every core."""

from __future__ import annotations

import copy
from itertools import takewhile
from typing import Any

import numpy as np

from ..common.memory import allow_table
from ..common.parallel import Kernel
from ..common.progress import Tick
from ..data.dataset import Dataset
from ..kernels.tests.results import TestResults
from .g2 import G2
from .walks import Walks


class OneByOne(G2):
    """A test that is given by `_decide` alone, from whole tables of two variables."""

    def __init__(self, dataset: Dataset, **options: Any) -> None:
        super().__init__(dataset, **options)
        allow_table(dataset.names, dataset.arity)

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Nothing to prepare."""

    def _kernel(self, walks: Walks, log_alpha: float, results: TestResults) -> Kernel:
        """The walks of `CITest.separate`, which end early once `stop` is set."""
        own = copy.copy(self)  # its count of tests is its own: threads share nothing

        def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            for e in range(begin, end):
                own._walk(walks, e, takewhile(lambda _: not stop[0], walks.sets(e)), log_alpha, results)
                if stop[0]:
                    return
                done[0] += 1

        return kernel
